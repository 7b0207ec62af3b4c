/** Finds the channel of a thread by its parent message. */
import { audienceOfMessage, type Audience } from "../../model/audience.ts";
import { splitCid } from "../../wire/ids.ts";
import type { Args, Call } from "../base/define-command.ts";

interface ThreadLocation {
  cid: string;
  path: { type: string; id: string };
  parentId: string;
  /** Who sees the named message, if it is not for the whole channel. */
  audience: Audience;
}

/** `named` may be the parent or any reply. */
export async function findThread(call: Pick<Call<Args>, "core">, named: string): Promise<ThreadLocation> {
  const { message } = await call.core.call("getMessage", { path: { id: named } });
  call.core.audiences.note(message);
  const { cid, parent_id, id } = message;
  return { cid, path: splitCid(cid)!, parentId: parent_id ?? id, audience: audienceOfMessage(message) };
}
