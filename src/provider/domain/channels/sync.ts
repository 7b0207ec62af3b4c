/** What a catching-up client may still hear of: its channels minus those that are gone or closed to it. */
import type { Database } from "../../store/database.ts";
import { findChannel, memberRow } from "./rows.ts";
import { openTypes } from "../access/policy.ts";
import { findUser } from "../users/view.ts";

/** Those of `cids` that are unknown, deleted, disabled or not readable for the user. */
export function inaccessible(db: Database, userId: string, cids: string[]): string[] {
  const open = new Set(openTypes(findUser(db, userId)?.role ?? "user"));
  return cids.filter((cid) => {
    const channel = findChannel(db, cid);
    if (!channel || channel.disabled) return true;
    return !open.has(channel.type) && channel.created_by !== userId && !memberRow(db, cid, userId);
  });
}
