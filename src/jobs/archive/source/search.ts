/** Search in an archive as a provider answers it: by the index of words, and by going through the messages for all else. */
import { indexQuery } from "../../../text/searched-words.ts";
import { SEARCH_LIMIT } from "../../../wire/constants.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { Filter, Sort } from "../../../wire/entities/query.ts";
import type { SearchReply } from "../../../wire/search.ts";
import { isObject, type Fields } from "../../../wire/json-object.ts";
import { archiveVersion } from "../open.ts";
import type { MessagePosition } from "../read.ts";
import { TERMS_VERSION } from "../schema.ts";
import { timeKey } from "../writer.ts";
import { cidsFor } from "./channels.ts";
import { fitsFilter, namedBy, valueOfField } from "./filter.ts";
import { countIn } from "./messages.ts";
import type { Shelf } from "./shelf.ts";
import { walk, type Condition } from "./walk.ts";

/** A set of the tables with fewer messages than this is read in the order of the search; of a larger one the next is soon met on the way. */
const SMALL_SET = 5000;
/** So many messages are looked at on the way before a large set is sorted after all: that takes a second of a million. */
const WALKED = 20_000;
/** Messages of a set that are read at once. */
const ROWS_OF_SET = 200;

const marks = (list: readonly unknown[]): string => list.map(() => "?").join(", ");
const allOf = (conditions: readonly Condition[]): Condition => ({
  sql: ["1", ...conditions.map(({ sql }) => sql)].join(" AND "),
  values: conditions.flatMap(({ values }) => values),
});

const BOUNDS = { $gte: ">=", $gt: ">=", $lte: "<=", $lt: "<=" } as const;

/** The bounds that a filter sets to the time of a message. */
function timesOf({ created_at: test }: Filter): Condition {
  const bounds = Object.entries(BOUNDS).flatMap(([operator, sign]): Condition[] => {
    const time = isObject(test) ? test[operator] : undefined;
    const key = typeof time === "string" ? timeKey(time) : "";
    return key === "" ? [] : [{ sql: `m.at ${sign} ?`, values: [key] }];
  });
  return allOf(bounds);
}

/** Only messages with attachments meet it. */
const asksForFiles = ({ attachments, "attachments.type": type }: Filter): boolean =>
  namedBy(type) !== undefined || (isObject(attachments) && attachments.$exists === true);

/** What the tables can tell without the content of a message: every one that meets the filter meets it. */
function columnsOf(filter: Filter): Condition {
  const authors = namedBy(filter["user.id"]);
  return allOf([
    { sql: "m.type NOT IN ('deleted', 'system')", values: [] },
    ...(authors ? [{ sql: `m.user_id IN (${marks(authors)})`, values: authors }] : []),
    ...(asksForFiles(filter)
      ? [{ sql: "EXISTS (SELECT 1 FROM attachments a WHERE a.message_id = m.id)", values: [] }]
      : []),
    ...(filter.pinned === true ? [{ sql: `instr(m.raw, '"pinned":true')`, values: [] }] : []),
  ]);
}

/** A message in the order of a search. */
interface Found extends MessagePosition {
  n: number;
}

interface Search {
  cids: readonly string[];
  filter: Filter;
  words: string | undefined;
  from: MessagePosition | undefined;
  oldestFirst: boolean;
}

/** The messages of a set beyond a position, in the order of the search. */
function* inSet(
  shelf: Shelf,
  { cids, filter, oldestFirst }: Search,
  set: MessageSet,
  from: MessagePosition | undefined,
): Iterable<Found> {
  const [sign, order] = oldestFirst ? [">", "m.at, m.id"] : ["<", "m.at DESC, m.id DESC"];
  const conditions = allOf([timesOf(filter), columnsOf(filter)]);
  for (let at = from; ;) {
    const statement = shelf.db.prepare(
      `SELECT m.n, m.at, m.id FROM messages m WHERE m.${set.column} IN (${set.sql})
       AND m.cid IN (SELECT value FROM json_each(?)) AND ${conditions.sql} ${at ? `AND (m.at, m.id) ${sign} (?, ?)` : ""}
       ORDER BY ${order} LIMIT ${ROWS_OF_SET}`,
    );
    const beyond = at ? [at.at, at.id] : [];
    const values = [...set.values, JSON.stringify(cids), ...conditions.values, ...beyond];
    const rows = statement.all(...values) as unknown as Found[];
    yield* rows;
    if (rows.length < ROWS_OF_SET) return;
    at = rows.at(-1);
  }
}

