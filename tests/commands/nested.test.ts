/** Endlessly nested JSON is refused with a sentence, wherever it is given. */
import { expect, test } from "vitest";
import { readObject } from "../../src/commands/app/setting-changes.ts";
import { readRecords } from "../../src/commands/base/bulk/records.ts";
import { readPairs } from "../../src/commands/base/custom-fields.ts";

const DEEP = `{"id":"x","deep":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
const input = async function* (): AsyncIterable<string> {
  yield DEEP;
};

test("deeply nested JSON in a field is refused", () => {
  expect(() => readPairs([`deep=${DEEP}`], "--custom")).toThrow(
    "The value of deep is nested too deep or has too many values.",
  );
});
test("deeply nested JSON in a settings file is refused", async () => {
  await expect(readObject({ input }, "-")).rejects.toThrow("- is nested too deep or has too many values.");
});
test("deeply nested JSON in a file of records is refused", async () => {
  const read = async (): Promise<void> => {
    for await (const record of readRecords({ input }, "-")) if ("fault" in record) throw record.fault;
  };
  await expect(read()).rejects.toThrow("Record 1 is nested too deep or has too many values.");
});
