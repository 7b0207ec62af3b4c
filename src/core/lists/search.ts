/** Message search while typing: matches from this machine at once, then the provider's answer page by page (R-SEARCH). */
import { DEFAULT_PAGE, SEARCH_LIMIT, SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { SearchPayload, SearchReply } from "../../wire/search.ts";
import type { HeldQuestion } from "../../model/search-query.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { searchProblem } from "../base/validate-call.ts";
import { TransportError } from "../../model/errors.ts";
import type { ApiCall } from "../http/caller.ts";
import { createDebouncedRequest } from "../base/debounced-request.ts";
import type { Clock } from "../base/ports.ts";
import type { OnePage, PageAt } from "./paged.ts";

type SearchHit = SearchReply["results"][number]["message"];

interface SearchState {
  /** As typed; the results belong to it once `loading` is false. */
  query: string;
  results: readonly SearchHit[];
  /** Of the next page. */
  next?: string;
  loading: boolean;
  /** The results are of this machine alone: the provider has not answered (R-SEARCH-4). */
  held?: true;
  /** Why nothing came: a text of SE-1…6, or the call's words. */
  error?: string;
  /** Not all channels were searched, a sentence of the provider. */
  warning?: string;
}

/** Where and how is searched; the text comes by `type`. */
export interface SearchScope {
  filter_conditions: Filter;
  /** Instead of a text (SE-3). */
  message_filter_conditions?: Filter;
  sort?: SearchPayload["sort"];
  limit?: number;
  /** The same for what is held on this machine; without it nothing is looked for there. */
  held?: HeldQuestion;
}

const NOTHING: SearchState = { query: "", results: [], loading: false };

/** What is asked for; a page holds at most what the provider gives. */
function payloadOf(
  { limit = DEFAULT_PAGE, held: _held, ...where }: SearchScope,
  query: string,
): SearchPayload {
  return { ...where, ...(query.trim() !== "" && { query }), limit: Math.min(limit, SEARCH_LIMIT[1]) };
}

const hitsOf = (answer: SearchReply): SearchHit[] => (answer.results ?? []).map(({ message }) => message);

/** The state after a page: behind those before it, each once. */
function withAnswer(query: string, earlier: readonly SearchHit[], answer: SearchReply): SearchState {
  const held = new Set(earlier.map(({ id }) => id));
  return {
    query,
    results: [...earlier, ...hitsOf(answer).filter(({ id }) => !held.has(id))],
    loading: false,
    ...(answer.next !== undefined && { next: answer.next }),
    ...(answer.results_warning && { warning: answer.results_warning.warning_description }),
  };
}

/** What an answer goes behind: nothing where it is the first page. */
const before = ({ results }: SearchState, { next }: SearchPayload): readonly SearchHit[] =>
  next === undefined ? [] : results;

/** The state where no answer came: all that is held here is left (R-SEARCH-4). */
const withoutAnswer = (
  { query }: SearchState,
  error: string,
  left: Pick<SearchState, "results" | "held">,
): SearchState => ({ query, ...left, loading: false, error });

interface SearchDeps {
  call: ApiCall;
  clock: Clock;
  /** Messages of this machine, newest first; of `all` channels, or quickly of those active last. */
  held(question: HeldQuestion, limit: number, all: boolean): SearchHit[];
}

export class SearchSource implements Observable<SearchState> {
  readonly #deps: SearchDeps;
  readonly #held = createObservable<SearchState>(NOTHING);
  readonly #latest: ReturnType<typeof createDebouncedRequest>;
  #where: SearchScope;
  /** What the shown answer was asked with: its cursor fits nothing else. */
  #asked: SearchPayload | undefined;
  readonly state = this.#held.state;
  readonly subscribe = this.#held.subscribe;

  /** `scope` is where is searched until `within` says otherwise: SE-5 wants a channel filter. */
  constructor(deps: SearchDeps, scope: SearchScope) {
    this.#deps = deps;
    this.#latest = createDebouncedRequest(deps.clock);
    this.#where = scope;
  }

  /** Where is searched from now on; what is typed is searched again. */
  within(next: SearchScope): void {
    this.#where = next;
    this.run();
  }

  /**
   * The text changed, and maybe where is searched: what is held here is found at once, the provider's results follow after
   * SUGGESTION_DEBOUNCE; an empty one clears them without a request.
   */
  type(query: string, next?: SearchScope): void {
    if (query === this.state().query && next === undefined) return;
    if (next) this.#where = next;
    this.#held.set({ ...this.state(), query });
    this.#again(SUGGESTION_DEBOUNCE);
  }

  /** Now, without waiting for a rest. */
  run(): void {
    this.#again(0);
  }

  /** One page for these words, held nowhere; rejects with what the call rejects with. */
  async page(query: string, { limit, next }: PageAt): Promise<OnePage<SearchHit>> {
    const scoped = { ...this.#where, ...(limit !== undefined && { limit }) };
    const payload = { ...payloadOf(scoped, query), ...(next !== undefined && { next }) };
    const answer = await this.#deps.call("search", { query: payload });
    return { items: hitsOf(answer), next: answer.next };
  }

  /** What is held on this machine, newest first, without asking the provider; nothing where the scope has no question for it. */
  held(limit: number): SearchHit[] {
    return this.#where.held ? this.#deps.held(this.#where.held, limit, true) : [];
  }

  /** The next page of the last answer; false when there is none or one is on its way. */
  more(): boolean {
    const { next, loading } = this.state();
    if (next === undefined || loading || !this.#asked) return false;
    // A cursor is bound to its payload.
    this.#ask({ ...this.#asked, next }, 0);
    return true;
  }

  clear(): void {
    this.#latest.cancel();
    this.#asked = undefined;
    this.#held.set(NOTHING);
  }

  #again(wait: number): void {
    const { query, results } = this.state();
    this.#latest.cancel();
    // R-SEARCH-2: nothing to look for.
    if (query.trim() === "" && this.#where.message_filter_conditions === undefined)
      return this.#held.set({ query, results: [], loading: false });
    const { held, limit = DEFAULT_PAGE } = this.#where;
    const here = held && { results: this.#deps.held(held, limit, false), held: true as const };
    this.#held.set({ query, ...(here ?? { results }), loading: true });
    this.#ask(payloadOf(this.#where, query), wait);
  }

  #ask(payload: SearchPayload, wait: number): void {
    const { query } = this.state();
    const problem = searchProblem(payload);
    if (problem !== undefined) {
      this.#latest.cancel();
      return this.#held.set({ query, results: [], loading: false, error: problem });
    }
    this.#held.set({ ...this.state(), loading: true });
    this.#latest.schedule(wait, (signal, current) => {
      this.#deps.call("search", { query: payload, signal, retries: 1 }).then(
        (answer) => current() && this.#answered(query, payload, answer),
        (error: Error) => current() && this.#refused(payload, error),
      );
    });
  }

  #answered(query: string, payload: SearchPayload, answer: SearchReply): void {
    const { next: _cursor, ...first } = payload;
    this.#asked = first;
    this.#held.set(withAnswer(query, before(this.state(), payload), answer));
  }

  #refused(payload: SearchPayload, error: Error): void {
    if (error instanceof TransportError && error.code === "ERR_CANCELED") return;
    this.#held.set(withoutAnswer(this.state(), error.message, this.#left(payload)));
  }

  /** What there is without an answer. */
  #left(payload: SearchPayload): Pick<SearchState, "results" | "held"> {
    const { held, limit = DEFAULT_PAGE } = this.#where;
    if (!held || !this.state().held) return { results: before(this.state(), payload) };
    return { results: this.#deps.held(held, limit, true), held: true };
  }
}
