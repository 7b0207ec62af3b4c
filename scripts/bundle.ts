/** The options of esbuild: src/main.ts with its lazily loaded chunks, and the other entry points. */
import path from "node:path";
import type { BuildOptions } from "esbuild";
import { bundlePatches } from "./bundle-patches.ts";

export const root = path.dirname(import.meta.dirname);

/** CommonJS libraries require built-in modules. */
export const BANNER =
  'import { createRequire as parleyCreateRequire } from "node:module"; const require = parleyCreateRequire(import.meta.url);';

/** Options of the build into `outdir`; its metafile lists what was bundled. */
export const bundleOptions = (outdir: string) =>
  ({
    absWorkingDir: root,
    // The second is a thread of the provider, the third one of the screen, the fourth what the package exports.
    entryPoints: {
      main: "src/main.ts",
      reader: "src/provider/reading-thread.ts",
      pictures: "src/tui/pictures/decoding-thread.ts",
      core: "src/core/index.ts",
    },
    outdir,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node24",
    minify: true,
    metafile: true,
    jsx: "automatic",
    legalComments: "none",
    plugins: bundlePatches,
    logLevel: "warning",
    chunkNames: "chunks/[name]-[hash]",
    // Native or wasm beside its script: these stay packages, loaded only when used.
    external: ["@napi-rs/image", "@napi-rs/keyring", "jq-web"],
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    // Ink asks for the React developer tools only when DEV is "true"; an empty module keeps them out of the bundle.
    // dbus-native parses XML only to discover the methods of a service, and the method called here is known.
    alias: Object.fromEntries(
      ["react-devtools-core", "xml2js"].map((name) => [name, path.join(root, "scripts/empty-module.mjs")]),
    ),
    banner: { js: BANNER },
  }) satisfies BuildOptions;
