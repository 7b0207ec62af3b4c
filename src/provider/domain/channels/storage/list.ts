/** The list of channels: default order, and pages of cids. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import type { Sql } from "../../query/filter-fields.ts";
import type { Match, OffsetOrder } from "../../query/listing.ts";
import { BLOCKED } from "../../users/storage/blocks-in-pairs.ts";
import { blocks } from "../../users/storage/blocks.ts";
import { channelSort } from "./filter.ts";

export const CHANNEL_LIST: Omit<OffsetOrder, "fields"> = {
  sorts: channelSort,
  fallback: "c.last_updated DESC",
  tie: "c.cid",
  custom: "c.data",
};

/** With more memberships than this, a page is found faster by walking the sort order than by starting from the memberships. */
const MANY_MEMBERSHIPS = 500;

/** Whether these users together have many memberships. */
export const inManyChannels = (db: Database, ids: readonly string[]): boolean =>
  db.raw
    .prepare("SELECT 1 FROM members WHERE user_id IN (SELECT value FROM json_each(?)) LIMIT 1 OFFSET ?")
    .get(JSON.stringify(ids), MANY_MEMBERSHIPS) !== undefined;

/** `userId` owns the list; without `readable` every channel is readable. Hidden channels are left out unless the filter has `hidden`. */
export function channelPage(
  db: Database,
  userId: string | undefined,
  readable: Sql | undefined,
  { where, order, limit, offset }: Match & { limit: number; offset: number },
): string[] {
  const hasBlocked = userId !== undefined && blocks.has(db, { user_id: userId });
  const found = db.raw
    .prepare(
      `SELECT c.cid FROM channels c
       LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ?
       LEFT JOIN reads r ON r.cid = c.cid AND r.user_id = ?
       WHERE c.deleted_at IS NULL AND ${withinBudget("c.cid")} AND (${where.text})
       ${where.fieldNames.has("hidden") ? "" : `AND me.hidden_at IS NULL ${hasBlocked ? `AND NOT ${BLOCKED}` : ""}`}
       ${readable ? `AND ${readable.text}` : ""}
       ORDER BY ${order.text} LIMIT ? OFFSET ?`,
    )
    .all(
      userId ?? "",
      userId ?? "",
      ...where.values,
      ...(readable?.values ?? []),
      ...order.values,
      limit,
      offset,
    ) as { cid: string }[];
  return found.map(({ cid }) => cid);
}
