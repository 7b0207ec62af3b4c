/** Parses a search as people type it: words, and tokens such as `from:@ana` (specification/search.md §6). */
import { withoutTail } from "../text/without-tail.ts";
import { foldedWords } from "../text/folded.ts";
import { nearest } from "../text/spelling.ts";
import type { Zone } from "../text/times.ts";
import { parseWhen } from "../text/when.ts";
import type { Message } from "../wire/entities/message.ts";
import type { Filter, Sort } from "../wire/entities/query.ts";

const HAS = ["link", "image", "file"] as const;
const IS = ["pinned", "thread"] as const;
const ORDERS = ["best", "newest", "oldest"] as const;
export type Has = (typeof HAS)[number];
type Is = (typeof IS)[number];
export type Order = (typeof ORDERS)[number];

/** What a search may hold with `has:`, and its orders. */
export const SEARCH_HAS: readonly Has[] = HAS;
export const SEARCH_ORDERS: readonly Order[] = ORDERS;

/** A search as it was typed; people and channels are named, not known yet. */
export interface SearchQuery {
  /** What is left when the tokens are taken out. */
  words: string;
  /** Names or ids of people, without `@`. */
  from: readonly string[];
  /** Names or ids of channels. */
  in: readonly string[];
  /** Milliseconds since the epoch: written before it, and at it or later. */
  before?: number;
  after?: number;
  has: readonly Has[];
  is: readonly Is[];
  sort: Order;
  /** Sentences about tokens that cannot be understood: nothing is looked for then. */
  faults: readonly string[];
}

/** Who and where is meant: ids of users and of channels. Several are any of them; none is everybody and everywhere. */
export interface Narrowed {
  users: readonly string[];
  cids: readonly string[];
}

/** Whom `from:me` means: oneself, where it is known who that is. */
export const writerNamed = (name: string, me: string | undefined): string =>
  name === "me" && me !== undefined ? me : name;

const KEYS = ["from", "in", "before", "after", "has", "is", "sort"] as const;
type Key = (typeof KEYS)[number];
const isKey = (word: string): word is Key => (KEYS as readonly string[]).includes(word);

