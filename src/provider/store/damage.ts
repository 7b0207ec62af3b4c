/** Decides when a database file is checked before use, and where a damaged one is moved. */
import { existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { renameDatabase } from "../../model/files/own-files.ts";
import { storageKind } from "../../model/files/storage.ts";

const CORRUPT = 11;

/** Files up to this many bytes are checked at every start, which takes a few hundredths of a second. */
const ALWAYS_CHECKED_BYTES = 32 * 2 ** 20;
/** Suffix of a marker file, written when damage was found in use: the next start checks every page and index. */
const MARKER_SUFFIX = "-damaged";

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** Whether SQLite reports with this error that the file is damaged. */
export function isDamage(error: unknown): boolean {
  return storageKind(error) === "damaged";
}

export const damageError = (message: string): Error =>
  Object.assign(new Error(message), { errcode: CORRUPT });

/**
 * The check a file needs; call it before the file is opened. A big file that was closed properly is not checked: SQLite removes
 * its log then, so a remaining log means that the process was killed or the machine crashed.
 */
export function neededCheck(file: string): "quick" | "whole" | undefined {
  if (existsSync(file + MARKER_SUFFIX)) return "whole";
  const unclean = existsSync(`${file}-wal`) || sizeOf(`${file}-journal`) > 0;
  return unclean || sizeOf(file) <= ALWAYS_CHECKED_BYTES ? "quick" : undefined;
}

/** Marks the file for a whole check at the next start. Never throws: a failing disk has been reported already. */
export function markDamaged(file: string): void {
  try {
    writeFileSync(file + MARKER_SUFFIX, "", { mode: 0o600 });
  } catch {
    // The damage is found again when the pages are used again.
  }
}

export function unmarkDamaged(file: string): void {
  rmSync(file + MARKER_SUFFIX, { force: true });
}

/** Renames the file and its log to `<file>.damaged-<n>`; returns the new name. */
export function moveDamagedAside(file: string): string {
  let n = 1;
  while (existsSync(`${file}.damaged-${n}`)) n++;
  const aside = `${file}.damaged-${n}`;
  renameDatabase(file, aside);
  unmarkDamaged(file);
  return aside;
}
