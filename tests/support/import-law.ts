/** Who may import whom: reads import lines out of sources and tells every one that breaks the law of the house. */
import { isBuiltin } from "node:module";
import path from "node:path";
import { isNode, nodesOf, parsed, textOf, type Node } from "./syntax.ts";

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
  [/^commander(\/|$)/, /^cli\//, "commander belongs to the command line"],
  [/^got(\/|$)/, /^core\/adapters\//, "got belongs to core's adapters"],
  [/^ws(\/|$)/, /^(core\/adapters|provider)\//, "ws belongs to core's adapters and the provider"],
  [/^conf(\/|$)/, /^config\//, "conf belongs to config"],
  [/^(node:)?(wasi|repl|inspector(\/promises)?)$/, /^$/, "no room makes code out of text"],
  [/^(node:)?(cluster|test(\/.*)?)$/, /^$/, "no room starts programs by the path of a file"],
  [
    /^(node:)?child_process$/,
    /^(cli\/|tui\/machine\/|config\/(picture-route|token-command)\.ts$|provider\/lifecycle\/start\.ts$)/,
    "programs are started by the shell, by the screen's ports to the machine, for a token or a terminal, and by whoever starts a provider",
  ],
  // One file asks V8 for its collector this way.
  [/^(node:)?vm$/, /^open\/memory\.ts$/, "no room makes code out of text"],
];

/** The room of a file: the first folder below src, or the name of a file that lies there itself. */
export function roomOf(file: string): string {
  const [first, ...rest] = file.split("/");
  return rest.length ? first! : path.posix.basename(first!, path.posix.extname(first!));
}

const withoutComments = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");

/** A file and the module that a node of its tree names, if it names one. */
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
      // The file of a thread.
      const [file] = node.arguments as Node[];
      const isThread = (node.callee as Node).name === "URL" && /\.tsx?$/.test(textOf(file) ?? "");
      return isThread ? make(file, false, true) : undefined;
    }
    default:
      return undefined;
  }
}

export function importsOf(from: string, source: string): Import[] {
  return [...nodesOf(parsed(from, source))].flatMap(([node]) => importIn(node, from) ?? []);
}

