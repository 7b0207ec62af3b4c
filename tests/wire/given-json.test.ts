/** A text stays a text unless it is exactly a number, and JSON that would be changed in silence is refused (specification/wire.md §6). */
import { expect, test } from "vitest";
import { parseGiven, settled, typedValue, UnusableValue } from "../../src/wire/given-json.ts";

test.each([
  ["12", 12],
  ["-7", -7],
  ["0.5", 0.5],
  ["9007199254740991", 9_007_199_254_740_991],
  ["12345678901234567890", "12345678901234567890"],
  ["9007199254740993", "9007199254740993"],
  ["1.0", "1.0"],
  ["0.10", "0.10"],
  ["-0", "-0"],
  ["007", "007"],
  ["+49301234", "+49301234"],
  ["1e3", "1e3"],
  ["0.12345678901234567890", "0.12345678901234567890"],
  [" 1", " 1"],
  ["true", true],
  ["null", null],
  ['{"a":[1]}', { a: [1] }],
  ["[not JSON", "[not JSON"],
])("the typed text %j becomes %j", (text, value) => {
  expect(typedValue(text)).toEqual(value);
});

test.each([
  ['{"n":12345678901234567890}', "has the number 12345678901234567890"],
  ['[{"n":-9007199254740993}]', "has the number -9007199254740993"],
  ["1e999", "has the number 1e999"],
  ['{"__proto__":1}', "has a field called __proto__"],
  ['{"a":[{"constructor":1}]}', "has a field called constructor"],
  ['{"proto\\u0074ype":1}', "has a field called prototype"],
  ["[".repeat(1000) + "]".repeat(1000), "is nested too deep or has too many values"],
])("the JSON %j is refused, because it would not be kept as it is", (text, why) => {
  expect(() => parseGiven(text)).toThrow(UnusableValue);
  expect(() => parseGiven(text)).toThrow(why);
});

test("JSON whose numbers are kept is parsed, also beside long texts of digits", () => {
  const text = '{"a":1.0,"b":"12345678901234567890","c":10000000000000000,"d":-0,"e":1e3,"f":"__proto__"}';
  expect(parseGiven(text)).toEqual(JSON.parse(text));
});

test("integers of YAML become numbers, unless they have too many digits", () => {
  expect(settled({ a: [1n, "x"], b: { c: 2n } })).toEqual({ a: [1, "x"], b: { c: 2 } });
  expect(() => settled({ a: 12_345_678_901_234_567_890n })).toThrow("has the number 12345678901234567890");
});
