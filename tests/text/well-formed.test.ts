/** Requests contain whole characters only: the usual JSON, with every lone surrogate replaced. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../src/provider/base/json.ts";
import { wellFormedJson } from "../../src/text/well-formed.ts";

const halves = (text: string): boolean => !text.isWellFormed() || /\\ud[89a-f]/i.test(text);
const anything = fc.jsonValue({
  stringUnit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)),
});

test("any value becomes JSON without lone surrogates, and well-formed values are unchanged", () => {
  fc.assert(
    fc.property(anything, (value) => {
      const text = wellFormedJson(value);
      expect(JSON.stringify(JSON.parse(text)).isWellFormed()).toBe(true);
      expect(/(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text)).toBe(false);
      if (!halves(JSON.stringify(value))) expect(text).toBe(JSON.stringify(value));
    }),
  );
  const date = new Date(0);
  expect(wellFormedJson({ a: [date, "x\ud800y", "😀"], "\udc00": undefined })).toBe(
    `{"a":["${date.toJSON()}","x\ufffdy","😀"]}`,
  );
  expect(wellFormedJson("\\ud800")).toBe(JSON.stringify("\\ud800"));
});
test("parsed JSON has lone surrogates replaced", () => {
  expect(parseJson('{"a":"x\\ud800y","b\\udfff":["\\udc00","\\ud83d\\ude00"]}')).toEqual({
    a: "x\ufffdy",
    "b\ufffd": ["\ufffd", "😀"],
  });
});
