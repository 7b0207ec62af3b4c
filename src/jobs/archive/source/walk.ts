/** Goes through the messages of many archived channels in the order of time, without an index over all of them, a little at a time. */
import type { SQLInputValue, StatementSync } from "node:sqlite";
import { setImmediate as turn } from "node:timers/promises";
import { LAST_ID, type MessagePosition } from "../read.ts";
import type { Shelf } from "./shelf.ts";

/** A condition on a message `m`, with the values of its marks. */
export interface Condition {
  sql: string;
  values: readonly SQLInputValue[];
}

interface Walked extends MessagePosition {
  n: number;
}

/** What of one channel was read ahead. */
interface Lane {
  cid: string;
  ahead: Walked[];
  /** Up to here it is read; undefined at its beginning. */
  at: MessagePosition | undefined;
  /** Messages that its next read looks at. */
  rows: number;
  isAtEnd: boolean;
}

/** The first read of a channel is a small one, since many channels may begin at the same time; each one doubles it. */
const FIRST_ROWS = 8;
const MOST_ROWS = 2048;
/** Messages that are looked at between two turns of the loop, so that the screen goes on meanwhile. */
const ROWS_PER_TURN = 4096;

interface Route {
  cids: readonly string[];
  /** Bounds of the time, which the index of each channel knows. */
  times: Condition;
  /** What else a message must meet; each one on the way is looked at. */
  fits: Condition;
  from: MessagePosition | undefined;
  oldestFirst: boolean;
}

/** The times of the oldest and the newest message of each channel. */
const endsOf = (shelf: Shelf): ReadonlyMap<string, { oldest: string; newest: string }> =>
  shelf.keep("ends", () => {
    const end = (which: string): string => `(SELECT ${which}(at) FROM messages m WHERE m.cid = c.cid)`;
    const rows = shelf.db.prepare(
      `SELECT cid, ${end("min")} oldest, ${end("max")} newest FROM channels c WHERE newest IS NOT NULL`,
    );
    const ends = rows.all() as unknown as { cid: string; oldest: string; newest: string }[];
    return new Map(ends.map(({ cid, ...times }) => [cid, times]));
  });

/** Reads the next messages of a channel that fit, until there is one or the channel is at its end. */
function reader(shelf: Shelf, { times, fits, oldestFirst }: Route): (lane: Lane) => Promise<void> {
  const [sign, order] = oldestFirst ? [">", "m.at, m.id"] : ["<", "m.at DESC, m.id DESC"];
  const among = `FROM messages m WHERE m.cid = ? AND ${times.sql}`;
  const beyond = (lane: Lane): string => (lane.at ? `AND (m.at, m.id) ${sign} (?, ?)` : "");
  const prepared = new Map<string, StatementSync>();
  const read = (sql: string, ...values: SQLInputValue[]): Walked[] => {
    if (!prepared.has(sql)) prepared.set(sql, shelf.db.prepare(sql));
    return prepared.get(sql)!.all(...values) as unknown as Walked[];
  };
  let looked = 0;
  return async (lane) => {
    while (lane.ahead.length === 0 && !lane.isAtEnd) {
      const values = [lane.cid, ...times.values, ...(lane.at ? [lane.at.at, lane.at.id] : [])];
      // Where the read ends is told by the index alone, so that what does not fit is never made an object.
      const [end] = read(
        `SELECT m.at, m.id ${among} ${beyond(lane)} ORDER BY ${order} LIMIT 1 OFFSET ?`,
        ...values,
        lane.rows - 1,
      );
      const upTo = end ? `AND (m.at, m.id) ${oldestFirst ? "<=" : ">="} (?, ?)` : "";
      lane.ahead = read(
        `SELECT m.n, m.at, m.id ${among} ${beyond(lane)} ${upTo} AND ${fits.sql} ORDER BY ${order}`,
        ...values,
        ...(end ? [end.at, end.id] : []),
        ...fits.values,
      );
      lane.at = end ?? lane.at;
      lane.isAtEnd = end === undefined;
      looked += lane.rows;
      lane.rows = Math.min(lane.rows * 2, MOST_ROWS);
      if (looked < ROWS_PER_TURN) continue;
      looked = 0;
      await turn();
    }
  };
}

/** The messages that meet the conditions, newest first unless the route says otherwise. */
export async function* walk(shelf: Shelf, route: Route): AsyncGenerator<Walked> {
  const { cids, from, oldestFirst } = route;
  const isFirst = (a: MessagePosition, b: MessagePosition): boolean =>
    (a.at === b.at ? a.id < b.id : a.at < b.at) === oldestFirst;
  const ends = endsOf(shelf);
  const beginOf = (cid: string): string => ends.get(cid)![oldestFirst ? "oldest" : "newest"];
  const sign = oldestFirst ? 1 : -1;
  // A channel is read once the walk has come to where it begins.
  const waiting = cids
    .filter((cid) => ends.has(cid))
    .toSorted((a, b) => (beginOf(a) < beginOf(b) ? -sign : sign));
  const fill = reader(shelf, route);
  let open: Lane[] = [];
  for (;;) {
    let next =
      open.length > 0 ? open.reduce((a, b) => (isFirst(b.ahead[0]!, a.ahead[0]!) ? b : a)) : undefined;
    const [cid] = waiting;
    if (
      cid !== undefined &&
      (next === undefined || !isFirst(next.ahead[0]!, { at: beginOf(cid), id: oldestFirst ? "" : LAST_ID }))
    ) {
      waiting.shift();
      next = { cid, ahead: [], at: from, rows: FIRST_ROWS, isAtEnd: false };
      await fill(next);
      if (next.ahead.length > 0) open.push(next);
      continue;
    }
    if (next === undefined) return;
    yield next.ahead.shift()!;
    await fill(next);
    if (next.ahead.length === 0) open = open.filter((lane) => lane !== next);
  }
}
