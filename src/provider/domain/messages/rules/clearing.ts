/** Erases many messages of a channel: hidden at once, deleted in steps. */
import type { RouteCall } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { eraseChannelRows } from "../../channels/storage/erase.ts";
import { beforeErasing } from "./erased.ts";
import { addTombstone } from "../storage/tombstones.ts";
import { channelNumber } from "../../channels/storage/change.ts";
import { isSoftlyDeleted } from "../../channels/storage/rows.ts";
import {
  type Clearing,
  hasMoreMessages,
  messagesHungOn,
  storeClearing,
  firstClearingAt,
  firstClearing,
  removeClearing,
  clearingPart,
  removeThreadsUnder,
  removeMessages,
} from "../storage/clearings.ts";

/** Up to this many messages are erased in the call itself. */
const FEW = 300;
/** Messages per step, which takes a few hundredths of a second. */
const PART = 200;

export const hasManyMessages = (db: Database, cid: string, upTo: number): boolean =>
  hasMoreMessages(db, cid, upTo, FEW);

/**
 * Hides the channel's messages up to this time at once; the scheduler erases them. Reminders and drafts on them are removed
 * right away.
 */
export function clearLater(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  upTo: number,
  now: number,
  channelToo = false,
): void {
  const { db } = call;
  beforeErasing(call, messagesHungOn(db, cid, upTo));
  storeClearing(db, { cid, upto: upTo, at: now, erase: Number(channelToo) });
}

/**
 * A channel is created again while very many of its old messages still exist: they are erased later. The search index knows
 * them by the channel's number, so the new channel gets the same number, and a start time newer than all of them.
 */
export function leaveBehind(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  now: number,
): { no: number; stamp: number } | undefined {
  const { db } = call;
  const row = channelNumber(db, cid);
  if (!row || !hasManyMessages(db, cid, Number.MAX_SAFE_INTEGER)) return undefined;
  const stamp = Math.max(now, row.last_stamp);
  clearLater(call, cid, stamp, now);
  eraseChannelRows(db, cid);
  return { no: row.no, stamp };
}

function eraseSome(
  due: DueContext,
  one: Clearing,
  { ids, parents }: { ids: string[]; parents: string[] },
): void {
  const { db } = due;
  beforeErasing(due, ids);
  removeThreadsUnder(db, parents);
  addTombstone(db, one.cid, { ids: JSON.stringify(ids) }, due.now());
  removeMessages(db, one, ids);
}

/** Erases one part per step. A restart continues, because the remaining rows say what is left. */
export const clearingWork: DueWork = {
  name: "messages of truncated channels",
  next: firstClearingAt,
  run(due) {
    const { db } = due;
    const one = firstClearing(db);
    if (!one) return;
    const part = clearingPart(db, one, PART);
    if (part.ids.length > 0) eraseSome(due, one, part);
    else {
      if (one.erase === 1 && isSoftlyDeleted(db, one.cid)) eraseChannelRows(db, one.cid);
      removeClearing(db, one);
    }
  },
};
