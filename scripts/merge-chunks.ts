/** Puts chunks that are always loaded together into one file: every file that is imported costs time to find, read and link. */
// Why: esbuild makes a chunk for every set of entries that share something, and each lazy import is an entry: a send loaded a hundred files.
// Gains: 15 % of the CPU of `parley --help`, a quarter of that of a send; with what `facades.ts` does, a tenth more of a send.
// Upstream: chunks of esbuild's that can be given a least size or a name.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Metafile } from "esbuild";
import { rolldown } from "rolldown";
import type { Plugin } from "rolldown";
import { BANNER, bundleOptions, root } from "./bundle.ts";
import { withoutFacades } from "./facades.ts";

/** What a run loads one after the other; whoever loads one source of a step loads all of them. */
const STEPS: Readonly<Record<string, readonly string[]>> = {
  shell: ["src/cli/start.ts"],
  client: [
    "src/cli/run/run.ts",
    "src/core/store/open-store.ts",
    "src/open.ts",
    "src/core/client.ts",
    "src/core/adapters/system-clock.ts",
    "src/core/adapters/system-random.ts",
    "src/core/adapters/got-request.ts",
    "src/provider/lifecycle/ask.ts",
    "src/provider/lifecycle/find.ts",
    "src/provider/lifecycle/identity.ts",
  ],
  completion: ["src/cli/shell-commands/complete/run.ts"],
  screen: ["src/tui/start.tsx"],
};

type Outputs = Metafile["outputs"];

/** The chunk of this source, and all that is loaded with it. */
function loadedWith(outputs: Outputs, source: string): Set<string> {
  const entry = Object.keys(outputs).find((file) => outputs[file]!.entryPoint === source);
  if (entry === undefined) throw new Error(`${source} is loaded by nothing of its own any more`);
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { kind, path: imported, external } of outputs[file]!.imports)
      if (kind === "import-statement" && !external) loaded.add(imported);
  return loaded;
}

/**
 * A name for each chunk that one of the steps loads. Those of the same steps share it: what a chunk imports is loaded by
 * at least the same steps, so that no two of the merged files import each other.
 */
function mergedNames(outputs: Outputs): Map<string, string> {
  const names = new Map<string, string>();
  for (const [step, sources] of Object.entries(STEPS))
    for (const file of new Set(sources.flatMap((source) => [...loadedWith(outputs, source)]))) {
      const chunk = path.join(root, file);
      names.set(chunk, names.has(chunk) ? `${names.get(chunk)}-${step}` : step);
    }
  return names;
}

/** Takes `require` from the files that do not use it: making one takes 50 µs, and a chunk that was merged of forty had forty. */
const withoutBanner: Plugin = {
  name: "without-banner",
  transform(code) {
    if (!code.startsWith(BANNER)) return undefined;
    const rest = code.slice(BANNER.length);
    return /\brequire\b/.test(rest) ? undefined : { code: rest, map: null };
  },
};

/** Writes what esbuild left in `from` to `to`, in fewer files. */
export async function mergeChunks(from: string, to: string, { outputs }: Metafile): Promise<void> {
  const { entryPoints, external } = bundleOptions(from);
  const names = mergedNames(outputs);
  const groups = [...new Set(names.values())].map((name) => ({
    name,
    test: (file: string) => names.get(file) === name,
  }));
  const bundle = await rolldown({
    input: Object.fromEntries(Object.keys(entryPoints).map((name) => [name, path.join(from, `${name}.js`)])),
    platform: "node",
    external,
    plugins: [withoutBanner],
    treeshake: false,
    logLevel: "warn",
    preserveEntrySignatures: "allow-extension",
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    chunkFileNames: "chunks/[name]-[hash].js",
    codeSplitting: { includeDependenciesRecursively: false, groups },
  });
  await bundle.close();
  const chunks = output.filter((chunk) => chunk.type === "chunk");
  const dynamic = chunks.filter(({ isDynamicEntry }) => isDynamicEntry).map(({ fileName }) => fileName);
  const files = withoutFacades(
    new Map(chunks.map(({ fileName, code }) => [fileName, code])),
    new Set(dynamic),
  );
  mkdirSync(path.join(to, "chunks"), { recursive: true });
  for (const [file, code] of files) writeFileSync(path.join(to, file), code);
}
