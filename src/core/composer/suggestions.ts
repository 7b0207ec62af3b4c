/** Suggests members for the word before the cursor; needs no request when all members are loaded (R-MENT). */
import {
  MENTIONS_LIMIT,
  QUERY_MEMBERS_LIMIT,
  SUGGESTION_DEBOUNCE,
  SUGGESTION_PAGE,
} from "../../wire/constants.ts";
import type { Filter } from "../../wire/entities/query.ts";
import type { User } from "../../wire/entities/user.ts";
import { createObservable, type Observable } from "../base/observable.ts";
import { partsOf } from "../base/validate-call.ts";
import { holdsAllMembers } from "../../model/readers.ts";
import type { ChannelEntry, ThreadRef } from "../../model/state.ts";
import { createDebouncedRequest, type DebouncedRequest } from "../base/debounced-request.ts";
import {
  loadMentionMarkup,
  locateMentions,
  matchingUsers,
  mentionsIn,
  mentionTrigger,
  movedMentions,
  type ChosenMention,
  type MentionsFound,
  type Named,
  type Trigger,
} from "../../model/mentions.ts";
import { userName } from "../../model/channels.ts";
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

const LONGEST_PAGE = QUERY_MEMBERS_LIMIT[1];

const NO_SUGGESTIONS: SuggestionsState = { items: [], loading: false };

export class Suggestions implements Observable<SuggestionsState> {
  readonly #deps: SuggestionsDeps;
  readonly #observable = createObservable<SuggestionsState>(NO_SUGGESTIONS);
  readonly #request: DebouncedRequest;
  /** In the order of the text. */
  #chosen: readonly ChosenMention[] = [];
  /** Everybody who was chosen for this text, the last one last. */
  #earlier: readonly Named[] = [];
  /** Members who were found by a search and may not be loaded. */
  readonly #found = new Map<string, User>();
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
    const found = mentionTrigger(text, cursor);
    const trigger = found && this.#openTrigger(found);
    const held = this.state().trigger;
    if (held?.start !== trigger?.start || held?.query !== trigger?.query) this.#update(trigger);
  }

  /** The text was changed, and the change ended at `cursor`: the chosen mentions move with it (R-MENT-2). */
  moved(before: string, after: string, cursor: number): void {
    if (this.#chosen.length > 0) this.#chosen = movedMentions(this.#chosen, before, after, cursor);
  }

  /** A suggestion was inserted at `start` (R-MENT-1). */
  choose(user: User, start: number): void {
    const mention = { user, start, end: start + 1 + userName(user).length };
    const others = this.#chosen.filter((each) => each.end <= start || each.start >= mention.end);
    this.#chosen = [...others, mention].toSorted((a, b) => a.start - b.start);
    this.#remember([user]);
  }

  /** Takes over the mentions of a text that was written before: a draft, or a message that is edited. */
  restore(text: string, users: readonly Named[]): void {
    this.#chosen = locateMentions(text, users);
    this.#remember(users);
  }

  /** Ids of the chosen users that stand in the text, in its order. */
  chosenIds(): string[] {
    return [...new Set(this.#chosen.map(({ user }) => user.id))];
  }

  /** Whom the text mentions, of those chosen, loaded or found (R-MENT-2). */
  mentioned(text: string): MentionsFound {
    const me = this.#deps.userId();
    return mentionsIn(text, {
      chosen: this.#chosen,
      earlier: this.#earlier,
      others: [...this.#members(), ...this.#found.values()],
      me: me === undefined ? undefined : (this.#deps.state().users.get(me) ?? { id: me }),
    });
  }

  /** A user by id as far as known. */
  user(id: string): Named {
    return this.#entry()?.members.get(id)?.user ?? this.#found.get(id) ?? { id };
  }

  /**
   * For a text written without a list to choose from: looks up the members it names, also those that are not loaded. When
   * a search fails, the name is not a mention.
   */
  async find(text: string): Promise<void> {
    if (!text.includes("@")) return;
    await loadMentionMarkup();
    const open = this.mentioned(text).unknown.slice(0, MENTIONS_LIMIT);
    if (open.length === 0 || this.#allMembersLoaded()) return;
    const all = await this.#queryMembers({}, LONGEST_PAGE).catch(() => undefined);
    if (all !== undefined && all.length < LONGEST_PAGE) return;
    for (const name of open) {
      await this.#queryMembers({ name: { $autocomplete: name } }, LONGEST_PAGE).catch(() => {});
      await this.#queryMembers({ id: name }, 1).catch(() => {});
    }
  }

  /** Closes the list and keeps the chosen users. */
  close(): void {
    this.#update(undefined);
  }

  /** Closes the list and forgets the chosen users, after a send. */
  clear(): void {
    this.#chosen = [];
    this.#earlier = [];
    this.#found.clear();
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

  #remember(users: readonly Named[]): void {
    const ids = new Set(users.map(({ id }) => id));
    this.#earlier = [...this.#earlier.filter(({ id }) => !ids.has(id)), ...users];
  }

  /** Text after a chosen name is not part of the name. */
  #openTrigger(trigger: Trigger): Trigger | undefined {
    return this.#chosen.some(({ start }) => start === trigger.start) ? undefined : trigger;
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
    const users = await this.#queryMembers(
      typed === "" ? {} : { name: { $autocomplete: typed } },
      SUGGESTION_PAGE,
      signal,
    );
    if (users.length === 0 && typed !== "" && !typed.includes(" "))
      return this.#queryMembers({ id: typed }, SUGGESTION_PAGE, signal);
    const first = matchingUsers(users, typed, undefined);
    return [...first, ...users.filter((user) => !first.includes(user))];
  }

  async #queryMembers(filter: Filter, limit: number, signal?: AbortSignal): Promise<User[]> {
    const { members = [] } = await this.#deps.call("queryMembers", {
      query: {
        ...partsOf(this.#deps.place.cid),
        filter_conditions: filter,
        limit,
        offset: 0,
      },
      ...(signal && { signal }),
    });
    const users = members.flatMap(({ user }) => (user ? [user] : []));
    for (const user of users) if (user.id !== this.#deps.userId()) this.#found.set(user.id, user);
    return users;
  }
}
