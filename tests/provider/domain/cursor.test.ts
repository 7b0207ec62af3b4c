/** Lists with cursors return every row once, in both directions and whatever fields a row lacks (specification/wire.md §9). */
import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { BodyReader } from "../../../src/provider/domain/validation/check.ts";
import { bindingOf, listPage, readCursor, readOrder } from "../../../src/provider/domain/query/cursor.ts";
import { ApiProblem } from "../../../src/provider/base/handler.ts";
import { registerBudget } from "../../../src/provider/store/budget.ts";
import type { Database } from "../../../src/provider/base/database.ts";

interface Row {
  id: string;
  size: number | null;
  name: string | null;
}

function tableOf(rows: readonly Row[]): Database {
  const raw = new DatabaseSync(":memory:");
  registerBudget(raw);
  raw.exec("CREATE TABLE thing (id TEXT PRIMARY KEY, size INTEGER, name TEXT)");
  const insert = raw.prepare("INSERT INTO thing VALUES (?, ?, ?)");
  for (const row of rows) insert.run(row.id, row.size, row.name);
  return { raw } as Database;
}

const COLUMNS: Record<string, string> = { size: "t.size", name: "t.name" };
const body = (sort: unknown, more: object = {}): Record<string, unknown> => ({ sort, ...more });

function page(db: Database, request: Record<string, unknown>, limit: number, userId = "ada") {
  const check = new BodyReader(request);
  const keys = readOrder(request.sort, (name) => COLUMNS[name], check, {
    fallback: [{ expression: "t.size", direction: -1 }],
    tie: { expression: "t.id", direction: 1 },
  });
  const binding = bindingOf("things", userId, request.filter, request.sort);
  const cursor = readCursor(check, binding, keys);
  check.done();
  return listPage<Row>(db, {
    columns: "t.*",
    from: "thing t",
    where: { text: "1", values: [] },
    keys,
    limit,
    binding,
    cursor,
  });
}

/** The expected order, computed plainly: by each field, nulls last in both directions, then by id. */
function ordered(rows: readonly Row[], sort: { field: "size" | "name"; direction: 1 | -1 }[]): string[] {
  return rows
    .toSorted((a, b) => {
      for (const { field, direction } of sort) {
        const [x, y] = [a[field], b[field]];
        if (x === y) continue;
        if (x === null) return 1;
        if (y === null) return -1;
        return (x < y ? -1 : 1) * direction;
      }
      return a.id < b.id ? -1 : 1;
    })
    .map(({ id }) => id);
}

const things = fc.uniqueArray(
  fc.record({
    id: fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom(..."abcd") }),
    size: fc.option(fc.integer({ min: 0, max: 3 })),
    name: fc.option(fc.constantFrom("x", "y", "")),
  }),
  { selector: ({ id }) => id, maxLength: 15 },
);
const sorts = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom("size" as const, "name" as const),
    direction: fc.constantFrom(1 as const, -1 as const),
  }),
  { selector: ({ field }) => field, minLength: 1, maxLength: 2 },
);

test("following next returns every row once and in order, and following prev returns the same backwards", () => {
  fc.assert(
    fc.property(things, sorts, fc.integer({ min: 1, max: 4 }), (rows, sort, limit) => {
      const db = tableOf(rows);
      const expected = ordered(rows, sort);
      const forward: string[] = [];
      let got = page(db, body(sort), limit);
      expect(got.prev).toBeUndefined();
      for (let n = 0; n <= rows.length; n++) {
        forward.push(...got.rows.map(({ id }) => id));
        if (got.next === undefined) break;
        got = page(db, body(sort, { next: got.next }), limit);
      }
      expect(forward).toEqual(expected);
      const backward = got.rows.map(({ id }) => id);
      for (let n = 0; n <= rows.length && got.prev !== undefined; n++) {
        got = page(db, body(sort, { prev: got.prev }), limit);
        expect(got.next).toBeDefined();
        backward.unshift(...got.rows.map(({ id }) => id));
      }
      expect(backward).toEqual(expected);
    }),
    { numRuns: 200, seed: 7 },
  );
});

/** What happens to the table between two pages: the row at this place goes, whether it was listed or not, or one comes. */
const changes = fc.array(fc.record({ place: fc.nat(14), adds: fc.boolean() }), { maxLength: 15 });

function change(
  db: Database,
  rows: readonly Row[],
  { place, adds }: { place: number; adds: boolean },
  n: number,
): void {
  if (adds) db.raw.prepare("INSERT INTO thing VALUES (?, ?, ?)").run(`new-${n}`, place % 4, "x");
  else db.raw.prepare("DELETE FROM thing WHERE id = ?").run(rows[place]?.id ?? "");
}

test("a row that stays is listed once, in both directions, whatever is deleted and added between the pages", () => {
  fc.assert(
    fc.property(
      things,
      sorts,
      fc.integer({ min: 1, max: 4 }),
      changes,
      fc.constantFrom("next" as const, "prev" as const),
      (rows, sort, limit, between, side) => {
        const db = tableOf(rows);
        let got = page(db, body(sort), limit);
        // Backwards from the last page.
        if (side === "prev")
          while (got.next !== undefined) got = page(db, body(sort, { next: got.next }), limit);
        const listed = got.rows.map(({ id }) => id);
        for (let n = 0; got[side] !== undefined; n++) {
          if (between[n]) change(db, rows, between[n]!, n);
          got = page(db, body(sort, { [side]: got[side] }), limit);
          listed.push(...got.rows.map(({ id }) => id));
        }
        const kept = (
          db.raw.prepare("SELECT id FROM thing WHERE id NOT LIKE 'new-%'").all() as { id: string }[]
        )
          .map(({ id }) => id)
          .toSorted();
        expect(listed.filter((id) => kept.includes(id)).toSorted()).toEqual(kept);
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});

test("a cursor is refused for another user, filter or sort, and an arbitrary text is no cursor", () => {
  const db = tableOf(["a", "b"].map((id) => ({ id, size: 1, name: null })));
  const { next } = page(db, body(undefined), 1);
  const refused = (request: Record<string, unknown>, userId?: string): string | undefined => {
    try {
      page(db, request, 1, userId);
      return undefined;
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error;
      return `${error.code} ${Object.keys(error.fields ?? {}).join()}`;
    }
  };
  expect(refused({ next })).toBeUndefined();
  expect(refused({ next }, "bob")).toBe("4 next");
  expect(refused({ next, filter: { id: "a" } })).toBe("4 next");
  expect(refused({ next, sort: [{ field: "name", direction: 1 }] })).toBe("4 next");
  expect(refused({ prev: next, next })).toBe("4 prev");
  expect(refused({ next: 7 })).toBe("4 next");
  for (const text of ["x", "e30", Buffer.from('["x"]').toString("base64url"), next!.slice(0, -4)])
    expect(refused({ next: text }), text).toBe("4 next");
});

test("a cursor with fewer or more values than sort fields is refused", () => {
  const db = tableOf(["a", "b"].map((id) => ({ id, size: 1, name: null })));
  const { next } = page(db, body(undefined), 1);
  const parts = JSON.parse(Buffer.from(next!, "base64url").toString("utf8")) as unknown[];
  const encode = (values: unknown[]): string => Buffer.from(JSON.stringify(values)).toString("base64url");
  expect(page(db, body(undefined, { next: encode(parts) }), 1).rows.map(({ id }) => id)).toEqual(["b"]);
  for (const values of [parts.slice(0, 1), parts.slice(0, -1), [...parts, "c"]])
    expect(() => page(db, body(undefined, { next: encode(values) }), 1)).toThrow(
      "is no cursor of this query",
    );
});
