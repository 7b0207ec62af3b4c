/** Reads lists page by page with offsets; lists ordered by date can also go past the provider's maximum offset. */
import { receivedPlace } from "../../../wire/reading.ts";
import { MAX_OFFSET } from "../../../wire/constants.ts";
import type { Filter, Sort } from "../../../wire/entities/query.ts";
import type { PageRequest } from "../define-command.ts";
import { PageSize, type PageCall } from "../../../model/page-size.ts";
import { isFullPage, PageWalk, placesTaken } from "../../../model/page-walk.ts";
import { largestPage, offsetOf, listOutOfReach, repeatedPage } from "./cursor.ts";

interface OffsetPage {
  limit: number;
  offset: number;
}

/** Restricts a page to items from a date on, after a date, or of one date after a key. */
export type Bound = { from: string } | { behind: string } | { at: string; after: string };

/** Stands for a missing date, in lists where items without a date come last. */
export const NEVER = "never" as const;

interface Order<T> {
  /** The date the list is ordered by. */
  dateOf(item: T): string;
  /** The list can be ordered by key within one date, for dates with more items than the maximum offset. */
  byKey?: true;
  /** Items without a date come last; `dateOf` returns `NEVER` for them. */
  ends?: typeof NEVER;
  /** Filters items on the client. */
  matches?(item: T): boolean;
}

interface PagePosition {
  offset: number;
  bound?: Bound | undefined;
}

/** Cursors: `17`, `17@2026-…` (from a date on), `17~2026-…` (after a date), `2026-…~messaging:ops` (within a date, after a key). */
function parseCursor(next: string | undefined): PagePosition {
  const withinDate = /^(\d{4}-[^~]*|never)~(.+)$/.exec(next ?? "");
  if (withinDate) return { offset: 0, bound: { at: withinDate[1]!, after: withinDate[2]! } };
  const [, number, sign, date] = /^(\d+)([@~])(.+)$/.exec(next ?? "") ?? [];
  if (date === undefined) return { offset: offsetOf(next) };
  return { offset: offsetOf(number), bound: sign === "@" ? { from: date } : { behind: date } };
}

function formatCursor({ offset, bound }: PagePosition): string {
  if (bound === undefined) return String(offset);
  if ("at" in bound) return `${bound.at}~${bound.after}`;
  return "from" in bound ? `${offset}@${bound.from}` : `${offset}~${bound.behind}`;
}

type KeyOf<T> = (item: T) => string | undefined;

/** A page, or the part of it that was shown, and how many places of the list it takes. */
interface Taken<T> {
  items: readonly T[];
  places: number;
}

/** The part of a page before an item. */
function before<T>(item: T, items: readonly T[], limit: number): Taken<T> {
  const at = items.indexOf(item);
  return { items: items.slice(0, at), places: Math.min(receivedPlace(items, at), limit) };
}

/** The position after the items of a page; undefined when neither offset, date nor key can reach it. `room` is the size of the next page. */
function positionAfter<T>(
  { offset, bound }: PagePosition,
  { items, places }: Taken<T>,
  keyOf: KeyOf<T>,
  order: Order<T> | undefined,
  room = 0,
): PagePosition | undefined {
  const last = items.at(-1);
  const end = offset + places;
  if (last === undefined) return { offset: end, bound };
  if (bound && "at" in bound) return { offset: 0, bound: { at: bound.at, after: keyOf(last)! } };
  if (end + room <= MAX_OFFSET) return { offset: end, bound };
  if (!order) return undefined;
  const date = order.dateOf(last);
  const same = items.filter((item) => order.dateOf(item) === date);
  const keys = same.map((item) => keyOf(item)!);
  // The whole page has one date, and an unknown number of items with it came before: continue by key.
  if (same.length === items.length && order.byKey && keys.every((key, i) => i === 0 || keys[i - 1]! < key))
    return { offset: 0, bound: { at: date, after: keys.at(-1)! } };
  if (bound && "from" in bound && bound.from === date) return undefined;
  return { offset: room === 0 ? same.length : 0, bound: { from: date } };
}

/** The next bound when a bound is exhausted; `undated`: items without a date follow at the end. */
function nextBound(bound: Bound | undefined, undated: boolean): Bound | undefined {
  if (bound === undefined) return undefined;
  if ("at" in bound && bound.at !== NEVER) return { behind: bound.at };
  const atEnd = Object.values(bound).includes(NEVER);
  return undated && !atEnd ? { from: NEVER } : undefined;
}

