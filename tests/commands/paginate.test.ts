/** Paging through messages in order: the newest ones printed oldest first, a range walked forward, and the cursor to continue from. */
import { describe, expect, test } from "vitest";
import { TransportError } from "../../src/model/errors.ts";
import { byCursor } from "../../src/commands/base/lists/cursor.ts";
import { byOffset, NEVER, type Bound } from "../../src/commands/base/lists/by-offset.ts";
import queue from "../../src/commands/moderation/queue.ts";
import { isWithin, pagesForward, newest } from "../../src/commands/base/lists/paginate.ts";
import type { CommandError, PageRequest } from "../../src/commands/base/define-command.ts";
import type { Message } from "../../src/wire/entities/message.ts";
import type { Filter, MessagePagination } from "../../src/wire/entities/query.ts";

const time = (n: number): string => new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString();
const ALL = Array.from({ length: 20 }, (_, n) => ({ id: `m${n}`, created_at: time(n) }) as Message);

const byId = ({ id }: { id: string }): string => id;

/** A provider with twenty messages that records the requests. */
function provider(all = ALL) {
  const requests: (MessagePagination & { limit: number })[] = [];
  const fetch = async (page: MessagePagination & { limit: number }): Promise<Message[]> => {
    requests.push(page);
    const at = (id: string): number => all.findIndex((one) => one.id === id);
    if (page.id_lt !== undefined) return all.slice(0, at(page.id_lt)).slice(-page.limit);
    if (page.id_gt !== undefined) return all.slice(at(page.id_gt) + 1).slice(0, page.limit);
    if (page.created_at_after_or_equal !== undefined)
      return all.filter((one) => one.created_at >= page.created_at_after_or_equal!).slice(0, page.limit);
    return all.slice(-page.limit);
  };
  return { requests, fetch };
}

async function numbersOf(walk: AsyncIterable<Message>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { id } of walk) ids.push(Number(id.slice(1)));
  return ids;
}
const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** A page request, and the cursors reported through `onMore`. */
function pageRequest(page: Partial<PageRequest>): { page: PageRequest; more: string[] } {
  const more: string[] = [];
  return { page: { limit: Infinity, onMore: (next = "") => more.push(next), ...page }, more };
}

describe("the newest messages", () => {
  test.each([
    [7, 3],
    [6, 3],
    [1, 3],
    [5, 10],
  ])(
    "%i of them in pages of %i are printed oldest first, and --next continues with older ones",
    async (limit, biggest) => {
      const { fetch } = provider();
      const first = pageRequest({ limit });
      expect(await numbersOf(newest(fetch, first.page, biggest))).toEqual(range(20 - limit, 19));
      expect(first.more).toEqual([`m${20 - limit}`]);
      const second = pageRequest({ limit, next: first.more[0]! });
      expect(await numbersOf(newest(fetch, second.page, biggest))).toEqual(range(20 - 2 * limit, 19 - limit));
    },
  );

  test("are all printed if there are fewer than the limit, without a --next cursor", async () => {
    const { fetch, requests } = provider();
    const { page, more } = pageRequest({ limit: 50 });
    expect(await numbersOf(newest(fetch, page, 8))).toEqual(range(0, 19));
    expect(more).toEqual([]);
    expect(requests.map(({ limit }) => limit)).toEqual([8, 8, 8]);
  });

  test("are fetched with the given page size, and the last page asks only for the missing ones", async () => {
    const { fetch, requests } = provider();
    await numbersOf(newest(fetch, pageRequest({ limit: 5, size: 2 }).page, 100));
    expect(requests.map(({ limit }) => limit)).toEqual([2, 2, 1]);
  });

  test("of an empty channel are none", async () => {
    const { fetch } = provider([]);
    const { page, more } = pageRequest({ limit: 5 });
    expect([await numbersOf(newest(fetch, page, 3)), more]).toEqual([[], []]);
  });
});

