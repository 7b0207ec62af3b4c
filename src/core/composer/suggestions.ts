/** What could be meant by the word before the cursor: members and provider commands, local where all are loaded (R-MENT, R-CMD). */
import type { CommandInfo } from "../../wire/channel.ts";
import {
  MEMBERS_ALL_LOADED_BELOW,
  MENTIONS_LIMIT,
  SUGGESTION_DEBOUNCE,
  SUGGESTION_PAGE,
} from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import { partsOf } from "../base/validate-call.ts";
import { namesIn } from "../../text/mentions.ts";
import type { ChannelEntry, ThreadRef, State } from "../../model/state.ts";
import type { ApiCall } from "../http/caller.ts";
import { createLatest } from "../base/latest.ts";
import type { Latest } from "../base/latest.ts";
import type { Clock, Log } from "../base/ports.ts";
import { commandText, commandTrigger, matchingCommands } from "./commands.ts";
import { matchingUsers, mentionText, mentionTrigger, mentionedIn } from "../../model/mentions.ts";
import type { Trigger } from "../../model/mentions.ts";

export type Suggestion = { kind: "user"; user: User } | { kind: "command"; command: CommandInfo };

interface SuggestionsState {
  /** The word that is completed; absent = nothing completable stands before the cursor, and `items` is empty. */
  trigger?: Trigger & { kind: "user" | "command" };
  items: readonly Suggestion[];
  /** `more()` would bring another page. */
  hasMore: boolean;
  /** A request waits or runs; `items` are those of an earlier word then. */
  loading: boolean;
}

interface SuggestionsDeps {
  place: ThreadRef;
  call: ApiCall;
  clock: Clock;
  log: Log;
  state(): State;
  userId(): string | undefined;
}

const NOTHING: SuggestionsState = { items: [], hasMore: false, loading: false };
const asItem = (user: User): Suggestion => ({ kind: "user", user });

export class Suggestions implements Observable<SuggestionsState> {
  readonly #deps: SuggestionsDeps;
  readonly #held = createObservable<SuggestionsState>(NOTHING);
  readonly #latest: Latest;
  #chosen: readonly User[] = [];
  /** Members asked for so far with this word: where its next page begins. */
  #offset = 0;

  constructor(deps: SuggestionsDeps) {
    this.#deps = deps;
    this.#latest = createLatest(deps.clock);
  }

  readonly state = (): SuggestionsState => this.#held.state();
  readonly subscribe = (listener: () => void): (() => void) => this.#held.subscribe(listener);

  /** The text changed or the cursor moved; `cursor` is an UTF-16 index. */
  typed(text: string, cursor: number): void {
    const trigger = triggerOf(text, cursor);
    const held = this.state().trigger;
    const same =
      trigger && held?.kind === trigger.kind && held.start === trigger.start && held.query === trigger.query;
    if (!same) this.#show(trigger, SUGGESTION_PAGE);
  }

  /** The next SUGGESTION_PAGE of the same word. */
  more(): void {
    const { trigger, items, hasMore, loading } = this.state();
    if (!trigger || !hasMore || loading) return;
    if (trigger.kind === "user" && !this.#holdsAll()) this.#search(trigger, 0, this.#offset);
    else this.#show(trigger, items.length + SUGGESTION_PAGE);
  }

  /** The text with the word replaced, and where the cursor stands then. Chosen users are remembered for the send. */
  choose(item: Suggestion, text: string, cursor: number): { text: string; cursor: number } {
    const start = triggerOf(text, cursor)?.start ?? cursor;
    // A command is the first word as a whole, a mention what was written of it.
    const rest = item.kind === "command" ? text.slice(start).replace(/^\S*\s?/, "") : text.slice(cursor);
    const inserted = item.kind === "command" ? commandText(item.command) : mentionText(item.user);
    if (item.kind === "user") this.remember(item.user);
    this.close();
    return { text: text.slice(0, start) + inserted + rest, cursor: start + inserted.length };
  }

  /** Users chosen since the last clear, in order (R-MENT-1). */
  remembered(): readonly User[] {
    return this.#chosen;
  }

  /** For users that are known otherwise: a restored draft, a reply. */
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
      const found = await this.#asked(name, 0).catch(() => []);
      const [one, ...more] = found.filter((user) => user.id === name || user.name === name);
      if (one && more.length === 0) this.remember(one);
    }
  }

  /** Closes the list and keeps who was chosen. */
  close(): void {
    this.#show(undefined, 0);
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
    return held !== undefined && held.memberCount < MEMBERS_ALL_LOADED_BELOW;
  }

  #show(trigger: SuggestionsState["trigger"], shown: number): void {
    if (trigger?.kind === "user" && !this.#holdsAll()) return this.#search(trigger, SUGGESTION_DEBOUNCE, 0);
    this.#latest.cancel();
    if (!trigger) return this.#held.set(NOTHING);
    const all = trigger.kind === "command" ? this.#commands(trigger.query) : this.#people(trigger.query);
    this.#held.set({ trigger, items: all.slice(0, shown), hasMore: all.length > shown, loading: false });
  }

  #commands(query: string): Suggestion[] {
    const found = matchingCommands(this.#entry()?.channel.config?.commands ?? [], query);
    return found.map((command) => ({ kind: "command", command }));
  }

  #people(query: string): Suggestion[] {
    return matchingUsers(this.#members(), query, undefined).map(asItem);
  }

  #search(trigger: NonNullable<SuggestionsState["trigger"]>, wait: number, from: number): void {
    const { items: before, hasMore } = this.state();
    const kept = from === 0 ? [] : before;
    this.#held.set({ trigger, items: before, hasMore, loading: true });
    this.#latest.ask(wait, (signal, current) => {
      this.#asked(trigger.query, from, signal).then(
        (found) => {
          if (!current()) return;
          const fresh = found.filter(({ id }) => !kept.some((k) => k.kind === "user" && k.user.id === id));
          const items = [...kept, ...fresh.filter(({ id }) => id !== this.#deps.userId()).map(asItem)];
          this.#offset = from + found.length;
          this.#held.set({ trigger, items, hasMore: found.length >= SUGGESTION_PAGE, loading: false });
        },
        (error: Error) => {
          if (!current()) return;
          this.#deps.log.debug("members could not be searched", { error: error.message });
          this.#held.set({ trigger, items: kept, hasMore: false, loading: false });
        },
      );
    });
  }

  /** A page of members by name. The provider decides who matches; only the order is ours (R-MENT-5). */
  async #asked(name: string, offset: number, signal?: AbortSignal): Promise<User[]> {
    const { members = [] } = await this.#deps.call("queryMembers", {
      query: {
        ...partsOf(this.#deps.place.cid),
        filter_conditions: name === "" ? {} : { name: { $autocomplete: name } },
        limit: SUGGESTION_PAGE,
        offset,
      },
      ...(signal && { signal }),
    });
    const users = members.flatMap(({ user }) => (user ? [user] : []));
    const first = matchingUsers(users, name, undefined);
    return [...first, ...users.filter((user) => !first.includes(user))];
  }
}

function triggerOf(text: string, cursor: number): SuggestionsState["trigger"] {
  const command = commandTrigger(text, cursor);
  if (command) return { ...command, kind: "command" };
  const mention = mentionTrigger(text, cursor);
  return mention && { ...mention, kind: "user" };
}
