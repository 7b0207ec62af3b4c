/** The client filters and sorts by nothing that the service does not document: what its sources write into the lists that they ask for. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { parseAst } from "rolldown/parseAst";
import { expect, test } from "vitest";
import { endpoints, type EndpointRow } from "../../src/wire/endpoints/index.ts";
import { DOCUMENTED, type DocumentedList } from "../contract/documented-filters.ts";

const ROOT = path.join(import.meta.dirname, "../../src");
/** All but the tables of both ends and the provider; the commands are also played (tests/commands/documented-filters.test.ts). */
const CLIENT = /^(?:core|tui|jobs|model|open|cli|commands)\b.*\.tsx?$/;

// oxlint-disable-next-line typescript/no-explicit-any -- a syntax tree is walked by its shape
type Node = { type: string; readonly [key: string]: any };

interface Written {
  file: string;
  /** The list of the call around it, if it is written into the call. */
  list: string | undefined;
  field: string;
  /** Absent for an order. */
  operator?: string;
}

/** A search has two filters; its order is that of the messages. */
const OF_MESSAGES = "GET /search messages";

const LIST_BY_CALL = new Map(
  Object.entries(endpoints as Record<string, EndpointRow>).map(([name, { method, path: route }]) => [
    name,
    `${method} ${route.replace(/\{\w+\}/, ":id")}`,
  ]),
);

const nameOf = ({ key, computed }: Node): string => (computed ? "" : String(key?.name ?? key?.value ?? ""));

/** What `...(x && { … })` and `...(x ? { … } : {})` may add. */
function* partsOf(node: Node): Iterable<Node> {
  if (node.type === "LogicalExpression") yield* partsOf(node.right);
  else if (node.type === "ConditionalExpression")
    for (const one of [node.consequent, node.alternate]) yield* partsOf(one);
  else if (/^(?:Parenthesized|TSAs|TSSatisfies)Expression$/.test(node.type)) yield* partsOf(node.expression);
  else if (node.type === "ArrayExpression") for (const one of node.elements) yield* partsOf(one);
  else if (node.type === "ObjectExpression") yield node;
}

/** Field and operator of each condition in a literal; what is computed is a literal elsewhere. */
function* conditionsIn(node: Node): Iterable<[field: string, operator: string]> {
  for (const object of partsOf(node)) {
    // The argument of a command, not a filter.
    if (object.properties.some((one: Node) => one.type === "Property" && nameOf(one) === "kind")) continue;
    for (const property of object.properties as Node[]) {
      if (property.type === "SpreadElement") {
        yield* conditionsIn(property.argument);
        continue;
      }
      const name = nameOf(property);
      if (/^\$(?:and|or|nor)$/.test(name)) yield* conditionsIn(property.value);
      else if (property.value.type === "ObjectExpression")
        for (const one of property.value.properties as Node[]) yield [name, nameOf(one)];
      else if (name !== "") yield [name, "$eq"];
    }
  }
}

/** The fields of an order: `[{ field: "created_at", direction: -1 }]`. */
function* ordersIn(node: Node): Iterable<string> {
  for (const object of partsOf(node))
    for (const property of object.properties as Node[])
      if (nameOf(property) === "field" && property.value.type === "Literal") yield property.value.value;
}

function writtenIn(file: string): Written[] {
  const text = readFileSync(path.join(ROOT, file), "utf8");
  if (!/filter|sort/.test(text)) return [];
  const lang = file.endsWith("x") ? "tsx" : "ts";
  const found: Written[] = [];
  const take = (name: string, value: Node, around: string | undefined): void => {
    const list = name.startsWith("message_") ? OF_MESSAGES : around;
    if (/^(?:(?:message_)?filter_conditions|filter)$/.test(name))
      for (const [field, operator] of conditionsIn(value)) found.push({ file, list, field, operator });
    if (name === "sort")
      for (const field of ordersIn(value))
        found.push({ file, list: around === "GET /search" ? OF_MESSAGES : around, field });
  };
  const visit = (node: unknown, around: string | undefined): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, around));
    if (typeof node !== "object" || node === null || !("type" in node)) return;
    const { type, ...parts } = node as Node;
    const called = type === "CallExpression" ? (parts.arguments[0]?.value as unknown) : undefined;
    const list = LIST_BY_CALL.get(String(called)) ?? around;
    if (type === "Property") take(nameOf(node as Node), parts.value, list);
    if (type === "VariableDeclarator" && parts.init) take(String(parts.id.name), parts.init, list);
    for (const part of Object.values(parts)) visit(part, list);
  };
  visit(parseAst(text, { lang }).body, undefined);
  return found;
}

const isDocumented = ({ field, operator }: Written, { filter, sort }: DocumentedList): boolean =>
  operator === undefined ? sort.includes(field) : filter[field]?.split(" ").includes(operator) === true;

test("every filter and order in the sources of the client is documented for its list", () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter((file) => CLIENT.test(file));
  const written = files.flatMap(writtenIn);
  const faults = written.filter((one) => {
    const lists = one.list === undefined ? Object.values(DOCUMENTED) : [DOCUMENTED[one.list]];
    return !lists.some((list) => list !== undefined && isDocumented(one, list));
  });
  // Enough of them to tell that the literals were found.
  expect(written.length).toBeGreaterThan(60);
  expect(faults).toEqual([]);
});