describe("a list whose pages are not answered in time", () => {
  /** Never answers a page of more than three. */
  const slow =
    <P extends { limit: number }, R>(fetch: (page: P) => Promise<R>) =>
    async (page: P): Promise<R> => {
      if (page.limit > 3) throw new TransportError("ETIMEDOUT", "no answer in time");
      return fetch(page);
    };
  const { fetch } = provider();
  const offset = async ({ limit, offset: from }: { limit: number; offset: number }): Promise<Message[]> =>
    ALL.slice(from, from + limit);
  const cursor = async ({ limit, next = "0" }: { limit: number; next?: string }) => {
    const end = Number(next) + limit;
    return { items: ALL.slice(Number(next), end), ...(end < ALL.length && { next: String(end) }) };
  };
  test.each<[string, (page: PageRequest) => AsyncIterable<Message>]>([
    ["the newest messages", (page) => newest(slow(fetch), page, 100)],
    ["a range walked forward", (page) => pagesForward(slow(fetch), page, 100, { since: time(0) })],
    ["offsets", (page) => byOffset(page, 100, byId, slow(offset))],
    ["cursors of the provider", (page) => byCursor(page, 100, byId, slow(cursor))],
  ])("%s: is read whole in smaller pages", async (_, walk) => {
    expect(await numbersOf(walk(pageRequest({}).page))).toEqual(range(0, 19));
    const limited = pageRequest({ limit: 7 });
    expect(await numbersOf(walk(limited.page))).toHaveLength(7);
    expect(limited.more).toHaveLength(1);
    const second = await numbersOf(walk(pageRequest({ limit: 7, next: limited.more[0]! }).page));
    expect(second).toHaveLength(7);
    expect(new Set([...second, ...(await numbersOf(walk(limited.page)))]).size).toBe(14);
  });
});

describe("a range walked forward", () => {
  test("asks for one message more than the limit to know whether there are more, and for no further page", async () => {
    const { fetch, requests } = provider();
    const { page, more } = pageRequest({ limit: 7 });
    expect(await numbersOf(pagesForward(fetch, page, 5, { since: time(0) }))).toEqual(range(0, 6));
    expect([requests.map(({ limit }) => limit), more]).toEqual([[5, 3], ["m6"]]);
  });

  test.each([3, 5, 100])("in pages of %i comes in order, including both ends", async (biggest) => {
    const { fetch } = provider();
    const walk = pagesForward(fetch, pageRequest({}).page, biggest, { since: time(4), until: time(15) });
    expect(await numbersOf(walk)).toEqual(range(4, 15));
  });

  test("stops at the limit and prints the cursor to continue, also at the end of a page", async () => {
    for (const limit of [4, 5, 6]) {
      const { fetch } = provider();
      const first = pageRequest({ limit });
      expect(await numbersOf(pagesForward(fetch, first.page, 5, { since: time(0) }))).toEqual(
        range(0, limit - 1),
      );
      expect(first.more).toEqual([`m${limit - 1}`]);
      const second = pageRequest({ limit, next: first.more[0]! });
      expect(await numbersOf(pagesForward(fetch, second.page, 5, { since: time(0) }))).toEqual(
        range(limit, 2 * limit - 1),
      );
    }
  });

  test("that reaches the end prints no cursor", async () => {
    const { fetch } = provider();
    const { page, more } = pageRequest({ limit: 20 });
    expect(await numbersOf(pagesForward(fetch, page, 5, { since: time(0) }))).toEqual(range(0, 19));
    expect(more).toEqual([]);
  });
});

describe("messages of one user", () => {
  const odd = ({ id }: Message): boolean => Number(id.slice(1)) % 2 === 1;

  test.each([3, 4, 100])(
    "the limit counts only those of the user, newest first, in pages of %i",
    async (biggest) => {
      const { fetch } = provider();
      const first = pageRequest({ limit: 3 });
      expect(await numbersOf(newest(fetch, first.page, biggest, odd))).toEqual([15, 17, 19]);
      expect(first.more).toEqual(["m15"]);
      const second = pageRequest({ limit: 3, next: first.more[0]! });
      expect(await numbersOf(newest(fetch, second.page, biggest, odd))).toEqual([9, 11, 13]);
    },
  );

  test("the limit counts only those of the user, forward from a time, and the end has no cursor", async () => {
    const { fetch } = provider();
    const first = pageRequest({ limit: 3 });
    expect(await numbersOf(pagesForward(fetch, first.page, 4, { since: time(0) }, odd))).toEqual([1, 3, 5]);
    expect(first.more).toEqual(["m5"]);
    const second = pageRequest({ limit: 30, next: first.more[0]! });
    expect(await numbersOf(pagesForward(fetch, second.page, 4, { since: time(0) }, odd))).toEqual([
      7, 9, 11, 13, 15, 17, 19,
    ]);
    expect(second.more).toEqual([]);
  });
});

