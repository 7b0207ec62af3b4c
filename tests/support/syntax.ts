/** Sources as syntax trees, for the tests that check the code itself. */
import path from "node:path";
import { parseSync } from "rolldown/experimental";

export interface Node {
  type: string;
  [key: string]: unknown;
}

export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";

export function childrenOf(node: Node): Node[] {
  const children: Node[] = [];
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

/** Several tests read the same sources, and parsing them takes most of their time. */
const trees = new Map<string, Node>();

export function parsed(file: string, source: string): Node {
  const key = `${path.extname(file)} ${source}`;
  const tree = trees.get(key) ?? (parseSync(file, source).program as unknown as Node);
  trees.set(key, tree);
  return tree;
}

/** Every node of a tree with its ancestors, the nearest last. */
export function nodesOf(tree: Node): [Node, readonly Node[]][] {
  const found: [Node, readonly Node[]][] = [];
  const visit = (node: Node, ancestors: readonly Node[]): void => {
    found.push([node, ancestors]);
    const children = childrenOf(node);
    if (children.length === 0) return;
    const trail = [...ancestors, node];
    for (const child of children) visit(child, trail);
  };
  visit(tree, []);
  return found;
}

/** The text of a string literal or of a template without insertions; undefined for other nodes. */
export function textOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === "Literal" && typeof node.value === "string") return node.value;
  const [only, ...more] = (node.quasis ?? []) as { value: { cooked: string } }[];
  return node.type === "TemplateLiteral" && only && more.length === 0 ? only.value.cooked : undefined;
}
