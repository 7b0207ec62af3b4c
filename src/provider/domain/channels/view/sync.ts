/** What a client may still see of its channels when it catches up. */
import type { Database } from "../../../base/database.ts";
import { findChannel, memberRow } from "../storage/rows.ts";
import { can, userPermissions } from "../../access/view/policy.ts";

/** Those of `cids` that are unknown, deleted, disabled or not readable for the user. */
export function inaccessible(db: Database, userId: string, cids: string[]): string[] {
  return cids.filter((cid) => {
    const channel = findChannel(db, cid);
    if (!channel || channel.disabled) return true;
    return !can(userPermissions(db, userId, channel), "read-channel");
  });
}

export const hiddenBefore = (db: Database, cid: string, reader: string): number =>
  memberRow(db, cid, reader)?.hide_before ?? 0;
