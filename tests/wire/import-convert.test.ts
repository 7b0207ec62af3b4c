/** What becomes of the lines of an export on their way into an import (admin.md §9, §10). */
import { expect, test } from "vitest";
import { convertExport } from "../../src/wire/import-convert.ts";
import type { ImportItem } from "../../src/wire/import.ts";

async function converted(...lines: object[]): Promise<ImportItem[]> {
  const items: ImportItem[] = [];
  for await (const item of convertExport(async function* () {
    yield* lines;
  }))
    items.push(item);
  return items;
}

test("a user's own line counts, wherever others mention that user: before it or after it", async () => {
  const whole = { type: "user", data: { id: "ada", name: "Ada", role: "admin", language: "en" } };
  const mention = { type: "channel", data: { type: "team", id: "tea", created_by: { id: "ada" } } };
  const item = { type: "user", data: { id: "ada", name: "Ada", role: "admin", language: "en" } };
  for (const lines of [
    [mention, whole],
    [whole, mention],
  ]) {
    const users = (await converted(...lines)).filter(({ type }) => type === "user");
    expect(users).toEqual([item]);
  }
});
