/** Filters translated to SQL find exactly what a plain implementation of their rules finds (specification/users.md §7). */
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Channel } from "../../../src/wire/entities/channel.ts";
import type { User } from "../../../src/wire/entities/user.ts";
import { TestDomain } from "./support.ts";

type Json = Record<string, unknown>;
const at = (row: Json, path: string): unknown =>
  path.split(".").reduce<unknown>((value, step) => (value as Json | undefined)?.[step] ?? undefined, row);

const sorted = (value: unknown): string => JSON.stringify(value);
const equal = (a: unknown, b: unknown): boolean => {
  if (b === null) return a === undefined || a === null;
  if (Array.isArray(a) && Array.isArray(b))
    return (
      a.every((x) => b.some((y) => sorted(x) === sorted(y))) &&
      b.every((y) => a.some((x) => sorted(x) === sorted(y)))
    );
  return sorted(a) === sorted(b);
};
/** Compares by code point, as the rules require. */
const order = (a: unknown, b: unknown): number | undefined => {
  if (typeof a !== typeof b || (typeof a !== "number" && typeof a !== "string")) return undefined;
  if (typeof a === "number") return a - (b as number);
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string));
};
const words = (text: unknown): string[] =>
  typeof text === "string" ? (text.toLowerCase().match(/[a-z0-9_é]+/g) ?? []) : [];

function matches(row: Json, filter: Json): boolean {
  return Object.entries(filter).every(([key, value]) => {
    if (key === "$and") return (value as Json[]).every((part) => matches(row, part));
    if (key === "$or") return (value as Json[]).some((part) => matches(row, part));
    if (key === "$nor") return !(value as Json[]).some((part) => matches(row, part));
    const field = at(row, key);
    const tests: Json =
      value !== null && typeof value === "object" && Object.keys(value)[0]?.startsWith("$")
        ? (value as Json)
        : { $eq: value };
    return Object.entries(tests).every(([op, arg]) => {
      const element = (x: unknown): boolean =>
        Array.isArray(field) && field.some((f) => sorted(f) === sorted(x));
      const compared = order(field, arg);
      switch (op) {
        case "$eq":
          return equal(field, arg);
        case "$ne":
          return !equal(field, arg);
        case "$in":
          return (arg as unknown[]).some((x) => sorted(field) === sorted(x) || element(x));
        case "$nin":
          return !(arg as unknown[]).some((x) => sorted(field) === sorted(x) || element(x));
        case "$gt":
          return compared !== undefined && compared > 0;
        case "$gte":
          return compared !== undefined && compared >= 0;
        case "$lt":
          return compared !== undefined && compared < 0;
        case "$lte":
          return compared !== undefined && compared <= 0;
        case "$exists":
          return (field !== undefined && field !== null) === arg;
        case "$contains":
          return element(arg);
        case "$autocomplete":
          return words(field).some((word) => word.startsWith(String(arg)));
        case "$q":
          return words(arg).every((word) => words(field).includes(word));
        default:
          throw new Error(op);
      }
    });
  });
}

const text = fc.constantFrom("tea", "Tea", "green tea", "oolong", "ä", "😀", "");
const scalar = fc.oneof(text, fc.integer({ min: -2, max: 3 }), fc.constantFrom(0.5, true, false));
const row = fc.record(
  {
    drink: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
    name: fc.constantFrom("Mira Otto", "otto", "Ann_e", "tea house"),
    deep: fc.record({ floor: scalar }),
  },
  { requiredKeys: [] },
);
const field = fc.constantFrom("drink", "deep.floor", "absent");
const leaf = fc.oneof(
  fc.tuple(field, fc.constantFrom("$eq", "$ne", "$contains"), scalar),
  fc.tuple(field, fc.constant("$eq"), fc.oneof(fc.constant(null), fc.array(scalar, { maxLength: 3 }))),
  fc.tuple(field, fc.constantFrom("$in", "$nin"), fc.array(scalar, { maxLength: 3 })),
  fc.tuple(
    field,
    fc.constantFrom("$gt", "$gte", "$lt", "$lte"),
    fc.oneof(text, fc.integer({ min: -2, max: 3 })),
  ),
  fc.tuple(field, fc.constant("$exists"), fc.boolean()),
  fc.tuple(fc.constant("name"), fc.constant("$autocomplete"), fc.constantFrom("ot", "mi", "te", "x")),
  fc.tuple(fc.constant("name"), fc.constant("$q"), fc.constantFrom("otto", "otto mira", "tea", "ot")),
);
const simple = fc
  .array(leaf, { minLength: 1, maxLength: 2 })
  .map((leaves) => Object.fromEntries(leaves.map(([name, op, arg]) => [name, { [op]: arg }])));
