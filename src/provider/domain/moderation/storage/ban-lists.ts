/** Lists of current bans and of bans from future channels. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import { EQUAL, textField, timeField } from "../../query/filter-fields.ts";
import { ownEntry, type Match, type OffsetListDefinition } from "../../query/listing.ts";
import type { BanRow } from "./ban-rows.ts";
import type { FutureBanRow } from "./future-bans.ts";

export const BAN_LIST: OffsetListDefinition = {
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

const CHANNEL_EXISTS =
  "(b.cid = '' OR EXISTS (SELECT 1 FROM channels c WHERE c.cid = b.cid AND c.deleted_at IS NULL))";

export function bansPage(
  db: Database,
  now: number,
  { where, order, limit, offset }: Match & { limit: number; offset: number },
): BanRow[] {
  return db.raw
    .prepare(
      `SELECT b.* FROM bans b WHERE (b.expires IS NULL OR b.expires > ?) AND ${withinBudget("b.created_at")} AND ${CHANNEL_EXISTS} AND (${where.text})
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(now, ...where.values, ...order.values, limit, offset) as unknown as BanRow[];
}

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
