/** The thread list as plain data: pages, order, and which threads an event concerns (specification/threads.md §2, §7). */
import type { AnyEvent } from "../../wire/events.ts";
import { CHANNEL_ENDS } from "../../model/membership.ts";
import type { Message } from "../../wire/entities/message.ts";
import type { Thread } from "../../wire/entities/thread.ts";
import { compareTimes } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import { changeOf, heldThread, type HeldThread, type ThreadContext } from "./held-thread.ts";

export interface ThreadsState {
  /** Unread ones first, then by newest reply, then by id. */
  threads: readonly HeldThread[];
  /** Of the next page; absent = the end, once `loaded`. */
  next?: string;
  loaded: boolean;
  loading: boolean;
  /** Threads with news that are not held: a reload would show them. */
  unseen: readonly string[];
  /** Why the last page did not come, a sentence. */
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

/** Threads that stay beside a first page that does not name them: pages behind it bring the others again. */
const KEPT = 100;

/** A page of the list. What was held and is not on the first page stays, marked as stale (specification/threads.md §7). */
export function withPage(
  state: ThreadsState,
  page: { threads: readonly Thread[]; next?: string | undefined; first: boolean },
  me: string | undefined,
): ThreadsState {
  const fresh = page.threads.map((thread) => heldThread(thread, me));
  const named = new Set(fresh.map((thread) => thread.parent_message_id));
  const kept = state.threads
    .filter((thread) => !named.has(thread.parent_message_id))
    .slice(0, page.first && page.next !== undefined ? KEPT : undefined)
    .map((thread) => (page.first && !thread.stale ? { ...thread, stale: true } : thread));
  const { next: _next, error: _error, ...rest } = state;
  return {
    ...rest,
    threads: [...kept, ...fresh].toSorted(order),
    ...(page.next !== undefined && { next: page.next }),
    loaded: true,
    loading: false,
    unseen: page.first ? [] : state.unseen.filter((id) => !named.has(id)),
  };
}

/** A reply to a thread that is not held and that the own user takes part in (specification/threads.md §2). */
function concerns(event: AnyEvent, message: Message, me: string | undefined): boolean {
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

/** R-MSG-12 for what the list holds: replies and parents of one user. */
function withoutMessagesOf(state: ThreadsState, event: AnyEvent): ThreadsState {
  const userId = event.user?.id;
  const hard = event.hard_delete === true;
  const gone = (message: Message): Message =>
    message.user.id !== userId || (message.type === "deleted" && !hard)
      ? message
      : {
          ...message,
          type: "deleted",
          deleted_at: message.deleted_at ?? event.created_at,
          ...(hard && {
            text: "",
            attachments: [],
            mentioned_users: [],
            latest_reactions: [],
            own_reactions: [],
            reaction_counts: {},
            reaction_scores: {},
            reaction_groups: {},
          }),
        };
  let changed = false;
  const threads = state.threads.map((thread) => {
    if (event.cid !== undefined && thread.channel_cid !== event.cid) return thread;
    const latest_replies = thread.latest_replies.map(gone);
    const parent_message = thread.parent_message && gone(thread.parent_message);
    const same =
      parent_message === thread.parent_message &&
      latest_replies.every((reply, n) => reply === thread.latest_replies[n]);
    if (same) return thread;
    changed = true;
    return { ...thread, latest_replies, ...(parent_message && { parent_message }) };
  });
  return changed ? { ...state, threads } : state;
}

/** One event; what it says of threads nobody holds changes nothing but `unseen`. */
export function nextThreads(state: ThreadsState, event: AnyEvent, context: ThreadContext): ThreadsState {
  if (CHANNEL_ENDS.has(event.type)) {
    const threads = state.threads.filter(({ channel_cid }) => channel_cid !== event.cid);
    return threads.length === state.threads.length ? state : { ...state, threads };
  }
  if (event.type === "user.messages.deleted") return withoutMessagesOf(state, event);
  const found = changeOf(event, context);
  if (!found) return state;
  const at = state.threads.findIndex(({ parent_message_id }) => parent_message_id === found.id);
  if (at < 0) {
    const message = event.message as Message | undefined;
    if (!state.loaded || !message?.parent_id || state.unseen.includes(found.id)) return state;
    return concerns(event, message, context.me) ? { ...state, unseen: [...state.unseen, found.id] } : state;
  }
  const before = state.threads[at]!;
  const after = found.change(before);
  if (after === before) return state;
  const others = state.threads.filter((thread) => thread !== before);
  return { ...state, threads: after ? [...others, after].toSorted(order) : others };
}
