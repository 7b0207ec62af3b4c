/** Every event by name with its own keys; the envelope is common to all (specification/events.md §1, §3). */
import {
  any,
  choice,
  entity,
  flag,
  list,
  need,
  object,
  partOf,
  text,
  time,
  whole,
  type Field,
  type Infer,
  type Shape,
} from "./entities/fields.ts";

export const EventEnvelope = {
  created_at: need(time()),
  cid: text(),
  channel_type: text(),
  channel_id: text(),
  team: text(),
  /** The acting user; in `user.*` events, the affected user. */
  user: entity("User"),
  channel: entity("Channel"),
  channel_last_message_at: time(),
  channel_member_count: whole(),
  channel_message_count: whole(),
  /** Added locally on arrival. */
  received_at: time(),
};
export interface EventEnvelope extends Infer<typeof EventEnvelope> {}

const counters = {
  total_unread_count: whole(),
  unread_channels: whole(),
  /** Same value as `total_unread_count`, older name. */
  unread_count: whole(),
  unread_threads: whole(),
};
export interface Counters extends Infer<typeof counters> {}

const onMessage = { message: need(entity("Message")), message_id: text() };
const onReaction = { ...onMessage, reaction: need(entity("Reaction")) };
const onPoll = { poll: need(entity("Poll")), message: entity("Message"), message_id: text() };
const onVote = { ...onPoll, poll_vote: need(entity("PollVote")) };
const onDraft = { draft: need(entity("Draft")), parent_id: text() };
const onReminder = {
  reminder: need(entity("Reminder")),
  message_id: need(text()),
  user_id: need(text()),
  parent_id: text(),
};
const onMember = { member: need(entity("Member")) };

/** Event name → the keys it adds to the envelope. */
export const EVENTS = {
  "health.check": { connection_id: text(), me: entity("OwnUser") },
  "connection.changed": { online: need(flag()) },
  "connection.recovered": {},
  "transport.changed": { mode: need(choice("websocket", "longpoll")) },

  "message.new": {
    ...onMessage,
    ...counters,
    watcher_count: whole(),
    parent_author: text(),
    thread_participants: list(entity("User")),
  },
  "notification.message_new": { ...onMessage, ...counters },
  "notification.thread_message_new": {
    ...onMessage,
    ...counters,
    thread_id: text(),
    parent_author: text(),
    thread_participants: list(entity("User")),
    unread_thread_messages: whole(),
  },
  "message.updated": { ...onMessage, message_update: object({ old_text: text(), change_set: any() }) },
  "message.deleted": { ...onMessage, hard_delete: flag(), deleted_for_me: flag() },
  "message.undeleted": onMessage,
  "message.read": { last_read_message_id: text(), thread: any() },
  "message.delivered": { last_delivered_at: need(time()), last_delivered_message_id: need(text()) },
  "notification.mark_read": {
    ...counters,
    /** Moment of the read state; absent = `created_at`. */
    last_read_at: time(),
    last_read_message_id: text(),
    thread_id: text(),
  },
  "notification.mark_unread": {
    ...counters,
    first_unread_message_id: text(),
    last_read_at: time(),
    last_read_message_id: text(),
    unread_messages: whole(),
    thread_id: text(),
    unread_thread_messages: whole(),
  },
  "reaction.new": onReaction,
  "reaction.updated": onReaction,
  "reaction.deleted": onReaction,
  "thread.updated": { thread: need(any()) },

  "channel.created": {},
  "channel.updated": { message: entity("Message") },
  "channel.deleted": {},
  "notification.channel_deleted": {},
  "channel.truncated": { message: entity("Message"), message_id: text() },
  "notification.channel_truncated": {},
  "channel.hidden": { clear_history: flag() },
  "channel.visible": {},
  "channel.frozen": {},
  "channel.unfrozen": {},
  "notification.channel_mutes_updated": {
    me: need(partOf("OwnUser", { channel_mutes: need(list(entity("ChannelMute"))) })),
  },
  "member.added": onMember,
  "member.updated": onMember,
  "member.removed": onMember,
  "notification.added_to_channel": { ...counters, ...onMember },
  "notification.removed_from_channel": onMember,
  "notification.invited": onMember,
  "notification.invite_accepted": onMember,
  "notification.invite_rejected": onMember,
  "user.watching.start": { watcher_count: need(whole()) },
  "user.watching.stop": { watcher_count: need(whole()) },
  "typing.start": { parent_id: text() },
  "typing.stop": { parent_id: text() },

  "user.updated": {},
  "user.presence.changed": {},
  "user.deleted": { hard_delete: flag(), mark_messages_deleted: flag() },
  "user.banned": {
    created_by: entity("User"),
    reason: text(),
    expiration: time(),
    shadow: flag(),
    total_bans: whole(),
  },
  "user.unbanned": { created_by: entity("User"), shadow: flag() },
  "user.messages.deleted": { soft_delete: flag(), hard_delete: flag() },
  "notification.mutes_updated": { me: need(partOf("OwnUser", { mutes: need(list(entity("Mute"))) })) },

  "poll.updated": onPoll,
  "poll.closed": onPoll,
  "poll.deleted": onPoll,
  "poll.vote_casted": onVote,
  "poll.vote_changed": onVote,
  "poll.vote_removed": onVote,

  "draft.updated": onDraft,
  "draft.deleted": onDraft,
  "reminder.created": onReminder,
  "reminder.updated": onReminder,
  "reminder.deleted": onReminder,
  "notification.reminder_due": onReminder,
} as const satisfies Readonly<Record<string, Shape>>;
export type EventMap = { [Type in keyof typeof EVENTS]: Infer<(typeof EVENTS)[Type]> };

export type EventType = keyof EventMap;
/** One known event, discriminated by `type`. */
export type WireEvent<T extends EventType = EventType> = {
  [K in T]: { type: K } & EventEnvelope & EventMap[K];
}[T];
/** An unknown event: custom, or newer than this program. It is only passed to listeners. */
export type AnyEvent = { type: string } & EventEnvelope & Record<string, unknown>;
export const anyEvent: Field<AnyEvent> = {
  kind: "object",
  type: "AnyEvent",
  shape: { type: need(text()), ...EventEnvelope },
};

/** The event type for an event name. */
export type EventNamed<T extends string> = T extends EventType ? WireEvent<T> & AnyEvent : AnyEvent;

/** Produced by the client itself, never on the wire. */
export const LOCAL_EVENTS = ["connection.changed", "connection.recovered", "transport.changed"] as const;
