/** What is typed on a command line, read to its edges: pairs, times, slips, and where one stands. */
import { describe, expect, test } from "vitest";
import { exitOf } from "../../src/cli/exit.ts";
import { nearest } from "../../src/cli/near.ts";
import { fieldsText } from "../../src/cli/paint/table.ts";
import { fillArgs } from "../../src/commands/args.ts";
import { readPairs } from "../../src/commands/pairs.ts";
import { readWhen } from "../../src/commands/when.ts";
import type { Args } from "../../src/commands/kit.ts";

describe("name=value", () => {
  test("is cut at the first equals sign; a value may hold more of them, or nothing", () => {
    expect(readPairs(["a=b=c", "d=", "e==", "f=7", "g=[1]", "h={", "i=01"], "--field")).toEqual({
      a: "b=c",
      d: "",
      e: "=",
      f: 7,
      g: [1],
      h: "{",
      i: "01",
    });
  });
  test.each(["=x", "x", ""])("%j names nothing", (pair) => {
    expect(() => readPairs([pair], "--field")).toThrow("--field wants name=value");
  });
});

describe("a time", () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const hour = 3_600_000;
  const iso = (ms: number): string => new Date(ms).toISOString();

  test.each<[string, "past" | "future", number]>([
    ["2h", "past", now - 2 * hour],
    ["2h", "future", now + 2 * hour],
    ["+2h", "past", now + 2 * hour],
    ["-2h", "past", now - 2 * hour],
    ["1800000000", "past", 1_800_000_000_000],
    ["1800000000123", "past", 1_800_000_000_123],
  ])("%s, looking to the %s", (typed, direction, at) =>
    expect(readWhen(typed, now, direction)).toBe(iso(at)),
  );

  test.each(["180000000", "180000000012", "7", "2026-02-31", "2h30", "soon"])("%s is none", (typed) => {
    expect(readWhen(typed, now)).toBeUndefined();
  });
});

describe("a slip", () => {
  const names = ["list", "send", "channel", "member", "message"];
  test.each([
    ["lsit", ["list"]],
    ["ilst", ["list"]],
    ["sedn", ["send"]],
    ["esnd", ["send"]],
    ["cahnnel", ["channel"]],
    ["hcannel", ["channel"]],
    ["chanel", ["channel"]],
    ["chanle", ["channel"]],
    ["snd", ["send"]],
    ["sxdx", []],
    ["chxxxel", []],
  ])("%s means %j: one in a short word, two in a long one", (typed, meant) => {
    expect(nearest(typed, names, [])).toEqual(meant);
  });
});

describe("values", () => {
  const row = (more: object): Args => ({ it: { kind: "text", place: "flag", help: "it", ...more } }) as Args;
  const standing = { channelType: "messaging", now: 0, here: "messaging:ops" };
  const it_ = (rows: Args, given: unknown): unknown => fillArgs(rows, { it: given } as never, standing).it;

  test("an empty channel is the one where one stands", () => {
    const here = row({ kind: "channel", here: true });
    expect([it_(here, ""), it_(here, undefined), it_(here, "#tea")]).toEqual([
      "messaging:ops",
      "messaging:ops",
      "messaging:tea",
    ]);
  });
  test("no words for a list is no list given: missing where it must be, empty where it may be", () => {
    expect(() => it_(row({ kind: "list" }), [])).toThrow("is missing");
    expect(it_(row({ kind: "list", optional: true }), [])).toEqual([]);
    expect(it_(row({ kind: "list" }), ["a"])).toEqual(["a"]);
  });
});

test("a terminal's fields leave out what is empty, not nought and not a no", () => {
  const text = fieldsText(
    [
      ["unread", 0],
      ["muted", false],
      ["topic", ""],
      ["name", undefined],
    ],
    { tty: true, utc: true },
  );
  expect(text).toBe("unread  0\nmuted   false\n");
});

test.each([
  [408, 10],
  [429, 10],
  [409, 6],
  [413, 7],
  [404, 3],
  [403, 5],
  [401, 4],
  [501, 5],
])("HTTP %i without a code ends with %i", (status, exit) => {
  expect(exitOf(Object.assign(new Error("x"), { name: "ApiError", status }))).toBe(exit);
});
