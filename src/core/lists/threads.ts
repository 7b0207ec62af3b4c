/** The own threads: pages of the list, one thread, its title and custom fields, and reading it (specification/threads.md, R-THREAD). */
import { THREAD_GET, THREAD_QUERY } from "../../wire/constants.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { Thread } from "../../wire/entities/thread.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import type { ThreadRef } from "../../model/state.ts";
import { partsOf } from "../base/validate-call.ts";
import { latestSet } from "../../model/select.ts";
import { isBlockedIn, isUserMuted } from "../../model/mutes.ts";
import type { HeldThread, ThreadContext } from "./held-thread.ts";
import type { OnePage, PageAt } from "./paged.ts";
import { ThreadReads } from "./thread-reads.ts";
import { NO_THREADS, nextThreads, withPage, type ThreadsState } from "./threads-state.ts";
import type { Services } from "../http/services.ts";

export type ThreadsDeps = Pick<Services, "call" | "clock" | "log" | "state" | "userId" | "now">;

export class ThreadList implements Observable<ThreadsState> {
  readonly #deps: ThreadsDeps;
  readonly #held = createObservable<ThreadsState>(NO_THREADS);
  readonly #reads: ThreadReads;
  /** Grows with each first page: an older one that comes late is void. */
  #round = 0;
  /** Events that came while a page was asked for: its answer may not know them. */
  #meanwhile: AnyEvent[] | undefined;

  readonly state = this.#held.state;
  readonly subscribe = this.#held.subscribe;

  constructor(deps: ThreadsDeps) {
    this.#deps = deps;
    this.#reads = new ThreadReads(deps);
  }

  /** The first page anew; also after a reconnect when the list was loaded. Rejects with what the call rejects with. */
  load(): Promise<void> {
    return this.#load(undefined);
  }

  /** The next page; false when there is none or one is on its way. */
  async more(): Promise<boolean> {
    const { next, loading } = this.state();
    if (next === undefined || loading) return false;
    await this.#load(next);
    return true;
  }

  /** One page by a filter, as the provider orders it; it is held nowhere. */
  async page({
    filter,
    limit = THREAD_QUERY.limit,
    next,
  }: PageAt & { filter?: Filter }): Promise<OnePage<Thread>> {
    const { participant_limit, reply_limit } = THREAD_QUERY;
    const few = { participant_limit, reply_limit, watch: false, limit };
    const body = { ...(filter && { filter }), ...few, ...(next !== undefined && { next }) };
    const { threads, next: after } = await this.#deps.call("queryThreads", { body });
    return { items: threads ?? [], next: after };
  }

  /** One thread with all its participants and its newest replies; it is not put into the list. `watch`: its events come (default). */
  async get(parentId: string, how: { replies?: number; watch?: boolean } = {}): Promise<Thread> {
    const { replies: reply_limit = THREAD_GET.reply_limit, watch = true } = how;
    const { thread } = await this.#deps.call("getThread", {
      path: { message_id: parentId },
      query: { ...THREAD_GET, reply_limit, watch },
    });
    return thread;
  }

  /** Title and custom fields; reserved fields are refused before any request (R-THREAD-2). */
  async update(
    parentId: string,
    { set = {}, unset = [] }: { set?: Record<string, unknown>; unset?: string[] },
  ): Promise<Thread> {
    const body = { ...(Object.keys(set).length > 0 && { set }), ...(unset.length > 0 && { unset }) };
    const { thread } = await this.#deps.call("updateThreadPartial", { path: { message_id: parentId }, body });
    const event = { type: "thread.updated", created_at: thread.updated_at, thread } as unknown as AnyEvent;
    this.#held.set(nextThreads(this.state(), event, this.#context()));
    return thread;
  }

  /** Read by hand: it stays unread where the provider refuses, and the refusal is thrown. */
  async markRead({ cid, parentId }: ThreadRef & { parentId: string }): Promise<void> {
    await this.#deps.call("markRead", { path: partsOf(cid), body: { thread_id: parentId } });
    const held = this.#heldThread(parentId);
    if (held) this.#hasRead(held);
  }

  /**
   * The thread is on screen at its end: read, at most once a second (R-THREAD-3). One that is not in the list is marked
   * when its newest reply is another than the last time.
   */
  seen({ cid, parentId }: ThreadRef & { parentId: string }): void {
    const held = this.#heldThread(parentId);
    if (!held) {
      const replies = latestSet(this.#deps.state(), { cid, parentId })?.messages;
      const newest = replies?.at(replies.length - 1);
      if (newest && newest.user.id !== this.#deps.userId()) this.#reads.markUpTo(parentId, cid, newest.id);
      return;
    }
    if (held.unread === 0) return;
    // At once here; the provider's word follows.
    this.#hasRead(held);
    this.#reads.mark(parentId, cid);
  }

  /** Unread again from its newest reply (TH-10). */
  async markUnread({ cid, parentId }: ThreadRef & { parentId: string }): Promise<void> {
    this.#reads.undo(parentId);
    await this.#deps.call("markUnread", { path: partsOf(cid), body: { thread_id: parentId } });
  }

  /** Events that were dispatched. */
  onEvent(event: AnyEvent): void {
    this.#meanwhile?.push(event);
    // Nobody looks at threads: a flood of messages costs nothing here.
    if (this.state().loaded) this.#held.set(nextThreads(this.state(), event, this.#context()));
  }

  /** The link opened. */
  onConnected(): void {
    if (!this.state().loaded) return;
    this.load().catch((error: Error) => {
      this.#deps.log.debug("threads could not be loaded anew", { error: error.message });
    });
  }

  /** The user is gone. */
  reset(): void {
    this.#round += 1;
    this.#reads.reset();
    this.#held.set(NO_THREADS);
  }

  #heldThread(parentId: string): HeldThread | undefined {
    return this.state().threads.find((thread) => thread.parent_message_id === parentId);
  }

  #hasRead(held: HeldThread): void {
    const state = this.state();
    const threads = state.threads.map((thread) => (thread === held ? { ...thread, unread: 0 } : thread));
    this.#held.set({ ...state, threads });
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
    const mine = first ? ++this.#round : this.#round;
    const since: AnyEvent[] = [];
    this.#meanwhile = since;
    this.#held.set({ ...this.state(), loading: true });
    try {
      const answer = await this.#deps.call("queryThreads", {
        body: { ...THREAD_QUERY, watch: true, ...(next !== undefined && { next }) },
        retries: 1,
      });
      if (mine !== this.#round) return;
      const page = { threads: answer.threads ?? [], next: answer.next, first };
      let state = withPage(this.state(), page, this.#deps.userId());
      for (const event of since) state = nextThreads(state, event, this.#context());
      this.#held.set(state);
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      if (mine === this.#round) this.#held.set({ ...this.state(), loading: false, error: words });
      throw error;
    } finally {
      if (this.#meanwhile === since) this.#meanwhile = undefined;
    }
  }
}
