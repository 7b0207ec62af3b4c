/** Threads of the current user: the list, single threads, their fields and read state (specification/threads.md, R-THREAD). */
import { THREAD_GET, THREAD_QUERY } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { Thread } from "../../wire/entities/thread.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { ThreadRef } from "../../model/state.ts";
import { errorMessage } from "../../model/errors.ts";
import { PageSize } from "../../model/page-size.ts";
import { PageWalk, SAME_PAGE } from "../../model/page-walk.ts";
import { itemName } from "../../wire/reading.ts";
import { partsOf } from "../base/validate-call.ts";
import { latestSet } from "../../model/select.ts";
import { isBlockedIn, isUserMuted } from "../../model/mutes.ts";
import type { HeldThread, ThreadContext } from "./held-thread.ts";
import type { OnePage, PageAt } from "./paged-list.ts";
import { ThreadReads } from "./thread-reads.ts";
import { NO_THREADS, nextThreads, withPage, type ThreadsState } from "./threads-state.ts";
import type { Services } from "../http/services.ts";

export type ThreadsDeps = Pick<Services, "call" | "clock" | "log" | "state" | "userId" | "now">;

export class ThreadList implements Observable<ThreadsState> {
  readonly #deps: ThreadsDeps;
  readonly #observable = createObservable<ThreadsState>(NO_THREADS);
  readonly #reads: ThreadReads;
  /** Incremented with each first page, so that late answers of earlier loads are ignored. */
  #generation = 0;
  readonly #pageSize = new PageSize(THREAD_QUERY.limit);
  #walk = new PageWalk<Thread>(itemName("threads"));
  /** Events since the running request began: its answer may not include them. */
  #eventsSinceRequest: AnyEvent[] | undefined;

  readonly state = this.#observable.state;
  readonly subscribe = this.#observable.subscribe;

  constructor(deps: ThreadsDeps) {
    this.#deps = deps;
    this.#reads = new ThreadReads(deps);
  }

  /** Reloads the first page; runs by itself after a reconnect when the list was loaded. Rejects as the call does. */
  load(): Promise<void> {
    return this.#load(undefined);
  }

  /** Loads the next page; false when there is none or one is loading. */
  async more(): Promise<boolean> {
    const { next, loading } = this.state();
    if (next === undefined || loading) return false;
    await this.#load(next);
    return true;
  }

  /** Fetches one page with a filter, in the provider's order, without adding it to the list. */
  async page({
    filter,
    limit = THREAD_QUERY.limit,
    next,
    ...page
  }: PageAt & { filter?: Filter }): Promise<OnePage<Thread>> {
    const { participant_limit, reply_limit } = THREAD_QUERY;
    const limits = { participant_limit, reply_limit, watch: false, limit };
    const body = { ...(filter && { filter }), ...limits, ...(next !== undefined && { next }) };
    const { threads, next: after } = await this.#deps.call("queryThreads", { body, ...page });
    return { items: threads ?? [], next: after };
  }

