/** Ids of an import made from the ids and names of another service: the same in every run, and different for different ones. */
import { createHash } from "node:crypto";

/** The longest id of a channel; ids of people may be longer. */
const MAX_ID = 64;
const HASH = 12;

export const shortHash = (text: string): string =>
  createHash("sha256").update(text.normalize("NFC")).digest("hex").slice(0, HASH);

/**
 * `prefix` and `key`, if an id may be written so; else what is left of the key and a hash of it, so that keys stay apart that
 * differ only in what was replaced or cut.
 */
export function foreignId(prefix: string, key: string): string {
  const room = MAX_ID - prefix.length;
  if (key.length <= room && /^[\w-]+$/.test(key)) return prefix + key;
  return `${prefix}${key.replace(/[^\w-]/g, "_").slice(0, room - HASH - 1)}-${shortHash(key)}`;
}
