/** The lines of the search: recent searches, or found channels, people and messages. */
import { channelTitle, listedChannels, userName } from "../../../model/channels.ts";
import { bestRank } from "../../../model/matching.ts";
import { fold } from "../../../text/fold.ts";
import type { State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { compareTimes } from "../../../wire/time.ts";
import { placeOf } from "../messages/jump.ts";
import type { SearchState } from "../../screen/search.ts";
import { messageIn } from "../../screen/selectors.ts";
import { memoizeLast } from "../../screen/store.ts";
import { isEmptySearch } from "../../../model/search-query.ts";

/** Lines that can be selected have a key. */
export type FoundLine =
  | { kind: "heading"; text: string }
  | { kind: "note"; text: string }
  | { kind: "recent"; key: string; text: string }
  | { kind: "channel"; key: string; cid: string; title: string }
  | { kind: "person"; key: string; id: string; name: string }
  | { kind: "message"; key: string; message: Message };

/** Maximum number of channels and of people, which are shown before the messages. */
const MAX_MATCHES = 3;

const withHeading = (title: string, lines: readonly FoundLine[]): FoundLine[] =>
  lines.length > 0 ? [{ kind: "heading", text: title }, ...lines] : [];

/** The items with a name, or a word of it, that begins with the query, best first. */
function bestMatches<T>(all: readonly T[], query: string, namesOf: (one: T) => string[]): T[] {
  const ranked = all.flatMap((one) => {
    const rank = bestRank(namesOf(one), query) ?? 2;
    return rank < 2 ? [{ one, rank }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_MATCHES)
    .map(({ one }) => one);
}

/** Channels and people that match; none if the query has filters. */
function channelAndPersonLines(state: State, { query }: SearchState): FoundLine[] {
  const me = state.me?.id;
  const name = fold(query.words.replace(/^[#@]/, ""));
  const hasFilters = !isEmptySearch({ ...query, words: "" });
  if (name === "" || hasFilters) return [];
  const channels = bestMatches(listedChannels(state), name, (e) => [
    channelTitle(e, me).replace(/^#/, ""),
  ]).map((entry): FoundLine => ({
    kind: "channel",
    key: `channel:${entry.cid}`,
    cid: entry.cid,
    title: channelTitle(entry, me),
  }));
  const users = [...state.users.values()].filter(({ id }) => id !== me);
  const people = bestMatches(users, name, (user) => [userName(user), user.id]).map((user): FoundLine => ({
    kind: "person",
    key: `user:${user.id}`,
    id: user.id,
    name: userName(user),
  }));
  return [...withHeading(words.places.channels, channels), ...withHeading(words.search.people, people)];
}

/** Describes the query for a sentence: ` for “tea” from @ana in #general`. */
export function describeQuery(
  state: State,
  { query, narrowed }: Pick<SearchState, "query" | "narrowed">,
): string {
  const titles = narrowed.cids.map((cid) => {
    const entry = state.channels.get(cid);
    return entry ? channelTitle(entry, state.me?.id) : cleanLine(cid);
  });
  const people = narrowed.users.map((id) => `@${userName(state.users.get(id) ?? { id })}`);
  return words.search.where({
    words: cleanLine(query.words),
    people,
    places: titles,
    rest: [...query.has.map((each) => `has:${each}`), ...query.is.map((each) => `is:${each}`)],
    timed: query.before !== undefined || query.after !== undefined,
  });
}

/** The state of the search as a sentence. */
export function searchStatus({ found, query, faults }: SearchState): string {
  const { results, loading, held, error, next } = found;
  const texts = words.search;
  if (faults.length > 0 || isEmptySearch(query)) return "";
  if (loading) return held && results.length > 0 ? texts.held(results.length) : texts.looking;
  if (error !== undefined) return texts.heldOnly(results.length);
  return texts.found(results.length, next !== undefined);
}

/** The closing lines: nothing found, an error, or a warning. */
function closingLines(state: State, search: SearchState): FoundLine[] {
  const { results, loading, error, warning } = search.found;
  const nothing = !loading && error === undefined && results.length === 0;
  return [
    ...(nothing ? [words.search.nothing(describeQuery(state, search))] : []),
    ...(error === undefined ? [] : [words.search.unanswered(error)]),
    ...(warning === undefined ? [] : [warning]),
  ].map((text) => ({ kind: "note", text: cleanLine(text) }));
}

/** The loaded version, which has the user's own changes at once; the found one if it is newer, or nothing is loaded. */
function presentVersion(state: State, hit: Message): Message {
  const loaded = messageIn(state, placeOf(hit), hit.id);
  return loaded && compareTimes(loaded.updated_at, hit.updated_at) >= 0 ? loaded : hit;
}

/** All lines below the input; memoised, because rows, keys and hints request them. */
export const foundLines = memoizeLast((state: State, search: SearchState): FoundLine[] => {
  const { found, query, faults, recent } = search;
  if (faults.length > 0)
    return [
      ...channelAndPersonLines(state, search),
      ...faults.map((text): FoundLine => ({ kind: "note", text: cleanLine(text) })),
    ];
  if (isEmptySearch(query)) {
    const recentLines = recent.map((text): FoundLine => ({ kind: "recent", key: `recent:${text}`, text }));
    const tokenLines = words.search.tokens.map((text): FoundLine => ({ kind: "note", text }));
    return [
      ...withHeading(words.search.recent, recentLines),
      ...withHeading(words.search.narrow, tokenLines),
    ];
  }
  const messages = found.results.map((hit): FoundLine => ({
    kind: "message",
    key: hit.id,
    message: presentVersion(state, hit),
  }));
  return [
    ...channelAndPersonLines(state, search),
    ...withHeading(words.search.messages, messages),
    ...closingLines(state, search),
  ];
});

export type SelectableLine = Exclude<FoundLine, { kind: "heading" | "note" }>;

export const isSelectableLine = (line: FoundLine): line is SelectableLine => "key" in line;

/** The selected line: by key, else the first message, else the first line unless it is a recent search. */
export function selectedResult(
  lines: readonly FoundLine[],
  selected: string | undefined,
): SelectableLine | undefined {
  const all = lines.filter(isSelectableLine);
  const current = all.find(({ key }) => key === selected);
  return (
    current ?? all.find(({ kind }) => kind === "message") ?? (all[0]?.kind === "recent" ? undefined : all[0])
  );
}

/** The message under the cursor. */
export function selectedHit(state: State, search: SearchState): Message | undefined {
  const line = selectedResult(foundLines(state, search), search.selected);
  return line?.kind === "message" ? line.message : undefined;
}
