/** The thread list as pure functions: pages, order, and changes by events (specification/threads.md §2, §7). */
import type { AnyEvent } from "../../wire/events.ts";
import { deletesMessagesOfUser } from "../../model/client-message.ts";
import { CHANNEL_ENDS } from "../../model/membership.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Thread } from "../../wire/entities/thread.ts";
import { compareTimes } from "../../wire/time.ts";
import { emptiedMessage } from "../../wire/gone.ts";
import type { User } from "../../wire/entities/user.ts";
import {
  threadChangeOf,
  heldThread,
  withoutCountOf,
  type HeldThread,
  type ThreadContext,
} from "./held-thread.ts";

export interface ThreadsState {
  /** Unread ones first, then by newest reply, then by id. */
  threads: readonly HeldThread[];
  /** Cursor of the next page; absent = the end, once `loaded`. */
  next?: string;
  loaded: boolean;
  loading: boolean;
  /** Threads with new replies that are not loaded: a reload shows them. */
  unseen: readonly string[];
  /** Why the last page could not be loaded. */
  error?: string;
}

export const NO_THREADS: ThreadsState = { threads: [], loaded: false, loading: false, unseen: [] };

function order(a: HeldThread, b: HeldThread): number {
  return (
    Number(b.unread > 0) - Number(a.unread > 0) ||
    compareTimes(b.last_message_at, a.last_message_at) ||
    (a.parent_message_id < b.parent_message_id ? -1 : 1)
  );
}

/** Most threads kept that are not on a reloaded first page; later pages bring the others again. */
const MAX_STALE = 100;

/** Adds a page. Loaded threads that are not on a reloaded first page stay, marked as stale (specification/threads.md §7). */
export function withPage(
  state: ThreadsState,
  page: { threads: readonly Thread[]; next?: string | undefined; first: boolean },
  me: string | undefined,
): ThreadsState {
  const fresh = page.threads.map((thread) => heldThread(thread, me));
  const ids = new Set(fresh.map((thread) => thread.parent_message_id));
  const others = state.threads
    .filter((thread) => !ids.has(thread.parent_message_id))
    .slice(0, page.first && page.next !== undefined ? MAX_STALE : undefined)
    .map((thread) => (page.first && !thread.stale ? { ...thread, stale: true } : thread));
  const { next: _next, error: _error, ...rest } = state;
  return {
    ...rest,
    threads: [...others, ...fresh].toSorted(order),
    ...(page.next !== undefined && { next: page.next }),
    loaded: true,
    loading: false,
    unseen: page.first ? [] : state.unseen.filter((id) => !ids.has(id)),
  };
}

/** Whether a reply is in a thread that the current user takes part in (specification/threads.md §2). */
function concernsUser(event: AnyEvent, message: Message, me: string | undefined): boolean {
  if (event.type === "notification.thread_message_new") return true;
  const participants = event.thread_participants as User[] | undefined;
  return (
    event.type === "message.new" &&
    (message.user.id === me ||
      event.parent_author === me ||
      participants?.some(({ id }) => id === me) === true ||
      message.mentioned_users.some(({ id }) => id === me))
  );
}

/** R-MSG-12: a message without what the event's user wrote, also in its quote; the same object when nothing is the user's. */
function withoutWordsOf(message: Message, { user, created_at, hard_delete }: AnyEvent): Message {
  const quote = message.quoted_message;
  const emptied = (each: Message): Message =>
    each.user.id !== user?.id || (each.type === "deleted" && hard_delete !== true)
      ? each
      : {
          ...emptiedMessage(each),
          ...(user.deleted_at !== undefined && { user }),
          deleted_at: each.deleted_at ?? created_at,
        };
  const left = quote && emptied(quote);
  return emptied(left === quote ? message : { ...message, quoted_message: left! });
}

/** R-MSG-12: marks replies and parents of a user as deleted. */
function withoutMessagesOf(state: ThreadsState, event: AnyEvent, context: ThreadContext): ThreadsState {
  let changed = false;
  const threads = state.threads.map((thread) => {
    if (event.cid !== undefined && thread.channel_cid !== event.cid) return thread;
    const latest_replies = thread.latest_replies.map((reply) => withoutWordsOf(reply, event));
    const parent_message = thread.parent_message && withoutWordsOf(thread.parent_message, event);
    const same =
      parent_message === thread.parent_message &&
      latest_replies.every((reply, n) => reply === thread.latest_replies[n]);
    if (same) return thread;
    changed = true;
    const counted = thread.latest_replies
      .filter(({ type }, n) => type !== "deleted" && latest_replies[n]!.type === "deleted")
      .reduce((left, reply) => withoutCountOf(left, reply, context), thread);
    return { ...counted, latest_replies, ...(parent_message && { parent_message }) };
  });
  return changed ? { ...state, threads } : state;
}

/** Applies an event; events of threads that are not loaded only change `unseen`. */
export function nextThreads(state: ThreadsState, event: AnyEvent, context: ThreadContext): ThreadsState {
  if (CHANNEL_ENDS.has(event.type)) {
    const threads = state.threads.filter(({ channel_cid }) => channel_cid !== event.cid);
    return threads.length === state.threads.length ? state : { ...state, threads };
  }
  if (deletesMessagesOfUser(event)) return withoutMessagesOf(state, event, context);
  const found = threadChangeOf(event, context);
  if (!found) return state;
  const at = state.threads.findIndex(({ parent_message_id }) => parent_message_id === found.id);
  if (at < 0) {
    const message = event.message as Message | undefined;
    if (!state.loaded || !message?.parent_id || state.unseen.includes(found.id)) return state;
    return concernsUser(event, message, context.me)
      ? { ...state, unseen: [...state.unseen, found.id] }
      : state;
  }
  const before = state.threads[at]!;
  const after = found.change(before);
  if (after === before) return state;
  const others = state.threads.filter((thread) => thread !== before);
  return { ...state, threads: after ? [...others, after].toSorted(order) : others };
}
