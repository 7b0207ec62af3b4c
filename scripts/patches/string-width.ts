/** string-width: a single copy, behind the program's own width function, with an emoji test that is cheap to compile. */
// Why: Ink and its helpers bring two versions of it, which would measure rows differently from the panes. Compiling
// \p{RGI_Emoji} takes 18 ms; a test of the start of a cluster is equivalent (tests/text/emoji-prefix.test.ts).
// Gains: the single width function 4 % of the CPU up to the first frame and 2 % of the memory of an idle screen, the test 10 % of that CPU.
// Upstream: Ink on string-width 9, and a string-width that detects emoji by properties of code points.
import path from "node:path";
import type { Plugin } from "esbuild";
import { editing, replaceOnce } from "./patch.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Matches the start of the same clusters as `\p{RGI_Emoji}`. */
export const EMOJI_PREFIX =
  "\\p{Emoji_Presentation}|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}|[\\p{Emoji}--[\\d#*]]\\u{FE0F}";

export const oneWidth: Plugin = {
  name: "string-width: one measure",
  setup: ({ onResolve }) =>
    onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      importer.includes(`node_modules${path.sep}`)
        ? { path: path.join(root, "src/text/ink-width.ts") }
        : null,
    ),
};

export const emojiPrefix = editing("string-width: emoji", /[\\/]string-width[\\/]index\.js$/, (text, file) =>
  replaceOnce(text, [["/^(?:\\p{RGI_Emoji}|", `/^(?:${EMOJI_PREFIX}|`]], file),
);