/** Requests one item more than needed, to know whether there are more. Throws `CommandError` (partial) beyond the reach of the provider. */
export async function* byOffset<T>(
  page: PageRequest,
  maxPageSize: number,
  keyOf: KeyOf<T>,
  fetch: (span: OffsetPage, bound: Bound | undefined, call: PageCall) => Promise<readonly T[]>,
  order?: Order<T>,
): AsyncIterable<T> {
  const size = new PageSize(largestPage(page, maxPageSize));
  const walk = new PageWalk(keyOf);
  let position = parseCursor(page.next);
  let count = 0;
  let remaining = page.limit;
  const reportNext = (shown: Taken<T>): void => {
    const next = positionAfter(position, shown, keyOf, order);
    if (next !== undefined) page.onMore?.(formatCursor(next));
  };
  for (;;) {
    const { offset, bound } = position;
    const after = bound && "at" in bound ? bound.after : undefined;
    // A page by key starts with the last item again.
    const least = after === undefined ? 1 : 2;
    const ask = size.ask((limit, call) => fetch({ limit, offset }, bound, call), {
      needed: order?.matches ? maxPageSize : remaining + least,
      least,
    });
    const { answer: items, limit } = await ask.catch((error: { status?: unknown }) => {
      // The provider may not support filtering by key.
      throw after !== undefined && error.status === 400 ? listOutOfReach(count) : error;
    });
    // If the last item is missing, the provider uses another date for it and the others cannot be found.
    if (after !== undefined && walk.has(after) && (items.length === 0 || keyOf(items[0]!) !== after))
      throw listOutOfReach(count);
    const taken = { items, places: placesTaken(items, limit) };
    const isFull = isFullPage(items, limit);
    const turn = walk.take(items, isFull ? `${offset + taken.places} ${JSON.stringify(bound)}` : undefined);
    for (const item of turn.fresh) {
      if (keyOf(item) === after && after !== undefined) continue;
      if (remaining <= 0) return reportNext(before(item, items, limit));
      if (order?.matches?.(item) === false) continue;
      yield item;
      count++;
      remaining--;
    }
    if (turn.isStuck) throw bound === undefined ? repeatedPage() : listOutOfReach(count);
    if (!isFull) {
      const later = nextBound(bound, order?.ends === NEVER);
      if (later === undefined) return;
      position = { offset: 0, bound: later };
      continue;
    }
    // The next match may be far away: do not search for it.
    if (remaining <= 0 && order?.matches) return reportNext(taken);
    const next = positionAfter(position, taken, keyOf, order, order ? limit : 0);
    if (next === undefined && remaining <= 0) return;
    if (next === undefined) throw listOutOfReach(count);
    position = next;
  }
}

interface DatedList {
  filter: Filter;
  /** The date the list is ordered by. */
  field: string;
  direction: 1 | -1;
  /** Key field for ordering within one date. */
  key?: string;
}

/** Filter and sort of a page within a bound. */
export function withinBound(
  { filter, field, direction, key = "id" }: DatedList,
  bound: Bound | undefined,
): { filter_conditions: Filter; sort: Sort } {
  const sort: Sort = [{ field, direction }];
  if (bound === undefined) return { filter_conditions: filter, sort };
  if ("at" in bound || ("from" in bound && bound.from === NEVER)) {
    const dateCondition = "at" in bound && bound.at !== NEVER ? bound.at : { $exists: false };
    const from = "at" in bound ? [{ [key]: { $gte: bound.after } }] : [];
    return {
      filter_conditions: { $and: [filter, { [field]: dateCondition }, ...from] },
      sort: [{ field: key, direction: 1 }],
    };
  }
  const operator = direction === 1 ? "$gt" : "$lt";
  const test = "from" in bound ? { [`${operator}e`]: bound.from } : { [operator]: bound.behind };
  return { filter_conditions: { $and: [filter, { [field]: test }] }, sort };
}

/** `byOffset` for lists ordered by `created_at`. */
export const byCreation = <T extends { created_at: string }>(
  {
    page,
    maxPageSize,
    filter,
    direction = -1,
    matches,
  }: { page: PageRequest; maxPageSize: number; filter: Filter; direction?: 1 | -1 } & Pick<
    Order<T>,
    "matches"
  >,
  keyOf: KeyOf<T>,
  fetch: (
    span: OffsetPage & { filter_conditions: Filter; sort: Sort },
    call: PageCall,
  ) => Promise<readonly T[]>,
): AsyncIterable<T> =>
  byOffset(
    page,
    maxPageSize,
    keyOf,
    (span, bound, call) =>
      fetch({ ...withinBound({ filter, field: "created_at", direction }, bound), ...span }, call),
    { dateOf: ({ created_at }) => created_at, ...(matches && { matches }) },
  );