const filter = fc.oneof(
  simple,
  fc
    .tuple(fc.constantFrom("$and", "$or", "$nor"), fc.array(simple, { minLength: 1, maxLength: 3 }))
    .map(([op, parts]) => ({ [op]: parts })),
);

const leavesOf = (each: object): number =>
  Object.entries(each).reduce(
    (sum, [key, value]) =>
      sum + (key.startsWith("$") ? (value as object[]).reduce((n, part) => n + leavesOf(part), 0) : 1),
    0,
  );

test("users: random filters over random rows find what the rules say", () => {
  const b = new TestDomain();
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.array(filter, { minLength: 1, maxLength: 8 }),
      (rows, filters) => {
        b.db.run("DELETE FROM users");
        const users = rows.map((fields, i) => ({ ...fields, id: `u${i}` }));
        for (const { id, ...fields } of users) b.user(id, fields);
        for (const each of filters) {
          // All these fields are custom fields or searched by words, of which a filter may use two.
          if (leavesOf(each) > 2) {
            const refused = b.refusalOf({ server: true }, "queryUsers", {
              body: { filter_conditions: each },
            });
            expect({ one: each, refused }).toEqual({ one: each, refused: [4, "filter_conditions"] });
            continue;
          }
          const found = b.call({ server: true }, "queryUsers", {
            body: { filter_conditions: each, sort: [{ field: "id", direction: 1 }] },
          }).users as User[];
          const expected = users
            .filter((user) => matches(user, each))
            .map(({ id }) => id)
            .toSorted();
          expect({ one: each, ids: found.map(({ id }) => id) }).toEqual({ one: each, ids: expected });
        }
      },
    ),
    { numRuns: 90, seed: 11 },
  );
});

