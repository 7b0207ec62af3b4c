/** A loaded thread, and how events change it (specification/threads.md §7, R-THREAD-3). */
import type { Read } from "../../wire/entities/channel.ts";
import type { Draft } from "../../wire/entities/draft.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Thread } from "../../wire/entities/thread.ts";
import { compareTimes } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";

export interface HeldThread extends Omit<Thread, "channel"> {
  latest_replies: Message[];
  /** Unread replies of the current user (R-THREAD-3). */
  unread: number;
  /** Loaded before a reconnect and not in the first page loaded since. */
  stale?: boolean;
}

export interface ThreadContext {
  me: string | undefined;
  /** TH-8: muted, or blocked in a channel of two. */
  isSilenced(authorId: string, cid: string): boolean;
}

const readOfUser = (thread: Thread, me: string | undefined): Read | undefined =>
  thread.read?.find(({ user }) => user.id === me);

/** A title that somebody gave; the provider names other threads by the start of the first message, which may be changed or deleted. */
const ownTitle = (title: string | undefined, parent?: Message): { title?: string } =>
  title === undefined || parent?.text.startsWith(title) ? {} : { title };

/** A received thread without its channel, which is in the state already. */
export function heldThread(
  { channel: _channel, title, ...thread }: Thread,
  me: string | undefined,
): HeldThread {
  return {
    ...thread,
    ...ownTitle(title, thread.parent_message),
    latest_replies: thread.latest_replies ?? [],
    unread: readOfUser(thread, me)?.unread_messages ?? 0,
  };
}

const replyOrder = (a: Message, b: Message): number =>
  compareTimes(a.created_at, b.created_at) || (a.id < b.id ? -1 : 1);

/** Keeps own reactions and a delete for the current user only (R-MSG-7), which events do not contain (specification/wire.md §13.4). */
function newerVersion(held: Message, next: Message, isUndeleted = false): Message {
  if (held.deleted_for_me && !next.deleted_for_me && !isUndeleted) return held;
  if (compareTimes(next.updated_at, held.updated_at) < 0) return held;
  return { ...next, own_reactions: held.own_reactions };
}

function withParticipant(thread: HeldThread, user: User, at: string): HeldThread {
  const list = thread.thread_participants ?? [];
  if (list.some((each) => each.user_id === user.id))
    return {
      ...thread,
      thread_participants: list.map((each) =>
        each.user_id === user.id ? { ...each, last_thread_message_at: at } : each,
      ),
    };
  return {
    ...thread,
    participant_count: thread.participant_count + 1,
    thread_participants: [
      ...list,
      {
        user_id: user.id,
        user,
        thread_id: thread.parent_message_id,
        channel_cid: thread.channel_cid,
        created_at: at,
        last_thread_message_at: at,
      },
    ],
  };
}

/** Adds a reply; one with a known id is not counted twice. */
function withReply(thread: HeldThread, reply: Message, context: ThreadContext): HeldThread {
  const held = thread.latest_replies.find(({ id }) => id === reply.id);
  if (held)
    return {
      ...thread,
      latest_replies: thread.latest_replies
        .map((each) => (each.id === reply.id ? newerVersion(each, reply) : each))
        .toSorted(replyOrder),
    };
  // Older than the newest reply and not loaded: the page has counted it already.
  if (thread.last_message_at !== undefined && compareTimes(reply.created_at, thread.last_message_at) < 0)
    return thread;
  const own = reply.user.id === context.me;
  const counts = !own && !reply.silent && !context.isSilenced(reply.user.id, thread.channel_cid);
  return {
    ...withParticipant(thread, reply.user, reply.created_at),
    latest_replies: [...thread.latest_replies, reply].toSorted(replyOrder),
    reply_count: thread.reply_count + 1,
    last_message_at: reply.created_at,
    // TH-7: posting a reply marks the thread read for its author.
    unread: own ? 0 : thread.unread + Number(counts),
  };
}

/** The thread when a reply of it no longer counts, nor as unread (specification/events.md §7). */
export function withoutCountOf(thread: HeldThread, reply: Message, { me }: ThreadContext): HeldThread {
  const lastRead = readOfUser(thread, me)?.last_read;
  const wasUnread =
    thread.unread > 0 && reply.user?.id !== me && compareTimes(reply.created_at, lastRead) > 0;
  return {
    ...thread,
    reply_count: Math.max(0, thread.reply_count - 1),
    unread: thread.unread - Number(wasUnread),
  };
}

function withoutReply(
  thread: HeldThread,
  reply: Message,
  event: AnyEvent,
  context: ThreadContext,
): HeldThread {
  const held = thread.latest_replies.find(({ id }) => id === reply.id);
  const forMe = event.deleted_for_me === true;
  if (held?.type === "deleted" && event.hard_delete !== true) return thread;
  const latest_replies =
    event.hard_delete === true
      ? thread.latest_replies.filter(({ id }) => id !== reply.id)
      : thread.latest_replies.map((each) =>
          each.id === reply.id
            ? {
                ...newerVersion(each, reply),
                type: "deleted" as const,
                deleted_at: reply.deleted_at ?? event.created_at,
                ...(forMe && { deleted_for_me: true }),
              }
            : each,
        );
  const left = { ...thread, latest_replies };
  return held?.type === "deleted" || forMe ? left : withoutCountOf(left, reply, context);
}

