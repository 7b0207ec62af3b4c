/** Every event by name with its own keys; the envelope is common to all (specification/events.md §1, §3). */
import type { Channel, Member } from "./entities/channel.ts";
import type { Draft } from "./entities/draft.ts";
import type { Message, Reaction } from "./entities/message.ts";
import type { Poll, PollVote } from "./entities/poll.ts";
import type { Reminder } from "./entities/reminder.ts";
import type { ChannelMute, Mute, OwnUser, User } from "./entities/user.ts";

export interface EventEnvelope {
  created_at: string;
  cid?: string;
  channel_type?: string;
  channel_id?: string;
  team?: string;
  /** The acting user; in `user.*` events, the affected user. */
  user?: User;
  channel?: Channel;
  channel_last_message_at?: string;
  channel_member_count?: number;
  channel_message_count?: number;
  /** Added locally on arrival. */
  received_at?: string;
}

export interface Counters {
  total_unread_count?: number;
  unread_channels?: number;
  /** Same value as `total_unread_count`, older name. */
  unread_count?: number;
  unread_threads?: number;
}

interface OnMessage {
  message: Message;
  message_id?: string;
}
interface OnReaction extends OnMessage {
  reaction: Reaction;
}
interface OnPoll {
  poll: Poll;
  message?: Message;
  message_id?: string;
}

/** Event name → the keys it adds to the envelope. */
export interface EventMap {
  "health.check": { connection_id?: string; me?: OwnUser };
  "connection.changed": { online: boolean };
  "connection.recovered": object;
  "transport.changed": { mode: "websocket" | "longpoll" };

  "message.new": OnMessage &
    Counters & { watcher_count?: number; parent_author?: string; thread_participants?: User[] };
  "notification.message_new": OnMessage & Counters;
  "notification.thread_message_new": OnMessage &
    Counters & {
      thread_id?: string;
      parent_author?: string;
      thread_participants?: User[];
      unread_thread_messages?: number;
    };
  "message.updated": OnMessage & { message_update?: { old_text?: string; change_set?: unknown } };
  "message.deleted": OnMessage & { hard_delete?: boolean; deleted_for_me?: boolean };
  "message.undeleted": OnMessage;
  "message.read": { last_read_message_id?: string; thread?: unknown };
  "message.delivered": { last_delivered_at: string; last_delivered_message_id: string };
  "notification.mark_read": Counters & {
    /** Moment of the read state; absent = `created_at`. */
    last_read_at?: string;
    last_read_message_id?: string;
    thread_id?: string;
  };
  "notification.mark_unread": Counters & {
    first_unread_message_id?: string;
    last_read_at?: string;
    last_read_message_id?: string;
    unread_messages?: number;
    thread_id?: string;
    unread_thread_messages?: number;
  };
  "reaction.new": OnReaction;
  "reaction.updated": OnReaction;
  "reaction.deleted": OnReaction;
  "thread.updated": { thread: unknown };

  "channel.created": object;
  "channel.updated": { message?: Message };
  "channel.deleted": object;
  "notification.channel_deleted": object;
  "channel.truncated": { message?: Message; message_id?: string };
  "notification.channel_truncated": object;
  "channel.hidden": { clear_history?: boolean };
  "channel.visible": object;
  "channel.frozen": object;
  "channel.unfrozen": object;
  "notification.channel_mutes_updated": { me: Partial<OwnUser> & { channel_mutes: ChannelMute[] } };
  "member.added": { member: Member };
  "member.updated": { member: Member };
  "member.removed": { member: Member };
  "notification.added_to_channel": Counters & { member: Member };
  "notification.removed_from_channel": { member: Member };
  "notification.invited": { member: Member };
  "notification.invite_accepted": { member: Member };
  "notification.invite_rejected": { member: Member };
  "user.watching.start": { watcher_count: number };
  "user.watching.stop": { watcher_count: number };
  "typing.start": { parent_id?: string };
  "typing.stop": { parent_id?: string };

  "user.updated": object;
  "user.presence.changed": object;
  "user.deleted": { hard_delete?: boolean; mark_messages_deleted?: boolean };
  "user.banned": {
    created_by?: User;
    reason?: string;
    expiration?: string;
    shadow?: boolean;
    total_bans?: number;
  };
  "user.unbanned": { created_by?: User; shadow?: boolean };
  "user.messages.deleted": { soft_delete?: boolean; hard_delete?: boolean };
  "notification.mutes_updated": { me: Partial<OwnUser> & { mutes: Mute[] } };

  "poll.updated": OnPoll;
  "poll.closed": OnPoll;
  "poll.deleted": OnPoll;
  "poll.vote_casted": OnPoll & { poll_vote: PollVote };
  "poll.vote_changed": OnPoll & { poll_vote: PollVote };
  "poll.vote_removed": OnPoll & { poll_vote: PollVote };

  "draft.updated": { draft: Draft; parent_id?: string };
  "draft.deleted": { draft: Draft; parent_id?: string };
  "reminder.created": { reminder: Reminder; message_id: string; user_id: string; parent_id?: string };
  "reminder.updated": { reminder: Reminder; message_id: string; user_id: string; parent_id?: string };
  "reminder.deleted": { reminder: Reminder; message_id: string; user_id: string; parent_id?: string };
  "notification.reminder_due": {
    reminder: Reminder;
    message_id: string;
    user_id: string;
    parent_id?: string;
  };
}

export type EventType = keyof EventMap;
/** One known event, discriminated by `type`. */
export type WireEvent<T extends EventType = EventType> = {
  [K in T]: { type: K } & EventEnvelope & EventMap[K];
}[T];
/** An unknown event: custom, or newer than this program. It is only passed to listeners. */
export type AnyEvent = { type: string } & EventEnvelope & Record<string, unknown>;

/** The event type for an event name. */
export type EventNamed<T extends string> = T extends EventType ? WireEvent<T> & AnyEvent : AnyEvent;

/** Produced by the client itself, never on the wire. */
export const LOCAL_EVENTS = ["connection.changed", "connection.recovered", "transport.changed"] as const;