describe("channels", () => {
  function channelWorld(): TestDomain {
    const b = new TestDomain();
    for (const id of ["ada", "bob", "cyd"]) b.user(id, { name: id.toUpperCase() });
    b.channel("one", "ada", ["ada", "bob"], "messaging", { name: "Tea room", floor: 1, filter_tags: ["x"] });
    b.channel("two", "ada", ["ada", "bob", "cyd"], "team", { name: "Coffee", floor: 2 });
    b.channel("three", "bob", ["bob"], "messaging", { floor: "2" });
    b.channel("live", "bob", ["bob"], "livestream");
    b.send("bob", "one", { id: "m", text: "hi" });
    return b;
  }
  const b = channelWorld();
  b.call("ada", "updateMemberPartial", {
    path: { type: "messaging", id: "one", user_id: "ada" },
    body: { set: { pinned: true } },
  });
  b.call("ada", "muteChannel", { body: { channel_cid: "team:two" } });
  const list = (as: string, filter_conditions: object, sort?: object[]): string[] =>
    (
      b.call(as, "queryChannels", { body: { filter_conditions, sort } }).channels as { channel: Channel }[]
    ).map(({ channel }) => channel.id);

  test.each<[object, string[]]>([
    [{}, ["one", "live", "two"]],
    [{ type: "team" }, ["two"]],
    [{ cid: { $in: ["team:two", "messaging:three"] } }, ["two"]],
    [{ members: { $in: ["cyd"] } }, ["two"]],
    [{ members: { $eq: ["bob", "ada"] } }, ["one"]],
    [{ "member.user.name": { $autocomplete: "cy" } }, ["two"]],
    [{ created_by_id: "bob" }, ["live"]],
    [{ joined: false }, ["live"]],
    [{ pinned: true }, ["one"]],
    [{ pinned: false, joined: true }, ["two"]],
    [{ muted: true }, ["two"]],
    [{ has_unread: true }, ["one"]],
    [{ member_count: { $gt: 2 } }, ["two"]],
    [{ last_message_at: { $exists: true } }, ["one"]],
    [{ filter_tags: { $in: ["x", "y"] } }, ["one"]],
    [{ "custom.floor": { $gte: 2 } }, ["two"]],
    [{ name: { $autocomplete: "roo" } }, ["one"]],
    [{ $nor: [{ type: "team" }, { type: "livestream" }] }, ["one"]],
    [{ hidden: true }, []],
  ])("%j finds %j for ada", (filter, expected) => expect(list("ada", filter)).toEqual(expected));

  test("sorts with nulls last in both directions, and by cid at last", () => {
    expect(list("ada", {}, [{ field: "floor", direction: 1, type: "number" }])).toEqual([
      "one",
      "two",
      "live",
    ]);
    expect(list("ada", {}, [{ field: "floor", direction: -1, type: "number" }])).toEqual([
      "two",
      "one",
      "live",
    ]);
    expect(
      list("ada", {}, [
        { field: "pinned_at", direction: -1 },
        { field: "last_updated", direction: 1 },
      ]),
    ).toEqual(["one", "two", "live"]);
    expect(list("ada", {}, [{ field: "unread_count", direction: -1 }])).toEqual(["one", "live", "two"]);
    expect(list("ada", {}, [{ field: "has_unread", direction: 1 }])).toEqual(["live", "two", "one"]);
    expect(list("ada", {}, [{ field: "member_count", direction: -1 }])).toEqual(["two", "one", "live"]);
  });

  test("has_unread finds at most a hundred channels", () => {
    const big = new TestDomain();
    for (const id of ["ada", "bob"]) big.user(id);
    for (let n = 0; n < 103; n++) {
      big.channel(`r${n}`, "ada", ["ada", "bob"]);
      big.send("ada", `r${n}`, { text: "hi" });
    }
    const page = (offset: number): number =>
      (
        big.call("bob", "queryChannels", {
          body: { filter_conditions: { has_unread: true }, limit: 30, offset, state: false },
        }).channels as unknown[]
      ).length;
    expect([page(0), page(90), page(100)]).toEqual([30, 10, 0]);
  });

  test.each(["$in", "$nin"])("%s takes a hundred values, and refuses one more", (operator) => {
    const body = (count: number): Record<string, unknown> => ({
      filter_conditions: {
        cid: { [operator]: Array.from({ length: count }, (_, i) => `messaging:none${i}`) },
      },
    });
    const { channels } = b.call("ada", "queryChannels", { body: body(100) });
    expect((channels as unknown[]).length > 0).toBe(operator === "$nin");
    expect(b.refusalOf("ada", "queryChannels", { body: body(101) })[0]).toBe(4);
  });

  test.each<[object, string]>([
    [{ filter_conditions: { type: { $near: 1 } } }, "filter_conditions.type.$near"],
    [{ filter_conditions: { $xor: [] } }, "filter_conditions.$xor"],
    [{ filter_conditions: { $and: [] } }, "filter_conditions.$and"],
    [{ filter_conditions: { created_at: "soon" } }, "filter_conditions.created_at"],
    [{ filter_conditions: { frozen: "yes" } }, "filter_conditions.frozen"],
    [{ filter_conditions: { members: { $gt: "a" } } }, "filter_conditions.members"],
    [{ filter_conditions: { 'x") OR 1=1 --': 1 } }, 'filter_conditions.x") OR 1=1 --'],
    [{ filter_conditions: { a: { $in: Array.from({ length: 101 }, (_, i) => i) } } }, "filter_conditions.a"],
    [{ sort: [{ field: "name; DROP TABLE users", direction: 1 }] }, "sort.0.field"],
    [{ sort: [{ field: "name", direction: 2 }] }, "sort.0.direction"],
    [{ limit: 0 }, "limit"],
    [{ offset: 1001 }, "offset"],
    [{ watch: true }, "watch"],
  ])("%j is refused at %s", (body, expected) => {
    const [code, first] = b.refusalOf("ada", "queryChannels", { body: body as Record<string, unknown> });
    expect([code, first]).toEqual([4, expected]);
  });
});
