/** Who may import whom: reads import lines out of sources and tells every one that breaks the law of the house. */
import { isBuiltin } from "node:module";
import path from "node:path";

export interface Import {
  /** Path below src, with slashes. */
  from: string;
  /** Path below src for files of ours, else the name of the package. */
  to: string;
  ours: boolean;
  typeOnly: boolean;
  lazy: boolean;
}

/** Room → rooms it may import; "types" only as `import type`, "lazy" only by `await import`. A room that is not here is against the law. */
const LAW: Record<string, { value: string[]; types?: string[]; lazy?: string[] }> = {
  wire: { value: [] },
  text: { value: [] },
  atlas: { value: ["text"] },
  config: { value: ["text", "model"] },
  model: { value: ["wire", "text"] },
  core: { value: ["wire", "text", "model"] },
  provider: { value: ["wire", "text", "model"] },
  jobs: { value: ["wire", "text", "model"], types: ["core"] },
  commands: { value: ["wire", "text", "model"], types: ["core", "jobs"], lazy: ["jobs", "atlas"] },
  cli: { value: ["commands", "config", "wire", "text", "model"], types: ["core", "main", "open"] },
  tui: { value: ["commands", "config", "atlas", "wire", "text", "model"], types: ["core", "main", "open"] },
  open: { value: ["config", "wire", "model"], types: ["core", "provider"], lazy: ["core", "provider"] },
  main: {
    value: [],
    types: ["open", "cli", "tui", "config", "commands", "core"],
    lazy: ["open", "cli", "tui", "config"],
  },
};

