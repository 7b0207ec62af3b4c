/** Sources as syntax trees, for the tests that check the code itself. */
import { parseSync } from "rolldown/experimental";

export interface Node {
  type: string;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const value of Object.values(node))
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  return children;
}

export const parsed = (file: string, source: string): Node =>
  parseSync(file, source).program as unknown as Node;

/** Every node of a tree with its ancestors, the nearest last. */
export function* nodesOf(node: Node, around: readonly Node[] = []): Generator<[Node, readonly Node[]]> {
  yield [node, around];
  const trail = [...around, node];
  for (const child of childrenOf(node)) yield* nodesOf(child, trail);
}

/** The text of a string literal or of a template without insertions; undefined for other nodes. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  const [only, ...more] = (node.quasis ?? []) as { value: { cooked: string } }[];
  return node.type === "TemplateLiteral" && only && more.length === 0 ? only.value.cooked : undefined;
}
