/** Files that people choose are read up to a size, and an endless one is not read to its end. */
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSmallFile } from "../../src/model/files/small-file.ts";

const folder = mkdtempSync(path.join(tmpdir(), "parley-small-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, "file");

test("a file is its text without a byte order mark", () => {
  writeFileSync(file, `\uFEFF${"ä".repeat(100_000)}`);
  expect(readSmallFile(file)).toBe("ä".repeat(100_000));
});

test("16 MiB are read, one byte more and an endless file are refused", () => {
  writeFileSync(file, "");
  truncateSync(file, 16 * 2 ** 20);
  expect(readSmallFile(file).length).toBe(16 * 2 ** 20);
  truncateSync(file, 16 * 2 ** 20 + 1);
  const refused = / is larger than 16 MiB$/;
  expect(() => readSmallFile(file)).toThrow(refused);
  expect(() => readSmallFile("/dev/zero")).toThrow(refused);
});
