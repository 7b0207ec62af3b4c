/** Reads what only the source of src/wire says: comments of rows, and declarations of types. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";

const WIRE = path.resolve(import.meta.dirname, "../../src/wire");

// oxlint-disable-next-line typescript/no-explicit-any -- a syntax tree is walked by its shape
type Node = any;

/** The text of a node, unindented. */
function textOf(source: string, node: Node): string {
  const text = source.slice(node.start, node.end);
  const lines = text.split("\n");
  const indents = lines
    .slice(1)
    .filter((line) => line.trim() !== "")
    .map((line) => /^ */.exec(line)![0].length);
  const cut = indents.length ? Math.min(...indents) : 0;
  const last = Math.min(cut, indents.at(-1) ?? 0);
  return lines.map((line, n) => (n === 0 ? line : line.slice(Math.min(last, line.length)))).join("\n");
}

function read(file: string): { source: string; body: Node[] } {
  const source = readFileSync(path.join(WIRE, file), "utf8");
  return { source, body: parseAst(source, { lang: "ts" }).body as Node[] };
}

/** The files of src/wire, without folders. */
const FILES = readdirSync(WIRE, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .toSorted();

/** File → the names of its shapes that a type is derived from. */
export const SHAPES = new Map(
  FILES.map((file) => [
    path.join(WIRE, file),
    [...read(file).source.matchAll(/^export interface (\w+) extends Infer<typeof \1>/gm)].map(
      ([, name]) => name!,
    ),
  ]),
);

const keyOf = (node: Node): string => node.name ?? node.value;

/** What the source says of a shape beside its rows. */
export interface ShapeSource {
  /** Comments of rows. */
  comments: Map<string, string>;
  /** The named shape whose rows it has, too. */
  base?: string;
  /** The keys that do not come from the named shape. */
  own: Set<string>;
}

/** The shapes of all files, by the names of their constants; those in a table by `TABLE.key`. */
export function shapeSources(): Map<string, ShapeSource> {
  const found = new Map<string, ShapeSource>();
  for (const file of FILES) {
    const { source, body } = read(file);
    const add = (name: string, node: Node): void => {
      if (node?.type !== "ObjectExpression") return;
      for (const { key, value } of node.properties) if (key) add(`${name}.${keyOf(key)}`, value);
      found.set(name, shapeSource(source, node, found));
    };
    for (const statement of body)
      for (const { id, init } of (statement.declaration ?? statement).declarations ?? [])
        add(id.name, plain(init));
  }
  return found;
}

/** The object of `shape(() => ({ … }))`, or without `as const` and `satisfies`. */
function plain(node: Node): Node {
  const inner = node?.type === "CallExpression" ? node.arguments[0]?.body : node?.expression;
  return inner ? plain(inner) : node;
}

function shapeSource(
  source: string,
  { start, properties }: Node,
  known: Map<string, ShapeSource>,
): ShapeSource {
  const found: ShapeSource = { comments: new Map(), own: new Set() };
  let from = start + 1;
  for (const property of properties) {
    const comment = /\/\*\*[^]*\*\//.exec(source.slice(from, property.start));
    const spread = (property.argument?.callee ?? property.argument)?.name;
    if (spread && /^[A-Z]/.test(spread)) found.base = spread;
    else if (spread) {
      const { own, comments } = known.get(spread) ?? {};
      for (const key of own ?? []) found.own.add(key);
      for (const [key, text] of comments ?? []) found.comments.set(key, text);
    } else if (property.key) found.own.add(keyOf(property.key));
    if (comment && property.key) found.comments.set(keyOf(property.key), comment[0]);
    from = property.end;
  }
  return found;
}

/** The source of all other interfaces and type aliases of src/wire, by name. */
export function declarations(): Map<string, string> {
  const found = new Map<string, string>();
  for (const file of FILES) {
    const { source, body } = read(file);
    for (const statement of body) {
      const node = statement.declaration ?? statement;
      if (node.type !== "TSInterfaceDeclaration" && node.type !== "TSTypeAliasDeclaration") continue;
      if (!found.has(node.id.name)) found.set(node.id.name, textOf(source, node));
    }
  }
  return found;
}

/** All declarations that the texts refer to, directly or indirectly, in alphabetical order. */
export function referencedDeclarations(texts: readonly string[], known: Map<string, string>): string[] {
  const names = new Set<string>();
  const visit = (text: string): void => {
    const code = text.replace(/\/\*\*[\s\S]*?\*\/|\/\/.*$/gm, "").replace(/"(?:\\.|[^"\\])*"/g, "");
    for (const [name] of code.matchAll(/\b[A-Z]\w+\b/g))
      if (known.has(name) && !names.has(name)) {
        names.add(name);
        visit(known.get(name)!);
      }
  };
  texts.forEach(visit);
  return [...names].toSorted();
}
