/** Reduces events to state: the one table of reducers, counters, and events of channels that are not loaded yet. */
import { CHANNEL_ENDS } from "../../model/membership.ts";
import { normalTime } from "../../wire/time.ts";
import type { AnyEvent, Counters } from "../../wire/events.ts";
import { CHANNEL_EVENTS } from "./channel-events.ts";
import { MESSAGE_EVENTS } from "./message-events.ts";
import { PERSONAL_EVENTS } from "./personal-events.ts";
import type { Table } from "./table.ts";
import { mergeOwn, USER_EVENTS } from "./user-events.ts";
import type { StateDraft } from "./state-draft.ts";

/** Event name → reducer. A name that is not here is a custom event: listeners get it, the state does not change. */
export const TABLE: Table = {
  ...MESSAGE_EVENTS,
  ...CHANNEL_EVENTS,
  ...USER_EVENTS,
  ...PERSONAL_EVENTS,
};

/** Events that make an unknown channel worth loading (R-CHAN-2). */
const LOADS: ReadonlySet<string> = new Set([
  "message.new",
  "notification.message_new",
  "notification.added_to_channel",
  "notification.invited",
  "channel.visible",
]);

/** R-READ-8: totals are taken from events that carry them, the newest telling wins, and are never summed. */
function takeCounters(draft: StateDraft, event: AnyEvent): void {
  const counters = event as Counters;
  const moment = normalTime(event.created_at) ?? "";
  if (event.cid !== undefined && moment > draft.heardAt) draft.heardAt = moment;
  const unread = counters.total_unread_count ?? counters.unread_count;
  const { unread_channels: channels, unread_threads: threads } = counters;
  if (unread === undefined && channels === undefined && threads === undefined) return;
  if (moment < draft.totalsAt) return;
  draft.totalsAt = moment;
  const held = draft.state.totals;
  draft.state.totals = {
    unread: unread ?? held.unread,
    channels: channels ?? held.channels,
    threads: threads ?? held.threads,
  };
}

function unknownChannel(draft: StateDraft, event: AnyEvent): void {
  const cid = event.cid!;
  const refetch = { kind: "channel", cid } as const;
  if (CHANNEL_ENDS.has(event.type)) {
    draft.refetchDone(refetch);
    draft.releaseEvents(cid);
    return;
  }
  if (LOADS.has(event.type)) draft.requestRefetch(refetch);
  // A face may be asking for it, and the answer may be older than this.
  draft.holdEvent(cid, event);
}

/** One event on the working copy. Throws only for what is malformed. */
function reduceOne(draft: StateDraft, event: AnyEvent): void {
  takeCounters(draft, event);
  if (event.user && event.user.id === draft.context.me) mergeOwn(draft, event.user);
  if (!Object.hasOwn(TABLE, event.type)) return;
  const row = TABLE[event.type as keyof Table] as (draft: StateDraft, event: AnyEvent) => void;
  if (event.cid && !draft.has(event.cid)) return unknownChannel(draft, event);
  if (needsChannel(event.type) && !event.cid) return;
  row(draft, event);
}

function needsChannel(type: string): boolean {
  return (
    /^(message|reaction|channel|member|typing|poll|draft|reminder|user\.watching)\b/.test(type) ||
    /^notification\.(message_new|channel_(deleted|truncated)|added|removed|invite|reminder|mark_unread)/.test(
      type,
    )
  );
}

/** Reduces a batch; `fault` hears of events that could not be read, which change nothing more. */
export function reduceInto(
  draft: StateDraft,
  events: readonly AnyEvent[],
  fault?: (event: AnyEvent, error: unknown) => void,
): void {
  const run = (event: AnyEvent): void => {
    try {
      reduceOne(draft, event);
    } catch (error) {
      fault?.(event, error);
    }
  };
  for (const event of events) {
    run(event);
    drainAgain(draft, run);
  }
}

/** Applies what has become applicable; bounded, so that no pair of events can keep it busy. */
function drainAgain(draft: StateDraft, run: (event: AnyEvent) => void): void {
  for (let rounds = 0; draft.again.length && rounds < 1000; rounds++) run(draft.again.shift()!);
}
