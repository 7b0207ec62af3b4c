/** A list that is served page by page as a provider may do it: with doubles, the other way round, beyond the limit, behind cursors that lead nowhere. */

/** How a list is paged: by offset, by a cursor of the provider, behind an item, or around messages. */
export type Paging = "offset" | "next" | "after" | "messages";

export interface Asked {
  limit: number;
  offset?: number | undefined;
  next?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
  /** From the first one on. */
  since?: boolean;
}

/** Which places of the list a page is made of. */
interface Place {
  from: number;
  to: number;
}

export interface Manner {
  /** The list with doubles of its own. */
  rows?(names: readonly string[]): string[];
  place?(asked: Place, length: number): Place;
  /** How many items it sends beyond the limit. */
  beyond?: number;
  write?(page: string[]): string[];
  /** The cursor of a page that ends at `to`; `asked`: the one it was asked with. */
  next?(to: number, length: number, asked: string | undefined): string | undefined;
  /** Nothing but a cursor, in place of the page. */
  empty?(asked: string | undefined): string | undefined;
  /** The list cannot be read to its end. */
  stuck?: true;
  only?: readonly Paging[];
}

const NEXT = ["next"] as const;

/** Pages begin again behind the last item. */
const inCircle = ({ from, to }: Place, length: number): Place =>
  from >= length ? { from: 0, to: to - from } : { from, to };

export const MANNERS: Readonly<Record<string, Manner>> = {
  "as documented": {},
  "an entry again in the place of others": {
    rows: (names) => names.flatMap((name, n) => (n % 3 === 2 ? [name, name] : [name])),
  },
  "the last entry again beside the page": { write: (page) => [...page, ...page.slice(-1)] },
  "the last entry of the page before again": {
    place: ({ from, to }) => (from > 0 ? { from: from - 1, to: to - 1 } : { from, to }),
    only: ["offset", "next", "after"],
  },
  "a page the other way round": { write: (page) => page.toReversed() },
  "an empty page with a cursor before each": {
    empty: (asked) => (asked === undefined || asked.endsWith("'") ? undefined : `${asked}'`),
    only: NEXT,
  },
  "the same page and cursor for ever": {
    place: ({ from, to }) => ({ from: 0, to: to - from }),
    next: () => "c4",
    stuck: true,
    only: ["offset", "next", "after"],
  },
  "the same cursor twice": {
    next: () => "c4",
    stuck: true,
    only: NEXT,
  },
  "pages in a circle": {
    place: inCircle,
    next: (to) => `c${to}`,
    stuck: true,
    only: ["offset", "next", "after"],
  },
  "a cursor behind the last full page": {
    next: (to, length) => (to <= length ? `c${to}` : undefined),
    only: NEXT,
  },
  "a cursor that stays behind the last page": {
    next: (to, length, asked) => (to <= length ? `c${to}` : asked),
    only: NEXT,
  },
  "a blank cursor behind the last page": { next: (to, length) => (to < length ? `c${to}` : ""), only: NEXT },
  "more than the limit": { beyond: 2 },
};

/** Where a request asks to begin. */
function askedPlace(rows: readonly string[], paging: Paging, asked: Asked): Place {
  const { limit, offset = 0, next, after, before, since } = asked;
  if (before !== undefined && paging === "messages") {
    const to = rows.indexOf(before);
    return { from: Math.max(0, to - limit), to };
  }
  if (paging === "messages" && after === undefined && !since)
    return { from: Math.max(0, rows.length - limit), to: rows.length };
  const from =
    paging === "offset"
      ? offset
      : paging === "next"
        ? Number(/\d+/.exec(next ?? "c0")![0])
        : rows.lastIndexOf(after ?? "") + 1;
  return { from, to: from + limit };
}

/** One page of the list. */
export function servePage(
  names: readonly string[],
  manner: Manner,
  paging: Paging,
  asked: Asked,
): { names: string[]; next?: string } {
  const empty = paging === "next" ? manner.empty?.(asked.next) : undefined;
  if (empty !== undefined) return { names: [], next: empty };
  const rows = manner.rows?.(names) ?? [...names];
  const place = askedPlace(rows, paging, { ...asked, limit: asked.limit + (manner.beyond ?? 0) });
  const { from, to } = manner.place?.(place, rows.length) ?? place;
  const page = rows.slice(from, to);
  const documented = (end: number): string | undefined => (end < rows.length ? `c${end}` : undefined);
  const next = paging !== "next" ? undefined : (manner.next ?? documented)(to, rows.length, asked.next);
  return { names: manner.write?.(page) ?? page, ...(next !== undefined && { next }) };
}