/** The tables know these messages: every one that the search finds is among them. */
interface MessageSet extends Condition {
  column: "n" | "id";
}

function setOf(shelf: Shelf, { words, filter }: Search): MessageSet | undefined {
  if (words !== undefined && archiveVersion(shelf.db) >= TERMS_VERSION)
    return { column: "n", sql: "SELECT rowid FROM words WHERE words MATCH ?", values: [indexQuery(words)!] };
  const pins = filter.pinned === true ? shelf.pins.all() : undefined;
  if (pins) return { column: "id", sql: "SELECT value FROM json_each(?)", values: [JSON.stringify(pins)] };
  if (!asksForFiles(filter)) return undefined;
  return { column: "id", sql: "SELECT message_id FROM attachments", values: [] };
}

const isSmall = (shelf: Shelf, { sql, values }: MessageSet): boolean =>
  Number(shelf.db.prepare(`SELECT count(*) n FROM (${sql} LIMIT ${SMALL_SET})`).get(...values)!.n) <
  SMALL_SET;

/** The messages that may fit, in the order of the search. */
async function* candidates(shelf: Shelf, search: Search): AsyncGenerator<Found> {
  const { cids, filter, from, oldestFirst } = search;
  const set = setOf(shelf, search);
  if (set && isSmall(shelf, set)) return yield* inSet(shelf, search, set, from);
  let left = WALKED;
  const route = { cids, times: timesOf(filter), fits: columnsOf(filter), from, oldestFirst };
  for await (const row of walk(shelf, route)) {
    yield row;
    if (set && --left === 0) return yield* inSet(shelf, search, set, row);
  }
}

/** Where a page goes on, as a cursor: a time has no blank. */
const cursorOf = ({ at, id }: MessagePosition): string => `${at} ${id}`;
function positionIn(cursor: unknown): MessagePosition | undefined {
  const [at, ...id] = typeof cursor === "string" ? cursor.split(" ") : [];
  return at === undefined ? undefined : { at, id: id.join(" ") };
}

/** A query is words; filters may have them, too (SE-3). */
function searchOf(shelf: Shelf, fields: Fields): Search {
  const { filter_conditions: places, message_filter_conditions: given, query, sort, next } = fields;
  const filter = isObject(given) ? given : {};
  const asked = typeof query === "string" && query !== "" ? query : undefined;
  const inFilter = isObject(filter.text) && typeof filter.text.$q === "string" ? filter.text.$q : undefined;
  const [first] = Array.isArray(sort) ? (sort as Sort) : [];
  return {
    cids: cidsFor(shelf, isObject(places) ? places : {}),
    filter: asked === undefined ? filter : { ...filter, text: { $q: asked } },
    words: asked ?? inFilter,
    from: positionIn(next),
    oldestFirst: first?.field === "created_at" && first.direction === 1,
  };
}

/** The channel of each message beside it, as the protocol answers it. */
const withChannel = (shelf: Shelf, message: Message): SearchReply["results"][number] => {
  const channel = shelf.channel(message.cid);
  return { message: { ...message, ...(channel && { channel }) } };
};

/** `GET /search`, newest first unless the oldest are asked for; nothing fits words that cannot be searched. */
export async function answerSearch(shelf: Shelf, fields: Fields): Promise<SearchReply> {
  const asked = searchOf(shelf, fields);
  const count = countIn(fields, SEARCH_LIMIT);
  const results: SearchReply["results"] = [];
  if (asked.words !== undefined && indexQuery(asked.words) === undefined) return { results };
  const byRow = shelf.db.prepare("SELECT id AS key, raw, gone_at FROM messages WHERE n = ?");
  for await (const row of candidates(shelf, asked)) {
    const [found] = shelf.reader.complete(byRow.all(row.n));
    if (!found || !fitsFilter(asked.filter, (field) => valueOfField(found.message, field))) continue;
    results.push(withChannel(shelf, shelf.message(found)));
    if (results.length >= count) return { results, next: cursorOf(row) };
  }
  return { results };
}
