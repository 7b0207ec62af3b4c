/** Reducers for events on channels, members, watchers and typing (R-CHAN, R-PIN-3, R-SET-16, R-TYPE). */
import { customOf } from "../../wire/custom.ts";
import { isPending, removedMemberId } from "../../model/membership.ts";
import { compareTimes, normalTime } from "../../wire/time.ts";
import type { Channel, Member } from "../../wire/entities/channel.ts";
import type { EventEnvelope, WireEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import { isMessage } from "../../model/client-message.ts";
import { insertClientMessage, mergeVersion } from "./messages.ts";
import { isChannelMuted } from "../../model/mutes.ts";
import { truncateSets } from "./sets.ts";
import { plainEvent, type ReducerTable } from "./reducer-table.ts";
import { lastKeyOf, orderKey } from "./timeline.ts";
import { startTyping, stopTyping } from "./typing.ts";
import { clearUnread } from "./unread.ts";
import type { StateDraft } from "./state-draft.ts";
import { takeIfNewer, recordPartChange, partChangedAt } from "./part-versions.ts";

/** Merges new channel data; keeps capabilities, which are personal, and the latest `last_message_at`. */
export function mergeChannel(held: Channel, next: Channel): Channel {
  const isComplete = typeof next.created_at === "string";
  const merged: Record<string, unknown> = { ...held, ...next };
  if (isComplete)
    for (const key of Object.keys(customOf("channel", held))) if (!(key in next)) delete merged[key];
  const channel = merged as unknown as Channel;
  if (held.own_capabilities) channel.own_capabilities = held.own_capabilities;
  if (compareTimes(held.last_message_at, next.last_message_at) > 0)
    channel.last_message_at = held.last_message_at!;
  delete channel.members;
  return channel;
}

/** Whether what decides about capabilities has changed: the configuration, since features of it can be overridden, and being frozen. */
const isDecidedAnew = (before: Channel, after: Channel): boolean =>
  Boolean(before.frozen) !== Boolean(after.frozen) ||
  (before.config !== undefined && JSON.stringify(before.config) !== JSON.stringify(after.config));

function channelUpdated(draft: StateDraft, event: WireEvent<"channel.updated">): void {
  const cid = event.cid!;
  const held = draft.peek(cid)!;
  const next = event.channel;
  if (
    next &&
    compareTimes(next.updated_at, held.channel.updated_at) >= 0 &&
    takeIfNewer(draft, cid, "channel", event)
  ) {
    const entry = draft.entry(cid)!;
    entry.channel = mergeChannel(held.channel, next);
    setMemberCount(draft, cid, next.member_count);
    // Capabilities are personal and never in this event: fetch them.
    if (isDecidedAnew(held.channel, entry.channel)) draft.requestRefetch({ kind: "capabilities", cid });
  }
  if (isMessage(event.message))
    insertClientMessage(draft, cid, mergeVersion(draft, cid, event.message, { event: plainEvent(event) }));
}

const setFrozen =
  (value: boolean) =>
  (draft: StateDraft, event: EventEnvelope): void => {
    if (!takeIfNewer(draft, event.cid!, "channel", event)) return;
    const entry = draft.entry(event.cid!)!;
    if (entry.channel.frozen !== value) draft.requestRefetch({ kind: "capabilities", cid: event.cid! });
    entry.channel = { ...entry.channel, frozen: value };
  };

/** R-SET-16, R-READ-9: removes everything at or before `at`, except the system message. */
function truncate(draft: StateDraft, cid: string, at: string, message?: Message): void {
  const entry = draft.entry(cid);
  const key = lastKeyOf(at);
  if (!entry || normalTime(at) === undefined) return;
  const meta = draft.meta(cid);
  if (key >= meta.truncatedUpTo) {
    meta.truncatedUpTo = key;
    if (message) meta.keptMessageId = message.id;
  }
  for (const sets of draft.messageLists(cid)) truncateSets(sets, meta.truncatedUpTo, meta.keptMessageId);
  entry.pinned = entry.pinned.filter((each) => orderKey(each) > meta.truncatedUpTo);
  entry.liveLocations = entry.liveLocations.filter(
    (each) => each.created_at === undefined || lastKeyOf(each.created_at) > meta.truncatedUpTo,
  );
  for (const parentId of entry.threads.keys()) {
    const parent = meta.truncatedUpTo && draft.sets(cid)?.some((set) => set.edit.has(parentId));
    if (!parent && draft.sets(cid, parentId)?.every((set) => set.edit.length === 0))
      draft.closeThread(cid, parentId);
  }
  clearUnread(draft, cid, meta.truncatedUpTo);
  if (message && isMessage(message) && meta.keptMessageId === message.id)
    insertClientMessage(draft, cid, mergeVersion(draft, cid, message, { answer: true }));
}

function channelTruncated(draft: StateDraft, event: WireEvent<"channel.truncated">): void {
  const cid = event.cid!;
  if (event.channel && takeIfNewer(draft, cid, "channel", event)) {
    const entry = draft.entry(cid)!;
    entry.channel = { ...mergeChannel(entry.channel, event.channel) };
  }
  truncate(draft, cid, event.channel?.truncated_at ?? event.created_at, event.message);
}

/** The channel is gone for the current user: empties its entry, which stays and is marked unavailable (R-CHAN-2). */
export function makeUnavailable(draft: StateDraft, cid: string): void {
  const entry = draft.entry(cid);
  if (!entry) return;
  for (const parentId of entry.threads.keys()) draft.closeThread(cid, parentId);
  draft.setSets(cid, undefined, []);
  clearUnread(draft, cid);
  Object.assign(entry, {
    unavailable: true,
    watched: false,
    stale: false,
    pinned: [],
    typing: [],
    liveLocations: [],
    watchers: new Map(),
    watcherCount: 0,
    keepsUnread: false,
  });
  delete entry.firstUnreadId;
}

function channelDeleted(draft: StateDraft, event: EventEnvelope): void {
  if (!takeIfNewer(draft, event.cid!, "availability", event)) return;
  makeUnavailable(draft, event.cid!);
}

function removedFromChannel(draft: StateDraft, event: EventEnvelope): void {
  if (!takeIfNewer(draft, event.cid!, "availability", event)) return;
  makeUnavailable(draft, event.cid!);
  delete draft.entry(event.cid!)!.membership;
}

function addedToChannel(draft: StateDraft, event: EventEnvelope & { type: string; member?: Member }): void {
  const cid = event.cid!;
  if (!takeIfNewer(draft, cid, "availability", event)) return;
  if (event.member) putMember(draft, cid, event.member, event);
  if (draft.peek(cid)!.unavailable) draft.requestRefetch({ kind: "channel", cid });
}

function putMember(
  draft: StateDraft,
  cid: string,
  member: Member,
  event: EventEnvelope & { type: string },
): void {
  const id = member.user_id ?? member.user?.id;
  if (!id || !takeIfNewer(draft, cid, `member ${id}`, event)) return;
  const entry = draft.entry(cid)!;
  const held = entry.members.get(id);
  const user = member.user && draft.user(member.user);
  const next: Member = { ...member, user_id: id, ...(user && { user }) };
  entry.members = draft.writable(entry.members).set(id, next);
  const isNew = !held && event.type === "member.added";
  setMemberCount(draft, cid, memberCountOf(event) ?? (isNew ? entry.memberCount + 1 : undefined));
  if (id !== draft.context.me) return;
  const before = entry.membership;
  // A pin that an event leaves out is over; other fields, such as the messages deleted for oneself, are only in own answers.
  const { pinned_at: _pin, archived_at: _archived, ...kept } = before ?? {};
  entry.membership = { ...kept, ...next };
  const rights = (each: Member | undefined): string =>
    [each?.channel_role, Boolean(each?.banned), isPending(each)].join();
  if (rights(before) !== rights(next) || event.type === "member.added")
    draft.requestRefetch({ kind: "capabilities", cid });
}

const memberCountOf = ({ channel, channel_member_count }: EventEnvelope): number | undefined =>
  channel?.member_count ?? channel_member_count;

function setMemberCount(draft: StateDraft, cid: string, count: number | undefined): void {
  if (count === undefined) return;
  draft.entry(cid)!.memberCount = count;
  recordPartChange(draft, cid, "memberCount");
}

function memberRemoved(draft: StateDraft, event: WireEvent<"member.removed">): void {
  const cid = event.cid!;
  const id = removedMemberId(event);
  if (!id || !takeIfNewer(draft, cid, `member ${id}`, event)) return;
  const entry = draft.entry(cid)!;
  const held = entry.members.get(id);
  entry.members = draft.without(entry.members, id);
  entry.read = draft.without(entry.read, id);
  entry.watchers = draft.without(entry.watchers, id);
  entry.typing = entry.typing.filter(({ user }) => user.id !== id);
  // LE-3: a removed member's live locations end.
  for (const { user_id, message_id } of entry.liveLocations)
    if (user_id === id) recordPartChange(draft, cid, `location ${message_id}`);
  entry.liveLocations = entry.liveLocations.filter((each) => each.user_id !== id);
  setMemberCount(draft, cid, memberCountOf(event) ?? (held && Math.max(0, entry.memberCount - 1)));
  if (id === draft.context.me) removedFromChannel(draft, event);
}

function memberChanged(draft: StateDraft, event: EventEnvelope & { type: string; member?: Member }): void {
  if (event.member && event.cid) putMember(draft, event.cid, event.member, event);
}

function watcherChanged(
  draft: StateDraft,
  event: WireEvent<"user.watching.start" | "user.watching.stop">,
): void {
  const entry = draft.entry(event.cid!)!;
  if (typeof event.watcher_count === "number") entry.watcherCount = event.watcher_count;
  if (!event.user || !takeIfNewer(draft, event.cid!, `watch ${event.user.id}`, event)) return;
  entry.watchers =
    event.type === "user.watching.start"
      ? draft.writable(entry.watchers).set(event.user.id, draft.user(event.user))
      : draft.without(entry.watchers, event.user.id);
}

function channelHidden(draft: StateDraft, event: WireEvent<"channel.hidden">): void {
  const cid = event.cid!;
  if (!takeIfNewer(draft, cid, "hidden", event)) return;
  draft.entry(cid)!.hidden = true;
  if (event.clear_history) truncate(draft, cid, event.channel?.hide_messages_before ?? event.created_at);
}

/** Shows a hidden channel; one that was loaded without watching it is loaded again. */
function unhide(draft: StateDraft, cid: string): void {
  const entry = draft.entry(cid)!;
  if (entry.hidden && !entry.watched) draft.requestRefetch({ kind: "channel", cid });
  entry.hidden = false;
}

/** R-CHAN-1: a message newer than the hiding shows the channel again, unless it is muted. */
export function unhideOnMessage(draft: StateDraft, cid: string, message: Message): void {
  const entry = draft.peek(cid)!;
  // A message in a channel with a blocked user does not show it again (BL-3).
  if (!entry.hidden || entry.channel.blocked || isChannelMuted(draft.state.me, cid, draft.context.now))
    return;
  const moment = normalTime(message.created_at) ?? "";
  if (moment <= partChangedAt(draft, cid, "hidden")) return;
  unhide(draft, cid);
  recordPartChange(draft, cid, "hidden", moment);
}

export const CHANNEL_EVENTS: ReducerTable = {
  "channel.updated": channelUpdated,
  "channel.frozen": setFrozen(true),
  "channel.unfrozen": setFrozen(false),
  "channel.truncated": channelTruncated,
  "notification.channel_truncated": channelTruncated as never,
  "channel.deleted": channelDeleted,
  "notification.channel_deleted": channelDeleted,
  "channel.hidden": channelHidden,
  "channel.visible": (draft, event) => {
    if (takeIfNewer(draft, event.cid!, "hidden", event)) unhide(draft, event.cid!);
  },
  "member.added": memberChanged,
  "member.updated": memberChanged,
  "member.removed": memberRemoved,
  "notification.added_to_channel": addedToChannel,
  "notification.invited": addedToChannel,
  "notification.removed_from_channel": removedFromChannel,
  "notification.invite_accepted": memberChanged,
  "notification.invite_rejected": memberChanged,
  "user.watching.start": watcherChanged,
  "user.watching.stop": watcherChanged,
  "typing.start": (draft, event) => {
    if (event.user) startTyping(draft, event.cid!, event.user, event.parent_id);
  },
  "typing.stop": (draft, event) => {
    if (event.user) stopTyping(draft, event.cid!, event.user.id, event.parent_id);
  },
};
