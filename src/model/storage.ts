/** Failures of disks and databases as data: which kind, from what SQLite or the system said. */

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
  if (typeof errcode === "number") return BY_RESULT[errcode & 0xff] ?? "other";
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
