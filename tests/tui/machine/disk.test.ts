/** Listing folders on the disk. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { disk } from "../../../src/tui/machine/disk.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-disk-"));
  writeFileSync(path.join(folder, "a b.txt"), "four");
  mkdirSync(path.join(folder, "sub"));
  symlinkSync(path.join(folder, "sub"), path.join(folder, "to-sub"));
  symlinkSync(path.join(folder, "gone"), path.join(folder, "to-nothing"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a folder is listed with kinds and sizes, and a link as what it points to", async () => {
  const found = await disk.list(folder);
  expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: "a b.txt", kind: "file", size: 4 },
    { name: "sub", kind: "folder" },
    { name: "to-nothing", kind: "other" },
    { name: "to-sub", kind: "folder" },
  ]);
});

test("a folder that cannot be read gives an error, and a missing entry undefined", async () => {
  await expect(disk.list(path.join(folder, "no"))).rejects.toThrow("No such folder.");
  await expect(disk.list(path.join(folder, "a b.txt"))).rejects.toThrow("That is a file, not a folder.");
  expect(await disk.entryAt(path.join(folder, "no"))).toBeUndefined();
  expect(await disk.entryAt(folder)).toMatchObject({ kind: "folder" });
});
