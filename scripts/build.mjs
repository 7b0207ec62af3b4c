// Bundles src/main.ts and everything it loads lazily into dist/, one small entry and a chunk per face.
import { build } from "esbuild";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
rmSync(path.join(root, "dist"), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { main: "src/main.ts" },
  outdir: "dist",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minify: true,
  jsx: "automatic",
  legalComments: "linked",
  logLevel: "warning",
  chunkNames: "chunks/[name]-[hash]",
  // Native or wasm beside its script: these stay packages, loaded only when used.
  external: ["@napi-rs/keyring", "jq-web"],
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  // Ink asks for the React developer tools only when DEV is "true"; an empty module keeps them out of the bundle.
  alias: { "react-devtools-core": path.join(root, "scripts/nothing.mjs") },
  banner: {
    js: 'import { createRequire as parleyCreateRequire } from "node:module"; const require = parleyCreateRequire(import.meta.url);',
  },
});
