// Bundles src/main.ts and everything it loads lazily into dist/, one small entry and a chunk per face.
import { build } from "esbuild";
import { existsSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import path from "node:path";
import { lighter } from "./bundle-patches.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

// Built aside and put in place at once: what runs meanwhile never finds half a build.
const aside = path.join(root, `dist.${process.pid}`);
await build({
  absWorkingDir: root,
  // the second is a thread of the provider
  entryPoints: { main: "src/main.ts", reader: "src/provider/reader/thread.ts" },
  outdir: aside,
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node24",
  minify: true,
  jsx: "automatic",
  legalComments: "linked",
  plugins: [lighter],
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

const dist = path.join(root, "dist");
const old = `${aside}.old`;
if (existsSync(dist)) renameSync(dist, old);
renameSync(aside, dist);
rmSync(old, { recursive: true, force: true });
