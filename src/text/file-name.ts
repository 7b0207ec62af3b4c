/** Makes file names from the wire safe for any file system. */
import { graphemes } from "./graphemes.ts";
import { cleanLine } from "./sanitize.ts";

/** Bytes of a file name (specification/security.md §1). */
const FILE_NAME_BYTES = 255;
const RESERVED = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/** The decoded last segment of an address; as written if it is not valid. Throws `TypeError` for what is no address. */
export function lastSegment(address: string): string {
  const segment = new URL(address).pathname.split("/").at(-1)!;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * One path component that Linux, macOS and Windows accept: no separators, control characters or `<>:"|?*`, no dot at the
 * start (never a hidden file) and no dot or blank at the end, no device name of Windows, at most 255 bytes of UTF-8 with
 * the extension kept. `fallback` when nothing is left.
 */
export function cleanFileName(name: string, fallback = "file"): string {
  // The last component only: a path in a name is never followed.
  const last =
    name
      .slice(-4096)
      .split(/[/\\]/)
      .findLast((part) => part.trim() !== "" && part.trim() !== "." && part.trim() !== "..") ?? "";
  let safe = cleanLine(last)
    .replace(/[<>:"|?*␀-␡␛/\\]/g, "_")
    .replace(/^[. ]+/, "")
    .replace(/(?<![. ])[. ]+$/, "");
  if (safe === "" || /^_+$/.test(safe)) safe = fallback;
  if (RESERVED.test(safe)) safe = `_${safe}`;
  if (Buffer.byteLength(safe) <= FILE_NAME_BYTES) return safe;
  const dot = safe.lastIndexOf(".");
  const extension = dot > 0 && Buffer.byteLength(safe.slice(dot)) <= 32 ? safe.slice(dot) : "";
  let room = FILE_NAME_BYTES - Buffer.byteLength(extension);
  let stem = "";
  for (const part of graphemes(extension ? safe.slice(0, dot) : safe)) {
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    stem += part;
  }
  return (stem.replace(/(?<![. ])[. ]+$/, "") || fallback) + extension;
}
