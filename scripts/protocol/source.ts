/** Reads the tables of src/wire as source: rows of endpoints, keys of events and declarations of types. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { shapeOf, type EntityTypes } from "../../src/wire/entities/index.ts";
import type { Shape } from "../../src/wire/entities/fields.ts";
import { typeText } from "./body.ts";

const WIRE = path.resolve(import.meta.dirname, "../../src/wire");

// oxlint-disable-next-line typescript/no-explicit-any -- a syntax tree is walked by its shape
type Node = any;

export interface RouteSource {
  name: string;
  subject: string;
  /** Texts of the type parameters: path, query, body, reply. */
  types: string[];
}

export interface EventSource {
  type: string;
  keys: string;
}

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

const read = (file: string): { source: string; body: Node[] } => {
  const source = readFileSync(path.join(WIRE, file), "utf8");
  return { source, body: parseAst(source, { lang: "ts" }).body as Node[] };
};

const ENTITY_FILES = readdirSync(path.join(WIRE, "entities")).map((file) => `entities/${file}`);
export const ENTITY_NAMES = ENTITY_FILES.flatMap((file) =>
  [
    ...readFileSync(path.join(WIRE, file), "utf8").matchAll(
      /^export interface (\w+) extends Infer<typeof \1>/gm,
    ),
  ].map((found) => found[1] as keyof EntityTypes),
);

const keyOf = (node: Node): string => node.name ?? node.value;

/** Rows of one file of the endpoint table, in its order. */
export function routesOf(subject: string): RouteSource[] {
  const { source, body } = read(`endpoints/${subject}.ts`);
  const rows: RouteSource[] = [];
  for (const statement of body)
    for (const one of statement.declaration?.declarations ?? []) {
      const table = one.init?.callee?.name === "withOperations" ? one.init.arguments[0] : undefined;
      if (table?.type !== "ObjectExpression") continue;
      for (const property of table.properties)
        if (property.value?.type === "CallExpression" && property.value.callee.name === "row") {
          const typeArguments = (property.value.typeArguments?.params ?? []) as Node[];
          const [reply = "object", body = "undefined", pathType = "object", query = "object"] =
            typeArguments.map((type) => textOf(source, type));
          rows.push({ name: keyOf(property.key), subject, types: [pathType, query, body, reply] });
        }
    }
  return rows;
}

/** The keys of every event, in the order of the map. */
export function eventsOf(): EventSource[] {
  const { source, body } = read("events.ts");
  const map = body.find((one) => one.declaration?.id?.name === "EventMap")?.declaration;
  return map.body.body.map((member: Node) => ({
    type: keyOf(member.key),
    keys: textOf(source, member.typeAnnotation.typeAnnotation),
  }));
}

/** What the source says of an object and its type does not: comments of rows, and the entity whose rows it has, too. */
interface Declared {
  comments: Map<string, string>;
  base?: keyof EntityTypes;
  own: Set<string>;
}

function declaredIn(file: string, known: Map<string, Declared>): void {
  const { source, body } = read(file);
  for (const statement of body)
    for (const { id, init } of (statement.declaration ?? statement).declarations ?? []) {
      if (init?.type !== "ObjectExpression") continue;
      const declared: Declared = { comments: new Map(), own: new Set() };
      let from = init.start + 1;
      for (const property of init.properties) {
        const comment = /\/\*\*[^]*\*\//.exec(source.slice(from, property.start));
        const spread = property.argument?.name;
        if (ENTITY_NAMES.includes(spread)) declared.base = spread;
        else if (spread) for (const key of known.get(spread)?.own ?? []) declared.own.add(key);
        else declared.own.add(keyOf(property.key));
        if (comment) declared.comments.set(keyOf(property.key), comment[0]);
        from = property.end;
      }
      known.set(id.name, declared);
    }
}

/** The types of all entities, by name. */
function entityTypes(): [string, string][] {
  const known = new Map<string, Declared>();
  for (const file of ENTITY_FILES) declaredIn(file, known);
  return ENTITY_NAMES.map((name) => {
    const { comments, base, own } = known.get(name)!;
    const shape = rowsOf(name);
    const inherited = Object.keys(base ? rowsOf(base) : {});
    const replaced = inherited.filter((key) => own.has(key)).map((key) => JSON.stringify(key));
    const without = new Set(inherited.filter((key) => !own.has(key)));
    const from = replaced.length ? `Omit<${base}, ${replaced.join(" | ")}>` : base;
    return [
      name,
      `interface ${name} ${from ? `extends ${from} ` : ""}${typeText(shape, "", { comments, without })}`,
    ];
  });
}
const rowsOf = (entity: keyof EntityTypes): Shape => shapeOf({ kind: "object", entity })!;

/** The source of all interfaces and type aliases of src/wire, by name. */
export function declarations(): Map<string, string> {
  const found = new Map<string, string>(entityTypes());
  const files = readdirSync(WIRE, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .toSorted();
  for (const file of files) {
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
