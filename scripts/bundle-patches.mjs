// A plugin of the build: libraries that do much when they are loaded are made to do less.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import http2 from "node:http2";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { rememberFrames } from "./frame-memory.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** The same clusters as `\p{RGI_Emoji}` at their beginning (tests/text/emoji-prefix.test.ts): compiling all sequences takes 10 ms. */
export const EMOJI_PREFIX =
  "\\p{Emoji_Presentation}|\\p{Emoji_Modifier_Base}\\p{Emoji_Modifier}|[\\p{Emoji}--[\\d#*]]\\u{FE0F}";

/**
 * A built-in module without its getters. To import one the usual way reads every name it has, and some of them load much
 * more behind a getter: undici behind node:http (20 ms), streams of the web behind node:fs and node:util (2 ms each).
 */
function plainBuiltin(name) {
  const described = Object.entries(Object.getOwnPropertyDescriptors(process.getBuiltinModule(name)));
  const names = described.filter(([key, { get }]) => !get && /^[A-Za-z]\w*$/.test(key)).map(([key]) => key);
  return `const it = process.getBuiltinModule(${JSON.stringify(`node:${name}`)});
    export default it;
    export const { ${names.join(", ")} } = it;`;
}

/** Libraries that do or hold much, and what is used of each: they run at the first call, not when the screen is loaded. */
const AT_FIRST_CALL = {
  marked: ["Lexer", "Marked"],
  "node-emoji": ["get", "search", "which"],
  "linkify-it": ["LinkifyIt"],
  fzf: ["Fzf"],
};

/** What `require` must be given instead of the name: fzf calls its script for `require` a module, which leaves it without exports. */
const REQUIRED_AS = { fzf: "./node_modules/fzf/dist/fzf.es.js" };

/** A module with these functions and classes, which `require`s the real one when one of them is called. */
function standIn(name, exported) {
  const file = REQUIRED_AS[name] ?? name;
  const there = createRequire(path.join(root, "package.json"))(file);
  for (const key of exported)
    if (typeof there[key] !== "function") throw new Error(`${file} gives no ${key} to require`);
  return [
    `const real = () => require(${JSON.stringify(file)});`,
    ...exported.map(
      (key) => `export function ${key}(...given) {
        const it = real().${key};
        return new.target ? new it(...given) : it(...given);
      }`,
    ),
  ].join("\n");
}

const segmentLater = (text) =>
  text.replace(
    /^(const \w+ = )new Intl\.Segmenter\(.*\);$/m,
    "$1{ segment(text) { return (this.made ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })).segment(text); } };",
  );

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
    onResolve({ filter: /^(node:)?(http|fs|util)$/ }, ({ path: name, kind }) =>
      kind === "import-statement" || kind === "dynamic-import"
        ? { path: name.replace("node:", ""), namespace: "builtin" }
        : null,
    );
    onLoad({ filter: /^/, namespace: "builtin" }, ({ path: name }) => ({
      contents: plainBuiltin(name),
      loader: "js",
    }));
    const names = Object.keys(AT_FIRST_CALL).join("|");
    onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path: name, kind }) =>
      kind === "import-statement" ? { path: name, namespace: "at-first-call" } : null,
    );
    onLoad({ filter: /^/, namespace: "at-first-call" }, ({ path: name }) => ({
      contents: standIn(name, AT_FIRST_CALL[name]),
      loader: "js",
      resolveDir: root,
    }));
    // got asks of every body whether it is a FormData, and the very name loads undici (12 ms); uploads make their own bodies.
    edit(/[\\/]got[\\/]dist[\\/]source[\\/]core[\\/]index\.js$/, (text) =>
      text.replace("if (!(options.body instanceof FormData)) {", "if (true) {"),
    );
    // got speaks HTTP/2 only when told to, but names its constants at once.
    onResolve({ filter: /^node:http2$/ }, () => ({ path: "http2", namespace: "http2-later" }));
    onLoad({ filter: /^/, namespace: "http2-later" }, () => ({
      contents: `export const constants = ${JSON.stringify(http2.constants)};
        const real = () => process.getBuiltinModule("node:http2");
        export class Http2ServerResponse { static [Symbol.hasInstance](it) { return it?.stream !== undefined && it instanceof real().Http2ServerResponse; } }
        export default { constants, connect: (...given) => real().connect(...given) };`,
      loader: "js",
    }));
    edit(/[\\/]ink[\\/]build[\\/]output\.js$/, rememberFrames);
    // The first segmenter loads the rules of Unicode (7 to 12 ms): made when a text needs it, not when the library is loaded.
    edit(
      /[\\/](ink[\\/]build[\\/]line-update|slice-ansi[\\/]tokenize-ansi|wrap-ansi[\\/]index)\.js$/,
      segmentLater,
    );
    edit(/[\\/]ansi-tokenize[\\/]build[\\/]tokenize\.js$/, (text) =>
      text.replace(
        /^const segmenter = new Intl\.Segmenter\(.*\);$/m,
        `import { eachGrapheme } from ${JSON.stringify(path.join(root, "src/text/graphemes.ts"))};
        const segmenter = { segment: eachGrapheme };`,
      ),
    );
    // A long text is read faster by JSON.parse than as source.
    onLoad({ filter: /[\\/]emojilib[\\/].*\.json$/ }, ({ path: file }) => ({
      contents: `module.exports = JSON.parse(${JSON.stringify(JSON.stringify(JSON.parse(readFileSync(file, "utf8"))))});`,
      loader: "js",
    }));
    edit(/[\\/]string-width[\\/]index\.js$/, (text) =>
      segmentLater(text.replaceAll("\\p{RGI_Emoji}", EMOJI_PREFIX)),
    );
    // Yoga's loader would fetch its own data: URL, and so load the whole of undici; decoding it is the loader's other way.
    edit(/yoga-wasm-base64-esm\.js$/, (text) => text.replace('"function"!=typeof fetch', "true"));
  },
};
