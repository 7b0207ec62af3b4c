/** Recognises file paths in pasted text, in the forms that terminals write for dropped files. */
import path from "node:path";
import { lineWords } from "../../../text/line-words.ts";

/** Longer texts are not taken for paths. */
const MAX_LENGTH = 8192;
const MAX_PATHS = 50;

const windows = path.sep === "\\";

/** The path of a `file:` URL on this machine. */
function pathOfUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || (url.hostname !== "" && url.hostname !== "localhost")) return undefined;
  try {
    const name = decodeURIComponent(url.pathname);
    return windows ? path.normalize(name.replace(/^\//, "")) : name;
  } catch {
    return undefined;
  }
}

/** The absolute path; undefined if the text is not one. */
function absolutePath(text: string, home: string): string | undefined {
  if (/^file:\/\//i.test(text)) return pathOfUrl(text);
  if (text.startsWith("~/")) return path.join(home, text.slice(2));
  return path.isAbsolute(text) && !text.startsWith("//") ? text : undefined;
}

/** One candidate with all paths, or none if a text is not a path. */
function allPaths(texts: readonly string[], home: string): string[][] {
  const paths = texts.map((text) => absolutePath(text, home));
  return paths.length > 0 && paths.every((one) => one !== undefined) ? [paths] : [];
}

/** Possible readings of a text as paths, the likeliest first; the caller checks which files exist. */
export function pathCandidates(text: string, home: string): string[][] {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > MAX_LENGTH || /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(trimmed))
    return [];
  // A list of URLs from a desktop may contain comments.
  const lines = trimmed.split(/[\r\n]+/).filter((line) => !line.startsWith("#"));
  if (lines.length > MAX_PATHS) return [];
  const words = lineWords(trimmed, (quote) => !windows && quote !== "'");
  const open = words.at(-1)!.openQuote !== "" || words.length > MAX_PATHS;
  const unescaped = windows ? [] : lines.map((line) => line.replaceAll("\\ ", " "));
  const split = open ? [] : words.map((word) => word.text);
  return [...allPaths(lines, home), ...allPaths(unescaped, home), ...allPaths(split, home)];
}
