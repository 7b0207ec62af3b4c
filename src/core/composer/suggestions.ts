/** Suggests members for the word before the cursor; needs no request when all members are loaded (R-MENT). */
import { MENTIONS_LIMIT, SUGGESTION_DEBOUNCE, SUGGESTION_PAGE } from "../../wire/constants.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { User } from "../../wire/entities/user.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { partsOf } from "../base/validate-call.ts";
import { namesIn } from "../../text/mentions.ts";
import { holdsAllMembers } from "../../model/readers.ts";
import type { ChannelEntry, ThreadRef } from "../../model/state.ts";
import { createDebouncedRequest, type DebouncedRequest } from "../base/debounced-request.ts";
import { matchingUsers, mentionTrigger, mentionedIn, type Trigger } from "../../model/mentions.ts";
import type { Services } from "../http/services.ts";

interface SuggestionsState {
  /** The word to complete; absent = none before the cursor, and `items` is empty. */
  trigger?: Trigger;
  items: readonly User[];
  /** A request waits or runs; until then `items` belong to an earlier word. */
  loading: boolean;
}

interface SuggestionsDeps extends Pick<Services, "call" | "clock" | "log" | "state" | "userId"> {
  place: ThreadRef;
}

const NO_SUGGESTIONS: SuggestionsState = { items: [], loading: false };

export class Suggestions implements Observable<SuggestionsState> {
  readonly #deps: SuggestionsDeps;
  readonly #observable = createObservable<SuggestionsState>(NO_SUGGESTIONS);
  readonly #request: DebouncedRequest;
  #chosen: readonly User[] = [];
  /** The last query without a match, as long as the text continues it. */
  #unmatched: string | undefined;

  constructor(deps: SuggestionsDeps) {
    this.#deps = deps;
    this.#request = createDebouncedRequest(deps.clock);
  }

  readonly state = (): SuggestionsState => this.#observable.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#observable.subscribe(listener);

  /** The text changed or the cursor moved; `cursor` is an UTF-16 index. */
  typed(text: string, cursor: number): void {
    const trigger = this.#openTrigger(mentionTrigger(text, cursor));
    const held = this.state().trigger;
    if (!trigger || held?.start !== trigger.start || held.query !== trigger.query) this.#update(trigger);
  }

  /** Users chosen since the last clear, in order (R-MENT-1). */
  remembered(): readonly User[] {
    return this.#chosen;
  }

  /** Remembers a chosen user, or one from a restored draft or a reply. */
  remember(user: User): void {
    if (!this.#chosen.some(({ id }) => id === user.id)) this.#chosen = [...this.#chosen, user];
  }

  /**
   * For a text written without a list to choose from: remembers the members its names mention, also those that are not
   * loaded. When a search fails, the name is not a mention.
   */
  async find(text: string): Promise<void> {
    const held = this.#members();
    const mentioned = new Set(mentionedIn(text, this.#chosen, held));
    for (const user of held) if (mentioned.has(user.id)) this.remember(user);
    if (this.#allMembersLoaded() || !text.includes("@")) return;
    const known = new Set([...held, ...this.#chosen].flatMap(({ id, name }) => [id, name]));
    const names = new Set([...namesIn(text, [])].map(({ name }) => name));
    for (const name of [...names].filter((each) => !known.has(each)).slice(0, MENTIONS_LIMIT)) {
      const found = await this.#searchMembers(name).catch(() => []);
      const [one, ...more] = found.filter((user) => user.id === name || user.name === name);
      if (one && more.length === 0) this.remember(one);
    }
  }

  /** Closes the list and keeps the chosen users. */
  close(): void {
    this.#update(undefined);
  }

  /** Closes the list and forgets the chosen users, after a send. */
  clear(): void {
    this.#chosen = [];
    this.close();
  }

  #entry(): ChannelEntry | undefined {
    return this.#deps.state().channels.get(this.#deps.place.cid);
  }

  #members(): User[] {
    return [...(this.#entry()?.members.values() ?? [])].flatMap(({ user }) =>
      user && user.id !== this.#deps.userId() ? [user] : [],
    );
  }

  /** R-MENT-4: in small channels all members are loaded. */
  #allMembersLoaded(): boolean {
    const held = this.#entry();
    return held !== undefined && holdsAllMembers(held);
  }

  /** Text after a chosen name is not part of the name. */
  #openTrigger(trigger: Trigger | undefined): Trigger | undefined {
    const isAfterChosen = this.#chosen.some(({ id, name = id }) => trigger?.query.startsWith(`${name} `));
    return isAfterChosen ? undefined : trigger;
  }

  #update(trigger: Trigger | undefined): void {
    if (trigger && !this.#allMembersLoaded()) return this.#search(trigger);
    this.#request.cancel();
    this.#unmatched = undefined;
    if (!trigger) return this.#observable.set(NO_SUGGESTIONS);
    const all = matchingUsers(this.#members(), trigger.query, undefined);
    this.#observable.set({ trigger, items: all.slice(0, SUGGESTION_PAGE), loading: false });
  }

  #search(trigger: Trigger): void {
    // The query continues one without a match: it is ordinary text.
    if (this.#unmatched !== undefined && trigger.query.startsWith(this.#unmatched)) {
      this.#request.cancel();
      return this.#observable.set({ trigger, items: [], loading: false });
    }
    this.#observable.set({ trigger, items: this.state().items, loading: true });
    this.#request.schedule(SUGGESTION_DEBOUNCE, (signal, current) => {
      this.#searchMembers(trigger.query, signal).then(
        (found) => {
          if (!current()) return;
          const items = found.filter(({ id }) => id !== this.#deps.userId());
          this.#unmatched = items.length === 0 && trigger.query.includes(" ") ? trigger.query : undefined;
          this.#observable.set({ trigger, items, loading: false });
        },
        (error: Error) => {
          if (!current()) return;
          this.#deps.log.debug("members could not be searched", { error: error.message });
          this.#observable.set({ trigger, items: [], loading: false });
        },
      );
    });
  }

  /** A page of members by name, or the one whose id was typed (R-MENT-4); the order is local (R-MENT-5). */
  async #searchMembers(typed: string, signal?: AbortSignal): Promise<User[]> {
    const users = await this.#queryMembers(typed === "" ? {} : { name: { $autocomplete: typed } }, signal);
    if (users.length === 0 && typed !== "" && !typed.includes(" "))
      return this.#queryMembers({ id: typed }, signal);
    const first = matchingUsers(users, typed, undefined);
    return [...first, ...users.filter((user) => !first.includes(user))];
  }

  async #queryMembers(filter: Filter, signal?: AbortSignal): Promise<User[]> {
    const { members = [] } = await this.#deps.call("queryMembers", {
      query: {
        ...partsOf(this.#deps.place.cid),
        filter_conditions: filter,
        limit: SUGGESTION_PAGE,
        offset: 0,
      },
      ...(signal && { signal }),
    });
    return members.flatMap(({ user }) => (user ? [user] : []));
  }
}
