/** Command line arguments at their edge cases: name=value pairs, typing errors, times, lists, and the current channel. */
import { describe, expect, test } from "vitest";
import { exitOf } from "../../src/cli/base/exit.ts";
import { nearest } from "../../src/text/spelling.ts";
import { fieldsText } from "../../src/cli/output/table.ts";
import { fillArgs } from "../../src/commands/base/args.ts";
import { readPairs } from "../../src/commands/base/custom-fields.ts";
import type { Args } from "../../src/commands/base/define-command.ts";

describe("name=value", () => {
  test("a value in the quotes of JSON is a text, whatever it looks like", () => {
    expect(
      readPairs(['a="12"', 'b="true"', 'c="[1]"', 'd="say \\"hi\\""', 'e="', 'f="x" y'], "--field"),
    ).toEqual({
      a: "12",
      b: "true",
      c: "[1]",
      d: 'say "hi"',
      e: '"',
      f: '"x" y',
    });
  });
  test("is split at the first equals sign, and the value may be empty", () => {
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
  test("a field that is a text keeps the value as it is written, and null clears it", () => {
    expect(readPairs(["name=2027", "name=true", "n=2027"], "--field", ["name"])).toEqual({
      name: "true",
      n: 2027,
    });
    expect(readPairs(['name="7"', "title=[1]", "gone=null"], "--field", ["name", "title", "gone"])).toEqual({
      name: "7",
      title: "[1]",
      gone: null,
    });
  });
  test.each(["=x", "x", ""])("%j is refused", (pair) => {
    expect(() => readPairs([pair], "--field")).toThrow("--field must be name=value");
  });
});

describe("a typing error", () => {
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
  ])("%s is corrected to %j: one error in a short word, two in a long one", (typed, meant) => {
    expect(nearest(typed, names, [])).toEqual(meant);
  });
});

describe("values", () => {
  const row = (more: object): Args => ({ it: { kind: "text", help: "it", ...more } }) as Args;
  const context = { channelType: "messaging", now: 0, currentChannel: "messaging:ops" };
  const valueOf = (rows: Args, given: unknown): unknown => fillArgs(rows, { it: given } as never, context).it;

  test("an empty channel argument is the current channel", () => {
    const current = row({ kind: "channel", defaultsToCurrent: true });
    expect([valueOf(current, ""), valueOf(current, undefined), valueOf(current, "#tea")]).toEqual([
      "messaging:ops",
      "messaging:ops",
      "messaging:tea",
    ]);
  });
  test("a number has both of its bounds among its values, and nothing beyond them", () => {
    const bounded = row({ kind: "number", from: 1, to: 32 });
    expect(["1", "2", "31", "32"].map((text) => valueOf(bounded, text))).toEqual([1, 2, 31, 32]);
    for (const text of ["0", "33", "1.5", "-1", ""])
      expect(() => valueOf(bounded, text)).toThrow(/^--it must be a (whole )?number/);
    const open = row({ kind: "number", from: 0 });
    expect([valueOf(open, "0"), valueOf(open, "9007199254740991")]).toEqual([0, 9_007_199_254_740_991]);
    for (const text of ["-1", "9007199254740992"]) expect(() => valueOf(open, text)).toThrow("--it must be");
  });
  test("a flag for users takes several in one word, with or without @; other lists keep their commas", () => {
    expect(valueOf(row({ kind: "list", value: "user" }), ["ana, @bo", "cy"])).toEqual(["ana", "bo", "cy"]);
    expect(valueOf(row({ kind: "list", value: "name=value" }), ["a=1,2"])).toEqual(["a=1,2"]);
    expect(() => valueOf(row({ kind: "list", value: "user" }), ["ana,,bo"])).toThrow("must not be empty");
  });

  test("an empty list argument is missing if required, and empty if optional", () => {
    expect(() => valueOf(row({ kind: "list", required: true }), [])).toThrow("missing flag --it");
    expect(valueOf(row({ kind: "list" }), [])).toEqual([]);
    expect(valueOf(row({ kind: "list" }), ["a"])).toEqual(["a"]);
  });
});

test("fields on a terminal leave out empty values, but not 0 and false", () => {
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
])("HTTP %i without a code exits with %i", (status, exit) => {
  expect(exitOf(Object.assign(new Error("x"), { name: "ApiError", status }))).toBe(exit);
});
