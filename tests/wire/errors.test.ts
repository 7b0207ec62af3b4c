/** Details parsed from the message of an error. */
import { expect, test } from "vitest";
import { failureOf, reasonOf } from "../../src/wire/errors.ts";

test.each([
  ['GetApp failed with error: "no such app"', "no such app"],
  ['GetApp failed with error: ""', "GetApp failed"],
  ["GetApp failed with error: no", "GetApp failed with error: no"],
  ["the line broke", "the line broke"],
  ["", ""],
])("the error text %j is shown as %j", (message, reason) => {
  expect(reasonOf(message)).toBe(reason);
});

test("the operation is recognised also when the reason has another form", () => {
  expect(failureOf("GetApp failed with error: no").operation).toBe("GetApp");
  expect(failureOf("it failed")).toEqual({ reason: "it failed" });
});
