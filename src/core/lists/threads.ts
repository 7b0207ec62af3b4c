/** The own threads: pages of the list, one thread, its title and custom fields, and reading it (specification/threads.md, R-THREAD). */
import { MARK_READ_THROTTLE, THREAD_GET, THREAD_QUERY } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Thread } from "../../wire/thread.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import type { ThreadRef, State } from "../../model/state.ts";
import { partsOf } from "../base/validate-call.ts";
import type { ApiCall } from "../http/caller.ts";
import type { Clock, Log, Timer } from "../base/ports.ts";
import { latestSet } from "../../model/select.ts";
import { isBlockedIn, isUserMuted } from "../../model/mutes.ts";
import type { ThreadContext } from "./held-thread.ts";
import { NO_THREADS, nextThreads, withPage } from "./threads-state.ts";
import type { ThreadsState } from "./threads-state.ts";

export interface ThreadList extends Observable<ThreadsState> {
  /** The first page anew; also after a reconnect when the list was loaded. Rejects with what the call rejects with. */
  load(): Promise<void>;
  /** The next page; false when there is none or one is on its way. */
  more(): Promise<boolean>;
  /** One thread with all its participants; it is not put into the list. */
  get(parentId: string): Promise<Thread>;
  /** Title and custom fields; reserved fields are refused before any request (R-THREAD-2). */
  update(parentId: string, change: { set?: Record<string, unknown>; unset?: string[] }): Promise<Thread>;
  /**
   * The thread is on screen at its end: read, at most once a second (R-THREAD-3). One that is not in the list is marked
   * when its newest reply is another than the last time.
   */
  seen(place: ThreadRef & { parentId: string }): void;
  /** Unread again from its newest reply (TH-10). */
  markUnread(place: ThreadRef & { parentId: string }): Promise<void>;
  /** Events that were dispatched. */
  heard(event: AnyEvent): void;
  /** The link opened. */
  connected(): void;
  /** The user is gone. */
  forget(): void;
}

export interface ThreadsDeps {
  call: ApiCall;
  clock: Clock;
  log: Log;
  state(): State;
  userId(): string | undefined;
  /** Provider time, milliseconds. */
  now(): number;
}

export function createThreads(deps: ThreadsDeps): ThreadList {
  const { call, clock, log } = deps;
  const cell = createObservable<ThreadsState>(NO_THREADS);
  /** Grows with each first page: an older one that comes late is void. */
  let round = 0;
  /** Events that came while a page was asked for: its answer may not know them. */
  let meanwhile: AnyEvent[] | undefined;
  /** Threads marked read within the last second; true when news came since. */
  const recent = new Map<string, { timer: Timer; again: boolean }>();
  /** Threads outside the list → the newest reply that was marked read. */
  const marked = new Map<string, string>();

  const context = (): ThreadContext => ({
    me: deps.userId(),
    isSilenced(authorId, cid) {
      const state = deps.state();
      const entry = state.channels.get(cid);
      return (
        isUserMuted(state.me, authorId, deps.now()) ||
        (entry !== undefined && isBlockedIn(state.me, entry, authorId))
      );
    },
  });

  async function page(next: string | undefined): Promise<void> {
    const first = next === undefined;
    const mine = first ? ++round : round;
    const since: AnyEvent[] = [];
    meanwhile = since;
    cell.set({ ...cell.state(), loading: true });
    try {
      const answer = await call("queryThreads", {
        body: { ...THREAD_QUERY, watch: true, ...(next !== undefined && { next }) },
        retries: 1,
      });
      if (mine !== round) return;
      let state = withPage(
        cell.state(),
        { threads: answer.threads ?? [], next: answer.next, first },
        deps.userId(),
      );
      for (const event of since) state = nextThreads(state, event, context());
      cell.set(state);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (mine === round) cell.set({ ...cell.state(), loading: false, error: words });
      throw error;
    } finally {
      if (meanwhile === since) meanwhile = undefined;
    }
  }

  function markRead(parentId: string, cid: string): void {
    const timer = clock.setTimeout(() => {
      const again = recent.get(parentId)?.again;
      recent.delete(parentId);
      if (again) markRead(parentId, cid);
    }, MARK_READ_THROTTLE);
    recent.set(parentId, { timer, again: false });
    call("markRead", { path: partsOf(cid), body: { thread_id: parentId } }).then(
      () => undefined,
      (error: Error) => log.debug("marking a thread read failed", { error: error.message }),
    );
  }

  return {
    state: cell.state,
    subscribe: cell.subscribe,
    load: () => page(undefined),
    async more() {
      const { next, loading } = cell.state();
      if (next === undefined || loading) return false;
      await page(next);
      return true;
    },
    async get(parentId) {
      const { thread } = await call("getThread", {
        path: { message_id: parentId },
        query: { ...THREAD_GET, watch: true },
        retries: 1,
      });
      return thread;
    },
    async update(parentId, { set = {}, unset = [] }) {
      const body = {
        ...(Object.keys(set).length > 0 && { set }),
        ...(unset.length > 0 && { unset }),
      };
      const { thread } = await call("updateThreadPartial", { path: { message_id: parentId }, body });
      const event = { type: "thread.updated", created_at: thread.updated_at, thread } as unknown as AnyEvent;
      cell.set(nextThreads(cell.state(), event, context()));
      return thread;
    },
    seen({ cid, parentId }) {
      const state = cell.state();
      const held = state.threads.find((thread) => thread.parent_message_id === parentId);
      if (held) {
        if (held.unread === 0) return;
        // At once here; the provider's word follows.
        cell.set({
          ...state,
          threads: state.threads.map((thread) => (thread === held ? { ...thread, unread: 0 } : thread)),
        });
      } else {
        const replies = latestSet(deps.state(), { cid, parentId })?.messages;
        const newest = replies?.at(replies.length - 1);
        if (!newest || newest.user.id === deps.userId() || marked.get(parentId) === newest.id) return;
        marked.set(parentId, newest.id);
      }
      const last = recent.get(parentId);
      if (last) last.again = true;
      else markRead(parentId, cid);
    },
    async markUnread({ cid, parentId }) {
      marked.delete(parentId);
      await call("markUnread", { path: partsOf(cid), body: { thread_id: parentId } });
    },
    heard(event) {
      meanwhile?.push(event);
      // Nobody looks at threads: a flood of messages costs nothing here.
      if (!cell.state().loaded) return;
      cell.set(nextThreads(cell.state(), event, context()));
    },
    connected() {
      if (!cell.state().loaded) return;
      page(undefined).catch((error: Error) => {
        log.debug("threads could not be loaded anew", { error: error.message });
      });
    },
    forget() {
      round += 1;
      for (const { timer } of recent.values()) clock.clearTimeout(timer);
      recent.clear();
      marked.clear();
      cell.set(NO_THREADS);
    },
  };
}
