/** Reduces events: the table of reducers, the totals, and events of channels that are not loaded yet. */
import { CHANNEL_ENDS } from "../../model/membership.ts";
import { normalTime } from "../../wire/time.ts";
import type { AnyEvent, Counters } from "../../wire/events.ts";
import { CHANNEL_EVENTS } from "./channel-events.ts";
import { MESSAGE_EVENTS } from "./message-events.ts";
import { PERSONAL_EVENTS } from "./personal-events.ts";
import type { ReducerTable } from "./reducer-table.ts";
import { mergeCurrentUser, USER_EVENTS } from "./user-events.ts";
import type { StateDraft } from "./state-draft.ts";

/** Event name → reducer. Other names are custom events: listeners get them, the state does not change. */
export const REDUCERS: ReducerTable = {
  ...MESSAGE_EVENTS,
  ...CHANNEL_EVENTS,
  ...USER_EVENTS,
  ...PERSONAL_EVENTS,
};

/** Events after which an unknown channel is loaded (R-CHAN-2). */
const LOADING_EVENTS: ReadonlySet<string> = new Set([
  "message.new",
  "notification.message_new",
  "notification.added_to_channel",
  "notification.invited",
  "channel.visible",
]);

/** R-READ-8: totals are taken from the newest event that contains them, and never summed. */
function applyCounters(draft: StateDraft, event: AnyEvent): void {
  const counters = event as Counters;
  const moment = normalTime(event.created_at) ?? "";
  if (event.cid !== undefined && moment > draft.lastEventAt) draft.lastEventAt = moment;
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
  if (LOADING_EVENTS.has(event.type)) draft.requestRefetch(refetch);
  // The channel may be loading, with an answer older than this event.
  draft.holdEvent(cid, event);
}

/** Applies one event to the working copy. Throws only for malformed events. */
function reduceOne(draft: StateDraft, event: AnyEvent): void {
  applyCounters(draft, event);
  if (event.user && event.user.id === draft.context.me) mergeCurrentUser(draft, event.user);
  if (!Object.hasOwn(REDUCERS, event.type)) return;
  const row = REDUCERS[event.type as keyof ReducerTable] as (draft: StateDraft, event: AnyEvent) => void;
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

/** Reduces a batch; `onError` gets malformed events. */
export function reduceInto(
  draft: StateDraft,
  events: readonly AnyEvent[],
  onError?: (event: AnyEvent, error: unknown) => void,
): void {
  const run = (event: AnyEvent): void => {
    try {
      reduceOne(draft, event);
    } catch (error) {
      onError?.(event, error);
    }
  };
  for (const event of events) {
    run(event);
    applyRequeued(draft, run);
  }
}

/** Applies events that have become applicable; bounded, so that they cannot requeue each other forever. */
function applyRequeued(draft: StateDraft, run: (event: AnyEvent) => void): void {
  for (let rounds = 0; draft.requeued.length && rounds < 1000; rounds++) run(draft.requeued.shift()!);
}
