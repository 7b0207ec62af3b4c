/** Which channels a search goes through: at most 500 that match its filter, that the caller reads, and whose messages may be searched. */
import type { Call } from "../../handler.ts";
import { readable } from "../access/readable.ts";
import { capabilitiesOf } from "../access/capabilities.ts";
import { standingOf, type Standing } from "../access/policy.ts";
import type { ChannelRow } from "../channels/rows.ts";
import type { Sql } from "../query/filter-fields.ts";

export const SEARCHED_CHANNELS = 500;

export interface Searched {
  /** By cid. */
  standings: Map<string, Standing>;
  /** Their rowids, which the index knows them by. */
  numbers: number[];
  /** More channels matched than are searched. */
  cut: boolean;
}

/** The latest active ones first, so that the cap cuts what nobody has written in for long. */
export function searchedChannels(call: Call, where: Sql, userId: string | undefined, now: number): Searched {
  const { db } = call;
  const mine = readable(db, call.caller, userId);
  const rows = db.raw
    .prepare(
      `SELECT c.rowid AS no, c.* FROM channels c
       LEFT JOIN members me ON me.cid = c.cid AND me.user_id = ?
       LEFT JOIN reads r ON r.cid = c.cid AND r.user_id = ?
       WHERE c.deleted_at IS NULL AND (${where.text}) ${mine ? `AND ${mine.text}` : ""}
       ${call.caller.kind === "server" ? "" : "AND c.disabled = 0"}
       ORDER BY c.last_updated DESC, c.cid LIMIT ?`,
    )
    .all(
      userId ?? "",
      userId ?? "",
      ...where.values,
      ...(mine?.values ?? []),
      SEARCHED_CHANNELS + 1,
    ) as unknown as (ChannelRow & { no: number })[];
  const standings = new Map<string, Standing>();
  const numbers: number[] = [];
  for (const { no, ...channel } of rows.slice(0, SEARCHED_CHANNELS)) {
    const s = { ...standingOf(call, channel as ChannelRow), userId };
    if (!s.config.search || !(s.all || capabilitiesOf(s, now).includes("search-messages"))) continue;
    standings.set(channel.cid, s);
    numbers.push(no);
  }
  return { standings, numbers, cut: rows.length > SEARCHED_CHANNELS };
}
