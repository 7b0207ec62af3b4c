/** Suggests members for the word before the cursor, from memory where all are loaded (R-MENT). */
import { MENTIONS_LIMIT, SUGGESTION_DEBOUNCE, SUGGESTION_PAGE } from "../../wire/constants.ts";
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
  /** The word that is completed; absent = nothing completable stands before the cursor, and `items` is empty. */
  trigger?: Trigger;
  items: readonly User[];
  /** A request waits or runs; `items` are those of an earlier word then. */
  loading: boolean;
}

interface SuggestionsDeps extends Pick<Services, "call" | "clock" | "log" | "state" | "userId"> {
  place: ThreadRef;
}

const NOTHING: SuggestionsState = { items: [], loading: false };

export class Suggestions implements Observable<SuggestionsState> {
  readonly #deps: SuggestionsDeps;
  readonly #held = createObservable<SuggestionsState>(NOTHING);
  readonly #latest: DebouncedRequest;
  #chosen: readonly User[] = [];
  /** Words that the last answer knew nobody by, as long as they are being written. */
  #unknown: string | undefined;

  constructor(deps: SuggestionsDeps) {
    this.#deps = deps;
    this.#latest = createDebouncedRequest(deps.clock);
  }

  readonly state = (): SuggestionsState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  /** The text changed or the cursor moved; `cursor` is an UTF-16 index. */
  typed(text: string, cursor: number): void {
    const trigger = this.#openTrigger(mentionTrigger(text, cursor));
    const held = this.state().trigger;
    if (!trigger || held?.start !== trigger.start || held.query !== trigger.query) this.#show(trigger);
  }

  /** Users chosen since the last clear, in order (R-MENT-1). */
  remembered(): readonly User[] {
    return this.#chosen;
  }

  /** Somebody was chosen, or is known otherwise: a restored draft, a reply. */
  remember(user: User): void {
    if (!this.#chosen.some(({ id }) => id === user.id)) this.#chosen = [...this.#chosen, user];
  }

  /**
   * For a text that was written without a list to choose from: remembers whom its names mean, also members that are not
   * held. A search that fails leaves its name a word.
   */
  async find(text: string): Promise<void> {
    const held = this.#members();
    const meant = new Set(mentionedIn(text, this.#chosen, held));
    for (const user of held) if (meant.has(user.id)) this.remember(user);
    if (this.#holdsAll() || !text.includes("@")) return;
    const known = new Set([...held, ...this.#chosen].flatMap(({ id, name }) => [id, name]));
    const names = new Set([...namesIn(text, [])].map(({ name }) => name));
    for (const name of [...names].filter((each) => !known.has(each)).slice(0, MENTIONS_LIMIT)) {
      const found = await this.#asked(name).catch(() => []);
      const [one, ...more] = found.filter((user) => user.id === name || user.name === name);
      if (one && more.length === 0) this.remember(one);
    }
  }

  /** Closes the list and keeps who was chosen. */
  close(): void {
    this.#show(undefined);
  }

  /** After a send: the chosen are forgotten too. */
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

  /** R-MENT-4: below the limit every member is held. */
  #holdsAll(): boolean {
    const held = this.#entry();
    return held !== undefined && holdsAllMembers(held);
  }

  /** What stands behind a name that was chosen is no more of it. */
  #openTrigger(trigger: Trigger | undefined): Trigger | undefined {
    const isBehind = this.#chosen.some(({ id, name = id }) => trigger?.query.startsWith(`${name} `));
    return isBehind ? undefined : trigger;
  }

  #show(trigger: Trigger | undefined): void {
    if (trigger && !this.#holdsAll()) return this.#search(trigger);
    this.#latest.cancel();
    this.#unknown = undefined;
    if (!trigger) return this.#held.set(NOTHING);
    const all = matchingUsers(this.#members(), trigger.query, undefined);
    this.#held.set({ trigger, items: all.slice(0, SUGGESTION_PAGE), loading: false });
  }

  #search(trigger: Trigger): void {
    // Words that stand behind a name nobody has are the text that goes on.
    if (this.#unknown !== undefined && trigger.query.startsWith(this.#unknown)) {
      this.#latest.cancel();
      return this.#held.set({ trigger, items: [], loading: false });
    }
    this.#held.set({ trigger, items: this.state().items, loading: true });
    this.#latest.schedule(SUGGESTION_DEBOUNCE, (signal, current) => {
      this.#asked(trigger.query, signal).then(
        (found) => {
          if (!current()) return;
          const items = found.filter(({ id }) => id !== this.#deps.userId());
          this.#unknown = items.length === 0 && trigger.query.includes(" ") ? trigger.query : undefined;
          this.#held.set({ trigger, items, loading: false });
        },
        (error: Error) => {
          if (!current()) return;
          this.#deps.log.debug("members could not be searched", { error: error.message });
          this.#held.set({ trigger, items: [], loading: false });
        },
      );
    });
  }

  /** A page of members by name. The provider decides who matches; only the order is ours (R-MENT-5). */
  async #asked(name: string, signal?: AbortSignal): Promise<User[]> {
    const { members = [] } = await this.#deps.call("queryMembers", {
      query: {
        ...partsOf(this.#deps.place.cid),
        filter_conditions: name === "" ? {} : { name: { $autocomplete: name } },
        limit: SUGGESTION_PAGE,
        offset: 0,
      },
      ...(signal && { signal }),
    });
    const users = members.flatMap(({ user }) => (user ? [user] : []));
    const first = matchingUsers(users, name, undefined);
    return [...first, ...users.filter((user) => !first.includes(user))];
  }
}
