/** Command line arguments at their edge cases: name=value pairs, typing errors, times, lists, and the current channel. */
import { describe, expect, test } from "vitest";
import { exitOf } from "../../src/cli/base/exit.ts";
import { nearest } from "../../src/text/spelling.ts";
import { fieldsText } from "../../src/cli/output/table.ts";
import { fillArgs } from "../../src/commands/base/args.ts";
import { readPairs } from "../../src/commands/base/custom-fields.ts";
import type { Args } from "../../src/commands/base/define-command.ts";

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
    expect(() => readPairs([pair], "--field")).toThrow("--field must be name=value");
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
  const row = (more: object): Args => ({ it: { kind: "text", help: "it", ...more } }) as Args;
  const standing = { channelType: "messaging", now: 0, currentChannel: "messaging:ops" };
  const it_ = (rows: Args, given: unknown): unknown => fillArgs(rows, { it: given } as never, standing).it;

  test("an empty channel is the one where one stands", () => {
    const current = row({ kind: "channel", defaultsToCurrent: true });
    expect([it_(current, ""), it_(current, undefined), it_(current, "#tea")]).toEqual([
      "messaging:ops",
      "messaging:ops",
      "messaging:tea",
    ]);
  });
  test("no words for a list is no list given: missing where it must be, empty where it may be", () => {
    expect(() => it_(row({ kind: "list", required: true }), [])).toThrow("missing flag --it");
    expect(it_(row({ kind: "list" }), [])).toEqual([]);
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
