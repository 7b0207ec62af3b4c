/** Reducers for events on users, the current user and the connection (R-MUTE-2, specification/events.md §6). */
import { compareTimes } from "../../wire/time.ts";
import type { EventEnvelope, WireEvent } from "../../wire/events.ts";
import type { OwnUser, User } from "../../wire/entities/user.ts";
import { deletesMessagesOfUser } from "../../model/client-message.ts";
import { deleteHeldMessagesOf } from "./message-events.ts";
import { rewriteAll } from "./messages.ts";
import type { ClientMessage } from "../../model/state.ts";
import { updateUserEverywhere } from "./update-user.ts";
import { plainEvent, type ReducerTable } from "./reducer-table.ts";
import type { StateDraft } from "./state-draft.ts";
import { takeIfNewer, recordPartChange } from "./part-versions.ts";

/** Keys of `me` that public user objects must not change. */
const PRIVATE_KEYS =
  `devices mutes channel_mutes blocked_user_ids latest_hidden_channels total_unread_count unread_count
 unread_channels unread_threads total_unread_count_by_team push_preferences privacy_settings invisible`.split(
    /\s+/,
  );

/** Merges the public fields of the current user, keeping private ones; an older version changes nothing. */
export function mergeCurrentUser(draft: StateDraft, user: User): void {
  const { me } = draft.state;
  if (!me || user.id !== me.id || compareTimes(user.updated_at, me.updated_at) < 0) return;
  const next: Record<string, unknown> = { ...user };
  for (const key of PRIVATE_KEYS) delete next[key];
  const changed = Object.keys(next).some(
    (key) => typeof next[key] !== "object" && next[key] !== (me as unknown as Record<string, unknown>)[key],
  );
  if (changed) draft.state.me = { ...me, ...next };
}

function withUser(message: ClientMessage, user: User): ClientMessage {
  const is = (each: User): boolean => each.id === user.id && each !== user;
  const swap = (each: User): User => (each.id === user.id ? user : each);
  let next = message;
  if (is(message.user)) next = { ...next, user };
  if (message.mentioned_users.some(is))
    next = { ...next, mentioned_users: message.mentioned_users.map(swap) };
  if (message.latest_reactions.some((each) => each.user && is(each.user)))
    next = {
      ...next,
      latest_reactions: message.latest_reactions.map((each) =>
        each.user && is(each.user) ? { ...each, user } : each,
      ),
    };
  return next;
}

function userUpdated(draft: StateDraft, event: EventEnvelope): void {
  if (!event.user?.id) return;
  const user = draft.user(event.user, true);
  updateUserEverywhere(draft, user);
  for (const cid of draft.cids) rewriteAll(draft, cid, (message) => withUser(message, user));
  const { me } = draft.state;
  // Only the user's own connections receive the blocked users (specification/events.md §5).
  if (me?.id === user.id && Array.isArray(event.user.blocked_user_ids)) {
    draft.state.me = { ...me, blocked_user_ids: event.user.blocked_user_ids };
    applyBlocks(draft, me.blocked_user_ids, event.user.blocked_user_ids);
  }
}

/** BL-2, BL-6: hides channels whose only other member is blocked, and refetches them when the block ends. */
function applyBlocks(draft: StateDraft, before: readonly string[], after: readonly string[]): void {
  const isIn = (cid: string, ids: readonly string[]): boolean => {
    const held = draft.peek(cid)!;
    return held.memberCount === 2 && ids.some((id) => held.members.has(id));
  };
  const blocked = after.filter((id) => !before.includes(id));
  const unblocked = before.filter((id) => !after.includes(id));
  if (blocked.length + unblocked.length === 0) return;
  for (const cid of draft.cids) {
    if (isIn(cid, blocked)) {
      const entry = draft.entry(cid)!;
      entry.channel = { ...entry.channel, blocked: true };
      entry.hidden = true;
      recordPartChange(draft, cid, "hidden");
    } else if (isIn(cid, unblocked)) {
      const entry = draft.entry(cid)!;
      entry.channel = { ...entry.channel, blocked: false };
      entry.hidden = false;
      draft.requestRefetch({ kind: "channel", cid });
    }
  }
}