describe("a list by offset, newest first", () => {
  type Item = { id: string; at: string };
  const items = Array.from({ length: 2500 }, (_, n) => ({ id: `m${n}`, at: time(2500 - n) }));
  const order = { dateOf: (item: Item) => item.at, keyOf: (item: Item) => item.id };
  const fetchOf =
    (all: Item[], fields: { date: keyof Item; key: keyof Item } = { date: "at", key: "id" }) =>
    async (span: { limit: number; offset: number }, bound?: Bound) => {
      expect(span.offset).toBeLessThanOrEqual(1000);
      const held = all.filter((item) => {
        const date = item[fields.date];
        if (bound === undefined) return true;
        if ("at" in bound) return date === bound.at && item[fields.key] >= bound.after;
        return "from" in bound ? date <= bound.from : date < bound.behind;
      });
      return held.slice(span.offset, span.offset + span.limit);
    };
  const fetch = fetchOf(items);

  test.each([
    ["every item", order],
    ["every wanted item", { ...order, isWanted: () => true }],
  ])("%s is printed once, over runs that go beyond the largest offset", async (_, how) => {
    const ids: string[] = [];
    let next: string | undefined;
    do {
      const { page, more } = pageRequest({ limit: 700, ...(next === undefined ? {} : { next }) });
      for await (const { id } of byOffset(page, 30, byId, fetch, how)) ids.push(id);
      next = more[0];
    } while (next !== undefined);
    expect(ids).toEqual(items.map(({ id }) => id));
  });

  test("without an order ends at the largest offset without a cursor", async () => {
    const { page, more } = pageRequest({ limit: 1020 });
    const ids: string[] = [];
    for await (const { id } of byOffset(page, 30, byId, fetch)) ids.push(id);
    expect([ids.length, more]).toEqual([1020, []]);
  });

  test("that is exactly as long as the limit has no cursor, and a truncated one continues at its cursor", async () => {
    const few = async ({ limit, offset }: { limit: number; offset: number }): Promise<number[]> =>
      range(offset, Math.min(offset + limit, 20) - 1);
    const walk = async (page: PageRequest): Promise<number[]> => {
      const got: number[] = [];
      for await (const n of byOffset(page, 6, String, few)) got.push(n);
      return got;
    };
    for (const limit of [4, 6, 10]) {
      const first = pageRequest({ limit });
      expect([await walk(first.page), first.more]).toEqual([range(0, limit - 1), [String(limit)]]);
      const second = pageRequest({ limit, next: first.more[0]! });
      expect(await walk(second.page)).toEqual(range(limit, 2 * limit - 1));
    }
    const whole = pageRequest({ limit: 20 });
    expect([await walk(whole.page), whole.more]).toEqual([range(0, 19), []]);
    await expect(walk(pageRequest({ next: "nonsense" }).page)).rejects.toMatchObject({ kind: "usage" });
  });

  /** 300 items with distinct dates, then 2,200 with the same date, then 50 older ones. */
  const alike = Array.from({ length: 2550 }, (_, n) => ({
    id: `m${String(n).padStart(5, "0")}`,
    at: time(n < 300 ? 4000 - n : n < 2500 ? 1000 : 999 - (n - 2500)),
  }));

  test.each([
    [700, 30],
    [1, 2],
    [37, 30],
    [2550, 100],
    [Infinity, 30],
  ])(
    "with more items of one date than an offset reaches is complete, %i per run in pages of %i",
    async (limit, biggest) => {
      const ids: string[] = [];
      // With runs of one item, test only those around the change from offset to cursor.
      let next: string | undefined = limit === 1 ? `990@${alike[400]!.at}` : undefined;
      let left = limit === 1 ? 30 : Infinity;
      do {
        const { page, more } = pageRequest({ limit, ...(next === undefined ? {} : { next }) });
        for await (const { id } of byOffset(page, biggest, byId, fetchOf(alike), { ...order, byKey: true }))
          ids.push(id);
        next = more[0];
      } while (next !== undefined && --left > 0);
      const all = alike.map(({ id }) => id);
      expect(ids).toEqual(limit === 1 ? all.slice(1290, 1320) : all);
    },
  );

  test.each([
    [700, 1300],
    [1320, 1310],
    [Infinity, 1300],
    [Infinity, 0],
    [Infinity, 2800],
  ])(
    "that ends with items without a date is complete, %i per run, of which %i have a date",
    async (limit, dated) => {
      const all = Array.from({ length: 2800 }, (_, n) => ({
        id: `m${String(n).padStart(5, "0")}`,
        at: n < dated ? time(4000 - n) : NEVER,
      }));
      const fetchSome = async (span: { limit: number; offset: number }, bound?: Bound): Promise<Item[]> => {
        const isLate = bound !== undefined && Object.values(bound).includes(NEVER);
        const part = all.filter(({ at }) => bound === undefined || (at === NEVER) === isLate);
        return fetchOf(part)(span, bound);
      };
      const ids: string[] = [];
      let next: string | undefined;
      do {
        const { page, more } = pageRequest({ limit, ...(next === undefined ? {} : { next }) });
        const how = { ...order, byKey: true, ends: NEVER } as const;
        for await (const { id } of byOffset(page, 30, byId, fetchSome, how)) ids.push(id);
        next = more[0];
      } while (next !== undefined);
      expect(ids).toEqual(all.map(({ id }) => id));
    },
  );

  test("whose dates or keys are not in order fails as incomplete", async () => {
    const other = alike.map((item) => ({ ...item, at: `${item.at}~` }));
    const unordered = alike.toSorted((a, b) =>
      a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1,
    );
    for (const walked of [
      byOffset({ limit: Infinity }, 30, byId, fetchOf(alike), {
        ...order,
        dateOf: ({ id }) => other[Number(id.slice(1))]!.at,
        byKey: true,
      }),
      byOffset({ limit: Infinity }, 30, byId, fetchOf(unordered), { ...order, byKey: true }),
    ])
      await expect(
        (async () => {
          for await (const _ of walked);
        })(),
      ).rejects.toMatchObject({ kind: "partial", message: expect.stringMatching(/ first \d+ of these$/) });
  });

  test("longer than the provider lists fails as incomplete", async () => {
    const { page } = pageRequest({ limit: 1500 });
    const ids: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const { id } of byOffset(page, 30, byId, fetch)) ids.push(id);
    };
    await expect(walk()).rejects.toMatchObject({ kind: "partial" });
    expect(ids.length).toBeGreaterThan(1000);
    ids.length = 0;
    page.limit = Infinity;
    const result = await walk().catch((error: CommandError) => [error.message, error.hint]);
    expect(result).toEqual([
      `the provider lists no more than the first ${ids.length} of these`,
      "It counts its way through this list and no further; narrow the list by a flag of this command, or leave its order out.",
    ]);
  });
});

