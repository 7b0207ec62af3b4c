/** Applies each kind of change (change.ts) to the state. */
import { NOTICE_DISPLAY, NOTICES_SHOWN, TYPING_EXPIRY } from "../../wire/constants.ts";
import { timeToMs } from "../../wire/time.ts";
import type { Notice, Link, State } from "../../model/state.ts";
import { isMessage } from "../../model/client-message.ts";
import { makeUnavailable } from "./channel-events.ts";
import { applyChannel, applyMembers, applyPage } from "./channel-response.ts";
import type { StateChange } from "./change.ts";
import {
  applyActionAnswer,
  addEcho,
  dropEcho,
  isReceived,
  markEcho,
  rejectEcho,
  settleEcho,
} from "./echo.ts";
import {
  fromAnswer,
  applyHeldEvents,
  insertClientMessage,
  isBehind,
  isGone,
  markDetached,
  replaceMessage,
  mergeVersion,
} from "./messages.ts";
import { isPinned } from "../../model/message-state.ts";
import { applyVoteAnswer } from "./message-events.ts";
import { orderKey } from "./timeline.ts";
import { dropOlderThan, latestOf, makeCurrent } from "./sets.ts";
import { expireTyping } from "./typing.ts";
import {
  addMentions,
  cancelLocalRead,
  markReadUnknown,
  applyOwnRead,
  markSeen,
  markSeenUpTo,
} from "./unread.ts";
import { setMe } from "./user-events.ts";
import type { StateDraft } from "./state-draft.ts";
import { EMPTY_STATE, WINDOW_SIZE, type ReduceContext } from "./internal-state.ts";

/** R-NOTE-1, R-NOTE-2. `now` is monotonic milliseconds. */
export function withNotice(
  notices: readonly Notice[],
  requested: Pick<Notice, "level" | "text"> & Partial<Notice>,
  now: number,
  id: string,
): readonly Notice[] {
  const same = notices.find((each) => each.text === requested.text && each.origin === requested.origin);
  const notice: Notice = {
    ...requested,
    id: same?.id ?? requested.id ?? id,
    until: requested.until ?? now + NOTICE_DISPLAY,
  };
  return [...notices.filter((each) => each !== same), notice].slice(-NOTICES_SHOWN);
}

function withoutExpired(notices: readonly Notice[], now: number): readonly Notice[] {
  return notices.some((notice) => notice.until <= now)
    ? notices.filter((notice) => notice.until > now)
    : notices;
}

type ChangeTable = {
  [K in StateChange["kind"]]: (draft: StateDraft, change: Extract<StateChange, { kind: K }>) => void;
};

const TOTALS = { kind: "totals", cid: "" } as const;