  /** Fetches a thread with all participants and its newest replies, without adding it to the list. `watch` (default): get its events. */
  async get(parentId: string, options: { replies?: number; watch?: boolean } = {}): Promise<Thread> {
    const { replies: reply_limit = THREAD_GET.reply_limit, watch = true } = options;
    const { thread } = await this.#deps.call("getThread", {
      path: { message_id: parentId },
      query: { ...THREAD_GET, reply_limit, watch },
    });
    return thread;
  }

  /** Changes title and custom fields; reserved fields are refused before any request (R-THREAD-2). */
  async update(
    parentId: string,
    { set = {}, unset = [] }: { set?: Record<string, unknown>; unset?: string[] },
  ): Promise<Thread> {
    const body = { ...(Object.keys(set).length > 0 && { set }), ...(unset.length > 0 && { unset }) };
    const { thread } = await this.#deps.call("updateThreadPartial", { path: { message_id: parentId }, body });
    const event = { type: "thread.updated", created_at: thread.updated_at, thread } as unknown as AnyEvent;
    this.#observable.set(nextThreads(this.state(), event, this.#context()));
    return thread;
  }

  /** Marks a thread read by the user's choice; it stays unread when the provider refuses, and the refusal is thrown. */
  async markRead({ cid, parentId }: ThreadRef & { parentId: string }): Promise<void> {
    await this.#deps.call("markRead", { path: partsOf(cid), body: { thread_id: parentId } });
    const held = this.#findThread(parentId);
    if (held) this.#setRead(held);
  }

  /**
   * The thread is on screen at its end: marks it read, at most once a second (R-THREAD-3). A thread that is not in the
   * list is marked when it has a new newest reply.
   */
  seen({ cid, parentId }: ThreadRef & { parentId: string }): void {
    const held = this.#findThread(parentId);
    if (!held) {
      const replies = latestSet(this.#deps.state(), { cid, parentId })?.messages;
      const newest = replies?.at(replies.length - 1);
      if (newest && newest.user.id !== this.#deps.userId()) this.#reads.markUpTo(parentId, cid, newest.id);
      return;
    }
    if (held.unread === 0) return;
    // Shown as read before the provider answers.
    this.#setRead(held);
    this.#reads.mark(parentId, cid);
  }

  /** Marks the thread unread from its newest reply (TH-10). */
  async markUnread({ cid, parentId }: ThreadRef & { parentId: string }): Promise<void> {
    this.#reads.undo(parentId);
    await this.#deps.call("markUnread", { path: partsOf(cid), body: { thread_id: parentId } });
  }

  onEvent(event: AnyEvent): void {
    this.#eventsSinceRequest?.push(event);
    // Skipped until the list is loaded, so that a flood of messages costs nothing.
    if (this.state().loaded) this.#observable.set(nextThreads(this.state(), event, this.#context()));
  }

  onConnected(): void {
    if (!this.state().loaded) return;
    this.load().catch((error: Error) => {
      this.#deps.log.debug("threads could not be reloaded", { error: error.message });
    });
  }

  reset(): void {
    this.#generation += 1;
    this.#reads.reset();
    this.#observable.set(NO_THREADS);
  }

  #findThread(parentId: string): HeldThread | undefined {
    return this.state().threads.find((thread) => thread.parent_message_id === parentId);
  }

  #setRead(held: HeldThread): void {
    const state = this.state();
    const threads = state.threads.map((thread) => (thread === held ? { ...thread, unread: 0 } : thread));
    this.#observable.set({ ...state, threads });
  }

  #context(): ThreadContext {
    return {
      me: this.#deps.userId(),
      isSilenced: (authorId, cid) => {
        const state = this.#deps.state();
        const entry = state.channels.get(cid);
        return (
          isUserMuted(state.me, authorId, this.#deps.now()) ||
          (entry !== undefined && isBlockedIn(state.me, entry, authorId))
        );
      },
    };
  }

  async #load(next: string | undefined): Promise<void> {
    const first = next === undefined;
    const generation = first ? ++this.#generation : this.#generation;
    if (first) this.#walk = new PageWalk<Thread>(itemName("threads"));
    const since: AnyEvent[] = [];
    this.#eventsSinceRequest = since;
    this.#observable.set({ ...this.state(), loading: true });
    try {
      const { answer } = await this.#pageSize.ask((limit, page) =>
        this.#deps.call("queryThreads", {
          body: { ...THREAD_QUERY, limit, watch: true, ...(next !== undefined && { next }) },
          retries: 1,
          ...page,
        }),
      );
      if (generation !== this.#generation) return;
      const { threads = [] } = answer;
      const turn = this.#walk.take(threads, answer.next);
      let state = withPage(this.state(), { threads, next: turn.next, first }, this.#deps.userId());
      for (const event of since) state = nextThreads(state, event, this.#context());
      this.#observable.set(turn.isStuck ? { ...state, error: SAME_PAGE } : state);
      // Nobody scrolls to the end of nothing new.
      if (turn.next !== undefined && turn.fresh.length === 0) await this.#load(turn.next);
    } catch (error) {
      const reason = errorMessage(error);
      if (generation === this.#generation)
        this.#observable.set({ ...this.state(), loading: false, error: reason });
      throw error;
    } finally {
      if (this.#eventsSinceRequest === since) this.#eventsSinceRequest = undefined;
    }
  }
}
