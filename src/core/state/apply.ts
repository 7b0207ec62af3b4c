/** State changes to state: one row each kind (change.ts). */
import { CLEANING_INTERVAL } from "../../wire/constants.ts";
import { isMessage } from "./hold.ts";
import { makeUnavailable, truncate } from "./channel-events.ts";
import { takeChannel, takePage } from "./channels-answer.ts";
import type { StateChange } from "./change.ts";
import { acted, dropEcho, mark, reject, settle, showQueued } from "./echo.ts";
import { catchUp, insert, isBehind, isGone, loosen, replace, settleVersion } from "./messages.ts";
import { isPinned } from "../../model/message-state.ts";
import { pollAnswered } from "./message-events.ts";
import type { Link } from "../../model/state.ts";
import { withNotice, withoutExpired } from "./notices.ts";
import { placeKey } from "./timeline.ts";
import { forgetBefore, latestOf, makeCurrent } from "./sets.ts";
import { expireTyping } from "./typing.ts";
import { addMentions, dropClaim, readUnknown, readUpTo, seen } from "./unread.ts";
import { setMe } from "./user-events.ts";
import type { Work } from "./work.ts";
import { EMPTY_STATE, ROOM } from "./world.ts";

type Rows = { [K in StateChange["kind"]]: (work: Work, change: Extract<StateChange, { kind: K }>) => void };

const TOTALS = { kind: "totals", cid: "" } as const;

export const CHECK_EVERY = CLEANING_INTERVAL;

const ROWS: Rows = {
  link: (work, { link }) => {
    const next: Record<string, unknown> = { ...work.state.link };
    for (const [key, value] of Object.entries(link))
      if (value === undefined) delete next[key];
      else next[key] = value;
    work.state.link = next as unknown as Link;
  },
  me: (work, { me }) => setMe(work, me),
  offset: (work, { ms }) => {
    work.offset = ms;
  },
  channels: (work, { states, messageLimit, watched, since }) => {
    const asked = { limit: messageLimit, watched, cached: false, ...(since !== undefined && { since }) };
    for (const state of states) takeChannel(work, state, asked);
  },
  restored: (work, { me, states }) => {
    if (me && !work.state.me) setMe(work, me);
    for (const state of states)
      takeChannel(work, state, { limit: Math.max(1, state.messages.length), watched: false, cached: true });
  },
  page: (work, { cid, parentId, messages, pagination, current, since }) =>
    takePage(work, cid, parentId, messages, {
      pagination,
      limit: pagination.limit,
      ...(current !== undefined && { current }),
      ...(since !== undefined && { since }),
    }),
  loading: (work, { cid, parentId, loading }) => {
    const set = work.sets(cid, parentId)?.find((each) => each.isCurrent);
    if (set) set.loading = loading;
  },
  current: (work, { cid, parentId, messageId }) => {
    const sets = work.sets(cid, parentId);
    if (!sets) return;
    const chosen = messageId === undefined ? latestOf(sets) : sets.find((set) => set.edit.has(messageId));
    if (chosen) makeCurrent(sets, chosen);
  },
  stale: (work) => {
    work.interrupted = work.serial;
    for (const cid of work.cids) {
      const entry = work.entry(cid);
      if (!entry) continue;
      Object.assign(entry, { stale: true, typing: [], watchers: new Map(), watcherCount: 0 });
      if (entry.threads.size)
        entry.threads = new Map(
          [...entry.threads].map(([id, thread]) => [id, thread.stale ? thread : { ...thread, stale: true }]),
        );
    }
  },
  olderUnknown: (work, { cid, from }) => {
    const sets = work.has(cid) ? work.sets(cid) : undefined;
    if (sets) forgetBefore(sets, placeKey(from));
  },
  truncated: (work, { cid, at, message }) => {
    if (work.has(cid)) truncate(work, cid, at, message);
  },
  unavailable: (work, { cids }) => {
    for (const cid of cids) {
      work.served({ kind: "channel", cid });
      work.served({ kind: "capabilities", cid });
      work.release(cid);
      makeUnavailable(work, cid);
    }
  },
  unwatched: (work, { cid }) => {
    const entry = work.entry(cid);
    if (entry) Object.assign(entry, { watched: false, typing: [], watchers: new Map(), watcherCount: 0 });
  },
  message: (work, { message, since }) => {
    if (!isMessage(message) || !work.has(message.cid) || isGone(work, message.cid, message)) return;
    const { cid } = message;
    const wished = work.asked({ kind: "message", cid, id: message.id });
    const view = settleVersion(work, cid, message, { answer: true, ...(since !== undefined && { since }) });
    if (wished) {
      if (isBehind(work, cid, message)) loosen(work, cid, message.id);
      insert(work, cid, view);
    }
    replace(work, cid, view);
    work.served({ kind: "message", cid, id: message.id });
    catchUp(work, cid, new Set([message.id]));
  },
  poll: (work, { poll, since }) => pollAnswered(work, poll, since),
  members: (work, { cid, members }) => {
    const entry = work.entry(cid);
    if (!entry) return;
    const next = new Map(entry.members);
    for (const member of members) {
      const user = member.user && work.user(member.user, true);
      next.set(member.user_id, { ...member, ...(user && { user }) });
    }
    entry.members = next;
  },
  mentions: (work, { cid, messages }) => addMentions(work, cid, messages),
  unknownMessage: (work, { cid, id }) => {
    work.served({ kind: "message", cid, id });
    const book = work.book(cid);
    book.ahead = book.ahead.filter((event) => (event.message as { id?: string } | undefined)?.id !== id);
  },
  queued: (work, { row, user, fresh }) => showQueued(work, row, user, fresh),
  marked: (work, { row, waits }) => mark(work, row, waits),
  settled: (work, { row, message, since }) => settle(work, row, message, since),
  rejected: (work, { row, answer }) => reject(work, row, answer),
  acted: (work, { cid, messageId, message, since }) => acted(work, cid, messageId, message, since),
  dropped: (work, { row }) => dropEcho(work, row),
  totals: (work, { unread, channels, threads }) => {
    work.state.totals = { unread, channels, threads };
    work.served(TOTALS);
  },
  // A later mark may be on its way still: only its own moment ends it.
  readTaken: (work, { cid, at, messageId }) => readUpTo(work, cid, at, messageId),
  readGivenUp: (work, { cid, upTo }) => dropClaim(work, cid, upTo),
  readUnknown: (work, { cid }) => readUnknown(work, cid),
  outbox: (work, { count }) => {
    work.state.outbox = count;
  },
  seen: (work, { cid }) => {
    seen(work, cid);
    if (work.has(cid)) work.book(cid).room = ROOM;
  },
  left: (work, { cid }) => {
    const entry = work.entry(cid);
    if (!entry) return;
    entry.heldUnread = false;
    if (entry.unread === 0) delete entry.firstUnreadId;
    work.book(cid).room = ROOM;
  },
  notice: (work, { notice }) => {
    const id = `notice-${work.serial}`;
    work.state.notices = withNotice(work.state.notices, notice, work.facts.monotonic, id);
  },
  dismiss: (work, { id }) => {
    work.state.notices = work.state.notices.filter((notice) => notice.id !== id);
  },
  "notices.expired": (work, { now }) => {
    work.state.notices = withoutExpired(work.state.notices, now);
  },
  storage: (work, { storage }) => {
    if (storage === undefined) delete work.state.storage;
    else work.state.storage = storage;
  },
  reset: (work) => {
    work.forgetAll();
    delete work.state.me;
    Object.assign(work.state, { totals: EMPTY_STATE.totals, outbox: 0 });
    work.totalsAt = "";
  },
};

