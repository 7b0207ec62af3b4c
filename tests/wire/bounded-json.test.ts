/** JSON and YAML of others: what would cost far more than its length suggests is refused before it is parsed. */
import { expect, test, vi } from "vitest";
import { parseJson } from "../../src/provider/base/json.ts";
import { isExcessive, isExcessiveYaml, parseBounded } from "../../src/wire/bounded-json.ts";

const listOf = (count: number, one: string): string => `[${Array<string>(count).fill(one).join()}]`;
const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
const keys = (count: number): string => `{${Array.from({ length: count }, (_, n) => `"k${n}":1`).join()}}`;

test.each<[string, string, string]>([
  ["128 levels", nested(128), nested(129)],
  ["50,000 lists and objects", listOf(49_999, "{}"), listOf(50_000, "{}")],
  ["200,000 commas", listOf(200_001, "1"), listOf(200_002, "1")],
  ["100,000 keys", keys(100_000), keys(100_001)],
])("an item may have %s, and not one more", (_, most, more) => {
  expect([isExcessive(most, "item"), isExcessive(more, "item")]).toEqual([false, true]);
  expect([parseBounded(most, "item") === undefined, parseBounded(more, "item")]).toEqual([false, undefined]);
});

test("an answer may have twenty times as many objects as an item", () => {
  expect([isExcessive(listOf(999_999, "{}")), isExcessive(listOf(1_000_000, "{}"))]).toEqual([false, true]);
});

test("what stands in a text is not counted, also after an escaped quote", () => {
  const text = JSON.stringify({ text: `\\"${"[{,:".repeat(100_000)}` });
  expect([isExcessive(text, "item"), parseBounded(text, "item")]).toEqual([false, JSON.parse(text)]);
});

test.each<[string, string, boolean]>([
  ["100,000 lines", "a\n".repeat(100_000), false],
  ["more lines", "a\n".repeat(100_001), true],
  ["lists in a line", `a: ${listOf(60_000, "[]")}`, true],
  ["128 levels of brackets", nested(128), false],
  ["129 levels of brackets", nested(129), true],
  ["127 lists begun on one line", `${"- ".repeat(127)}x`, false],
  ["128 lists begun on one line", `${"- ".repeat(128)}x`, true],
  ["a long text with commas", `text: >\n  ${"so, and so, ".repeat(40_000)}`, false],
  ["a rule of dashes", `text: ${"-".repeat(500)} ${"- ".repeat(100)}`, false],
])("a YAML file of %s is judged by its values and levels", (_, text, isRefused) => {
  expect(isExcessiveYaml(text)).toBe(isRefused);
});

test.each<[string, string, RegExp]>([
  ["levels", `{"a":${nested(64)}}`, /at most 64 levels deep/],
  ["values", `{"a":${listOf(50_002, "0")}}`, /at most 50000 values/],
  ["objects", `{"a":${listOf(50_001, "{}")}}`, /at most 50000 values/],
])("the provider counts the %s of a body before it is parsed", (_, text, refusal) => {
  const parse = vi.spyOn(JSON, "parse");
  expect(() => parseJson(text)).toThrow(refusal);
  expect(parse).not.toHaveBeenCalled();
});

test("the provider parses a body at its bounds", () => {
  for (const text of [`{"a":${nested(63)}}`, `{"a":${listOf(49_997, "0")}}`])
    expect(parseJson(text)).toHaveProperty("a");
});
