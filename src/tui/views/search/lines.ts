/** The lines of the search: recent searches, or found channels, people and messages. */
import { channelTitle, listedChannels, userName } from "../../../model/channels.ts";
import { bestRank, fold } from "../../../model/matching.ts";
import type { State } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { SearchState } from "../../screen/search.ts";
import { memoizeLast } from "../../screen/store.ts";
import { isEmptySearch } from "../../../model/search-query.ts";

/** Lines that can be selected have a key. */
export type FoundLine =
  | { kind: "head"; text: string }
  | { kind: "said"; text: string }
  | { kind: "recent"; key: string; text: string }
  | { kind: "channel"; key: string; cid: string; title: string }
  | { kind: "person"; key: string; id: string; name: string }
  | { kind: "message"; key: string; message: Message };

/** Maximum number of channels and of people, which are shown before the messages. */
const FEW = 3;

const under = (title: string, lines: readonly FoundLine[]): FoundLine[] =>
  lines.length > 0 ? [{ kind: "head", text: title }, ...lines] : [];

/** The items with a name, or a word of it, that begins with the query, best first. */
function named<T>(all: readonly T[], wanted: string, namesOf: (one: T) => string[]): T[] {
  const ranked = all.flatMap((one) => {
    const rank = bestRank(namesOf(one), wanted) ?? 2;
    return rank < 2 ? [{ one, rank }] : [];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, FEW)
    .map(({ one }) => one);
}

/** Channels and people that match; none if the query has filters. */
function places(state: State, { query }: SearchState): FoundLine[] {
  const me = state.me?.id;
  const wanted = fold(query.words.replace(/^[#@]/, ""));
  const narrows = !isEmptySearch({ ...query, words: "" });
  if (wanted === "" || narrows) return [];
  const channels = named(listedChannels(state), wanted, (e) => [channelTitle(e, me).replace(/^#/, "")]).map(
    (entry): FoundLine => ({
      kind: "channel",
      key: `channel:${entry.cid}`,
      cid: entry.cid,
      title: channelTitle(entry, me),
    }),
  );
  const users = [...state.users.values()].filter(({ id }) => id !== me);
  const people = named(users, wanted, (user) => [userName(user), user.id]).map((user): FoundLine => ({
    kind: "person",
    key: `user:${user.id}`,
    id: user.id,
    name: userName(user),
  }));
  return [...under(words.places.channels, channels), ...under(words.search.people, people)];
}

/** Describes the query for a sentence: ` for “tea” from @ana in #general`. */
export function soughtWords(
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
  const say = words.search;
  if (faults.length > 0 || isEmptySearch(query)) return "";
  if (loading) return held && results.length > 0 ? say.held(results.length) : say.looking;
  if (error !== undefined) return say.heldOnly(results.length);
  return say.found(results.length, next !== undefined);
}

/** The closing lines: nothing found, an error, or a warning. */
function endOf(state: State, search: SearchState): FoundLine[] {
  const { results, loading, error, warning } = search.found;
  const nothing = !loading && error === undefined && results.length === 0;
  return [
    ...(nothing ? [words.search.nothing(soughtWords(state, search))] : []),
    ...(error === undefined ? [] : [words.search.unanswered(error)]),
    ...(warning === undefined ? [] : [warning]),
  ].map((text) => ({ kind: "said", text: cleanLine(text) }));
}

/** All lines below the input; memoised, because rows, keys and hints request them. */
export const foundLines = memoizeLast((state: State, search: SearchState): FoundLine[] => {
  const { found, query, faults, recent } = search;
  if (faults.length > 0) return faults.map((text) => ({ kind: "said", text: cleanLine(text) }));
  if (isEmptySearch(query)) {
    const offered = recent.map((text): FoundLine => ({ kind: "recent", key: `recent:${text}`, text }));
    const tokens = words.search.tokens.map((text): FoundLine => ({ kind: "said", text }));
    return [...under(words.search.recent, offered), ...under(words.search.narrow, tokens)];
  }
  const messages = found.results.map((message): FoundLine => ({ kind: "message", key: message.id, message }));
  return [...places(state, search), ...under(words.search.messages, messages), ...endOf(state, search)];
});

export type Chosen = Exclude<FoundLine, { kind: "head" | "said" }>;

export const canChoose = (line: FoundLine): line is Chosen => "key" in line;

/** The selected line: by key, else the first message, else the first line unless it is a recent search. */
export function chosenLine(lines: readonly FoundLine[], selected: string | undefined): Chosen | undefined {
  const all = lines.filter(canChoose);
  const kept = all.find(({ key }) => key === selected);
  return (
    kept ?? all.find(({ kind }) => kind === "message") ?? (all[0]?.kind === "recent" ? undefined : all[0])
  );
}
