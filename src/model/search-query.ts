/** Parses a typed search of words and tokens such as `from:@ana`, and builds its requests (specification/search.md §6). */
import { isLinkCard } from "./message-links.ts";
import { fitsWords, wordsOf } from "../text/searched-words.ts";
import { nearest } from "../text/spelling.ts";
import type { Zone } from "../text/zones.ts";
import { parseWhen } from "../text/when.ts";
import type { Message } from "../wire/entities/message.ts";
import type { Filter, Sort } from "../wire/entities/query.ts";

const HAS = ["link", "image", "file"] as const;
const IS = ["pinned", "thread"] as const;
const ORDERS = ["best", "newest", "oldest"] as const;
export type Has = (typeof HAS)[number];
type Is = (typeof IS)[number];
export type Order = (typeof ORDERS)[number];

export const SEARCH_HAS: readonly Has[] = HAS;
export const SEARCH_ORDERS: readonly Order[] = ORDERS;

/** A parsed search; users and channels are names that are not resolved yet. */
export interface SearchQuery {
  words: string;
  /** Names or ids of users, without `@`. */
  from: readonly string[];
  in: readonly string[];
  /** Sent before this time (exclusive) and after that one (inclusive); ms since the epoch. */
  before?: number;
  after?: number;
  has: readonly Has[];
  is: readonly Is[];
  sort: Order;
  /** Messages about invalid tokens; with any of them, nothing is searched. */
  faults: readonly string[];
}

/** The resolved users and channels of a search: a message matches any of them; an empty list matches all. */
export interface SearchIds {
  users: readonly string[];
  cids: readonly string[];
}

/** Resolves `from:me` to the current user, if known. */
export const writerNamed = (name: string, me: string | undefined): string =>
  name === "me" && me !== undefined ? me : name;

const KEYS = ["from", "in", "before", "after", "has", "is", "sort"] as const;
type Key = (typeof KEYS)[number];
const isKey = (word: string): word is Key => (KEYS as readonly string[]).includes(word);