export function applyChange(work: Work, change: StateChange): void {
  (ROWS[change.kind] as (work: Work, change: StateChange) => void)(work, change);
}

/** What passes by itself, looked at each CLEANING_INTERVAL: notices, typing, pins, live locations (R-NOTE-1, R-TYPE-5, R-MSG-10, R-LOC-3). */
export function tick(work: Work): void {
  work.state.notices = withoutExpired(work.state.notices, work.facts.monotonic);
  const now = new Date(work.facts.now).toISOString();
  for (const cid of work.cids) {
    expireTyping(work, cid);
    const held = work.peek(cid)!;
    if (held.pinned.some((message) => !isPinned(message, work.facts.now)))
      work.entry(cid)!.pinned = held.pinned.filter((message) => isPinned(message, work.facts.now));
    if (held.liveLocations.some((location) => location.end_at && location.end_at <= now))
      work.entry(cid)!.liveLocations = held.liveLocations.filter(
        (location) => !location.end_at || location.end_at > now,
      );
  }
}

/** Whether anything held can pass by itself. */
export function needsTick(state: {
  notices: readonly unknown[];
  channels: ReadonlyMap<
    string,
    {
      typing: readonly unknown[];
      liveLocations: readonly unknown[];
      pinned: readonly { pin_expires?: string | null }[];
    }
  >;
}): boolean {
  if (state.notices.length) return true;
  for (const entry of state.channels.values())
    if (
      entry.typing.length ||
      entry.liveLocations.length ||
      entry.pinned.some((message) => message.pin_expires)
    )
      return true;
  return false;
}