function withRead(thread: HeldThread, event: AnyEvent, userId: string, unread: number): HeldThread {
  const at = (event.last_read_at as string | undefined) ?? event.created_at;
  const list = thread.read ?? [];
  const before = list.find(({ user }) => user.id === userId);
  if (before && compareTimes(at, before.last_read) < 0 && unread === 0) return thread;
  const messageId = event.last_read_message_id as string | undefined;
  const entry: Read = {
    ...before,
    user: before?.user ?? event.user ?? { id: userId },
    last_read: at,
    unread_messages: unread,
    ...(messageId !== undefined && { last_read_message_id: messageId }),
  };
  return { ...thread, read: [...list.filter(({ user }) => user.id !== userId), entry] };
}

type Change = (thread: HeldThread) => HeldThread | undefined;

/** The thread that an event concerns and its change; `change` returns undefined to drop the thread. */
export function threadChangeOf(
  event: AnyEvent,
  context: ThreadContext,
): { id: string; change: Change } | undefined {
  const message = event.message as Message | undefined;
  const threadId = event.thread_id as string | undefined;
  switch (event.type) {
    case "message.new":
    case "notification.thread_message_new": {
      if (!message?.parent_id) return undefined;
      return { id: message.parent_id, change: (thread) => withReply(thread, message, context) };
    }
    case "message.read": {
      const parentId = (event.thread as Partial<Thread> | undefined)?.parent_message_id ?? threadId;
      const reader = event.user?.id;
      if (parentId === undefined || reader === undefined) return undefined;
      return {
        id: parentId,
        change: (thread) => ({
          ...withRead(thread, event, reader, 0),
          ...(reader === context.me && { unread: 0 }),
        }),
      };
    }
    case "notification.mark_read":
      if (threadId === undefined || context.me === undefined) return undefined;
      return {
        id: threadId,
        change: (thread) => ({ ...withRead(thread, event, context.me!, 0), unread: 0 }),
      };
    case "notification.mark_unread": {
      if (threadId === undefined || context.me === undefined) return undefined;
      const unread = Math.max(1, Number(event.unread_messages ?? 1));
      return {
        id: threadId,
        change: (thread) => ({ ...withRead(thread, event, context.me!, unread), unread }),
      };
    }
    case "thread.updated": {
      const update = event.thread as Thread | undefined;
      if (!update?.parent_message_id) return undefined;
      return {
        id: update.parent_message_id,
        change: (thread) =>
          compareTimes(update.updated_at, thread.updated_at) < 0 ? thread : withUpdate(thread, update),
      };
    }
    case "draft.updated":
    case "draft.deleted":
      return draftChange(event);
    default:
      if (!message || !/^(message|reaction)\./.test(event.type)) return undefined;
      if (message.parent_id) return { id: message.parent_id, change: replyChange(event, message, context) };
      return { id: message.id, change: parentChange(event, message) };
  }
}

function draftChange(event: AnyEvent): { id: string; change: Change } | undefined {
  const draft = event.draft as Draft | undefined;
  const parentId = (event.parent_id as string | undefined) ?? draft?.parent_id;
  if (parentId === undefined) return undefined;
  return {
    id: parentId,
    change: ({ draft: _old, ...thread }) =>
      event.type === "draft.updated" && draft ? { ...thread, draft } : thread,
  };
}

/** Keeps replies and read states, which an update of the thread does not contain (specification/threads.md §1). */
function withUpdate(thread: HeldThread, { title, ...update }: Thread): HeldThread {
  const { read, latest_replies, thread_participants, draft, unread, stale } = thread;
  return {
    ...update,
    ...ownTitle(title, update.parent_message ?? thread.parent_message),
    latest_replies,
    unread,
    ...(read && { read }),
    ...((update.thread_participants ?? thread_participants) && {
      thread_participants: update.thread_participants ?? thread_participants!,
    }),
    ...(draft && { draft }),
    ...(stale && { stale }),
  };
}

function replyChange(event: AnyEvent, message: Message, context: ThreadContext): Change {
  if (event.type === "message.deleted") return (thread) => withoutReply(thread, message, event, context);
  return (thread) => {
    const held = thread.latest_replies.find(({ id }) => id === message.id);
    if (!held) return thread;
    const back = event.type === "message.undeleted" && held.type === "deleted";
    const next = newerVersion(held, message, back);
    return {
      ...thread,
      latest_replies: thread.latest_replies.map((each) => (each.id === message.id ? next : each)),
      // A delete for the current user only did not change the count.
      reply_count: thread.reply_count + Number(back && !held.deleted_for_me),
    };
  };
}

function parentChange(event: AnyEvent, message: Message): Change {
  return (thread) => {
    if (event.type === "message.deleted" && event.hard_delete === true) return undefined;
    const parent_message = thread.parent_message ? newerVersion(thread.parent_message, message) : message;
    if (event.type === "message.deleted" && event.deleted_for_me !== true)
      return { ...thread, parent_message, deleted_at: message.deleted_at ?? event.created_at };
    if (event.type !== "message.undeleted") return { ...thread, parent_message };
    const { deleted_at: _gone, ...living } = thread;
    return { ...living, parent_message };
  };
}