/** Package → the folders that may import its values. */
const PACKAGES: [pattern: RegExp, places: RegExp, says: string][] = [
  [/^node:sqlite$/, /^(core\/store|provider\/store|jobs)\//, "node:sqlite belongs to the stores and to jobs"],
  [/^(react|ink)(\/|$)/, /^tui\//, "React and Ink belong to the screen"],
  [/^commander$/, /^cli\//, "commander belongs to the command line"],
  [/^got$/, /^core\/adapters\//, "got belongs to core's adapters"],
  [/^ws$/, /^(core\/adapters|provider)\//, "ws belongs to core's adapters and the provider"],
  [/^conf$/, /^config\//, "conf belongs to config"],
];

/** The room of a file: the first folder below src, or the name of a file that lies there itself. */
export function roomOf(file: string): string {
  const [first, ...rest] = file.split("/");
  return rest.length ? first! : path.posix.basename(first!, path.posix.extname(first!));
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

const STATIC = /^\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?["']([^"']+)["']/gm;
const LAZY = /(typeof\s+)?\bimport\(\s*["']([^"']+)["']\s*\)(\.[A-Z])?/g;

export function importsOf(from: string, source: string): Import[] {
  const code = withoutComments(source);
  const make = (to: string, typeOnly: boolean, lazy: boolean): Import => {
    const ours = to.startsWith(".");
    return { from, to: ours ? path.posix.join(path.posix.dirname(from), to) : to, ours, typeOnly, lazy };
  };
  return [
    ...[...code.matchAll(STATIC)].map((m) => make(m[2]!, Boolean(m[1]), false)),
    ...[...code.matchAll(LAZY)].map((m) => make(m[2]!, Boolean(m[1] || m[3]), true)),
  ];
}

const show = (one: Import): string =>
  `${one.from} → ${one.to}${one.typeOnly ? " (types)" : ""}${one.lazy ? " (lazy)" : ""}`;

function roomAllows(one: Import): boolean {
  const law = LAW[roomOf(one.from)];
  const to = roomOf(one.to);
  if (to === roomOf(one.from)) return true;
  if (!law) return false;
  return (
    law.value.includes(to) ||
    (one.typeOnly && law.types?.includes(to) === true) ||
    (one.lazy && law.lazy?.includes(to) === true)
  );
}

/** Inside the provider the domain is known to `chat.ts` alone, which joins both halves. */
const crossesProvider = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly &&
  to.startsWith("provider/domain/") &&
  from.startsWith("provider/") &&
  !from.startsWith("provider/domain/") &&
  from !== "provider/chat.ts";

/**
 * A file of the domain stands in a layer of its subject, storage below view below rules, and takes values of its own layer and
 * of those below, whatever the subject. What all of them stand on knows no subject; routes and the files on top know all.
 */
const LAYERS = ["storage", "view", "rules"];
const GROUND = /^provider\/domain\/(query|validation)\/[\w-]+\.ts$/;
const ON_TOP = /^provider\/domain\/([\w-]+\/routes|[\w-]+)\.ts$/;
function layerOf(file: string): number | undefined {
  if (GROUND.test(file)) return 0;
  if (ON_TOP.test(file)) return LAYERS.length + 1;
  const at = LAYERS.indexOf(/^provider\/domain\/[\w-]+\/([\w-]+)\/[\w-]+\.ts$/.exec(file)?.[1] ?? "");
  return at < 0 ? undefined : at + 1;
}
const inDomain = (file: string): boolean => file.startsWith("provider/domain/");

const reachesUp = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly && inDomain(from) && inDomain(to) && (layerOf(from) ?? 0) < (layerOf(to) ?? 0);

/** Core meets the machine in its adapters and its stores alone. */
const reachesOut = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly && isBuiltin(to) && from.startsWith("core/") && !/^core\/(adapters|store)\//.test(from);

function faultsOf(one: Import): string[] {
  const found: string[] = [];
  if (one.ours && !roomAllows(one)) found.push("the room may not");
  if (one.ours && crossesProvider(one)) found.push("the transport may not know the domain");
  if (one.ours && reachesUp(one)) found.push("a layer of the domain knows none above it");
  if (reachesOut(one)) found.push("core reaches out through its adapters and stores");
  if (!one.ours && !one.typeOnly)
    for (const [pattern, places, says] of PACKAGES)
      if (pattern.test(one.to) && !places.test(one.from)) found.push(says);
  return found.map((why) => `${show(one)}: ${why}`);
}

/** Every import that breaks the law, as a sentence. `sources` = path below src → text. */
export function lawBreaks(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  for (const [from, source] of sources) {
    if (!LAW[roomOf(from)]) found.push(`${from}: no law names the room ${roomOf(from)}`);
    if (inDomain(from) && layerOf(from) === undefined)
      found.push(`${from}: stands in no layer of the domain`);
    // What is imported must be written there, or nobody can read who imports whom.
    for (const _ of withoutComments(source).matchAll(/\bimport\(\s*(?!["'])/g))
      found.push(`${from}: imports by a name that is made while it runs`);
    if (/(?:\brequire|\bcreateRequire\([^)]*\))\(\s*["'`]\./.test(withoutComments(source)))
      found.push(`${from}: requires a file of ours, and no law reads that`);
    found.push(...importsOf(from, source).flatMap(faultsOf));
  }
  return found;
}

/** A statement or a piece of one, by its words as they are written here, and the calls of the database that take one. */
const SQL =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|DELETE FROM|FROM [a-z_]+|WHERE|ORDER BY|GROUP BY|SET [a-z_]+ =)\s|\b(?:db|raw)\s*\.(?:get|all|run|prepare|exec)\b|\blistPage\b/;

/**
 * What the rules, views and routes of the domain say in SQL although that is for storage, as `file: line`. The tables of all
 * subjects are put together at the top of the domain.
 */
export const sqlOutsideStorage = (sources: ReadonlyMap<string, string>): string[] =>
  [...sources]
    .filter(([file]) => (layerOf(file) ?? 0) > LAYERS.indexOf("storage") + 1)
    .flatMap(([file, source]) =>
      withoutComments(source)
        .split("\n")
        .filter((line) => SQL.test(line) && !line.startsWith("CREATE "))
        .map((line) => `${file}: ${line.trim()}`),
    );
