/** Finds the endpoint of a request in the endpoint table that client and provider share. */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";

interface Node {
  literals: Map<string, Node>;
  parameter: Node | undefined;
  methods: Map<string, { name: EndpointName; row: EndpointRow; parameters: string[] }>;
}

type Match =
  | { kind: "found"; name: EndpointName; row: EndpointRow; path: Record<string, string> }
  | { kind: "wrongMethod"; op: string; allowed: string[] }
  | { kind: "unknown" };

const node = (): Node => ({ literals: new Map(), parameter: undefined, methods: new Map() });

function build(): Node {
  const root = node();
  for (const [name, row] of Object.entries(endpoints) as [EndpointName, EndpointRow][]) {
    let at = root;
    const parameters: string[] = [];
    for (const segment of row.path.split("/").filter(Boolean)) {
      if (segment.startsWith("{")) {
        parameters.push(segment.slice(1, -1));
        at = at.parameter ??= node();
      } else {
        let next = at.literals.get(segment);
        if (!next) at.literals.set(segment, (next = node()));
        at = next;
      }
    }
    at.methods.set(row.method, { name, row, parameters });
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
  const walk = (at: Node, depth: number, values: string[]): Match | undefined => {
    if (depth === segments.length) {
      const found = at.methods.get(method);
      for (const [verb, other] of at.methods) {
        allowed.add(verb);
        op ??= other.row.op;
      }
      if (!found) return undefined;
      const path: Record<string, string> = {};
      for (const [n, parameter] of found.parameters.entries()) path[parameter] = values[n]!;
      return { kind: "found", name: found.name, row: found.row, path };
    }
    const segment = segments[depth]!;
    const fixed = at.literals.get(segment);
    return (
      (fixed && walk(fixed, depth + 1, values)) ||
      (at.parameter && walk(at.parameter, depth + 1, [...values, segment])) ||
      undefined
    );
  };
  const found = walk(root, 0, []);
  if (found) return found;
  return allowed.size ? { kind: "wrongMethod", op: op!, allowed: [...allowed] } : { kind: "unknown" };
}
