/** The import rules: reads the imports of sources and reports every one that breaks a rule. */
import { isBuiltin } from "node:module";
import path from "node:path";
import { isNode, nodesOf, parsed, textOf, type Node } from "./syntax.ts";

export interface Import {
  /** Path below src, with slashes. */
  from: string;
  /** Path below src for files of this repository, otherwise the name of the package. */
  to: string;
  ours: boolean;
  typeOnly: boolean;
  lazy: boolean;
}

/** Room (folder in src) → rooms it may import; "types" only as `import type`, "lazy" only by `await import`. Rooms not listed are forbidden. */
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

/** Package → the folders that may import its values, and why. */
const PACKAGES: [pattern: RegExp, places: RegExp, says: string][] = [
  [/^node:sqlite$/, /^(core\/store|provider\/store|jobs)\//, "node:sqlite belongs to the stores and to jobs"],
  [/^(react|ink)(\/|$)/, /^tui\//, "React and Ink belong to the screen"],
  [/^commander(\/|$)/, /^cli\//, "commander belongs to the command line"],
  [/^got(\/|$)/, /^core\/adapters\//, "got belongs to core's adapters"],
  [/^ws(\/|$)/, /^(core\/adapters|provider)\//, "ws belongs to core's adapters and the provider"],
  [/^conf(\/|$)/, /^config\//, "conf belongs to config"],
  [/^(node:)?(wasi|repl|inspector(\/promises)?)$/, /^$/, "no room makes code out of text"],
  [/^(node:)?(cluster|test(\/.*)?)$/, /^$/, "no room starts programs by the path of a file"],
  [
    /^(node:)?child_process$/,
    /^(cli\/|tui\/machine\/|config\/(notice-program|picture-route|token-command)\.ts$|provider\/lifecycle\/start\.ts$)/,
    "programs are started by the shell, by the screen's ports to the machine, for a token, a terminal or a notification, and by whoever starts a provider",
  ],
  // One file uses it to call V8's garbage collector.
  [/^(node:)?vm$/, /^open\/memory\.ts$/, "no room makes code out of text"],
];

/** The room of a file: the first folder below src, or the file name when it is directly in src. */
export function roomOf(file: string): string {
  const [first, ...rest] = file.split("/");
  return rest.length ? first! : path.posix.basename(first!, path.posix.extname(first!));
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** The import that a node of the tree makes, if any. */
function importIn(node: Node, from: string): Import | undefined {
  const make = (source: unknown, typeOnly: boolean, lazy = false): Import | undefined => {
    const to = textOf(source);
    if (to === undefined) return undefined;
    const beside = node.type === "NewExpression" && !to.startsWith(".");
    const ours = beside || to.startsWith(".");
    return { from, to: ours ? path.posix.join(path.posix.dirname(from), to) : to, ours, typeOnly, lazy };
  };
  switch (node.type) {
    case "ImportDeclaration":
      return make(node.source, node.importKind === "type");
    case "ExportNamedDeclaration":
    case "ExportAllDeclaration":
      return make(node.source, node.exportKind === "type");
    case "ImportExpression":
      return make(node.source, false, true);
    case "TSImportType":
      return make(node.source ?? (node.argument as Node).literal, true, true);
    case "TSExternalModuleReference":
      return make(node.expression, false);
    case "NewExpression": {
      // The file of a worker thread.
      const [file] = node.arguments as Node[];
      const isThread = (node.callee as Node).name === "URL" && /\.tsx?$/.test(textOf(file) ?? "");
      return isThread ? make(file, false, true) : undefined;
    }
    default:
      return undefined;
  }
}

export function importsOf(from: string, source: string): Import[] {
  return nodesOf(parsed(from, source)).flatMap(([node]) => importIn(node, from) ?? []);
}

/** Ways to load a module that are not imports, and files of this repository under names that do not begin with a dot. */
function hiddenIn(node: Node, ancestors: readonly Node[], from: string): string | undefined {
  const { type } = node;
  const called = node.callee as Node | undefined;
  if (type === "ImportExpression" && (node.source as Node).type !== "Literal")
    return "imports by a name that is made while it runs";
  const isValue = type === "Identifier" && !isNamed(node, ancestors.slice(-1));
  if (isValue && node.name === "require") return "calls require, and no law reads what it loads";
  const key = keyOf(node);
  if ((isValue && MAKERS.has(String(node.name))) || MAKERS.has(key ?? "") || key === "constructor")
    return "makes code out of text";
  if (key === "require") return "calls require, and no law reads what it loads";
  if (key === "resolve" && (node.object as Node | undefined)?.type === "MetaProperty")
    return "asks for the place of a module, and no law reads which";
  if (isValue && node.name === "Worker" && ancestors.at(-1)?.type !== "NewExpression")
    return "has threads under another name";
  if (type === "ImportDeclaration" && STARTERS.test(textOf(node.source) ?? "") && namesOtherwise(node))
    return "has threads or programs under another name";
  if (STARTS.test(String(called?.name)) && (node.arguments as Node[]).some(namesSource))
    return "starts a program by the path of a file";
  if (type === "MetaProperty" && ancestors.at(-1)?.type !== "MemberExpression")
    return "hands on what knows the places of modules";
  if (isMadeKey(node)) return "asks the global object for a name that is made while it runs";
  if (takenFromProcess(node).some((name) => INSIDES.has(name)))
    return "asks for a module of Node without an import";
  if (called?.name === "Worker" && !isPlace((node.arguments as Node[])[0]!))
    return "starts a thread by a path that depends on the folder of the run";
  if (called?.name === "URL" && isBeside(node.arguments as Node[]))
    return "names a file beside it that is made while it runs";
  if (MODULE.test(textOf(node.source) ?? "") && !takesHarmless(node, from))
    return "loads modules by a way that no law reads";
  const name = type === "Identifier" ? String(node.name) : textOf(node);
  if (type === "Identifier" && name === "fork")
    return "starts a program by a path that depends on the folder of the run";
  if (name === "getBuiltinModule" || name === "_linkedBinding")
    return "asks for a module of Node without an import";
  if (name === "createRequire" && from !== WITH_REQUIRE)
    return "makes a require, and no law reads what it loads";
  return undefined;
}

/** The only file that may use `require`, for a package that cannot be imported. */
const WITH_REQUIRE = "cli/output/jq.ts";

const MAKERS: ReadonlySet<string> = new Set(["eval", "Function"]);

const STARTERS = /^(node:)?(worker_threads|child_process)$/;
const STARTS = /^(spawn|exec|execFile)(Sync)?$/;

/** Whether some text in the node is the path of a source, as an argument or in a list. */
const namesSource = (node: Node): boolean =>
  nodesOf(node).some(([part]) => /\.[cm]?[jt]sx?$/.test(joinedText(part) ?? ""));

/** The text of a literal, of a template, or of such texts joined with `+`. */
function joinedText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  const { type, left, right, operator, quasis, expressions, expression } = node;
  if (type === "ParenthesizedExpression") return joinedText(expression);
  const parts =
    type === "BinaryExpression" && operator === "+"
      ? [joinedText(left), joinedText(right)]
      : type === "TemplateLiteral"
        ? (quasis as { value: { cooked: string } }[]).flatMap(({ value }, i) =>
            i === 0 ? [value.cooked] : [joinedText((expressions as Node[])[i - 1]), value.cooked],
          )
        : [textOf(node)];
  return parts.includes(undefined) ? undefined : parts.join("");
}

/** Whether an import takes a whole module, or renames something it takes. */
const namesOtherwise = ({ specifiers }: Node): boolean =>
  (specifiers as Node[]).some(
    ({ type, imported, local }) =>
      type !== "ImportSpecifier" || (imported as Node).name !== (local as Node).name,
  );

/** `globalThis["ev" + "al"]` */
const isMadeKey = ({ type, computed, object, property }: Node): boolean =>
  type === "MemberExpression" &&
  computed === true &&
  (object as Node).name === "globalThis" &&
  textOf(property) === undefined;

/** Properties of `process` that give access to Node's own modules and native code. */
const INSIDES: ReadonlySet<string> = new Set(["binding", "dlopen"]);

/** Properties read from `process`, by dot, by string or by destructuring. */
function takenFromProcess(node: Node): string[] {
  const { type, object, init, id } = node;
  if (type === "MemberExpression" && (object as Node).name === "process") return [keyOf(node) ?? ""];
  if (type !== "VariableDeclarator" || (init as Node | null)?.name !== "process") return [];
  const properties = ((id as Node).properties ?? []) as Node[];
  return properties.map(({ key }) => String((key as Node | undefined)?.name));
}

/** The property read from an object, by dot, by string, by destructuring or by `Reflect.get`. */
function keyOf(node: Node): string | undefined {
  const { type, property, computed, properties, callee } = node;
  if (type === "MemberExpression") return computed ? joinedText(property) : String((property as Node).name);
  if (type === "CallExpression" && ((callee as Node).object as Node | undefined)?.name === "Reflect")
    return joinedText((node.arguments as Node[])[1]);
  const keys = type === "ObjectPattern" ? (properties as Node[]).map(keyIn) : [];
  return keys.includes("constructor") ? "constructor" : undefined;
}

/** The key of a property in a destructuring pattern. */
const keyIn = ({ key, computed }: Node): string | undefined =>
  computed === true || (key as Node | undefined)?.type === "Literal"
    ? joinedText(key)
    : String((key as Node | undefined)?.name);

/** `new URL(name, import.meta.url)` where the name is only known at run time. */
const isBeside = ([file, base]: readonly Node[]): boolean =>
  (base?.object as Node | undefined)?.type === "MetaProperty" && textOf(file) === undefined;

/** A variable, `new URL(…)`, or the result of a plain function call. */
const isPlace = ({ type, callee }: Node): boolean =>
  type === "Identifier" ||
  type === "NewExpression" ||
  (type === "CallExpression" && (callee as Node).type === "Identifier");

const MODULE = /^(node:)?module$/;

function takesHarmless({ type, specifiers = [] }: Node, from: string): boolean {
  const taken = (specifiers as Node[]).map(({ imported }) => (imported as Node | undefined)?.name);
  const harmless = from === WITH_REQUIRE ? "createRequire" : "flushCompileCache";
  return type === "ImportDeclaration" && taken.every((name) => name === harmless);
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

/** Inside the provider only `chat.ts`, which joins both halves, may import the domain. */
const crossesProvider = ({ from, to, typeOnly }: Import): boolean =>
  !typeOnly &&
  to.startsWith("provider/domain/") &&
  from.startsWith("provider/") &&
  !from.startsWith("provider/domain/") &&
  from !== "provider/chat.ts";

/**
 * Domain files belong to a layer of their subject: storage below view below rules. They may import values of their own layer
 * and of lower ones, in any subject. Query and validation are below all layers; routes and the top-level files are above.
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

/** Node modules that only compute. All others access disk, network or machine. */
const COMPUTES = /^(node:)?(crypto|zlib|url|path|util|buffer)$/;
const isLeaf = (file: string): boolean => ["wire", "text", "model"].includes(roomOf(file));

/** Files of the leaf rooms (wire, text, model) that access the outside world, directly or through another of them. */
function actingLeaves(imports: readonly Import[]): ReadonlySet<string> {
  const acting = new Set<string>();
  for (let before = -1; before !== acting.size;) {
    before = acting.size;
    for (const { from, to, ours, typeOnly } of imports)
      if (isLeaf(from) && !typeOnly && (ours ? acting.has(to) : isBuiltin(to) && !COMPUTES.test(to)))
        acting.add(from);
  }
  return acting;
}

/** Within core, only adapters and stores may access the outside world. */
const hasHands = (file: string): boolean =>
  !file.startsWith("core/") || /^core\/(adapters|store)\//.test(file);

/** Packages that only compute. All others may access the outside world like a Node module. */
const COMPUTING_PACKAGES = /^(linkify-it|mime-types|image-size)$/;

const reachesOut = ({ from, to, ours, typeOnly }: Import, acting: ReadonlySet<string>): boolean =>
  !typeOnly && !hasHands(from) && (ours ? acting.has(to) : !COMPUTING_PACKAGES.test(to));

/** Imports by the package's own name, an alias, an absolute path, or characters that not every system reads alike. */
const isByAnotherName = ({ to, ours }: Import): boolean =>
  ours ? !/^[\w./-]+$/.test(to) : /^(parley-chat(\/|$)|#|\/|[a-z]+:)/.test(to) && !isBuiltin(to);

function faultsOf(one: Import, acting: ReadonlySet<string>): string[] {
  const found: string[] = [];
  if (isByAnotherName(one)) found.push("a file of ours has one name, its path");
  if (one.ours && !roomAllows(one)) found.push("the room may not");
  if (one.ours && crossesProvider(one)) found.push("the transport may not know the domain");
  if (one.ours && reachesUp(one)) found.push("a layer of the domain knows none above it");
  if (reachesOut(one, acting)) found.push("core reaches out through its adapters and stores");
  if (!one.ours && !one.typeOnly)
    for (const [pattern, places, says] of PACKAGES)
      if (pattern.test(one.to) && !places.test(one.from)) found.push(says);
  return found.map((why) => `${show(one)}: ${why}`);
}

/** One sentence for every import that breaks a rule. `sources` = path below src → text. */
export function lawBreaks(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const imports: Import[] = [];
  for (const [from, source] of sources) {
    if (!/\.tsx?$/.test(from)) found.push(`${from}: no law reads such a file`);
    if (/^\/\/\/\s*</m.test(source)) found.push(`${from}: names a file in a comment for the compiler`);
    if (!LAW[roomOf(from)]) found.push(`${from}: no law names the room ${roomOf(from)}`);
    if (inDomain(from) && layerOf(from) === undefined)
      found.push(`${from}: stands in no layer of the domain`);
    for (const [node, ancestors] of nodesOf(parsed(from, source))) {
      const hidden = hiddenIn(node, ancestors, from);
      if (hidden !== undefined) found.push(`${from}: ${hidden}`);
      const one = importIn(node, from);
      if (one) imports.push(one);
    }
  }
  const acting = actingLeaves(imports);
  return [...found, ...imports.flatMap((one) => faultsOf(one, acting))];
}

/** Globals that give access to time, randomness and the outside world. */
const WORLD = new Set(
  "process console performance setTimeout setInterval setImmediate fetch WebSocket EventSource crypto globalThis global navigator localStorage sessionStorage MessageChannel BroadcastChannel Temporal Atomics FinalizationRegistry XMLHttpRequest randomUUID randomBytes randomInt randomFill randomFillSync getRandomValues webcrypto require gc self WeakRef postMessage addEventListener dispatchEvent caches".split(
    " ",
  ),
);

/** Whether the name is only a property key, or part of a type. */
function isNamed(node: Node, [parent]: readonly Node[]): boolean {
  if (!parent || /^TS|^ImportSpecifier|^ExportSpecifier/.test(parent.type)) return true;
  if (parent.type === "MemberExpression") return parent.property === node && parent.computed !== true;
  return parent.key === node && parent.shorthand !== true;
}

/** Harmless uses: computing with given dates and numbers, and combining given signals. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  Date: /^(parse|UTC)$/,
  Math: /^(?!random$)/,
  AbortSignal: /^(?!timeout$)/,
  // Numbers, lists and dates would depend on the language and the zone of the machine.
  Intl: /^Segmenter$/,
};

/** Methods that use the machine's language and zone unless others are given. */
const OF_THE_MACHINE =
  /^toLocale(Date|Time)?String$|^to(Date|Time)String$|^[gs]et(Hours|Minutes|Seconds|Day|Date|Month|FullYear|TimezoneOffset)$/;
/** The files that may use the reader's time zone, to format and parse times. */
const WITH_ZONE = /^text\/(times|zones)\.ts$/;

function machineUseIn(node: Node, ancestors: readonly Node[], file: string): string | undefined {
  const parent = ancestors.at(-1);
  if (!parent) return undefined;
  if (node.type === "CallExpression") {
    const { property, object } = node.callee as Node;
    const called = property as Node | undefined;
    if (OF_THE_MACHINE.test(String(called?.name)) && !WITH_ZONE.test(file)) return "language or zone";
    if (called?.name === "localeCompare" && textOf((node.arguments as Node[])[1]) === undefined)
      return "language";
    // A newly constructed object is checked where its class is named.
    if ((object as Node | undefined)?.type === "NewExpression") return undefined;
    const isNow = /^format(ToParts)?$/.test(String(called?.name)) && (node.arguments as Node[]).length === 0;
    const asksZone = called?.name === "resolvedOptions" && !WITH_ZONE.test(file);
    return isNow ? "the date" : asksZone ? "the zone" : undefined;
  }
  if (node.type === "MetaProperty") return "its place on the disk";
  if (
    node.type === "ImportSpecifier" &&
    /^random|^getRandom|^webcrypto$/.test(String((node.imported as Node).name))
  )
    return /^(node:)?crypto$/.test(textOf(parent.source) ?? "") ? "chance" : undefined;
  if (node.type !== "Identifier") return undefined;
  const name = String(node.name);
  if (isNamed(node, [parent])) return undefined;
  if (WORLD.has(name)) return name;
  const harmless = HARMLESS[name];
  if (harmless === undefined) return undefined;
  if (parent.type === "MemberExpression") {
    const key = parent.computed ? textOf(parent.property) : String((parent.property as Node).name);
    const isZoneTable = key === "DateTimeFormat" && WITH_ZONE.test(file);
    return key !== undefined && (harmless.test(key) || isZoneTable) ? undefined : `${name}.${key ?? "[…]"}`;
  }
  if (parent.type === "BinaryExpression" && parent.operator === "instanceof") return undefined;
  const [first, second] = parent.type === "NewExpression" ? (parent.arguments as Node[]) : [];
  if (name === "Date" && second !== undefined && !WITH_ZONE.test(file)) return "the zone";
  const isGiven = first !== undefined && first.type !== "SpreadElement";
  return isGiven && parent.callee === node ? undefined : `${name} as a value`;
}

/** `file: what` for every direct access of core and the leaf rooms to the outside world, which they must reach through ports. */
export function worldOutside(sources: ReadonlyMap<string, string>): string[] {
  const acting = actingLeaves([...sources].flatMap(([file, source]) => importsOf(file, source)));
  return [...sources].flatMap(([file, source]) =>
    (isLeaf(file) && !acting.has(file)) || !hasHands(file)
      ? nodesOf(parsed(file, source)).flatMap(([node, ancestors]) => {
          const found = machineUseIn(node, ancestors, file);
          return found === undefined ? [] : [`${file}: ${found}`];
        })
      : [],
  );
}

/** A statement or a part of one, recognised by keywords as written here, and the database calls that take one. */
const SQL =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|DELETE FROM|FROM [a-z_]+|WHERE|ORDER BY|GROUP BY|SET [a-z_]+ =)\s|\b(?:db|raw)\s*\.(?:get|all|value|column|run|prepare|exec)\b|\blistPage\b/;

/**
 * SQL in the rules, views and routes of the domain, which belongs in storage, as `file: line`. `CREATE` lines are allowed:
 * the top of the domain puts the tables of all subjects together.
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
