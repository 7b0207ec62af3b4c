/** Recognises paths of dropped files in pasted text, by the ways terminals write them. */
import path from "node:path";
import { lineWords } from "../../../text/line-words.ts";

/** A text longer than this, or of more lines, is nobody's files. */
const LONGEST = 8192;
const MOST = 50;

const windows = path.sep === "\\";

/** The path of a `file:` address of this machine. */
function ofAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.hostname !== "" && url.hostname !== "localhost")) return undefined;
  try {
    const name = decodeURIComponent(url.pathname);
    return windows ? path.normalize(name.replace(/^\//, "")) : name;
  } catch {
    return undefined;
  }
}

/** The path from the root; undefined for what is none. */
function absolute(text: string, home: string): string | undefined {
  if (/^file:\/\//i.test(text)) return ofAddress(text);
  if (text.startsWith("~/")) return path.join(home, text.slice(2));
  return path.isAbsolute(text) && !text.startsWith("//") ? text : undefined;
}

/** All of them, or none where one is no path. */
function all(texts: readonly string[], home: string): string[][] {
  const paths = texts.map((text) => absolute(text, home));
  return paths.length > 0 && paths.every((one) => one !== undefined) ? [paths] : [];
}

/** The ways to read a text as paths, the likeliest first; whether they are there is for the disk to say. */
export function pathsIn(text: string, home: string): string[][] {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > LONGEST || /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(trimmed))
    return [];
  // Addresses of a desktop may have remarks between them.
  const lines = trimmed.split(/[\r\n]+/).filter((line) => !line.startsWith("#"));
  if (lines.length > MOST) return [];
  const words = lineWords(trimmed, (quote) => !windows && quote !== "'");
  const open = words.at(-1)!.open !== "" || words.length > MOST;
  return [
    ...all(lines, home),
    ...(windows
      ? []
      : all(
          lines.map((line) => line.replaceAll("\\ ", " ")),
          home,
        )),
    ...(open
      ? []
      : all(
          words.map((word) => word.text),
          home,
        )),
  ];
}
