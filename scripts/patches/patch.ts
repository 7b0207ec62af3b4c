/** Applies patches to library files while bundling; the build fails unless each replaced text occurs exactly once. */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** A text of the library and its replacement. */
export type Change = readonly [from: string, to: string];

/** Applies all changes to `source`; throws unless each text occurs exactly once, since the library has changed then. */
export function replaceOnce(source: string, changes: readonly Change[], file: string): string {
  let text = source;
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} has changed: no single ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

/** A patch of the file whose path matches `filter`. */
export const editing = (
  name: string,
  filter: RegExp,
  change: (text: string, file: string) => string,
): Plugin => ({
  name,
  setup: ({ onLoad }) =>
    onLoad({ filter }, ({ path: file }) => ({
      contents: change(readFileSync(file, "utf8"), file),
      loader: "js",
    })),
});
