/** Finds the endpoint of a request in the endpoint table that client and provider share. */
import { endpoints, type EndpointName, type EndpointRow } from "./index.ts";

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  methods: Map<string, { name: EndpointName; row: EndpointRow; parameters: string[] }>;
}

type Match =
  | { kind: "found"; name: EndpointName; row: EndpointRow; path: Record<string, string> }
  | { kind: "wrongMethod"; op: string; allowed: string[] }
  | { kind: "unknown" };

const emptyNode = (): Node => ({ literals: new Map(), parameter: undefined, methods: new Map() });

function build(): Node {
  const root = emptyNode();
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, EndpointRow][]) {
    let node = root;
    const parameters: string[] = [];
    for (const segment of row.path.split("/").filter(Boolean)) {
      if (segment.startsWith("{")) {
        parameters.push(segment.slice(1, -1));
        node = node.parameter ??= emptyNode();
      } else {
        let next = node.literals.get(segment);
        if (!next) node.literals.set(segment, (next = emptyNode()));
        node = next;
      }
    }
    node.methods.set(row.method, { name, row, parameters });
  }
  return root;
}

const root = build();

/**
 * A literal segment wins over a parameter (`POST /channels/{type}/query` over `/channels/{type}/{id}`), unless only the
 * parameter has the method. Empty segments are skipped: trailing and double slashes are tolerated (specification/wire.md §3).
 * A segment that is not percent-encoded UTF-8 makes the path unknown.
 */
export function match(method: string, pathname: string): Match {
  const segments: string[] = [];
  try {
    for (const segment of pathname.split("/")) if (segment) segments.push(decodeURIComponent(segment));
  } catch {
    return { kind: "unknown" };
  }
  const allowed = new Set<string>();
  let op: string | undefined;
  const walk = (node: Node, depth: number, values: string[]): Match | undefined => {
    if (depth === segments.length) {
      const found = node.methods.get(method);
      for (const [verb, other] of node.methods) {
        allowed.add(verb);
        op ??= other.row.op;
      }
      if (!found) return undefined;
      const path: Record<string, string> = {};
      for (const [n, parameter] of found.parameters.entries()) path[parameter] = values[n]!;
      return { kind: "found", name: found.name, row: found.row, path };
    }
    const segment = segments[depth]!;
    const literal = node.literals.get(segment);
    return (
      (literal && walk(literal, depth + 1, values)) ||
      (node.parameter && walk(node.parameter, depth + 1, [...values, segment])) ||
      undefined
    );
  };
  const found = walk(root, 0, []);
  if (found) return found;
  return allowed.size ? { kind: "wrongMethod", op: op!, allowed: [...allowed] } : { kind: "unknown" };
}