/** A token or a word; quoted text is one piece. */
const PIECE = /[^\s"]*"[^"]*"?|\S+/g;
const TOKEN = /^([a-z]+):(?!\/\/)(.*)$/is;
const bare = (value: string): string => value.replaceAll('"', "").trim();

/** What each token expects after its colon. */
const EXPECTED: Record<Key, string> = {
  from: "needs a user: from:@ana",
  in: "needs a channel: in:#general",
  before: "needs a date or a time: before:2026-11-01",
  after: "needs a date, a time or a duration: after:7d",
  has: `must be one of ${HAS.join(", ")}`,
  is: `must be one of ${IS.join(", ")}`,
  sort: `must be one of ${ORDERS.join(", ")}`,
};

type Draft = {
  -readonly [K in keyof SearchQuery]: SearchQuery[K] extends readonly (infer T)[] ? T[] : SearchQuery[K];
};

/** Adds a token to the draft; returns a message if it is invalid. */
function applyToken(draft: Draft, key: Key, value: string, when: Zone & { now: number }): string | undefined {
  const one = <T extends string>(list: readonly T[]): T | undefined =>
    list.find((each) => each === value.toLowerCase());
  const [has, is, order] = [one(HAS), one(IS), one(ORDERS)];
  if (value === "") return `${key}: ${EXPECTED[key]}`;
  if (key === "from") draft.from.push(value.replace(/^@/, ""));
  else if (key === "in") draft.in.push(value);
  else if (key === "has" && has) draft.has.push(has);
  else if (key === "is" && is) draft.is.push(is);
  else if (key === "sort" && order) draft.sort = order;
  else if (key === "before" || key === "after") return applyTime(draft, key, value, when);
  else return `${key}:${value} ${EXPECTED[key]}`;
  return undefined;
}

function applyTime(
  draft: Draft,
  key: "before" | "after",
  value: string,
  when: Zone & { now: number },
): string | undefined {
  try {
    draft[key] = parseWhen(value, { ...when, direction: "past" });
    return undefined;
  } catch (error) {
    return `${key}: ${(error as Error).message}`;
  }
}

/** `now` in milliseconds since the epoch; dates without a zone are local, or UTC with `utc`. */
export function readSearch(text: string, when: Zone & { now: number }): SearchQuery {
  const draft: Draft = { words: "", from: [], in: [], has: [], is: [], sort: "newest", faults: [] };
  const words: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    const [, name = "", value = ""] = TOKEN.exec(piece) ?? [];
    const key = name.toLowerCase();
    const fault = isKey(key) ? applyToken(draft, key, bare(value), when) : mistypedToken(key, piece);
    if (fault !== undefined) draft.faults.push(fault);
    else if (!isKey(key)) words.push(bare(piece));
  }
  const fault = unsearchable(words.join(" "));
  if (fault !== undefined) draft.faults.push(fault);
  return { ...draft, words: words.join(" ") };
}

/** Says that there is nothing to look up in these words (R-SEARCH-5); undefined if there is, or without words. */
export const unsearchable = (words: string): string | undefined =>
  words.trim() !== "" && wordsOf(words).length === 0
    ? `Only letters and digits can be searched for, and there are none in ${words.trim()}`
    : undefined;

/** A message about a mistyped token name; other words with a colon are normal words. */
function mistypedToken(key: string, piece: string): string | undefined {
  const near = key.length > 2 ? nearest(key, KEYS, []).filter((each) => each.length > 2) : [];
  return near.length > 0
    ? `${piece} is not a filter; did you mean ${near.map((each) => `${each}:`).join(", ")}?`
    : undefined;
}

export const isEmptySearch = ({ words, from, in: places, before, after, has, is }: SearchQuery): boolean =>
  words === "" &&
  from.length + places.length + has.length + is.length === 0 &&
  before === undefined &&
  after === undefined;

const TYPES: Record<Exclude<Has, "link">, readonly string[]> = {
  image: ["image", "giphy"],
  file: ["file", "audio", "video", "voiceRecording"],
};
const HAS_FILTERS: Record<Has, Filter> = {
  // No documented filter tells cards of links: `holds` does.
  link: { attachments: { $exists: true } },
  image: { "attachments.type": { $in: [...TYPES.image] } },
  file: { "attachments.type": { $in: [...TYPES.file] } },
};
const IS_FILTERS: Record<Is, Filter> = {
  pinned: { pinned: true },
  thread: { $or: [{ reply_count: { $gt: 0 } }, { parent_id: { $gt: "" } }] },
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** A filter value that matches any item of the list. */
const anyOf = (list: readonly string[]): unknown => (list.length === 1 ? list[0] : { $in: [...list] });

/** Joins filters; a second condition on the same field goes into `$and`. */
function joinFilters(parts: readonly Filter[]): Filter {
  const flat: Filter = {};
  const twice = parts.filter((part) => {
    const isTaken = Object.keys(part).some((field) => field in flat);
    if (!isTaken) Object.assign(flat, part);
    return isTaken;
  });
  return twice.length > 0 ? { ...flat, $and: twice } : flat;
}

function filtersOf({ has, is, before, after }: SearchQuery, { users }: SearchIds): Filter[] {
  const time = {
    ...(after !== undefined && { $gte: iso(after) }),
    ...(before !== undefined && { $lt: iso(before) }),
  };
  return [
    ...(users.length > 0 ? [{ "user.id": anyOf(users) }] : []),
    ...(Object.keys(time).length > 0 ? [{ created_at: time }] : []),
    ...has.map((each) => HAS_FILTERS[each]),
    ...is.map((each) => IS_FILTERS[each]),
  ];
}

/** A search request; `query` is empty if the filters contain the words (SE-3). */
interface SearchRequest {
  query: string;
  scope: {
    filter_conditions: Filter;
    message_filter_conditions?: Filter;
    sort?: Sort;
    /** What the filters cannot say: a found message must fit this, too. */
    narrow?: (message: Pick<Message, "attachments">) => boolean;
  };
}

/** `me` is the user whose channels are searched; undefined searches all channels. */
export function requestsOf(query: SearchQuery, narrowed: SearchIds, me: string | undefined): SearchRequest {
  const { words, sort } = query;
  const { cids } = narrowed;
  const everywhere: Filter = me === undefined ? { member_count: { $gte: 0 } } : { members: { $in: [me] } };
  const parts = filtersOf(query, narrowed);
  // A search needs at least one condition on messages: with a channel alone, match them all.
  if (words === "" && parts.length === 0) parts.push({ created_at: { $gte: iso(0) } });
  const filtered = parts.length > 0;
  if (filtered && words !== "") parts.push({ text: { $q: words } });
  return {
    query: filtered ? "" : words,
    scope: {
      filter_conditions: cids.length > 0 ? { cid: anyOf(cids) } : everywhere,
      ...(filtered && { message_filter_conditions: joinFilters(parts) }),
      ...(query.has.includes("link") && { narrow: (message) => holds(message, "link") }),
      ...(sort !== "best" && { sort: [{ field: "created_at", direction: sort === "newest" ? -1 : 1 }] }),
    },
  };
}

/** A search over the messages cached on this machine. */
export interface LocalSearch {
  /** The folded text of a matching message contains these, and its JSON the `parts`; `fits` makes the final decision. */
  words: readonly string[];
  parts: readonly string[];
  /** Only these channels; empty = all. */
  cids: readonly string[];
  fits(message: Message): boolean;
}

export function localSearch(query: SearchQuery, narrowed: SearchIds): LocalSearch {
  const { users, cids } = narrowed;
  const parts = [
    ...(users.length === 1 ? [`"id":"${users[0]}"`] : []),
    ...(query.has.includes("link") ? ['"attachments":[{'] : []),
    ...(query.is.includes("pinned") ? ['"pinned":true'] : []),
  ];
  return { words: wordsOf(query.words), parts, cids, fits: (message) => fits(message, query, narrowed) };
}

/** Whether a cached message matches, by the provider's rules. */
function fits(message: Message, query: SearchQuery, { users, cids }: SearchIds): boolean {
  const { has, is, before, after } = query;
  const at = Date.parse(message.created_at);
  const searched = wordsOf(query.words);
  return (
    message.type !== "deleted" &&
    message.type !== "system" &&
    (users.length === 0 || users.includes(message.user.id)) &&
    (cids.length === 0 || cids.includes(message.cid)) &&
    (after === undefined || at >= after) &&
    (before === undefined || at < before) &&
    has.every((each) => holds(message, each)) &&
    is.every((each) => (each === "pinned" ? message.pinned === true : isThreads(message))) &&
    (searched.length === 0 || fitsWords(wordsOf(message.text), searched))
  );
}

const holds = ({ attachments }: Pick<Message, "attachments">, what: Has): boolean =>
  attachments.some((each) => (what === "link" ? isLinkCard(each) : TYPES[what].includes(each.type ?? "")));

const isThreads = ({ reply_count, parent_id }: Message): boolean =>
  reply_count > 0 || parent_id !== undefined;
