/** Partial updates are limited: the number of paths is checked before anything else is done with them. */
import { expect, test } from "vitest";
import type { EndpointName } from "../../../src/wire/endpoints/index.ts";
import type { RouteCall } from "../../../src/provider/base/handler.ts";
import { BodyReader } from "../../../src/provider/domain/validation/check.ts";
import { readPartial } from "../../../src/provider/domain/validation/paths.ts";
import { room, ROOM } from "./support.ts";
import { cpuMilliseconds } from "../../support/cpu-time.ts";

type Input = Partial<Pick<RouteCall, "path" | "query" | "body">>;

const manyPaths = (count: number): Record<string, unknown> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, n]));

/** Every route that takes `set` and `unset`, with an input as ada sends it. */
function routes(partial: Record<string, unknown>): [EndpointName, Input][] {
  return [
    ["updateMessagePartial", { path: { id: "m" }, body: partial }],
    ["updateMessageEphemeral", { path: { id: "m" }, body: partial }],
    ["updateChannelPartial", { path: ROOM, body: partial }],
    ["updateMemberPartial", { path: { ...ROOM, user_id: "ada" }, body: partial }],
    ["updateUsersPartial", { body: { users: [{ id: "ada", ...partial }] } }],
    ["updatePollPartial", { path: { poll_id: "poll" }, body: partial }],
    ["updateThreadPartial", { path: { message_id: "m" }, body: partial }],
  ];
}

function roomWithPoll() {
  const b = room();
  b.send("ada", "room", { id: "m", text: "hello" });
  b.send("ada", "room", { text: "below", parent_id: "m" });
  b.call("ada", "createPoll", { body: { id: "poll", name: "Tea?", options: [{ text: "yes" }] } });
  return b;
}

test("20,000 paths are refused at once by every route with partial updates", () => {
  const b = roomWithPoll();
  for (const [name, input] of routes({ set: manyPaths(20_000) })) {
    const began = cpuMilliseconds();
    const [code, field] = b.refusalOf("ada", name, input);
    expect([name, code, field?.split(".").at(-1)]).toEqual([name, 4, "set"]);
    // Comparing every path with every other took twelve seconds.
    expect(cpuMilliseconds() - began, name).toBeLessThan(1000);
  }
});

test("set and unset together may have 100 paths, and not more", () => {
  const b = roomWithPoll();
  const unset = ["one", "two"];
  for (const [name, input] of routes({ set: manyPaths(99), unset }))
    expect([name, b.refusalOf("ada", name, input)[0]]).toEqual([name, 4]);
  for (const [name, input] of routes({ set: manyPaths(98), unset }))
    expect([name, b.call("ada", name, input) !== undefined]).toEqual([name, true]);
});

test("overlapping paths are refused, of two equal ones the unset one counts, paths that only sort next to each other are not", () => {
  const errorOf = (set: Record<string, unknown>, unset: string[] = []): unknown => {
    const check = new BodyReader({ set, unset });
    readPartial(check);
    try {
      check.done();
    } catch (error) {
      return (error as Error).message;
    }
    return undefined;
  };
  expect(errorOf({ a: 1, "a-b": 1, "a.b": 1 })).toBe("set.a.b overlaps the path a");
  expect(errorOf({ "a.b.c": 1, "a-b": 1 }, ["a.b"])).toBe("unset.a.b overlaps the path a.b.c");
  expect(errorOf({ a: 1 }, ["a"])).toBe(undefined);
  expect(errorOf({}, ["a", "a"])).toBe(undefined);
  expect(errorOf({ a: 1 }, ["a.b.c"])).toBe("unset.a.b.c overlaps the path a");
  expect(errorOf({ "a.b": 1, "a.c": 1, "a-b": 1, ab: 1, "b.a": 1 }, ["a.d"])).toBe(undefined);
});

test("a path of very many steps is refused", () => {
  const b = roomWithPoll();
  const deep = Array.from({ length: 100_000 }, () => "a").join(".");
  for (const [name, input] of routes({ set: { [deep]: 1 } }))
    expect([name, b.refusalOf("ada", name, input)[0]]).toEqual([name, 4]);
});
