/** Locks of folders: of several processes at the same moment one gets the lock, and a killed one leaves none. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFolderLock } from "../../../src/model/files/folder-lock.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-lock-"));
  lock = path.join(folder, "new/folder.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

const SOURCE = path.join(import.meta.dirname, "../../../src/model/files/folder-lock.ts");
const inProcess = (text: string, ...args: string[]): Promise<{ stdout: string }> =>
  promisify(execFile)(process.execPath, ["--input-type=module", "-e", text, SOURCE, lock, ...args]);

test("a lock is private, excludes others in the same process, and is free once released or its process has ended", async () => {
  const held = takeFolderLock(lock)!;
  expect(statSync(lock).mode & 0o777).toBe(0o600);
  expect(takeFolderLock(lock)).toBeUndefined();
  held.release();
  const { stdout } = await inProcess(`
    const { takeFolderLock } = await import(process.argv[1]);
    process.stdout.write(String(takeFolderLock(process.argv[2]) !== undefined));
    process.kill(process.pid, "SIGKILL");
  `).catch((error: unknown) => error as { stdout: string });
  expect(stdout).toBe("true");
  const again = takeFolderLock(lock);
  expect(again).toBeDefined();
  again!.release();
});

/** Tries once in each slot of 3 ms, at its beginning, and holds the lock for 1 ms; prints a letter for each slot, - where it came too late for the same moment. */
const CONTENDER = `
  const [, source, lock, begin] = process.argv;
  const { takeFolderLock } = await import(source);
  let tries = "";
  for (let slot = 0; slot < 300; slot++) {
    while (Date.now() < Number(begin) + slot * 3);
    if (Date.now() > Number(begin) + slot * 3 + 1) {
      tries += "-";
      continue;
    }
    const held = takeFolderLock(lock);
    tries += held ? "y" : "n";
    for (const end = Date.now() + 1; Date.now() < end; );
    held?.release();
  }
  process.stdout.write(tries);
`;

test("two processes that try at the same moment are never both refused", async () => {
  const together: string[] = [];
  // On a busy machine the two are seldom there at the same moment.
  while (together.length < 50) {
    const begin = String(Date.now() + 1000);
    const [one, other] = await Promise.all([inProcess(CONTENDER, begin), inProcess(CONTENDER, begin)]);
    const slots = [...one.stdout].map((letter, slot) => letter + other.stdout[slot]!);
    expect(slots).toHaveLength(300);
    together.push(...slots.filter((slot) => !slot.includes("-")));
  }
  expect(together.filter((slot) => slot === "nn")).toEqual([]);
});
