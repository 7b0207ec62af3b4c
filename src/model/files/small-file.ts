/** Reads files that people write or choose, up to a size; an endless one is not read to its end. */
import { closeSync, openSync, readSync } from "node:fs";
import { LocalError } from "../errors.ts";

/** Bytes; the largest of them are templates and certificates of a whole system. */
const SMALL_FILE = 16 * 1024 * 1024;
const PIECE = 64 * 1024;

/** The text without a byte order mark. Throws what opening and reading throw, and `LocalError` for a longer file. */
export function readSmallFile(file: string): string {
  const handle = openSync(file, "r");
  try {
    const pieces: Buffer[] = [];
    let length = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const read = readSync(handle, piece);
      if (read === 0) break;
      pieces.push(piece.subarray(0, read));
      length += read;
      if (length > SMALL_FILE) throw new LocalError(`${file} is larger than ${SMALL_FILE / 2 ** 20} MiB`);
    }
    return Buffer.concat(pieces)
      .toString("utf8")
      .replace(/^\uFEFF/, "");
  } finally {
    closeSync(handle);
  }
}
