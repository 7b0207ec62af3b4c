/** Removing a folder that only one run writes, while another begins: neither fails, and nothing is left. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ArchiveBusy, writeArchive } from "../../src/jobs/archive/open.ts";
import { readMeta, writeMeta } from "../../src/jobs/archive/meta.ts";

let folder: string;
beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), "parley-discard-")), "work");
});
afterEach(() => rmSync(path.dirname(folder), { recursive: true }));

test("a folder is removed with all that is in it, and the next run begins anew", () => {
  const first = writeArchive(folder, { create: true });
  writeMeta(first.db, "run", "first");
  expect(() => writeArchive(folder, { create: true })).toThrow(ArchiveBusy);
  first.discard();
  first.close();
  expect(existsSync(folder)).toBe(false);
  const next = writeArchive(folder, { create: true });
  expect(readMeta(next.db, "run")).toBeUndefined();
  next.discard();
  expect(existsSync(folder)).toBe(false);
});

/** Fills and removes the folder again and again; prints how often it had it, then each failure other than that another has it. */
const CONTENDER = `
  const [, source, meta, folder] = process.argv;
  const { ArchiveBusy, writeArchive } = await import(source);
  const { readMeta, writeMeta } = await import(meta);
  let had = 0;
  const failures = [];
  for (const end = Date.now() + 2000; Date.now() < end; )
    try {
      const archive = writeArchive(folder, { create: true });
      if (readMeta(archive.db, "pid") !== undefined) failures.push("not empty");
      writeMeta(archive.db, "pid", String(process.pid));
      if (readMeta(archive.db, "pid") !== String(process.pid)) failures.push("shared");
      archive.discard();
      had++;
    } catch (error) {
      if (!(error instanceof ArchiveBusy)) failures.push(String(error));
    }
  process.stdout.write([had, ...failures].join("\\n"));
`;

test("three processes that fill and remove the same folder never meet the files of another", async () => {
  const source = (name: string): string => path.join(import.meta.dirname, "../../src/jobs/archive", name);
  const contend = (): Promise<{ stdout: string }> =>
    promisify(execFile)(process.execPath, [
      "--input-type=module",
      "-e",
      CONTENDER,
      source("open.ts"),
      source("meta.ts"),
      folder,
    ]);
  const ran = await Promise.all([contend(), contend(), contend()]);
  const [had, failures] = [
    ran.map(({ stdout }) => stdout.split("\n")[0]),
    ran.map(({ stdout }) => stdout.split("\n").slice(1)),
  ];
  expect(failures).toEqual([[], [], []]);
  for (const count of had) expect(Number(count)).toBeGreaterThan(0);
  expect(existsSync(folder)).toBe(false);
});
