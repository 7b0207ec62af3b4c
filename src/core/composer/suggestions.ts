/** What could be meant by the word before the cursor: members and provider commands, local where all are loaded (R-MENT, R-CMD). */
import type { CommandInfo } from "../../wire/channel.ts";
import { MEMBERS_ALL_LOADED_BELOW, SUGGESTION_DEBOUNCE, SUGGESTION_PAGE } from "../../wire/constants.ts";
import type { User } from "../../wire/user.ts";
import { createObservable } from "../base/observable.ts";
import type { Observable } from "../base/observable.ts";
import { partsOf } from "../base/validate-call.ts";
import type { ThreadRef, State } from "../../model/state.ts";
import type { ApiCall } from "../http/caller.ts";
import { createLatest } from "../base/latest.ts";
import type { Clock, Log } from "../base/ports.ts";
import { commandText, commandTrigger, matchingCommands } from "./commands.ts";
import { matchingUsers, mentionText, mentionTrigger } from "../../model/mentions.ts";
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

export interface Suggestions extends Observable<SuggestionsState> {
  /** The text changed or the cursor moved; `cursor` is an UTF-16 index. */
  typed(text: string, cursor: number): void;
  /** The next SUGGESTION_PAGE of the same word. */
  more(): void;
  /** The text with the word replaced, and where the cursor stands then. Chosen users are remembered for the send. */
  choose(item: Suggestion, text: string, cursor: number): { text: string; cursor: number };
  /** Users chosen since the last clear, in order (R-MENT-1). */
  remembered(): readonly User[];
  /** For users that are known otherwise: a restored draft, a reply. */
  remember(user: User): void;
  /** Closes the list and keeps who was chosen. */
  close(): void;
  /** After a send: the chosen are forgotten too. */
  clear(): void;
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

export function createSuggestions(deps: SuggestionsDeps): Suggestions {
  const { call, clock, log, place } = deps;
  const cell = createObservable<SuggestionsState>(NOTHING);
  const latest = createLatest(clock);
  let chosen: readonly User[] = [];
  /** Members asked for so far with this word: where its next page begins. */
  let offset = 0;

  const entry = () => deps.state().channels.get(place.cid);
  const page = (trigger: NonNullable<SuggestionsState["trigger"]>, all: Suggestion[], shown: number): void =>
    cell.set({ trigger, items: all.slice(0, shown), hasMore: all.length > shown, loading: false });

  function commands(trigger: Trigger, shown: number): void {
    const found = matchingCommands(entry()?.channel.config?.commands ?? [], trigger.query);
    const items = found.map((command): Suggestion => ({ kind: "command", command }));
    page({ ...trigger, kind: "command" }, items, shown);
  }

  /** R-MENT-4: below the limit every member is held. */
  const allLoaded = (): boolean => {
    const held = entry();
    return held !== undefined && held.memberCount < MEMBERS_ALL_LOADED_BELOW;
  };

  function people(trigger: Trigger, shown: number): void {
    const users = [...(entry()?.members.values() ?? [])].flatMap(({ user }) => (user ? [user] : []));
    const found = matchingUsers(users, trigger.query, deps.userId());
    const items = found.map((user): Suggestion => ({ kind: "user", user }));
    page({ ...trigger, kind: "user" }, items, shown);
  }

  function search(trigger: Trigger, wait: number, from: number): void {
    const mine = { ...trigger, kind: "user" } as const;
    const { items: before, hasMore } = cell.state();
    cell.set({ trigger: mine, items: before, hasMore, loading: true });
    latest.ask(wait, (signal, current) => {
      const { query } = trigger;
      call("queryMembers", {
        query: {
          ...partsOf(place.cid),
          filter_conditions: query === "" ? {} : { name: { $autocomplete: query } },
          limit: SUGGESTION_PAGE,
          offset: from,
        },
        signal,
      }).then(
        ({ members = [] }) => {
          if (!current()) return;
          offset = from + members.length;
          const found = members.flatMap(({ user }) => (user && user.id !== deps.userId() ? [user] : []));
          // The provider decided who matches; here only the order is ours (R-MENT-5).
          const first = matchingUsers(found, query, deps.userId());
          const ordered = [...first, ...found.filter((user) => !first.includes(user))];
          const kept = from === 0 ? [] : before;
          const fresh = ordered.filter(
            (user) => !kept.some((k) => k.kind === "user" && k.user.id === user.id),
          );
          cell.set({
            trigger: mine,
            items: [...kept, ...fresh.map((user): Suggestion => ({ kind: "user", user }))],
            hasMore: members.length >= SUGGESTION_PAGE,
            loading: false,
          });
        },
        (error: Error) => {
          if (!current()) return;
          log.debug("members could not be searched", { error: error.message });
          cell.set({ trigger: mine, items: from === 0 ? [] : before, hasMore: false, loading: false });
        },
      );
    });
  }

  function show(trigger: SuggestionsState["trigger"], shown: number): void {
    if (!trigger) {
      latest.cancel();
      if (cell.state() !== NOTHING) cell.set(NOTHING);
    } else if (trigger.kind === "command") {
      latest.cancel();
      commands(trigger, shown);
    } else if (allLoaded()) {
      latest.cancel();
      people(trigger, shown);
    } else search(trigger, SUGGESTION_DEBOUNCE, 0);
  }

  function triggerOf(text: string, cursor: number): SuggestionsState["trigger"] {
    const command = commandTrigger(text, cursor);
    if (command) return { ...command, kind: "command" };
    const mention = mentionTrigger(text, cursor);
    return mention && { ...mention, kind: "user" };
  }

  const close = (): void => show(undefined, 0);
  const remember = (user: User): void => {
    if (!chosen.some(({ id }) => id === user.id)) chosen = [...chosen, user];
  };

  return {
    state: cell.state,
    subscribe: cell.subscribe,
    typed(text, cursor) {
      const trigger = triggerOf(text, cursor);
      const held = cell.state().trigger;
      const same =
        trigger &&
        held?.kind === trigger.kind &&
        held.start === trigger.start &&
        held.query === trigger.query;
      if (!same) show(trigger, SUGGESTION_PAGE);
    },
    more() {
      const { trigger, items, hasMore, loading } = cell.state();
      if (!trigger || !hasMore || loading) return;
      if (trigger.kind === "user" && !allLoaded()) search(trigger, 0, offset);
      else show(trigger, items.length + SUGGESTION_PAGE);
    },
    choose(item, text, cursor) {
      const trigger = triggerOf(text, cursor);
      const start = trigger?.start ?? cursor;
      // A command is the first word as a whole, a mention what was written of it.
      const rest = item.kind === "command" ? text.slice(start).replace(/^\S*\s?/, "") : text.slice(cursor);
      const inserted = item.kind === "command" ? commandText(item.command) : mentionText(item.user);
      if (item.kind === "user") remember(item.user);
      close();
      return { text: text.slice(0, start) + inserted + rest, cursor: start + inserted.length };
    },
    remembered: () => chosen,
    remember,
    close,
    clear() {
      chosen = [];
      close();
    },
  };
}
