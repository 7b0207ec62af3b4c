/** Finds the channel of a thread by its parent message. */
import { splitCid } from "../../wire/ids.ts";
import type { Args, Call } from "../base/define-command.ts";

interface ThreadLocation {
  cid: string;
  path: { type: string; id: string };
  parentId: string;
  /** Who sees the named message and wrote it, if it is not for the whole channel. */
  audience: string[];
}

/** `named` may be the parent or any reply. */
export async function findThread(call: Pick<Call<Args>, "core">, named: string): Promise<ThreadLocation> {
  const { message } = await call.core.call("getMessage", { path: { id: named } });
  const { cid, parent_id, id, user, restricted_visibility: seenBy = [] } = message;
  const audience = seenBy.length === 0 ? [] : [...new Set([user.id, ...seenBy])];
  return { cid, path: splitCid(cid)!, parentId: parent_id ?? id, audience };
}
