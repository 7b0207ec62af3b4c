/** Puts chunks that are always loaded together into one file: every file that is imported costs time to find, read and link. */
// Why: esbuild makes a chunk for every set of entries that share something, and each lazy import is an entry: a send loaded a hundred files.
// Gains: 15 % of the CPU of `parley --help`, a quarter of that of a send; with what `facades.ts` does, a tenth more of a send.
// Upstream: chunks of esbuild's that can be given a least size or a name.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Metafile } from "esbuild";
import { rolldown, type Plugin } from "rolldown";
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
    "src/provider/lifecycle/request-json.ts",
    "src/provider/lifecycle/probe.ts",
    "src/provider/lifecycle/identity.ts",
  ],
  completion: ["src/cli/shell-commands/complete/run.ts"],
  screen: ["src/tui/start.tsx"],
};

type Outputs = Metafile["outputs"];

function entryOf(outputs: Outputs, source: string): string {
  const entry = Object.keys(outputs).find((file) => outputs[file]!.entryPoint === source);
  if (entry === undefined) throw new Error(`${source} is loaded by nothing of its own any more`);
  return entry;
}

/** The chunk, and all that is loaded with it. */
function loadedWith(outputs: Outputs, entry: string): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { kind, path: imported, external } of outputs[file]!.imports)
      if (kind === "import-statement" && !external) loaded.add(imported);
  return loaded;
}

/** The steps of each chunk that one of them loads. */
function stepsOf(outputs: Outputs): Map<string, string[]> {
  const steps = new Map<string, string[]>();
  for (const [step, sources] of Object.entries(STEPS))
    for (const file of new Set(sources.flatMap((one) => [...loadedWith(outputs, entryOf(outputs, one))])))
      steps.set(file, [...(steps.get(file) ?? []), step]);
  return steps;
}

/** What others load who load no screen: the provider reads Markdown as the screen does, and would load all of the screen for it. */
function withoutScreen(outputs: Outputs, steps: ReadonlyMap<string, readonly string[]>): Set<string> {
  const screen = entryOf(outputs, STEPS.screen![0]!);
  const others = Object.keys(outputs).filter((file) => outputs[file]!.entryPoint && !steps.has(file));
  const loads = others.map((entry) => loadedWith(outputs, entry)).filter((loaded) => !loaded.has(screen));
  return new Set(loads.flatMap((loaded) => [...loaded]));
}

/**
 * A name for each chunk that one of the steps loads. Those of the same steps share it: what a chunk imports is loaded by
 * at least the same steps, so that no two of the merged files import each other.
 */
function mergedNames(outputs: Outputs): Map<string, string> {
  const steps = stepsOf(outputs);
  const elsewhere = withoutScreen(outputs, steps);
  const names = new Map<string, string>();
  for (const [file, of] of steps) {
    const name = of.join("-");
    if (name !== "screen" || !elsewhere.has(file)) names.set(path.join(root, file), name);
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

/** Where an escape would be read as something else: behind a backslash, and in a text that is read raw. */
const RAW = /\\[^\0-\x7f]|\.raw`[^`]*[^\0-\x7f]/;

/**
 * The same code with its signs as escapes. One sign that Latin-1 has not makes V8 hold the whole of a file in two bytes a
 * letter, and so all of the screen: 3 MiB of a screen at rest. Throws where that would change a text.
 */
function inAscii(file: string, code: string): string {
  const raw = RAW.exec(code);
  if (raw) throw new Error(`${file} has a sign that cannot be escaped: ${raw[0].slice(-40)}`);
  const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return code.replace(/[^\0-\x7f]/g, escaped);
}

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
  for (const [file, code] of files) writeFileSync(path.join(to, file), inAscii(file, code));
}
