/** Parses and formats paths as people type them: `~`, quotes and backslashes. */
import path from "node:path";

interface Bases {
  /** The folder for `~`. */
  home: string;
  /** The base of relative paths. */
  cwd: string;
}

/** The absolute path of an unquoted one. */
export function resolvePath(text: string, { home, cwd }: Bases): string {
  if (text === "~") return home;
  return path.resolve(cwd, /^~[/\\]/.test(text) ? path.join(home, text.slice(2)) : text);
}

/** Index after the last separator: the start of the name. */
export const nameStart = (text: string): number =>
  Math.max(text.lastIndexOf("/"), path.sep === "\\" ? text.lastIndexOf("\\") : -1) + 1;

/** Whether `\` escapes characters: not where it separates folders. */
const hasEscapes = (): boolean => path.sep !== "\\";

/** Removes a leading quote and backslashes from one typed path. `open`: a blank typed next would belong to the path. */
export function unquotePath(typed: string): { text: string; open: boolean } {
  const quote = /^["']/.exec(typed)?.[0] ?? "";
  let text = "";
  for (let i = quote.length; i < typed.length; i++) {
    const c = typed[i]!;
    if (quote !== "" && c === quote) return { text: text + typed.slice(i + 1), open: false };
    if (c !== "\\" || !hasEscapes()) text += c;
    else if (i + 1 < typed.length) text += typed[++i]!;
    else return { text, open: true };
  }
  return { text, open: quote !== "" };
}

/** The name with backslashes before special characters. */
export const escapePath = (name: string): string => (hasEscapes() ? name.replace(/[\\'"\s]/g, "\\$&") : name);

/** The path with `~` for the home folder. */
export function shortPath(full: string, home: string): string {
  if (full === home) return "~";
  return full.startsWith(home + path.sep) ? `~${full.slice(home.length)}` : full;
}
