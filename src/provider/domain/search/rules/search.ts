/** GET /search: matching messages in matching channels, best or newest first (specification/search.md). */
import type { Channel } from "../../../../wire/entities/channel.ts";
import { searchBodies } from "../../../../wire/bodies/search.ts";
import { MAX_OFFSET } from "../../../../wire/constants.ts";
import type { Message } from "../../../../wire/entities/message.ts";
import { SEARCH_PROBLEMS, type SearchReply } from "../../../../wire/search.ts";
import type { DueWork } from "../../../base/ports.ts";
import type { RouteCall, Reply } from "../../../base/handler.ts";
import { BodyReader, isObject, type Fields, invalidField } from "../../validation/check.ts";
import { channelFields, PERSONAL_FIELDS } from "../../channels/storage/filter.ts";
import { channelFor } from "../../channels/view/channels.ts";
import { callerPermissions } from "../../access/view/policy.ts";
import { channelRow } from "../../channels/storage/rows.ts";
import type { MessageRow } from "../../messages/storage/rows.ts";
import { messageViews } from "../../messages/view/messages.ts";
import { viewContext } from "../../users/view/view-context.ts";
import {
  bindingOf,
  readCursor,
  readOrder,
  type Cursor,
  type OrderKey,
  type ListPage,
} from "../../query/cursor.ts";
import { compileFilter } from "../../query/filter.ts";
import { indexCondition } from "../storage/candidates.ts";
import { SEARCHED_CHANNELS, searchedChannels, type SearchedChannels } from "../view/channels.ts";
import { messageFields, messageOrder, defaultOrder } from "../storage/fields.ts";
import { searchPage } from "../storage/page.ts";
import { hasBacklog, indexBacklogPart } from "../storage/schema.ts";
import { isIndexExact } from "../../../../text/searched-words.ts";
import { EVERY_ROW } from "../../query/filter-fields.ts";

const isEmpty = (filter: unknown): boolean => !isObject(filter) || Object.keys(filter).length === 0;
const isSet = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** Checks SE-1…SE-6 in order, each with its text (specification/search.md §3). */
function checkCombinations(body: Fields): void {
  const { offset, next, sort, query } = body;
  const skips = typeof offset === "number" && offset !== 0;
  const sorted = Array.isArray(sort) ? sort.length > 0 : isSet(sort);
  const filtered = !isEmpty(body.message_filter_conditions);
  const problems: [wrong: boolean, rule: keyof typeof SEARCH_PROBLEMS, field: string][] = [
    [skips && isSet(next), "SE-1", "offset"],
    [skips && sorted, "SE-2", "offset"],
    [isSet(query) && filtered, "SE-3", "query"],
    [!isSet(query) && !filtered, "SE-4", "query"],
    [isEmpty(body.filter_conditions), "SE-5", "filter_conditions"],
    [isBelow(body.limit, 1), "SE-6", "limit"],
    [isBelow(offset, 0) || (typeof offset === "number" && offset > MAX_OFFSET), "SE-6", "offset"],
  ];
  for (const [wrong, rule, field] of problems)
    if (wrong) throw invalidField(field, SEARCH_PROBLEMS[rule], SEARCH_PROBLEMS[rule]);
}

const isBelow = (value: unknown, min: number): boolean => typeof value === "number" && value < min;

/** All texts that the filter searches for, which relevance counts. */
function wordsIn(filter: unknown): string[] {
  if (!isObject(filter)) return [];
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === "text" && isObject(value))
      return [value.$q, value.$autocomplete].filter((text) => typeof text === "string");
    return key === "$and" || key === "$or" ? (Array.isArray(value) ? value.flatMap(wordsIn) : []) : [];
  });
}

/** Prefix of a `previous` cursor, which clients pass back as `next`. */
const PREVIOUS_PREFIX = "-";