/** Messages stay unchanged: the presence of authors is read from `state.users`. */
function presenceChanged(draft: StateDraft, event: EventEnvelope): void {
  if (event.user?.id) updateUserEverywhere(draft, draft.user(event.user, true));
}

function setBanned(value: boolean) {
  return (draft: StateDraft, event: WireEvent<"user.banned" | "user.unbanned">): void => {
    const id = event.user?.id;
    if (!id) return;
    const ends = event.type === "user.banned" ? event.expiration : undefined;
    const change = event.shadow
      ? { shadow_banned: value }
      : { banned: value, ban_expires: value ? (ends ?? null) : null };
    if (!event.cid) {
      if (draft.state.me?.id === id && !event.shadow) applyAppBan(draft, value, ends);
      return;
    }
    // The event comes both to the channel and to the user; only the newest counts.
    if (!takeIfNewer(draft, event.cid, `ban ${id}`, event)) return;
    const entry = draft.entry(event.cid)!;
    const member = entry.members.get(id);
    if (member) entry.members = draft.writable(entry.members).set(id, { ...member, ...change });
    if (id !== draft.context.me || !entry.membership) return;
    // In a large channel the current user may not be among the loaded members.
    entry.membership = { ...entry.membership, ...change };
    if (!event.shadow) draft.requestRefetch({ kind: "capabilities", cid: event.cid });
  };
}

function applyAppBan(draft: StateDraft, value: boolean, ends: string | undefined): void {
  const { ban_expires: _, ...me } = draft.state.me!;
  draft.state.me = { ...me, banned: value, ...(value && ends !== undefined && { ban_expires: ends }) };
  if (value) return;
  // Channels loaded during the ban lack the capability to write.
  for (const cid of draft.cids)
    if (draft.peek(cid)!.channel.own_capabilities?.includes("send-message") === false)
      draft.requestRefetch({ kind: "capabilities", cid });
}

function replaceList<K extends keyof OwnUser>(key: K) {
  return (draft: StateDraft, event: { me?: Partial<OwnUser> }): void => {
    const value = event.me?.[key];
    if (draft.state.me && Array.isArray(value)) draft.state.me = { ...draft.state.me, [key]: value };
  };
}

/** Sets a new `me`: the current user, the totals, and the public fields in the shared user object. */
export function setMe(draft: StateDraft, me: OwnUser | undefined): void {
  if (!me) {
    delete draft.state.me;
    return;
  }
  const before = draft.state.me;
  draft.state.me = {
    ...me,
    mutes: me.mutes ?? [],
    channel_mutes: me.channel_mutes ?? [],
    blocked_user_ids: me.blocked_user_ids ?? [],
    devices: me.devices ?? [],
  };
  const { totals } = draft.state;
  draft.state.totals = {
    unread: me.total_unread_count ?? me.unread_count ?? totals.unread,
    channels: me.unread_channels ?? totals.channels,
    threads: me.unread_threads ?? totals.threads,
  };
  applyBlocks(draft, before?.blocked_user_ids ?? [], draft.state.me.blocked_user_ids);
  const publicFields: Record<string, unknown> = { ...me };
  for (const key of PRIVATE_KEYS) delete publicFields[key];
  draft.user(publicFields as unknown as User, true);
}

export const USER_EVENTS: ReducerTable = {
  "health.check": (draft, event) => {
    if (event.me) setMe(draft, event.me);
  },
  "user.updated": userUpdated,
  "user.presence.changed": presenceChanged,
  "user.deleted": (draft, event) => {
    if (!event.user) return;
    const user = { ...event.user, deleted_at: event.user.deleted_at ?? event.created_at };
    userUpdated(draft, { ...event, user });
    if (deletesMessagesOfUser(plainEvent(event)))
      deleteHeldMessagesOf(draft, plainEvent(event), event.hard_delete === true);
  },
  // Who was away gets no user.deleted, but this event, with the user as it is now.
  "user.messages.deleted": (draft, event) => {
    if (event.user?.deleted_at) userUpdated(draft, { ...event, user: event.user } as never);
    deleteHeldMessagesOf(draft, plainEvent(event), event.hard_delete === true);
  },
  "user.banned": setBanned(true),
  "user.unbanned": setBanned(false),
  "notification.channel_mutes_updated": replaceList("channel_mutes"),
  "notification.mutes_updated": replaceList("mutes"),
};
