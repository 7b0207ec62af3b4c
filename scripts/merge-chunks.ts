/** Merges chunks that are always loaded together, since every imported file costs time. */
// Why: esbuild creates a chunk for every set of entries that share code, and each lazy import is an entry: a send loaded a hundred files.
// Gains: 15 % of the CPU of `parley --help`, a quarter of that of a send; with what `facades.ts` does, a tenth more of a send;
// with the small files of screen and commands joined, 9 % of the CPU of the screen's first full frame.
// Upstream: an esbuild option for the minimum size or the name of chunks.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Metafile } from "esbuild";
import { rolldown, type Plugin } from "rolldown";
import { withoutBuiltinImports } from "./builtin-imports.ts";
import { BANNER, bundleOptions, root } from "./bundle.ts";
import { withoutFacades } from "./facades.ts";

/** Groups of sources that are loaded together: loading one source of a step loads all of them. */
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
  completion: ["src/cli/shell-commands/__complete.ts"],
  screen: ["src/tui/start.tsx"],
};

type Outputs = Metafile["outputs"];

function entryOf(outputs: Outputs, source: string): string {
  const entry = Object.keys(outputs).find((file) => outputs[file]!.entryPoint === source);
  if (entry === undefined) throw new Error(`${source} is loaded by nothing of its own any more`);
  return entry;
}

function loadedWith(outputs: Outputs, entry: string): Set<string> {
  const loaded = new Set([entry]);
  for (const file of loaded)
    for (const { kind, path: imported, external } of outputs[file]!.imports)
      if (kind === "import-statement" && !external) loaded.add(imported);
  return loaded;
}

function stepsOf(outputs: Outputs): Map<string, string[]> {
  const steps = new Map<string, string[]>();
  for (const [step, sources] of Object.entries(STEPS))
    for (const file of new Set(sources.flatMap((one) => [...loadedWith(outputs, entryOf(outputs, one))])))
      steps.set(file, [...(steps.get(file) ?? []), step]);
  return steps;
}

/** What so many definitions of commands share is one file; each definition stays a file of its own, loaded when it runs. */
const COMMON = 10;

function sharedByCommands(outputs: Outputs, steps: ReadonlyMap<string, readonly string[]>): string[] {
  const isDefinition = (source = ""): boolean => /^src\/(commands|cli\/shell-commands)\//.test(source);
  const definitions = Object.keys(outputs).filter((file) => isDefinition(outputs[file]!.entryPoint));
  const uses = new Map<string, number>();
  for (const file of definitions.flatMap((one) => [...loadedWith(outputs, one)]))
    uses.set(file, (uses.get(file) ?? 0) + 1);
  return [...uses.keys()].filter(
    (file) => uses.get(file)! >= COMMON && !outputs[file]!.entryPoint && !steps.has(file),
  );
}

/** Chunks that are also used without the screen stay out of the screen's file, such as Markdown, which the provider uses, too. */
function withoutScreen(outputs: Outputs, steps: ReadonlyMap<string, readonly string[]>): Set<string> {
  const screen = entryOf(outputs, STEPS.screen![0]!);
  const isElsewhere = (file: string): boolean =>
    !steps.has(file) && !outputs[file]!.entryPoint!.startsWith("src/tui/");
  const others = Object.keys(outputs).filter((file) => outputs[file]!.entryPoint && isElsewhere(file));
  const loads = others.map((entry) => loadedWith(outputs, entry)).filter((loaded) => !loaded.has(screen));
  return new Set(loads.flatMap((loaded) => [...loaded]));
}

/** Below this size, bytes, a file costs more than what is in it. */
const SMALL = 8000;

/** Names for small chunks that the screen and some commands use, apart for those that load a larger one. What a larger one loads stays alone. */
function smallAndShared(outputs: Outputs, shared: readonly string[]): [file: string, name: string][] {
  const isLarge = (file: string): boolean => outputs[file]!.bytes >= SMALL || !!outputs[file]!.entryPoint;
  const larger = shared.filter(isLarge);
  const ofLarger = new Set(larger.flatMap((file) => [...loadedWith(outputs, file)]));
  const loadsLarger = (file: string): boolean => larger.some((large) => loadedWith(outputs, file).has(large));
  return shared
    .filter((file) => !ofLarger.has(file))
    .map((file) => [file, loadsLarger(file) ? "command-markup-screen" : "command-screen"]);
}

/**
 * A name for each chunk that a step loads. Chunks of the same steps share a name: the imports of a chunk are loaded by
 * at least the same steps, so that no two of the merged files import each other.
 */
function mergedNames(outputs: Outputs): Map<string, string> {
  const steps = stepsOf(outputs);
  const elsewhere = withoutScreen(outputs, steps);
  const names = new Map<string, string>();
  for (const [file, of] of steps) {
    // Completion runs in the shell: what the shell has loaded is there.
    const name = of.filter((step) => step !== "completion" || !of.includes("shell")).join("-");
    if (name !== "screen" || !elsewhere.has(file)) names.set(path.join(root, file), name);
  }
  const shared = [...steps.keys()].filter((file) => !names.has(path.join(root, file)));
  for (const [file, name] of smallAndShared(outputs, shared)) names.set(path.join(root, file), name);
  for (const file of sharedByCommands(outputs, steps)) names.set(path.join(root, file), "command");
  return names;
}

/** Removes `require` from files that do not use it: creating it takes 50 µs, and a file merged of forty chunks had forty. */
const withoutBanner: Plugin = {
  name: "without-banner",
  transform(code) {
    if (!code.startsWith(BANNER)) return undefined;
    const rest = code.slice(BANNER.length);
    return /\brequire\b/.test(rest) ? undefined : { code: rest, map: null };
  },
};

/** Where an escape would change the meaning: after a backslash, and in raw templates. */
const RAW = /\\[^\0-\x7f]|\.raw`[^`]*[^\0-\x7f]/;

/**
 * Writes non-Latin-1 characters as escapes. A single one makes V8 store the whole file with two bytes per
 * character, which costs an idle screen 3 MiB. Throws where that would change the meaning.
 */
function inAscii(file: string, code: string): string {
  const raw = RAW.exec(code);
  if (raw) throw new Error(`${file} has a sign that cannot be escaped: ${raw[0].slice(-40)}`);
  const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return code.replace(/[^\0-\x7f]/g, escaped);
}

/** Writes esbuild's output in `from` to `to`, in fewer files. */
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
  for (const [file, code] of files)
    writeFileSync(path.join(to, file), inAscii(file, withoutBuiltinImports(code)));
}
