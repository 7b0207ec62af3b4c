/** The channels that match a search, latest active first. */
import { withinBudget } from "../../../store/budget.ts";
import type { Database } from "../../../base/database.ts";
import type { ChannelRow } from "../../channels/storage/rows.ts";
import type { Sql } from "../../query/filter-fields.ts";

export type FoundChannel = Pick<ChannelRow, "cid" | "type" | "overrides" | "team"> & {
  rowid: number;
  is_creator: number;
  role: string | null;
  hide_before: number | null;
};

/** `readable` is absent when all channels are; `disabled` includes disabled channels. */
export function matchingChannels(
  db: Database,
  where: Sql,
  options: { userId: string | undefined; readable: Sql | undefined; disabled: boolean; limit: number },
): FoundChannel[] {
  const { userId = "", readable, disabled, limit } = options;
  return db.raw
    .prepare(
      `SELECT c.rowid, c.cid, c.type, c.overrides, c.team, c.created_by = ? AS is_creator,
       me.channel_role AS role, me.hide_before
       FROM channels c
       LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ?
       LEFT JOIN reads r ON r.cid = c.cid AND r.user_id = ?
       WHERE c.deleted_at IS NULL AND ${withinBudget("c.cid")} AND (${where.text}) ${readable ? `AND ${readable.text}` : ""}
       ${disabled ? "" : "AND c.disabled = 0"}
       ORDER BY c.last_updated DESC, c.cid LIMIT ?`,
    )
    .all(
      userId,
      userId,
      userId,
      ...where.values,
      ...(readable?.values ?? []),
      limit,
    ) as unknown as FoundChannel[];
}