test("moderation queue lists all open reports, also beyond the largest offset", async () => {
  const held = Array.from({ length: 1500 }, (_, n) => ({ id: `r${n}`, created_at: time(n) }));
  const call = async (
    _: string,
    { body }: { body: { limit: number; offset: number; filter_conditions: Filter } },
  ) => {
    expect(body.offset).toBeLessThanOrEqual(1000);
    const from = /"\$gte":"([^"]+)"/.exec(JSON.stringify(body.filter_conditions))?.[1] ?? "";
    const some = held.filter((one) => one.created_at >= from);
    return { flag_reports: some.slice(body.offset, body.offset + body.limit) };
  };
  const ids: string[] = [];
  const numbersOf = { args: {}, page: pageRequest({}).page, core: { call } } as never;
  for await (const { id } of queue.run(numbersOf) as AsyncIterable<{ id: string }>) ids.push(id);
  expect(ids).toEqual(held.map(({ id }) => id));
});

test.each([
  ["2026-11-22T07:00:00Z", "2026-11-22T09:00:00Z", true],
  ["2026-11-22T08:00:00.000001Z", "2026-11-22T09:00:00Z", true],
  ["2026-11-22T08:00:00.000002Z", "2026-11-22T09:00:00Z", false],
  ["2026-11-22T07:00:00Z", "2026-11-22T08:00:00.000001Z", true],
  ["2026-11-22T07:00:00Z", "2026-11-22T08:00:00.000Z", false],
  [undefined, undefined, true],
] as const)("a message is within %s and %s with both moments included: %s", (since, until, within) => {
  const message = { created_at: "2026-11-22T08:00:00.000001Z" } as Message;
  expect(isWithin(message, since, until)).toBe(within);
});
