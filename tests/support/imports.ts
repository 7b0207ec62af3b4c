/** The table of folders: reads the imports of sources and reports every one that breaks it. */
import path from "node:path";
import { nodesOf, parsed, textOf, type Node } from "./syntax.ts";

export interface Import {
  /** Path below src, with slashes. */
  from: string;
  /** Path below src for files of this repository, otherwise the name of the package; empty if it is made while it runs. */
  to: string;
  ours: boolean;
  typeOnly: boolean;
  lazy: boolean;
}

/** Folder in src → folders it may import; `types` only as `import type`, `lazy` only by `await import`. All others are forbidden. */
const FOLDERS: Record<string, { values: string[]; types?: string[]; lazy?: string[] }> = {
  wire: { values: [] },
  text: { values: [] },
  atlas: { values: ["text"] },
  config: { values: ["text", "model"] },
  model: { values: ["wire", "text"] },
  core: { values: ["wire", "text", "model"] },
  provider: { values: ["wire", "text", "model"] },
  jobs: { values: ["wire", "text", "model"], types: ["core"] },
  commands: { values: ["wire", "text", "model"], types: ["core", "jobs"], lazy: ["jobs", "atlas"] },
  cli: { values: ["commands", "config", "wire", "text", "model"], types: ["core", "main", "open"] },
  tui: { values: ["commands", "config", "atlas", "wire", "text", "model"], types: ["core", "main", "open"] },
  open: { values: ["config", "wire", "model"], types: ["core", "provider"], lazy: ["core", "provider"] },
  main: {
    values: [],
    types: ["open", "cli", "tui", "config", "commands", "core"],
    lazy: ["open", "cli", "tui", "config"],
  },
};

/** Package → the folders that may import its values. What nobody may import stands in .oxlintrc.json. */
const PACKAGES: [name: RegExp, users: RegExp][] = [
  [/^node:sqlite$/, /^(core\/store|provider\/store|jobs|model\/files)\//],
  [/^(react|ink)(\/|$)/, /^tui\//],
  [/^commander$/, /^cli\//],
  [/^got$/, /^core\/adapters\//],
  [/^ws$/, /^(core\/adapters|provider)\//],
  [/^conf$/, /^config\//],
  // Programs are started by the shell, by the screen's ports to the machine, for a token, a terminal or a notification, and by
  // whoever starts a provider.
  [
    /^node:child_process$/,
    /^(cli\/|tui\/machine\/|config\/(notice-program|picture-route|token-command)\.ts$|provider\/lifecycle\/start\.ts$)/,
  ],
];

/** The first folder below src, or the name of a file that is directly in src. */
export function topFolder(file: string): string {
  const [first, ...rest] = file.split("/");
  return rest.length ? first! : path.posix.basename(first!, path.posix.extname(first!));
}

export const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** The import that a node of the tree makes, if any. */
function importIn(node: Node, from: string): Import | undefined {
  const make = (source: unknown, typeOnly: boolean, lazy = false): Import => {
    const to = textOf(source) ?? "";
    const ours = to.startsWith(".");
    return { from, to: ours ? path.posix.join(path.posix.dirname(from), to) : to, ours, typeOnly, lazy };
  };
  const isThread = (file: Node | undefined): boolean =>
    (node.callee as Node).name === "URL" && /\.tsx?$/.test(textOf(file) ?? "");
  switch (node.type) {
    case "ImportDeclaration":
      return make(node.source, node.importKind === "type");
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return node.source ? make(node.source, node.exportKind === "type") : undefined;
    case "ImportExpression":
      return make(node.source, false, true);
    case "TSImportType":
      return make(node.source ?? (node.argument as Node).literal, true, true);
    case "NewExpression": {
      const [file] = node.arguments as Node[];
      return isThread(file) ? make(file, false, true) : undefined;
    }
    default:
      return undefined;
  }
}

export const importsOf = (from: string, source: string): Import[] =>
  nodesOf(parsed(from, source)).flatMap(([node]) => importIn(node, from) ?? []);

function folderAllows({ from, to, typeOnly, lazy }: Import): boolean {
  const row = FOLDERS[topFolder(from)];
  const target = topFolder(to);
  if (!row || target === topFolder(from)) return row !== undefined;
  return (
    row.values.includes(target) ||
    (typeOnly && row.types?.includes(target) === true) ||
    (lazy && row.lazy?.includes(target) === true)
  );
}

const inDomain = (file: string): boolean => file.startsWith("provider/domain/");

/** Inside the provider only `chat.ts`, which joins both halves, may import the domain. */
const crossesProvider = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly && inDomain(to) && from.startsWith("provider/") && !inDomain(from) && from !== "provider/chat.ts";

/**
 * Domain files belong to a layer of their subject: storage below view below rules. They may import values of their own layer
 * and of lower ones, in any subject. Query and validation are below all layers; routes and the top-level files are above.
 */
const LAYERS = ["storage", "view", "rules"];
const GROUND = /^provider\/domain\/(query|validation)\/[\w-]+\.ts$/;
const ON_TOP = /^provider\/domain\/([\w-]+\/routes|[\w-]+)\.ts$/;
export function layerOf(file: string): number | undefined {
  if (GROUND.test(file)) return 0;
  if (ON_TOP.test(file)) return LAYERS.length + 1;
  const at = LAYERS.indexOf(/^provider\/domain\/[\w-]+\/([\w-]+)\/[\w-]+\.ts$/.exec(file)?.[1] ?? "");
  return at < 0 ? undefined : at + 1;
}

const reachesUp = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly && inDomain(from) && inDomain(to) && (layerOf(from) ?? 0) < (layerOf(to) ?? 0);

function whyNot(one: Import): string | undefined {
  const { from, to, ours, typeOnly } = one;
  if (to === "") return "the name of a module is made while it runs";
  if (ours && !folderAllows(one)) return `${topFolder(from)} may not import it`;
  if (ours && crossesProvider(one)) return "only chat.ts joins the provider's transport with its domain";
  if (ours && reachesUp(one)) return "a layer of the domain imports none above it";
  const owner = ours || typeOnly ? undefined : PACKAGES.find(([name]) => name.test(to));
  return owner && !owner[1].test(from) ? "the package belongs to other folders" : undefined;
}

/** One sentence for every file and import that breaks a rule. `sources` = path below src → text. */
export const lawBreaks = (sources: ReadonlyMap<string, string>): string[] =>
  [...sources].flatMap(([file, source]) => [
    ...(/\.tsx?$/.test(file) ? [] : [`${file}: is not TypeScript`]),
    ...(inDomain(file) && layerOf(file) === undefined ? [`${file}: is in no layer of the domain`] : []),
    ...importsOf(file, source).flatMap((one) => {
      const why = whyNot(one);
      return why === undefined ? [] : [`${file} → ${one.to}: ${why}`];
    }),
  ]);
