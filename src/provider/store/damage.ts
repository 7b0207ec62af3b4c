/** Decides when a database file is checked before use, and where a damaged one is moved. */
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { renameDatabase } from "../../model/files/own-files.ts";
import { storageKind } from "../../model/files/storage.ts";

/** SQLite's result code of a database that is damaged. */
const CORRUPT = 11;

/** A file of this size is looked through at every start, bytes: it costs a few hundredths of a second. */
const SMALL = 32 * 2 ** 20;
/** Beside the file, written when damage was met in use: the next start looks at every page and every index. */
const MARK = "-damaged";

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Did SQLite give this error because of what stands in the file? */
export function isDamage(error: unknown): boolean {
  return storageKind(error) === "damaged";
}

export const damage = (found: string): Error => Object.assign(new Error(found), { errcode: CORRUPT });

/**
 * Ask before the file is opened. A big one that was closed as it should be is not looked through: SQLite removes its
 * log at a clean end, so a log that is left says that the process was killed or the machine went down.
 */
export function neededCheck(file: string): "quick" | "whole" | undefined {
  if (existsSync(file + MARK)) return "whole";
  const unclean = existsSync(`${file}-wal`) || sizeOf(`${file}-journal`) > 0;
  return unclean || sizeOf(file) <= SMALL ? "quick" : undefined;
}

/** Remembers over the next start that damage was met. Never throws: a disk that refuses this has told us already. */
export function markDamaged(file: string): void {
  try {
    writeFileSync(file + MARK, "", { mode: 0o600 });
  } catch {
    // The next use of the damaged pages finds the damage again.
  }
}

export function unmarkDamaged(file: string): void {
  rmSync(file + MARK, { force: true });
}

/** Renames the file and its log to `<file>.damaged-<n>`; answers the new name. */
export function moveDamagedAside(file: string): string {
  let n = 1;
  while (existsSync(`${file}.damaged-${n}`)) n++;
  const aside = `${file}.damaged-${n}`;
  renameDatabase(file, aside);
  unmarkDamaged(file);
  return aside;
}
