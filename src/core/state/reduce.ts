/** Events to state: the one table of reducers, counters, and events of channels nobody holds yet. */
import { normalTime } from "../../wire/time.ts";
import type { AnyEvent, Counters } from "../../wire/events.ts";
import { CHANNEL_EVENTS } from "./channel-events.ts";
import { MESSAGE_EVENTS } from "./message-events.ts";
import { PERSONAL_EVENTS } from "./personal-events.ts";
import type { Table } from "./table.ts";
import { mergeOwn, USER_EVENTS } from "./user-events.ts";
import { Work } from "./work.ts";
import type { Facts, World } from "./world.ts";

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
/** Events that end the wish for a channel. */
const ENDS: ReadonlySet<string> = new Set([
  "channel.deleted",
  "notification.channel_deleted",
  "notification.removed_from_channel",
]);

/** R-READ-8: totals are taken from events that carry them, the newest telling wins, and are never summed. */
function takeCounters(work: Work, event: AnyEvent): void {
  const counters = event as Counters;
  const unread = counters.total_unread_count ?? counters.unread_count;
  const { unread_channels: channels, unread_threads: threads } = counters;
  if (unread === undefined && channels === undefined && threads === undefined) return;
  const moment = normalTime(event.created_at) ?? "";
  if (moment < work.totalsAt) return;
  work.totalsAt = moment;
  const held = work.state.totals;
  work.state.totals = {
    unread: unread ?? held.unread,
    channels: channels ?? held.channels,
    threads: threads ?? held.threads,
  };
}

function unknownChannel(work: Work, event: AnyEvent): void {
  const cid = event.cid!;
  const want = { kind: "channel", cid } as const;
  if (ENDS.has(event.type)) {
    work.served(want);
    work.release(cid);
    return;
  }
  if (LOADS.has(event.type)) work.want(want);
  if (work.asked(want)) work.wait(cid, event);
}

/** One event on the working copy. Throws only for what is malformed. */
function reduceOne(work: Work, event: AnyEvent): void {
  takeCounters(work, event);
  if (event.user && event.user.id === work.facts.me) mergeOwn(work, event.user);
  if (!Object.hasOwn(TABLE, event.type)) return;
  const row = TABLE[event.type as keyof Table] as (work: Work, event: AnyEvent) => void;
  if (event.cid && !work.has(event.cid)) return unknownChannel(work, event);
  if (needsChannel(event.type) && !event.cid) return;
  row(work, event);
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
  work: Work,
  events: readonly AnyEvent[],
  fault?: (event: AnyEvent, error: unknown) => void,
): void {
  const run = (event: AnyEvent): void => {
    try {
      reduceOne(work, event);
    } catch (error) {
      fault?.(event, error);
    }
  };
  for (const event of events) {
    run(event);
    drainAgain(work, run);
  }
}

/** Applies what has become applicable; bounded, so that no pair of events can keep it busy. */
function drainAgain(work: Work, run: (event: AnyEvent) => void): void {
  for (let rounds = 0; work.again.length && rounds < 1000; rounds++) run(work.again.shift()!);
}

/** Pure from outside: the same world, events and facts give the same world. */
export function reduce(
  world: World,
  events: readonly AnyEvent[],
  facts: Facts,
  fault?: (event: AnyEvent, error: unknown) => void,
): World {
  const work = new Work(world, facts);
  reduceInto(work, events, fault);
  return work.done();
}
