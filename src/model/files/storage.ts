/** Failures of disks and databases as data: their kind, from what SQLite or the system said. */
import path from "node:path";
import { pathToFileURL } from "node:url";

export type StorageKind = "full" | "readOnly" | "busy" | "damaged" | "newer" | "other";

/** SQLite result codes this program tells apart. */
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

/** Extended codes that say more: SQLite could not make the file larger in which its log is shared. */
const BY_EXTENDED: Readonly<Record<number, StorageKind>> = { 4874: "full" };

const BY_SYSTEM: Readonly<Record<string, StorageKind>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  EROFS: "readOnly",
  EACCES: "readOnly",
  EPERM: "readOnly",
};

/** Undefined for what is no failure of storage at all. */
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

/** For opening a database as it lies: nothing beside it is read or made, so what only stands in its log is not seen. */
export function asItLies(file: string): URL {
  const url = pathToFileURL(file);
  url.searchParams.set("immutable", "1");
  return url;
}

/** A disk or database that refuses; nothing is acknowledged that is not durable. */
export class StoreFailure extends Error {
  readonly kind: StorageKind;
  constructor(kind: StorageKind, message: string) {
    super(message);
    this.name = "StoreFailure";
    this.kind = kind;
  }
}

/** The failure to throw for an error of SQLite or the file system; anything else comes back as it is. */
export function asStoreFailure(error: unknown, file: string): unknown {
  if (error instanceof StoreFailure || !(error instanceof Error)) return error;
  const kind = storageKind(error);
  return kind === undefined ? error : new StoreFailure(kind, `${path.basename(file)} ${WORDS[kind](error)}`);
}

/** Runs `work`, turning what SQLite throws into `StoreFailure`. */
export function withStoreFailure<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw asStoreFailure(error, file);
  }
}

/** One that a newer program wrote is neither read nor changed. */
export const newerFailure = (file: string): StoreFailure =>
  new StoreFailure("newer", `${file} was written by a newer version of this program: update it`);

const WORDS: Readonly<Record<StorageKind, (error: Error) => string>> = {
  full: () => "cannot grow: the disk is full",
  readOnly: () => "cannot be written: the file, disk or folder is read-only",
  damaged: () => "is damaged",
  busy: () => "is in use by another program for too long",
  newer: () => "was written by a newer version of this program: update it",
  other: (error) => `failed: ${error.message}`,
};
