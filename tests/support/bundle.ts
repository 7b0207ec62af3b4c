/** Bundles one source file of the tests with all its imports, so that it starts like the built program. */
import { build } from "esbuild";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

export interface Bundle {
  file: string;
  remove(): void;
}

const ROOT = path.resolve(import.meta.dirname, "../..");

/** One file with production React, in a new folder that `remove` deletes. */
export async function bundle(entry: string): Promise<Bundle> {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-bundle-"));
  const file = path.join(folder, "bundle.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node24",
    jsx: "automatic",
    logLevel: "error",
    define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
    alias: { "react-devtools-core": path.join(ROOT, "scripts/empty-module.mjs") },
    banner: {
      js: 'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);',
    },
  });
  return { file, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