function cursorOf(check: BodyReader, binding: string, keys: readonly OrderKey[]): Cursor | undefined {
  const text = check.text("next");
  if (!text) return undefined;
  const cursorReader = new BodyReader(
    text.startsWith(PREVIOUS_PREFIX) ? { prev: text.slice(1) } : { next: text },
  );
  const cursor = readCursor(cursorReader, binding, keys);
  if (!cursor) check.fail("next", "is no cursor of this search");
  return cursor;
}

/** Filters and cursor are read separately. */
const { filter_conditions: _filter, next: _next, ...searchPayload } = searchBodies.search;

export function search(call: RouteCall): Reply<"search"> {
  const { body, db, caller } = call;
  const userId = caller.kind === "anonymous" ? undefined : caller.userId;
  const now = call.now();
  checkCombinations(body);
  const check = new BodyReader(body);
  const { query, limit, offset } = check.read(searchPayload);
  const filter = isSet(query) ? { text: { $q: query } } : body.message_filter_conditions;
  const where = compileFilter(body.filter_conditions, channelFields(userId, now), check);
  const messageFilter = compileFilter(filter, messageFields(now), check, "message_filter_conditions");
  const searchedWords = wordsIn(filter).join(" ");
  const keys = readOrder(body.sort, messageOrder(searchedWords), check, defaultOrder(searchedWords));
  const binding = bindingOf("search", userId, body.filter_conditions, filter, body.sort);
  const cursor = cursorOf(check, binding, keys);
  if (caller.kind === "server" && userId === undefined)
    for (const name of PERSONAL_FIELDS)
      if (where.fieldNames.has(name))
        check.fail(`filter_conditions.${name}`, "needs a user: name one with user_id");
  check.done();

  const searched = searchedChannels(call, where, userId, now);
  const indexQuery = indexCondition(filter);
  // A plain query needs only the index, because index and filter see the same words; longer unbroken ones are checked.
  const needsNoFilter = typeof query === "string" && query !== "" && isIndexExact(query);
  const messageCondition = needsNoFilter ? { ...messageFilter, ...EVERY_ROW } : messageFilter;
  const listing = { where: messageCondition, keys, limit, binding, cursor, offset };
  const page: Partial<ListPage<MessageRow>> =
    indexQuery === "never" || searched.rowids.length === 0
      ? {}
      : searchPage(db, searched, userId, indexQuery, listing);
  const context = viewContext(db, call.emit, now, userId);
  const channels = new Map<string, Channel>();
  const channelOf = (cid: string): Channel => {
    let view = channels.get(cid);
    if (!view)
      channels.set(
        cid,
        (view = channelFor(db, context.people, callerPermissions(call, channelRow(db, cid)), now)),
      );
    return view;
  };
  return {
    results: messageViews(context, page.rows ?? []).map((message: Message) => ({
      message: { ...message, channel: channelOf(message.cid) },
    })),
    ...(offset === 0 && page.next !== undefined ? { next: page.next } : {}),
    ...(offset === 0 && page.prev !== undefined ? { previous: `${PREVIOUS_PREFIX}${page.prev}` } : {}),
    ...warningOf(searched, indexQuery !== undefined && hasBacklog(db)),
  };
}

/** A warning that not all channels, or not all of their messages, were searched. */
function warningOf(
  { cids, truncated }: SearchedChannels,
  isIncomplete: boolean,
): Pick<SearchReply, "results_warning"> {
  const description = [
    truncated &&
      `The channel filter matches more than ${SEARCHED_CHANNELS} channels; the ${SEARCHED_CHANNELS} latest active ones were searched`,
    isIncomplete &&
      "The search index is being made, the newest messages first; older ones are not all found yet",
  ].filter((part) => part !== false);
  if (description.length === 0) return {};
  return {
    results_warning: {
      warning_code: truncated ? 1 : 2,
      warning_description: description.join(". "),
      ...(truncated && { channel_search_count: cids.length, channel_search_cids: cids }),
    },
  };
}

/** Fills a new index in steps, the newest messages first. */
export const searchIndexWork: DueWork = {
  name: "the search index",
  next: (db) => (hasBacklog(db) ? 0 : undefined),
  run: ({ db }) => indexBacklogPart(db),
};
