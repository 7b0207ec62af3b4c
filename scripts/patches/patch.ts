/** How a patch changes a file of a library while it is bundled: each place stands there exactly once, or the build stops. */
import { readFileSync } from "node:fs";
import type { Plugin } from "esbuild";

/** A text of the library, and what stands there instead. */
export type Change = readonly [from: string, to: string];

/** `source` with every change made; throws when a text is not there exactly once, because then the library has changed. */
export function replaceOnce(source: string, changes: readonly Change[], file: string): string {
  let text = source;
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} has changed: no single ${from}`);
    text = text.replace(from, () => to);
  }
  return text;
}

/** A patch of the one file whose path `filter` finds. */
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
