/** Lists of a provider whose pages never end: a repeated page stops the paging with an error. */
import { expect, test } from "vitest";
import { byCursor } from "../../src/commands/base/lists/cursor.ts";
import { freshPages } from "../../src/commands/base/lists/fresh-pages.ts";
import { pagesForward, newest } from "../../src/commands/base/lists/paginate.ts";
import type { Message } from "../../src/wire/entities/message.ts";

const page = { limit: Infinity };
const message = (id: string): Message => ({ id, created_at: "2026-11-22T00:00:00Z" }) as Message;
const drain = async (items: AsyncIterable<unknown>): Promise<number> => {
  let count = 0;
  for await (const _ of items) if (++count > 1000) throw new Error("it goes on for ever");
  return count;
};
const repeatedPageError = {
  name: "CommandError",
  kind: "unavailable",
  message: expect.stringContaining("same page"),
};

test("a cursor that repeats, at once or in a circle, is an error", async () => {
  for (const cursors of [["a"], ["a", "b"]]) {
    let n = 0;
    const walk = byCursor(page, 2, async () => ({ items: [1, 2], next: cursors[n++ % cursors.length] }));
    await expect(drain(walk)).rejects.toMatchObject(repeatedPageError);
  }
});
test("message pages that do not advance in either direction are an error", async () => {
  const same = async (): Promise<Message[]> => [message("m1"), message("m2")];
  await expect(drain(newest(same, page, 2))).rejects.toMatchObject(repeatedPageError);
  await expect(drain(pagesForward(same, page, 2, { since: "2020-01-01T00:00:00Z" }))).rejects.toMatchObject(
    repeatedPageError,
  );
});
test("the same page by offset three times in a row is an error, twice is not", () => {
  const fresh = freshPages();
  fresh([1, 2]);
  fresh([1, 2]);
  fresh([]);
  fresh([3]);
  fresh([3]);
  expect(() => fresh([3])).toThrow("same page");
});

test("empty pages do not count as repeated", () => {
  const fresh = freshPages();
  for (let n = 0; n < 5; n++) fresh([]);
  fresh([1]);
  fresh([]);
  fresh([1]);
  expect(() => fresh([1])).toThrow("the same page again and again");
});
