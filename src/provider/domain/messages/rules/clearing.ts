/** Erases many messages of a channel: hidden at once, deleted in steps. */
import type { RouteCall } from "../../../base/handler.ts";
import type { DueContext, DueWork } from "../../../base/ports.ts";
import type { Database } from "../../../base/database.ts";
import { eraseChannelRows } from "../../channels/storage/erase.ts";
import { removeDependents } from "./erase-dependents.ts";
import { addTombstone } from "../storage/tombstones.ts";
import { channelNumber } from "../../channels/storage/change.ts";
import { isSoftlyDeleted } from "../../channels/storage/rows.ts";
import {
  type Clearing,
  hasMoreMessages,
  messagesWithReminderOrDraft,
  storeClearing,
  firstClearingAt,
  firstClearing,
  removeClearing,
  clearingPart,
  removeThreadsUnder,
  removeMessages,
} from "../storage/clearings.ts";

/** Up to this many messages are erased in the call itself. */
const CLEARED_AT_ONCE = 300;
/** Messages per step, which takes a few hundredths of a second. */
const MESSAGES_PER_STEP = 100;

export const hasManyMessages = (db: Database, cid: string, upTo: number): boolean =>
  hasMoreMessages(db, cid, upTo, CLEARED_AT_ONCE);

/**
 * Hides the channel's messages up to this time at once; the scheduler erases them. Reminders and drafts on them are removed
 * right away.
 */
export function clearLater(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  upTo: number,
  now: number,
  eraseChannel = false,
): void {
  const { db } = call;
  removeDependents(call, messagesWithReminderOrDraft(db, cid, upTo));
  storeClearing(db, { cid, upto: upTo, at: now, erase: Number(eraseChannel) });
}

/**
 * A channel is created again while very many of its old messages still exist: they are erased later. The search index knows
 * them by the channel's number, so the new channel gets the same number, and a start time newer than all of them.
 */
export function clearBeforeRecreation(
  call: Pick<RouteCall, "db" | "emit" | "now">,
  cid: string,
  now: number,
): { rowid: number; stamp: number } | undefined {
  const { db } = call;
  const row = channelNumber(db, cid);
  if (!row || !hasManyMessages(db, cid, Number.MAX_SAFE_INTEGER)) return undefined;
  const stamp = Math.max(now, row.last_stamp);
  clearLater(call, cid, stamp, now);
  eraseChannelRows(db, cid);
  return { rowid: row.rowid, stamp };
}

function erasePart(
  due: DueContext,
  clearing: Clearing,
  { ids, parents }: { ids: string[]; parents: string[] },
): void {
  const { db } = due;
  removeDependents(due, ids);
  removeThreadsUnder(db, parents);
  addTombstone(db, clearing.cid, { ids: JSON.stringify(ids) }, due.now());
  removeMessages(db, clearing, ids);
}

/** Erases one part per step. A restart continues, because the remaining rows say what is left. */
export const clearingWork: DueWork = {
  name: "messages of truncated channels",
  next: firstClearingAt,
  run(due) {
    const { db } = due;
    const clearing = firstClearing(db);
    if (!clearing) return;
    const part = clearingPart(db, clearing, MESSAGES_PER_STEP);
    if (part.ids.length > 0) erasePart(due, clearing, part);
    else {
      if (clearing.erase === 1 && isSoftlyDeleted(db, clearing.cid)) eraseChannelRows(db, clearing.cid);
      removeClearing(db, clearing);
    }
  },
};