/** A token or a word: what stands in quotes is one piece. */
const PIECE = /[^\s"]*"[^"]*"?|\S+/g;
const TOKEN = /^([a-z]+):(?!\/\/)(.*)$/is;
const bare = (value: string): string => value.replaceAll('"', "").trim();

/** What each token wants behind its colon. */
const WANTS: Record<Key, string> = {
  from: "wants a person: from:@ana",
  in: "wants a channel: in:#general",
  before: "wants a date or a time: before:2026-11-01",
  after: "wants a date, a time or a length: after:7d",
  has: `wants one of ${HAS.join(", ")}`,
  is: `wants one of ${IS.join(", ")}`,
  sort: `wants one of ${ORDERS.join(", ")}`,
};

type Draft = {
  -readonly [K in keyof SearchQuery]: SearchQuery[K] extends readonly (infer T)[] ? T[] : SearchQuery[K];
};

/** Takes the token in; a sentence when it cannot be understood. */
function take(draft: Draft, key: Key, value: string, when: Zone & { now: number }): string | undefined {
  const one = <T extends string>(list: readonly T[]): T | undefined =>
    list.find((each) => each === value.toLowerCase());
  const [has, is, order] = [one(HAS), one(IS), one(ORDERS)];
  if (value === "") return `${key}: ${WANTS[key]}`;
  if (key === "from") draft.from.push(value.replace(/^@/, ""));
  else if (key === "in") draft.in.push(value);
  else if (key === "has" && has) draft.has.push(has);
  else if (key === "is" && is) draft.is.push(is);
  else if (key === "sort" && order) draft.sort = order;
  else if (key === "before" || key === "after") return takeTime(draft, key, value, when);
  else return `${key}:${value} ${WANTS[key]}`;
  return undefined;
}

function takeTime(
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
  const draft: Draft = { words: "", from: [], in: [], has: [], is: [], sort: "best", faults: [] };
  const words: string[] = [];
  for (const [piece] of text.matchAll(PIECE)) {
    const [, name = "", value = ""] = TOKEN.exec(piece) ?? [];
    const key = name.toLowerCase();
    const fault = isKey(key) ? take(draft, key, bare(value), when) : slipOf(key, piece);
    if (fault !== undefined) draft.faults.push(fault);
    else if (!isKey(key)) words.push(bare(piece));
  }
  return { ...draft, words: words.join(" ") };
}

/** A token whose name was mistyped; any other word with a colon is a word. */
function slipOf(key: string, piece: string): string | undefined {
  const near = key.length > 2 ? nearest(key, KEYS, []).filter((each) => each.length > 2) : [];
  return near.length > 0
    ? `${piece} is no filter; near it: ${near.map((each) => `${each}:`).join(", ")}`
    : undefined;
}

/** Nothing to look for: no words, and nothing that narrows. */
export const isEmptySearch = ({ words, from, in: places, before, after, has, is }: SearchQuery): boolean =>
  words === "" &&
  from.length + places.length + has.length + is.length === 0 &&
  before === undefined &&
  after === undefined;

const TYPES: Record<Exclude<Has, "link">, readonly string[]> = {
  image: ["image", "giphy"],
  file: ["file", "audio", "video", "voiceRecording"],
};
const HOLDS: Record<Has, Filter> = {
  link: { "attachments.og_scrape_url": { $exists: true } },
  image: { "attachments.type": { $in: [...TYPES.image] } },
  file: { "attachments.type": { $in: [...TYPES.file] } },
};
const BEING: Record<Is, Filter> = {
  pinned: { pinned: true },
  thread: { $or: [{ reply_count: { $gt: 0 } }, { parent_id: { $gt: "" } }] },
};

const iso = (ms: number): string => new Date(ms).toISOString();

/** One of them bare, several as any of them. */
const anyOf = (list: readonly string[]): unknown => (list.length === 1 ? list[0] : { $in: [...list] });

/** All of these as one filter; what asks the same field twice stands in `$and`. */
function joined(parts: readonly Filter[]): Filter {
  const flat: Filter = {};
  const twice = parts.filter((part) => {
    const taken = Object.keys(part).some((field) => field in flat);
    if (!taken) Object.assign(flat, part);
    return taken;
  });
  return twice.length > 0 ? { ...flat, $and: twice } : flat;
}

/** What of a message is asked for beside its words. */
function partsOf({ has, is, before, after }: SearchQuery, { users }: Narrowed): Filter[] {
  const time = {
    ...(after !== undefined && { $gte: iso(after) }),
    ...(before !== undefined && { $lt: iso(before) }),
  };
  return [
    ...(users.length > 0 ? [{ "user.id": anyOf(users) }] : []),
    ...(Object.keys(time).length > 0 ? [{ created_at: time }] : []),
    ...has.map((each) => HOLDS[each]),
    ...is.map((each) => BEING[each]),
  ];
}

/** Where is searched and for what, in the provider's words; `query` is empty where filters hold the words, too (SE-3). */
interface Asked {
  query: string;
  scope: { filter_conditions: Filter; message_filter_conditions?: Filter; sort?: Sort };
}

/** `me` is whose channels are searched; without a user it is every channel. */
export function requestsOf(query: SearchQuery, narrowed: Narrowed, me: string | undefined): Asked {
  const { words, sort } = query;
  const { cids } = narrowed;
  const everywhere: Filter = me === undefined ? { member_count: { $gte: 0 } } : { members: { $in: [me] } };
  const parts = partsOf(query, narrowed);
  // A channel alone is nothing that messages could be asked for by: all of them are wanted.
  if (words === "" && parts.length === 0) parts.push({ created_at: { $gte: iso(0) } });
  const filtered = parts.length > 0;
  if (filtered && words !== "") parts.push({ text: { $q: words } });
  return {
    query: filtered ? "" : words,
    scope: {
      filter_conditions: cids.length > 0 ? { cid: anyOf(cids) } : everywhere,
      ...(filtered && { message_filter_conditions: joined(parts) }),
      ...(sort !== "best" && { sort: [{ field: "created_at", direction: sort === "newest" ? -1 : 1 }] }),
    },
  };
}

/** What this machine's own messages are asked. */
export interface HeldQuestion {
  /** Patterns of SQL's LIKE that the JSON of a message must hold; what holds them may still not fit. */
  parts: readonly string[];
  /** Of these channels alone; none is all. */
  cids: readonly string[];
  fits(message: Message): boolean;
}

/** Letters that are often written with accents, and all that is not plain: any one sign. */
const ANY = /[aeiouycnsz]|[^a-z0-9]/g;

/** A word as LIKE finds it in whatever case and with whatever accents; nothing where too little of it would be left. */
function patternOf(word: string): string[] {
  // What it begins with is what LIKE looks for: a plain letter is found much faster than any sign.
  const pattern = withoutTail(word.replace(ANY, "_").replace(/^_+/, ""), "_");
  return pattern === "" ? [] : [pattern];
}

/** The same question to what is held here. */
export function heldQuestion(query: SearchQuery, narrowed: Narrowed): HeldQuestion {
  const { users, cids } = narrowed;
  const parts = [
    ...foldedWords(query.words).flatMap(patternOf),
    ...(users.length === 1 ? [`"id":"${users[0]}"`] : []),
    ...(query.has.includes("link") ? ['"og_scrape_url":'] : []),
    ...(query.is.includes("pinned") ? ['"pinned":true'] : []),
  ];
  return { parts, cids, fits: (message) => fits(message, query, narrowed) };
}

/** The same question to a message that is held: what the provider would say of it. */
function fits(message: Message, query: SearchQuery, { users, cids }: Narrowed): boolean {
  const { has, is, before, after } = query;
  const at = Date.parse(message.created_at);
  const wanted = foldedWords(query.words);
  const there = wanted.length > 0 ? foldedWords(message.text) : [];
  return (
    message.type !== "deleted" &&
    message.type !== "system" &&
    (users.length === 0 || users.includes(message.user.id)) &&
    (cids.length === 0 || cids.includes(message.cid)) &&
    (after === undefined || at >= after) &&
    (before === undefined || at < before) &&
    has.every((each) => holds(message, each)) &&
    is.every((each) => (each === "pinned" ? message.pinned === true : isThreads(message))) &&
    wanted.every((word) => there.some((other) => other.startsWith(word)))
  );
}

const holds = ({ attachments }: Message, what: Has): boolean =>
  attachments.some((each) =>
    what === "link" ? each.og_scrape_url !== undefined : TYPES[what].includes(each.type ?? ""),
  );

const isThreads = ({ reply_count, parent_id }: Message): boolean =>
  reply_count > 0 || parent_id !== undefined;