/** Ways to a module that no import shows, and files of ours under names that do not begin with a dot. */
function hiddenIn(node: Node, around: readonly Node[], from: string): string | undefined {
  const { type } = node;
  const called = node.callee as Node | undefined;
  if (type === "ImportExpression" && (node.source as Node).type !== "Literal")
    return "imports by a name that is made while it runs";
  const isValue = type === "Identifier" && !isNamed(node, around.slice(-1));
  if (isValue && node.name === "require") return "calls require, and no law reads what it loads";
  const key = keyOf(node);
  if ((isValue && MAKERS.has(String(node.name))) || MAKERS.has(key ?? "") || key === "constructor")
    return "makes code out of text";
  if (key === "require") return "calls require, and no law reads what it loads";
  if (key === "resolve" && (node.object as Node | undefined)?.type === "MetaProperty")
    return "asks for the place of a module, and no law reads which";
  if (isValue && node.name === "Worker" && around.at(-1)?.type !== "NewExpression")
    return "has threads under another name";
  if (type === "ImportDeclaration" && STARTERS.test(textOf(node.source) ?? "") && namesOtherwise(node))
    return "has threads or programs under another name";
  if (STARTS.test(String(called?.name)) && (node.arguments as Node[]).some(namesSource))
    return "starts a program by the path of a file";
  if (type === "MetaProperty" && around.at(-1)?.type !== "MemberExpression")
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

/** The one file that needs a `require`: for a package that cannot be imported. */
const WITH_REQUIRE = "cli/output/jq.ts";

const MAKERS: ReadonlySet<string> = new Set(["eval", "Function"]);

const STARTERS = /^(node:)?(worker_threads|child_process)$/;
const STARTS = /^(spawn|exec|execFile)(Sync)?$/;

/** Some text in it is the path of a source, be it an argument or one in a list of them. */
const namesSource = (node: Node): boolean =>
  [...nodesOf(node)].some(([part]) => /\.[cm]?[jt]sx?$/.test(joinedText(part) ?? ""));

/** The text of a literal, of a template, and of such texts put together by `+`. */
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

/** All of a module by one name, or something of it by another than its own. */
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

/** What of the process gives out Node's own modules, and native code. */
const INSIDES: ReadonlySet<string> = new Set(["binding", "dlopen"]);

/** What is read of the process, by a dot, by a text or by taking it apart. */
function takenFromProcess(node: Node): string[] {
  const { type, object, init, id } = node;
  if (type === "MemberExpression" && (object as Node).name === "process") return [keyOf(node) ?? ""];
  if (type !== "VariableDeclarator" || (init as Node | null)?.name !== "process") return [];
  const properties = ((id as Node).properties ?? []) as Node[];
  return properties.map(({ key }) => String((key as Node | undefined)?.name));
}

/** What is read of an object, by a dot, by a text, by taking it apart or by `Reflect.get`. */
function keyOf(node: Node): string | undefined {
  const { type, property, computed, properties, callee } = node;
  if (type === "MemberExpression") return computed ? joinedText(property) : String((property as Node).name);
  if (type === "CallExpression" && ((callee as Node).object as Node | undefined)?.name === "Reflect")
    return joinedText((node.arguments as Node[])[1]);
  const keys = type === "ObjectPattern" ? (properties as Node[]).map(keyIn) : [];
  return keys.includes("constructor") ? "constructor" : undefined;
}

/** The key of a property in a pattern. */
const keyIn = ({ key, computed }: Node): string | undefined =>
  computed === true || (key as Node | undefined)?.type === "Literal"
    ? joinedText(key)
    : String((key as Node | undefined)?.name);

/** `new URL(made, import.meta.url)`: a file of ours, and nobody reads which. */
const isBeside = ([file, base]: readonly Node[]): boolean =>
  (base?.object as Node | undefined)?.type === "MetaProperty" && textOf(file) === undefined;

/** A name, `new URL(…)`, or what a function of ours gives back. */
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

/** Modules of Node that only compute. Any other one acts: it meets disk, network or machine. */
const COMPUTES = /^(node:)?(crypto|zlib|url|path|util|buffer)$/;
const isLeaf = (file: string): boolean => ["wire", "text", "model"].includes(roomOf(file));

/** Files of the leaf rooms that act, by themselves or through another of them. */
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

/** Core has no hands but its adapters and its stores. */
const hasHands = (file: string): boolean =>
  !file.startsWith("core/") || /^core\/(adapters|store)\//.test(file);

/** Packages that only compute. Any other one may meet the world as well as a module of Node. */
const COMPUTING_PACKAGES = /^(linkify-it|mime-types|image-size)$/;

const reachesOut = ({ from, to, ours, typeOnly }: Import, acting: ReadonlySet<string>): boolean =>
  !typeOnly && !hasHands(from) && (ours ? acting.has(to) : !COMPUTING_PACKAGES.test(to));

/** The package by its own name, an alias, a place on this disk, or a path that another part of the machine reads differently. */
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

/** Every import that breaks the law, as a sentence. `sources` = path below src → text. */
export function lawBreaks(sources: ReadonlyMap<string, string>): string[] {
  const found: string[] = [];
  const imports: Import[] = [];
  for (const [from, source] of sources) {
    if (!/\.tsx?$/.test(from)) found.push(`${from}: no law reads such a file`);
    if (/^\/\/\/\s*</m.test(source)) found.push(`${from}: names a file in a comment for the compiler`);
    if (!LAW[roomOf(from)]) found.push(`${from}: no law names the room ${roomOf(from)}`);
    if (inDomain(from) && layerOf(from) === undefined)
      found.push(`${from}: stands in no layer of the domain`);
    for (const [node, around] of nodesOf(parsed(from, source))) {
      const hidden = hiddenIn(node, around, from);
      if (hidden !== undefined) found.push(`${from}: ${hidden}`);
      const one = importIn(node, from);
      if (one) imports.push(one);
    }
  }
  const acting = actingLeaves(imports);
  return [...found, ...imports.flatMap((one) => faultsOf(one, acting))];
}

/** What a program finds without an import: time, chance, and the world outside. */
const WORLD = new Set(
  "process console performance setTimeout setInterval setImmediate fetch WebSocket EventSource crypto globalThis global navigator localStorage sessionStorage MessageChannel BroadcastChannel Temporal Atomics FinalizationRegistry XMLHttpRequest randomUUID randomBytes randomInt randomFill randomFillSync getRandomValues webcrypto require gc self WeakRef postMessage addEventListener dispatchEvent caches".split(
    " ",
  ),
);

/** A name that is only a key, or that is said of types. */
function isNamed(node: Node, [parent]: readonly Node[]): boolean {
  if (!parent || /^TS|^ImportSpecifier|^ExportSpecifier/.test(parent.type)) return true;
  if (parent.type === "MemberExpression") return parent.property === node && parent.computed !== true;
  return parent.key === node && parent.shorthand !== true;
}

/** What may be done with these without meeting the world: of dates and numbers what is computed, of signals what others give. */
const HARMLESS: Readonly<Record<string, RegExp>> = {
  Date: /^(parse|UTC)$/,
  Math: /^(?!random$)/,
  AbortSignal: /^(?!timeout$)/,
  // Numbers, lists and dates are written by the language and the zone of the machine.
  Intl: /^Segmenter$/,
};

/** Language and zone of the machine, where nobody names others. */
const OF_THE_MACHINE =
  /^toLocale(Date|Time)?String$|^to(Date|Time)String$|^[gs]et(Hours|Minutes|Seconds|Day|Date|Month|FullYear|TimezoneOffset)$/;
/** The two files that know the zone of whoever reads, and read and write times in it. */
const WITH_ZONE = /^text\/(times|when)\.ts$/;

function worldIn(node: Node, around: readonly Node[], file: string): string | undefined {
  const parent = around.at(-1);
  if (!parent) return undefined;
  if (node.type === "CallExpression") {
    const { property, object } = node.callee as Node;
    const called = property as Node | undefined;
    if (OF_THE_MACHINE.test(String(called?.name)) && !WITH_ZONE.test(file)) return "language or zone";
    if (called?.name === "localeCompare" && textOf((node.arguments as Node[])[1]) === undefined)
      return "language";
    // What is made on the spot is seen by its own name.
    if ((object as Node | undefined)?.type === "NewExpression") return undefined;
    const isNow = /^format(ToParts)?$/.test(String(called?.name)) && (node.arguments as Node[]).length === 0;
    return isNow ? "the date" : called?.name === "resolvedOptions" ? "the zone" : undefined;
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
    return key !== undefined && harmless.test(key) ? undefined : `${name}.${key ?? "[…]"}`;
  }
  if (parent.type === "BinaryExpression" && parent.operator === "instanceof") return undefined;
  const [first, second] = parent.type === "NewExpression" ? (parent.arguments as Node[]) : [];
  if (name === "Date" && second !== undefined && !WITH_ZONE.test(file)) return "the zone";
  const isGiven = first !== undefined && first.type !== "SpreadElement";
  return isGiven && parent.callee === node ? undefined : `${name} as a value`;
}

/** `file: what` of what core and the leaf rooms find of the world outside although it reaches them through ports. */
export function worldOutside(sources: ReadonlyMap<string, string>): string[] {
  const acting = actingLeaves([...sources].flatMap(([file, source]) => importsOf(file, source)));
  return [...sources].flatMap(([file, source]) =>
    (isLeaf(file) && !acting.has(file)) || !hasHands(file)
      ? [...nodesOf(parsed(file, source))].flatMap(([node, around]) => {
          const found = worldIn(node, around, file);
          return found === undefined ? [] : [`${file}: ${found}`];
        })
      : [],
  );
}

/** A statement or a piece of one, by its words as they are written here, and the calls of the database that take one. */
const SQL =
  /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|DELETE FROM|FROM [a-z_]+|WHERE|ORDER BY|GROUP BY|SET [a-z_]+ =)\s|\b(?:db|raw)\s*\.(?:get|all|value|column|run|prepare|exec)\b|\blistPage\b/;

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
