/** Message search while typing: matches from the local cache at once, then the provider's answer page by page (R-SEARCH). */
import { DEFAULT_PAGE, NARROWED_PAGES, SEARCH_LIMIT, SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { SearchPayload, SearchReply } from "../../wire/search.ts";
import type { LocalSearch } from "../../model/search-query.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { copiesAfter } from "../../model/cache-events.ts";
import type { AnyEvent } from "../../wire/events.ts";
import type { Bus } from "../base/bus.ts";
import { searchProblem } from "../base/validate-call.ts";
import { TransportError } from "../../model/errors.ts";
import { itemName, mapReceived } from "../../wire/reading.ts";
import { PageWalk, SAME_PAGE } from "../../model/page-walk.ts";
import type { ApiCall, CallArgs } from "../base/api-types.ts";
import { createDebouncedRequest } from "../base/debounced-request.ts";
import type { Clock } from "../base/ports.ts";
import type { OnePage, PageAt } from "./paged-list.ts";

type SearchHit = SearchReply["results"][number]["message"];

interface SearchState {
  /** As typed; `results` match it once `loading` is false. */
  query: string;
  results: readonly SearchHit[];
  next?: string;
  loading: boolean;
  /** The results come only from the local cache: the provider has not answered (R-SEARCH-4). */
  held?: true;
  /** Why the search failed: a text of SE-1…6, or the message of the call's error. */
  error?: string;
  /** A warning of the provider that not all channels, or not all of their messages, were searched. */
  warning?: string;
}

/** Where to search; `type` sets the text. */
export interface SearchScope {
  filter_conditions: Filter;
  /** Instead of a text (SE-3). */
  message_filter_conditions?: Filter;
  limit?: number;
  /** Leaves out hits that the filters could not: pages are read on until one of them has a hit. */
  narrow?: (message: SearchHit) => boolean;
  /** The same query for the local cache; absent = the cache is not searched. */
  held?: LocalSearch;
}

type CallOptions = Partial<Pick<CallArgs<"search">, "signal" | "retries" | "shrinks">>;

const EMPTY_SEARCH: SearchState = { query: "", results: [], loading: false };

/** The request; its limit is at most the provider's. */
function payloadOf(
  { limit = DEFAULT_PAGE, held: _held, narrow: _narrow, ...where }: SearchScope,
  query: string,
): SearchPayload {
  return { ...where, ...(query.trim() !== "" && { query }), limit: Math.min(limit, SEARCH_LIMIT[1]) };
}

const hitsOf = (answer: SearchReply): SearchHit[] =>
  mapReceived(answer.results ?? [], ({ message }) => message);

const walkFrom = (next: string | undefined): PageWalk<SearchHit> =>
  new PageWalk<SearchHit>(itemName("messages"), next);

const withoutNext = ({ next: _next, ...answer }: SearchReply): SearchReply => answer;

const warningOf = ({ results_warning }: SearchReply): Pick<SearchState, "warning"> =>
  results_warning ? { warning: results_warning.warning_description } : {};

/** The state with a page added after earlier ones, without duplicates. */
function withAnswer(query: string, earlier: readonly SearchHit[], answer: SearchReply): SearchState {
  const held = new Set(earlier.map(({ id }) => id));
  return {
    query,
    results: [...earlier, ...hitsOf(answer).filter(({ id }) => !held.has(id))],
    loading: false,
    ...(answer.next !== undefined && { next: answer.next }),
    ...warningOf(answer),
  };
}

/** The results before this page; none for the first. */
const earlierResults = ({ results }: SearchState, { next }: SearchPayload): readonly SearchHit[] =>
  next === undefined ? [] : results;

/** The state after a failed request, with local results (R-SEARCH-4). */
const withoutAnswer = (
  { query }: SearchState,
  error: string,
  left: Pick<SearchState, "results" | "held">,
): SearchState => ({ query, ...left, loading: false, error });

interface SearchDeps extends Pick<Bus, "join"> {
  me(): string | undefined;
  call: ApiCall;
  clock: Clock;
  /** Messages in the local cache, newest first; of `all` channels, or quickly of recently active ones. */
  held(question: LocalSearch, limit: number, all: boolean): SearchHit[];
}

export class SearchSource implements Observable<SearchState> {
  readonly #deps: SearchDeps;
  readonly #observable = createObservable<SearchState>(EMPTY_SEARCH);
  readonly #debounced: ReturnType<typeof createDebouncedRequest>;
  #scope: SearchScope;
  /** The request of the shown answer, whose cursor is only valid for it. */
  #answeredPayload: SearchPayload | undefined;
  #walk = walkFrom(undefined);
  /** What happened since the running request began: its answer may be from before. */
  #since: AnyEvent[] | undefined;
  #followsEvents = false;
  readonly state = this.#observable.state;
  readonly subscribe = this.#observable.subscribe;

  /** SE-5 requires a channel filter in `scope`. */
  constructor(deps: SearchDeps, scope: SearchScope) {
    this.#deps = deps;
    this.#debounced = createDebouncedRequest(deps.clock);
    this.#scope = scope;
  }

  /**
   * Changes the text, and optionally the scope: local results show at once, the provider's after SUGGESTION_DEBOUNCE; an
   * empty text clears them without a request.
   */
  type(query: string, next?: SearchScope): void {
    if (query === this.state().query && next === undefined) return;
    if (next) this.#scope = next;
    this.#observable.set({ ...this.state(), query });
    this.#restart(SUGGESTION_DEBOUNCE);
  }

  /** Searches now, without waiting for a pause in typing. */
  run(): void {
    this.#restart(0);
  }

  /** Fetches one page for a text without showing it; rejects as the call does. */
  async page(
    query: string,
    { limit, next, ...call }: PageAt,
  ): Promise<OnePage<SearchHit> & Pick<SearchState, "warning">> {
    const scoped = { ...this.#scope, ...(limit !== undefined && { limit }) };
    const payload = { ...payloadOf(scoped, query), ...(next !== undefined && { next }) };
    const answer = await this.#answerTo(payload, call, Infinity);
    return { items: hitsOf(answer), next: answer.next, ...warningOf(answer) };
  }

  /** One answer of the provider; with `narrow`, that of the first of at most `pages` pages with a hit that fits. */
  async #answerTo(
    payload: SearchPayload,
    options: CallOptions,
    pages: number,
    walk = walkFrom(payload.next),
  ): Promise<SearchReply> {
    const { narrow } = this.#scope;
    const answer = await this.#deps.call("search", { query: payload, ...options });
    if (!narrow) return answer;
    const fitting = (answer.results ?? []).filter(({ message }) => narrow(message));
    const { next, isStuck } = walk.take(hitsOf(answer), answer.next);
    if (isStuck && fitting.length === 0) throw new TransportError("ERR_BAD_RESPONSE", SAME_PAGE);
    if (next === undefined) return { ...withoutNext(answer), results: fitting };
    if (fitting.length > 0 || pages <= 1) return { ...answer, results: fitting };
    return this.#answerTo({ ...payload, next }, options, pages - 1, walk);
  }

  /** Matches in the local cache, newest first; none if the scope has no query for it. */
  held(limit: number): SearchHit[] {
    return this.#scope.held ? this.#deps.held(this.#scope.held, limit, true) : [];
  }

  /** Loads the next page of the last answer; false when there is none or one is loading. */
  more(): boolean {
    const { next, loading } = this.state();
    if (next === undefined || loading || !this.#answeredPayload) return false;
    // A cursor is only valid for its request.
    this.#request({ ...this.#answeredPayload, next }, 0);
    return true;
  }

  clear(): void {
    this.#debounced.cancel();
    this.#since = undefined;
    this.#answeredPayload = undefined;
    this.#observable.set(EMPTY_SEARCH);
  }

  /** R-SEARCH-7: a result shows the present text of its message, and goes with it. */
  onEvent(event: AnyEvent): void {
    this.#since?.push(event);
    const results = this.#after(this.state().results, event);
    if (results !== this.state().results) this.#observable.set({ ...this.state(), results });
  }

  #after(hits: readonly SearchHit[], ...events: readonly AnyEvent[]): readonly SearchHit[] {
    return events.reduce((left, event) => copiesAfter(left, event, this.#deps.me()), hits);
  }

  #restart(wait: number): void {
    if (!this.#followsEvents) this.#deps.join(this);
    this.#followsEvents = true;
    const { query, results } = this.state();
    this.#debounced.cancel();
    // R-SEARCH-2: nothing to search.
    if (query.trim() === "" && this.#scope.message_filter_conditions === undefined)
      return this.#observable.set({ query, results: [], loading: false });
    const { held, limit = DEFAULT_PAGE } = this.#scope;
    const local = held && { results: this.#deps.held(held, limit, false), held: true as const };
    this.#observable.set({ query, ...(local ?? { results }), loading: true });
    this.#request(payloadOf(this.#scope, query), wait);
  }

  #request(payload: SearchPayload, wait: number): void {
    const { query } = this.state();
    const problem = searchProblem(payload);
    if (problem !== undefined) {
      this.#debounced.cancel();
      return this.#observable.set({ query, results: [], loading: false, error: problem });
    }
    this.#observable.set({ ...this.state(), loading: true });
    this.#debounced.schedule(wait, (signal, current) => {
      this.#since = [];
      this.#answerTo(payload, { signal, retries: 1 }, NARROWED_PAGES).then(
        (answer) => current() && this.#answered(query, payload, answer),
        (error: Error) => current() && this.#refused(payload, error),
      );
    });
  }

  #answered(query: string, payload: SearchPayload, answer: SearchReply): void {
    const { next: cursor, ...first } = payload;
    this.#answeredPayload = first;
    if (cursor === undefined) this.#walk = walkFrom(undefined);
    const turn = this.#walk.take(hitsOf(answer), answer.next);
    const { results, ...state } = withAnswer(query, earlierResults(this.state(), payload), {
      ...withoutNext(answer),
      ...(turn.next !== undefined && { next: turn.next }),
    });
    this.#observable.set({
      ...state,
      results: this.#after(results, ...(this.#since ?? [])),
      ...(turn.isStuck && { error: SAME_PAGE }),
    });
    this.#since = undefined;
    // Nobody scrolls to the end of nothing new.
    if (turn.fresh.length === 0 && !this.#scope.narrow) this.more();
  }

  #refused(payload: SearchPayload, error: Error): void {
    if (error instanceof TransportError && error.code === "ERR_CANCELED") return;
    this.#since = undefined;
    this.#observable.set(withoutAnswer(this.state(), error.message, this.#resultsWithoutAnswer(payload)));
  }

  #resultsWithoutAnswer(payload: SearchPayload): Pick<SearchState, "results" | "held"> {
    const { held, limit = DEFAULT_PAGE } = this.#scope;
    if (!held || !this.state().held) return { results: earlierResults(this.state(), payload) };
    return { results: this.#deps.held(held, limit, true), held: true };
  }
}
