// A plugin of the build: libraries that do much when they are loaded are made to do less.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The same clusters as `\p{RGI_Emoji}` at their beginning (tests/text/emoji-prefix.test.ts): compiling all sequences takes 10 ms. */
export const EMOJI_PREFIX =
  "\\p{Emoji_Presentation}|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}|[\\p{Emoji}--[\\d#*]]\\u{FE0F}";

/** Makes libraries that do much at their start do less of it. A library that no longer looks as expected fails the build. */
export const lighter = {
  name: "lighter",
  setup({ onLoad, onResolve }) {
    const edit = (filter, change) =>
      onLoad({ filter }, ({ path: file }) => {
        const before = readFileSync(file, "utf8");
        const contents = change(before);
        if (contents === before) throw new Error(`${file} is not as expected: nothing to make lighter`);
        return { contents, loader: "js" };
      });
    // Ink and its helpers measure with the ruler of our panes: rows are measured once, and one width holds everywhere.
    onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      importer.includes(`node_modules${path.sep}`)
        ? { path: path.join(root, "src/text/ink-width.ts") }
        : null,
    );
    edit(/[\\/]string-width[\\/]index\.js$/, (text) => text.replace("\\p{RGI_Emoji}", EMOJI_PREFIX));
    // Yoga's loader would fetch its own data: URL, and so load the whole of undici; decoding it is the loader's other way.
    edit(/yoga-wasm-base64-esm\.js$/, (text) => text.replace('"function"!=typeof fetch', "true"));
  },
};
