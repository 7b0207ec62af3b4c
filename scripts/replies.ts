/** Prints src/wire/replies.ts: the shapes of all answers and events, read from the types of the endpoint table. */
import { readdirSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import type { Field, Shape } from "../src/wire/entities/fields.ts";
import { shapeOf, type EntityTypes } from "../src/wire/entities/index.ts";
import { ENTITY_NAMES, declarations, eventsOf, routesOf } from "./protocol/source.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a syntax tree is walked by its shape
type Node = any;

/** `t` text, `n` number, `b` flag, `a` anything, `o` object, `o:Name` an entity; `l` before it a list, `m` a map. */
type Kind = string;
type Keys = Map<string, { kind: Kind; required: boolean }>;

const declared = declarations();
const entities = new Map<string, Keys>();

const parsed = (text: string): Node => {
  const [statement] = parseAst(text, { lang: "ts" }).body as Node[];
  return statement.declaration ?? statement;
};

const KIND: Partial<Record<Field["kind"], Kind>> = {
  text: "t",
  id: "t",
  choice: "t",
  time: "t",
  whole: "n",
  number: "n",
  flag: "b",
  filter: "o",
};

function kindOfField(field: Field): Kind {
  const { kind, item, entity } = field;
  if (kind === "list" || kind === "map") return `${kind[0]}${kindOfField(item!)}`;
  if (kind !== "object") return KIND[kind] ?? "a";
  return entity && !field.partial ? namedEntity(entity) : named(keysOfShape(shapeOf(field)!));
}

function namedEntity(entity: keyof EntityTypes): Kind {
  if (!entities.has(entity)) {
    entities.set(entity, new Map());
    entities.set(entity, keysOfShape(rowsOf(entity)));
  }
  return `o:${entity}`;
}

const rowsOf = (entity: keyof EntityTypes): Shape => shapeOf({ kind: "object", entity })!;

const keysOfShape = (shape: Shape): Keys =>
  new Map(
    Object.entries(shape).flatMap(([key, field]) =>
      key === "*"
        ? []
        : [[key, { kind: kindOfField(field), required: field.required === true && !field.nulls }]],
    ),
  );

/** The declaration of a name, if it is an object type without type parameters. */
function objectOf(name: string): Node | undefined {
  const text = declared.get(name);
  if (text === undefined) return undefined;
  const node = parsed(text);
  return node.typeParameters ? undefined : node;
}

function merge(target: Keys, from: Keys): Keys {
  for (const [key, row] of from) target.set(key, row);
  return target;
}

const strings = (node: Node): string[] =>
  (node.type === "TSUnionType" ? node.types : [node]).map((one: Node) => one.literal?.value);

/** The keys of an object type; undefined if it cannot be resolved. */
function keysOf(node: Node): Keys | undefined {
  switch (node.type) {
    case "TSInterfaceDeclaration": {
      const keys: Keys = new Map();
      for (const { expression, typeArguments } of node.extends ?? [])
        merge(keys, keysOf({ type: "TSTypeReference", typeName: expression, typeArguments }) ?? new Map());
      return merge(keys, members(node.body.body));
    }
    case "TSTypeAliasDeclaration":
      return keysOf(node.typeAnnotation);
    case "TSTypeLiteral":
      return members(node.members);
    case "TSParenthesizedType":
      return keysOf(node.typeAnnotation);
    case "TSIntersectionType":
      return (node.types as Node[]).reduce<Keys>(
        (keys, one) => merge(keys, keysOf(one) ?? new Map()),
        new Map(),
      );
    case "TSTypeReference":
      return referenced(node);
    default:
      return undefined;
  }
}

function referenced(node: Node): Keys | undefined {
  const { name } = node.typeName;
  const typeArguments = (node.typeArguments?.params ?? []) as Node[];
  const target = (): Keys => new Map(keysOf(typeArguments[0]) ?? []);
  if (name === "Omit") {
    const keys = target();
    for (const key of strings(typeArguments[1])) keys.delete(key);
    return keys;
  }
  if (name === "Pick") {
    const wanted = strings(typeArguments[1]);
    return new Map([...target()].filter(([key]) => wanted.includes(key)));
  }
  if (name === "Partial") return allOptional(target());
  if (name === "Required")
    return new Map([...target()].map(([key, row]) => [key, { ...row, required: true }]));
  if (ENTITY_NAMES.includes(name)) return keysOfShape(rowsOf(name));
  const declaration = objectOf(name);
  return declaration && keysOf(declaration);
}

const isNull = (node: Node): boolean => node.type === "TSNullKeyword";

function members(list: Node[]): Keys {
  const keys: Keys = new Map();
  for (const member of list)
    if (member.type === "TSPropertySignature") {
      const type = member.typeAnnotation.typeAnnotation;
      const required = member.optional !== true && !(type.types ?? []).some(isNull);
      keys.set(member.key.name ?? member.key.value, { kind: kindOf(type), required });
    }
  return keys;
}

function kindOf(node: Node): Kind {
  switch (node.type) {
    case "TSStringKeyword":
      return "t";
    case "TSNumberKeyword":
      return "n";
    case "TSBooleanKeyword":
      return "b";
    case "TSLiteralType":
      return { string: "t", number: "n", boolean: "b" }[typeof node.literal.value as string] ?? "a";
    case "TSTemplateLiteralType":
      return "t";
    case "TSArrayType":
      // In a list of events, only invalid events are dropped (`eventProblem`).
      return node.elementType.typeName?.name === "AnyEvent" ? "la" : `l${kindOf(node.elementType)}`;
    case "TSParenthesizedType":
      return kindOf(node.typeAnnotation);
    case "TSUnionType": {
      const kinds = new Set((node.types as Node[]).filter((one) => !isNull(one)).map(kindOf));
      return kinds.size === 1 ? [...kinds][0]! : "a";
    }
    case "TSTypeLiteral":
    case "TSIntersectionType":
      return unnamed(node);
    case "TSTypeReference":
      return kindOfName(node);
    default:
      return "a";
  }
}

/** Anonymous object types get a name derived from their content. */
function unnamed(node: Node): Kind {
  const keys = keysOf(node);
  if (!keys) return "a";
  return named(keys);
}
function named(keys: Keys): Kind {
  const row = shapeText(keys);
  if (row === "") return "o";
  const existing = [...entities].find(([name, one]) => name.startsWith("Inner") && shapeText(one) === row);
  const name =
    existing?.[0] ?? `Inner${[...entities.keys()].filter((one) => one.startsWith("Inner")).length + 1}`;
  entities.set(name, keys);
  return `o:${name}`;
}

function kindOfName(node: Node): Kind {
  const { name } = node.typeName;
  const typeArguments = (node.typeArguments?.params ?? []) as Node[];
  if (name === "Record") return `m${kindOf(typeArguments[1])}`;
  if (name === "Array" || name === "ReadonlyArray") return `l${kindOf(typeArguments[0])}`;
  if (name === "Omit" || name === "Pick" || name === "Partial" || name === "Required") return unnamed(node);
  if (ENTITY_NAMES.includes(name)) return namedEntity(name);
  const declaration = objectOf(name);
  if (!declaration) return "a";
  if (declaration.type === "TSTypeAliasDeclaration" && !keysOf(declaration.typeAnnotation))
    return kindOf(declaration.typeAnnotation);
  if (!entities.has(name)) {
    entities.set(name, new Map());
    entities.set(name, keysOf(declaration) ?? new Map());
  }
  return `o:${name}`;
}

const shapeText = (keys: Keys): string =>
  [...keys]
    .filter(([key, { kind }]) => key !== "duration" && kind !== "a" && /^\w+$/.test(key))
    .map(([key, { kind, required }]) => `${key}${required ? "!" : "?"}${kind}`)
    .join(" ");

const allOptional = (keys: Keys): Keys =>
  new Map([...keys].map(([key, { kind }]) => [key, { kind, required: false }]));

/** The keys of every event, all optional: a missing key changes nothing. */
function eventRows(): string[] {
  entities.set("EventEnvelope", allOptional(keysOf(objectOf("EventEnvelope"))!));
  return eventsOf().map(({ type, keys }) => {
    const own = keysOf(parsed(`type E = ${keys};`).typeAnnotation) ?? new Map();
    return `  ${JSON.stringify(type)}: ${JSON.stringify(shapeText(allOptional(own)))},`;
  });
}

export function repliesPage(): string {
  const files = readdirSync(path.resolve(import.meta.dirname, "../src/wire/endpoints"))
    .filter((file) => file !== "row.ts")
    .map((file) => file.replace(/\.ts$/, ""));
  const rows = files.flatMap(routesOf).map(({ name, types }) => {
    const reply = types[3] === undefined ? undefined : parsed(`type R = ${types[3]};`).typeAnnotation;
    return `  ${name}: ${JSON.stringify(shapeText((reply && keysOf(reply)) ?? new Map()))},`;
  });
  const events = eventRows();
  const named = [...entities]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, keys]) => `  ${name}: ${JSON.stringify(shapeText(keys))},`);
  return `/** What answers and events hold, printed from the types of the tables (npm run docs): read by \`reply-shapes.ts\`. */

/** Entities: \`key!kind\` must be there, \`key?kind\` may be. */
export const ENTITIES: Readonly<Record<string, string>> = {
${named.join("\n")}
};

/** Answers by endpoint, in the same spelling. */
export const REPLIES: Readonly<Record<string, string>> = {
${rows.toSorted().join("\n")}
};

/** What events hold beside the envelope, by name. */
export const EVENTS: Readonly<Record<string, string>> = {
${events.join("\n")}
};
`;
}
