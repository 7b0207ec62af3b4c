/** File names of an export fit every file system: cut by bytes with their ending, unique, and one part of a path each. */
import { expect, test } from "vitest";
import { namesOf } from "../../src/jobs/export/pattern.ts";
import type { Channel } from "../../src/wire/entities/channel.ts";

const channel = (id: string, name: string): Channel =>
  ({ id, name, type: "messaging", cid: `messaging:${id}` }) as Channel;
const names = (out: string) => namesOf(out, { formats: 1, date: "2026-11-28" });

test.each([["x".repeat(300)], ["ü".repeat(200)], ["👩‍👩‍👧".repeat(40)], [`${"long ".repeat(60)}.v2`]])(
  "a name of many bytes is cut, with room for what is added while it is written",
  (name) => {
    const { fileFor } = names("n/{name}.txt");
    const [one, two] = ["a", "b"].map((id) =>
      fileFor({ channel: channel(id, name), format: "txt", ext: "txt" }),
    );
    for (const file of [one!, two!]) {
      expect(file).toMatch(/^n\/.*\.txt$/);
      expect(Buffer.byteLength(`${file.slice(2)}.part-journal`)).toBeLessThanOrEqual(255);
      expect(file).not.toContain("\ufffd");
    }
    expect(two).toMatch(/ \(2\)\.txt$/);
  },
);

test("several placeholders of one name are cut together, in folders, too", () => {
  const { fileFor } = names("n/{id}-{name}/{id}-{name}.{ext}");
  const file = fileFor({ channel: channel("i".repeat(60), "ü".repeat(120)), format: "md", ext: "md" });
  expect(
    file
      .split("/")
      .map((part) => Buffer.byteLength(part))
      .every((bytes) => bytes <= 242),
  ).toBe(true);
});

test("a name with separators stays one part of the path, with all of its own parts", () => {
  const { fileFor } = names("n/{name}.txt");
  const fileOf = (name: string): string =>
    fileFor({ channel: channel(name, name), format: "txt", ext: "txt" });
  expect([fileOf("a/b"), fileOf("a\\b"), fileOf("../b")]).toEqual(["n/a_b.txt", "n/a_b (2).txt", "n/_b.txt"]);
});

test("names that differ only in the case of letters are two files, where the file system makes no difference, too", () => {
  const { fileFor } = names("n/{name}.txt");
  const fileOf = (id: string, name: string): string =>
    fileFor({ channel: channel(id, name), format: "txt", ext: "txt" });
  expect([fileOf("a", "Tea"), fileOf("b", "tea"), fileOf("c", "TEA"), fileOf("a", "Tea")]).toEqual([
    "n/Tea.txt",
    "n/tea (2).txt",
    "n/TEA (3).txt",
    "n/Tea.txt",
  ]);
});