const CHANGES: ChangeTable = {
  link: (draft, { link }) => {
    const next: Record<string, unknown> = { ...draft.state.link };
    for (const [key, value] of Object.entries(link))
      if (value === undefined) delete next[key];
      else next[key] = value;
    draft.state.link = next as unknown as Link;
  },
  me: (draft, { me }) => setMe(draft, me),
  offset: (draft, { ms }) => {
    draft.offset = ms;
  },
  channels: (draft, { states, messageLimit, watched, since }) => {
    const request = { limit: messageLimit, watched, cached: false, ...(since !== undefined && { since }) };
    for (const state of states) applyChannel(draft, state, request);
  },
  restored: (draft, { me, states }) => {
    if (me && !draft.state.me) setMe(draft, me);
    for (const state of states)
      applyChannel(draft, state, { limit: Math.max(1, state.messages.length), watched: false, cached: true });
  },
  page: (draft, { cid, parentId, messages, pagination, current, since }) =>
    applyPage(draft, cid, parentId, messages, {
      pagination,
      limit: pagination.limit,
      ...(current !== undefined && { current }),
      ...(since !== undefined && { since }),
    }),
  members: applyMembers,
  loading: (draft, { cid, parentId, loading }) => {
    const set = draft.sets(cid, parentId)?.find((each) => each.isCurrent);
    if (set) set.loading = loading;
  },
  current: (draft, { cid, parentId, messageId }) => {
    const sets = draft.sets(cid, parentId);
    if (!sets) return;
    const chosen = messageId === undefined ? latestOf(sets) : sets.find((set) => set.edit.has(messageId));
    if (chosen) makeCurrent(sets, chosen);
  },
  stale: (draft) => {
    draft.interruptedRevision = draft.revision;
    for (const cid of draft.cids) {
      const entry = draft.entry(cid);
      if (!entry) continue;
      Object.assign(entry, { stale: true, typing: [], watchers: new Map(), watcherCount: 0 });
      if (entry.threads.size)
        entry.threads = new Map(
          [...entry.threads].map(([id, thread]) => [id, thread.stale ? thread : { ...thread, stale: true }]),
        );
    }
  },
  dropOlder: (draft, { cid, from }) => {
    const sets = draft.has(cid) ? draft.sets(cid) : undefined;
    if (sets) dropOlderThan(sets, orderKey(from));
  },
  unavailable: (draft, { cids }) => {
    for (const cid of cids) {
      draft.refetchDone({ kind: "channel", cid });
      draft.refetchDone({ kind: "capabilities", cid });
      draft.releaseEvents(cid);
      makeUnavailable(draft, cid);
    }
  },
  unwatched: (draft, { cid }) => {
    const entry = draft.entry(cid);
    if (entry) Object.assign(entry, { watched: false, typing: [], watchers: new Map(), watcherCount: 0 });
  },
  message: (draft, { message, since }) => {
    if (!isMessage(message) || !draft.has(message.cid) || isGone(draft, message.cid, message)) return;
    const { cid } = message;
    const requested = draft.isRefetchRequested({ kind: "message", cid, id: message.id });
    const view = mergeVersion(draft, cid, message, fromAnswer(since));
    if (requested) {
      if (isBehind(draft, cid, message)) markDetached(draft, cid, message.id);
      insertClientMessage(draft, cid, view);
    }
    replaceMessage(draft, cid, view);
    draft.refetchDone({ kind: "message", cid, id: message.id });
    applyHeldEvents(draft, cid, new Set([message.id]));
  },
  poll: (draft, { poll, since }) => applyVoteAnswer(draft, poll, since),
  mentions: (draft, { cid, messages }) => addMentions(draft, cid, messages),
  unknownMessage: (draft, { cid, id }) => {
    draft.refetchDone({ kind: "message", cid, id });
    const meta = draft.meta(cid);
    meta.heldEvents = meta.heldEvents.filter(
      (event) => (event.message as { id?: string } | undefined)?.id !== id,
    );
  },
  queued: (draft, { row, user, fresh }) => addEcho(draft, row, user, fresh),
  marked: (draft, { row, waits }) => markEcho(draft, row, waits),
  settled: (draft, { row, fromEvent, ...answer }) =>
    fromEvent && isReceived(draft, row) ? undefined : settleEcho(draft, row, answer),
  rejected: (draft, { row, answer }) => rejectEcho(draft, row, answer),
  actionAnswered: (draft, { cid, messageId, message, since }) =>
    applyActionAnswer(draft, cid, messageId, message, since),
  dropped: (draft, { row }) => dropEcho(draft, row),
  totals: (draft, { unread, channels, threads }) => {
    draft.state.totals = { unread, channels, threads };
    // An older event that arrives late must not overwrite the totals.
    if (draft.lastEventAt > draft.totalsAt) draft.totalsAt = draft.lastEventAt;
    draft.refetchDone(TOTALS);
  },
  // A later read mark may still be in flight: only an answer for its own time settles it.
  readAccepted: (draft, { cid, at, messageId }) => applyOwnRead(draft, cid, at, messageId),
  readMarkDropped: (draft, { cid, upTo }) => cancelLocalRead(draft, cid, upTo),
  readUnknown: (draft, { cid }) => markReadUnknown(draft, cid),
  outbox: (draft, { count }) => {
    draft.state.outbox = count;
  },
  seen: (draft, { cid, upTo }) => {
    if (upTo !== undefined) return markSeenUpTo(draft, cid, upTo);
    markSeen(draft, cid);
    if (draft.has(cid)) draft.meta(cid).windowSize = WINDOW_SIZE;
  },
  channelClosed: (draft, { cid }) => {
    const entry = draft.entry(cid);
    if (!entry) return;
    entry.keepsUnread = false;
    if (entry.unread === 0) delete entry.firstUnreadId;
    draft.meta(cid).windowSize = WINDOW_SIZE;
  },
  held: (draft, { cid, on }) => {
    if (draft.has(cid)) draft.meta(cid).isHeld = on;
  },
  notice: (draft, { notice }) => {
    const id = `notice-${draft.revision}`;
    draft.state.notices = withNotice(draft.state.notices, notice, draft.context.monotonic, id);
  },
  dismiss: (draft, { id }) => {
    draft.state.notices = draft.state.notices.filter((notice) => notice.id !== id);
  },
  storage: (draft, { storage }) => {
    if (storage === undefined) delete draft.state.storage;
    else draft.state.storage = storage;
  },
  reset: (draft) => {
    draft.clear();
    delete draft.state.me;
    Object.assign(draft.state, { totals: EMPTY_STATE.totals, outbox: 0 });
    draft.totalsAt = "";
    draft.lastEventAt = "";
  },
};

export function applyChange(draft: StateDraft, change: StateChange): void {
  (CHANGES[change.kind] as (draft: StateDraft, change: StateChange) => void)(draft, change);
}

/** Removes what has expired: notices, typing, pins, live locations (R-NOTE-1, R-TYPE-5, R-MSG-10, R-LOC-3). */
export function tick(draft: StateDraft): void {
  draft.state.notices = withoutExpired(draft.state.notices, draft.context.monotonic);
  const now = new Date(draft.context.now).toISOString();
  for (const cid of draft.cids) {
    expireTyping(draft, cid);
    const held = draft.peek(cid)!;
    if (held.pinned.some((message) => !isPinned(message, draft.context.now)))
      draft.entry(cid)!.pinned = held.pinned.filter((message) => isPinned(message, draft.context.now));
    if (held.liveLocations.some((location) => location.end_at && location.end_at <= now))
      draft.entry(cid)!.liveLocations = held.liveLocations.filter(
        (location) => !location.end_at || location.end_at > now,
      );
  }
}

/** In how many milliseconds something of the state expires next; infinite if nothing can. */
export function nextExpiry(
  { notices, channels }: Pick<State, "notices" | "channels">,
  { now, monotonic }: Pick<ReduceContext, "now" | "monotonic">,
): number {
  let next = Infinity;
  const note = (ms: number): void => void (next = Math.min(next, ms));
  for (const { until } of notices) note(until - monotonic);
  for (const { typing, liveLocations, pinned } of channels.values()) {
    for (const { since } of typing) note(since + TYPING_EXPIRY - monotonic);
    for (const { end_at: end } of liveLocations) if (end) note(timeToMs(end) - now);
    for (const { pin_expires: end } of pinned) if (end) note(timeToMs(end) - now);
  }
  return next;
}
