/** Classifies failures of disks and databases by SQLite or system error codes. */
import path from "node:path";
import { getSystemErrorMessage } from "node:util";
import { pathToFileURL } from "node:url";

/** The first bytes of every SQLite database. */
export const DATABASE_HEADER: Uint8Array = Buffer.from("SQLite format 3\0");

export type StorageKind = "full" | "readOnly" | "busy" | "damaged" | "newer" | "other";

/** SQLite result codes. */
const BY_RESULT: Readonly<Record<number, StorageKind>> = {
  5: "busy",
  6: "busy",
  8: "readOnly",
  10: "other",
  11: "damaged",
  13: "full",
  14: "readOnly",
  26: "damaged",
};

/** Extended SQLite codes that are more specific: 4874, the shared-memory file could not grow. */
const BY_EXTENDED: Readonly<Record<number, StorageKind>> = { 4874: "full" };

const BY_SYSTEM: Readonly<Record<string, StorageKind>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "readOnly",
  EACCES: "readOnly",
  EPERM: "readOnly",
};

/** Undefined for errors that are not storage failures. */
export function storageKind(error: unknown): StorageKind | undefined {
  if (!(error instanceof Error)) return undefined;
  const { errcode, code, kind, name } = error as Error & {
    errcode?: unknown;
    code?: unknown;
    kind?: unknown;
  };
  if (name === "StoreFailure") return kind as StorageKind;
  if (typeof errcode === "number") return BY_EXTENDED[errcode] ?? BY_RESULT[errcode & 0xff] ?? "other";
  return typeof code === "string" && Object.hasOwn(BY_SYSTEM, code) ? BY_SYSTEM[code] : undefined;
}

/** The URL for opening a database as immutable: no files beside it are read or created, so data in its WAL is not visible. */
export function immutableUrl(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

export class StoreFailure extends Error {
  readonly kind: StorageKind;
  /** What to do about it, where that is not the usual. */
  hint?: string;
  constructor(kind: StorageKind, message: string) {
    super(message);
    this.name = "StoreFailure";
    this.kind = kind;
  }
}

/** Converts an error of SQLite or the file system to a `StoreFailure`; other errors are returned unchanged. `shown`: a file of the user is named as they did. */
export function asStoreFailure(error: unknown, file: string, shown = path.basename(file)): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  const kind = storageKind(error);
  return kind === undefined ? error : new StoreFailure(kind, `${shown} ${writeProblem(error)}`);
}

/** Why a file could not be written, as the rest of a sentence that begins with its name. */
export function writeProblem(error: Error): string {
  const kind = storageKind(error);
  if (kind !== undefined) return MESSAGES[kind](error);
  const { errno } = error as NodeJS.ErrnoException;
  return `cannot be written: ${errno === undefined ? error.message : getSystemErrorMessage(errno)}`;
}

/** Runs `work` and converts its storage errors to `StoreFailure`. */
export function withStoreFailure<T>(file: string, work: () => T, shown?: string): T {
  try {
    return work();
  } catch (error) {
    throw asStoreFailure(error, file, shown);
  }
}

/** A file of a newer version is neither read nor changed. */
export const newerFailure = (file: string): StoreFailure =>
  new StoreFailure("newer", `${file} was written by a newer version of this program: update it`);

const MESSAGES: Readonly<Record<StorageKind, (error: Error) => string>> = {
  full: () => "cannot grow: the disk is full",
  readOnly: () => "cannot be written: the file, disk or folder is read-only",
  damaged: () => "is damaged",
  busy: () => "is in use by another program for too long",
  newer: () => "was written by a newer version of this program: update it",
  other: (error) => `failed: ${error.message}`,
};
