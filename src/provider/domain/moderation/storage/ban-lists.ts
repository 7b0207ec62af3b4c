/** Lists of current bans and of bans from future channels. */
import type { Database } from "../../../base/database.ts";
import { EQUAL, textField, timeField, type Sql } from "../../query/filter-fields.ts";
import { ownEntry, type OffsetListDefinition } from "../../query/listing.ts";
import type { BanRow, FutureBanRow } from "./bans.ts";

export const BAN_LIST: OffsetListDefinition<BanRow> = {
  columns: "b.*",
  from: "bans b",
  counted: "b.created_at",
  fields: ownEntry({
    user_id: textField("b.target_id"),
    banned_by_id: textField("b.banned_by"),
    channel_cid: textField("nullif(b.cid, '')", [...EQUAL, "$exists"]),
    created_at: timeField("b.created_at"),
    reason: textField("b.reason", [...EQUAL, "$exists", "$autocomplete", "$q"]),
  }),
  sorts: ownEntry({ created_at: "b.created_at" }),
  fallback: "b.created_at DESC",
  tie: "b.target_id, b.cid",
};

/** A condition on the list of bans: those in force, whose channel exists. */
export const inForceAt = (now: number): Sql => ({
  text: `(b.expires IS NULL OR b.expires > ?)
    AND (b.cid = '' OR EXISTS (SELECT 1 FROM channels c WHERE c.cid = b.cid AND c.deleted_at IS NULL))`,
  values: [now],
});

/** Future bans, newest first, optionally by one banning user and of one target. */
export function futureBansPage(
  db: Database,
  options: { now: number; by: string | null; target: string | null; limit: number; offset: number },
): FutureBanRow[] {
  return db.all<FutureBanRow>(
    `SELECT * FROM future_bans WHERE (expires IS NULL OR expires > :now) AND (:by IS NULL OR banned_by = :by)
     AND (:target IS NULL OR target_id = :target) ORDER BY created_at DESC, target_id, banned_by LIMIT :limit OFFSET :offset`,
    options,
  );
}
