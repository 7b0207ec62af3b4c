/** Locks between processes: one holder at a time, from the moment the file is there. */
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { acquireLock, isLocked } from "../../../src/model/files/lock-file.ts";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "parley-lock-"));
  lock = path.join(folder, "a.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a lock is held until it is released", () => {
  const release = acquireLock(lock)!;
  expect([isLocked(lock), acquireLock(lock)]).toEqual([true, undefined]);
  release();
  expect([isLocked(lock), existsSync(lock)]).toEqual([false, false]);
});

test("a lock whose owner is being written is held, and one that stayed empty is not", () => {
  writeFileSync(lock, "");
  expect([isLocked(lock), acquireLock(lock)]).toEqual([true, undefined]);
  utimesSync(lock, new Date(0), new Date(0));
  expect(isLocked(lock)).toBe(false);
  expect(acquireLock(lock)).toBeTypeOf("function");
});

test("the lock of a dead process is taken over, and nothing else is left", () => {
  writeFileSync(lock, "999999999:1");
  expect(acquireLock(lock)).toBeTypeOf("function");
  expect(readdirSync(folder)).toEqual(["a.lock"]);
});

/** Takes the lock 200 times; each time adds itself to a list of holders that must be empty, and leaves it. */
const CONTENDER = `
  import { mkdirSync, rmdirSync } from "node:fs";
  const [, lockFile, lock] = process.argv;
  const { acquireLock } = await import(lockFile);
  let [taken, together] = [0, 0];
  while (taken < 200) {
    const release = acquireLock(lock);
    if (!release) continue;
    taken++;
    try { mkdirSync(lock + ".inside"); } catch { together++; }
    try { rmdirSync(lock + ".inside"); } catch {}
    release();
  }
  process.stdout.write(String(together));
`;

test("of three processes that contend for a lock no two ever hold it together", async () => {
  const file = path.join(import.meta.dirname, "../../../src/model/files/lock-file.ts");
  const runs = Array.from({ length: 3 }, () =>
    promisify(execFile)(process.execPath, ["--input-type=module", "-e", CONTENDER, file, lock]),
  );
  const together = (await Promise.all(runs)).map(({ stdout }) => stdout.trim());
  expect(together).toEqual(["0", "0", "0"]);
});
