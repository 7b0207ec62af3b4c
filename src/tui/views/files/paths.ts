/** Parses and writes paths as people type them: `~`, quotes and backslashes. */
import path from "node:path";

interface Bases {
  /** What `~` means. */
  home: string;
  /** Where relative paths begin. */
  cwd: string;
}

/** The path from the root; quotes have been taken off. */
export function resolved(text: string, { home, cwd }: Bases): string {
  if (text === "~") return home;
  return path.resolve(cwd, /^~[/\\]/.test(text) ? path.join(home, text.slice(2)) : text);
}

/** Where `\` parts folders it takes no character as it is. */
const escapes = (): boolean => path.sep !== "\\";

/** One path as it is typed: a quote at its start and backslashes are taken off. `open`: a blank now would belong to it. */
export function unquoted(written: string): { text: string; open: boolean } {
  const quote = /^["']/.exec(written)?.[0] ?? "";
  let text = "";
  for (let i = quote.length; i < written.length; i++) {
    const c = written[i]!;
    if (quote !== "" && c === quote) return { text: text + written.slice(i + 1), open: false };
    if (c !== "\\" || !escapes()) text += c;
    else if (i + 1 < written.length) text += written[++i]!;
    else return { text, open: true };
  }
  return { text, open: quote !== "" };
}

/** The name with a backslash before what would be read as something else. */
export const escaped = (name: string): string => (escapes() ? name.replace(/[\\'"\s]/g, "\\$&") : name);

/** A path as a person knows it. */
export function shortPath(full: string, home: string): string {
  if (full === home) return "~";
  return full.startsWith(home + path.sep) ? `~${full.slice(home.length)}` : full;
}
