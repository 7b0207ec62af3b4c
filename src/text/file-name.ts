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
  return cutFileName(safe, FILE_NAME_BYTES, fallback);
}

/** Cuts a name between graphemes to so many bytes of UTF-8, keeping an extension of at most 32. `fallback` when nothing else is left. */
export function cutFileName(name: string, bytes: number, fallback = "file"): string {
  if (Buffer.byteLength(name) <= bytes) return name;
  const dot = name.lastIndexOf(".");
  const extension = dot > 0 && Buffer.byteLength(name.slice(dot)) <= 32 ? name.slice(dot) : "";
  let room = bytes - Buffer.byteLength(extension);
  let stem = "";
  for (const part of graphemes(extension ? name.slice(0, dot) : name)) {
    room -= Buffer.byteLength(part);
    if (room < 0) break;
    stem += part;
  }
  return (stem.replace(/(?<![. ])[. ]+$/, "") || fallback) + extension;
}
