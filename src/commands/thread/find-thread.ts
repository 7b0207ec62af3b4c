/** Finds the channel of a thread by its parent message. */
import { splitCid } from "../../wire/ids.ts";
import type { Args, Call } from "../base/define-command.ts";

type ThreadLocation = { cid: string; path: { type: string; id: string } };

/** `named` may be the parent or any reply. */
export async function findThread(
  call: Pick<Call<Args>, "core">,
  named: string,
): Promise<ThreadLocation & { parentId: string }> {
  const { message } = await call.core.call("getMessage", { path: { id: named } });
  return { cid: message.cid, path: splitCid(message.cid)!, parentId: message.parent_id ?? message.id };
}
