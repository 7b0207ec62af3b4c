/** Finds unused exports by reading the exports and imports of sources. */
import path from "node:path";
import { childrenOf, isNode, parsed, type Node } from "./syntax.ts";

/** All exports of a module, used by imports that name none. */
const ALL = "*";

interface Names {
  exports: Set<string>;
  /** Module → the names imported from it. */
  imports: Map<string, Set<string>>;
}

/** `a` of `import { a as b }` and of `import { "a" as b }`. */
const nameOf = (node: unknown): string => {
  const { name, value } = node as { name?: string; value?: string };
  return name ?? value ?? "";
};

/** The properties that a pattern destructures; all exports when that is unclear. */
const takenBy = (pattern: unknown): string[] => {
  if (!isNode(pattern) || pattern.type !== "ObjectPattern") return [ALL];
  const properties = pattern.properties as Node[];
  return properties.map((one) => (one.type === "Property" ? nameOf(one.key) : ALL));
};

function declared(node: Node | null): string[] {
  if (node?.type === "VariableDeclaration")
    return (node.declarations as Node[]).map(({ id }) => nameOf(id)).filter(Boolean);
  return node?.id ? [nameOf(node.id)] : [];
}

const isNoParenthesis = ({ type }: Node): boolean => type !== "ParenthesizedExpression";

/** The pattern that receives the result of this import from an awaited `Promise.all`. */
function patternOf(node: Node, trail: readonly Node[]): unknown {
  const [declarator, awaited, call, list] = trail.slice(-4);
  if (list?.type !== "ArrayExpression" || awaited?.type !== "AwaitExpression") return undefined;
  const isAll = nameOf((call!.callee as Node | undefined)?.property ?? {}) === "all";
  if (!isAll || (declarator!.id as Node | undefined)?.type !== "ArrayPattern") return undefined;
  return ((declarator!.id as Node).elements as unknown[])[(list.elements as Node[]).indexOf(node)];
}

/** The names used of an `import("…")`, read from the code around it; `name` receives the variable that holds the whole module. */
function takenLazily(node: Node, trail: readonly Node[], name: (local: string) => void): string[] {
  const around = trail.at(-1);
  const outer = trail.at(-2);
  const named = (pattern: unknown): string[] => {
    if (!isNode(pattern) || pattern.type !== "Identifier") return takenBy(pattern);
    name(nameOf(pattern));
    return [];
  };
  if (around?.type === "AwaitExpression") {
    if (outer?.type === "VariableDeclarator") return named(outer.id);
    if (outer?.type === "MemberExpression") return [nameOf(outer.property)];
  }
  const oneOfAll = patternOf(node, trail);
  if (oneOfAll) return named(oneOfAll);
  // A table row that loads a command on demand.
  if (
    around?.type === "ArrowFunctionExpression" &&
    outer?.type === "Property" &&
    nameOf(outer.key) === "load"
  )
    return ["default"];
  if (around?.type === "MemberExpression" && nameOf(around.property) === "then") {
    const [then] = (outer?.arguments ?? []) as Node[];
    const [given] = (then?.params ?? []) as Node[];
    if (given) return named(given);
  }
  return [ALL];
}

/** The exports of a file and its imports by file; `file` is its path, with slashes. */
export function namesIn(file: string, source: string): Names {
  const names: Names = { exports: new Set(), imports: new Map() };
  const take = (from: Node, taken: readonly string[]): void => {
    const module = String(from.value);
    if (!module.startsWith(".")) return;
    const to = path.posix.join(path.posix.dirname(file), module);
    names.imports.set(to, new Set([...(names.imports.get(to) ?? []), ...taken]));
  };
  const spaces = new Map<string, Node>();
  /** The ancestors of the visited node. */
  const trail: Node[] = [];
  // Inside statements only dynamic imports and namespace imports matter.
  const deep = /\bimport\(|\* as /.test(source);
  const visit = (node: Node): void => {
    switch (node.type) {
      case "ImportDeclaration":
        for (const one of node.specifiers as Node[]) {
          if (one.type === "ImportNamespaceSpecifier") spaces.set(nameOf(one.local), node.source as Node);
          else
            take(node.source as Node, [
              one.type === "ImportDefaultSpecifier" ? "default" : nameOf(one.imported),
            ]);
        }
        return;
      case "ExportNamedDeclaration": {
        const specifiers = node.specifiers as Node[];
        for (const one of specifiers) names.exports.add(nameOf(one.exported));
        if (node.source)
          take(
            node.source as Node,
            specifiers.map((one) => nameOf(one.local)),
          );
        for (const name of declared(node.declaration as Node | null)) names.exports.add(name);
        break;
      }
      case "ExportAllDeclaration":
        take(node.source as Node, [ALL]);
        return;
      case "ExportDefaultDeclaration":
        names.exports.add("default");
        break;
      case "ImportExpression":
        if ((node.source as Node).type === "Literal")
          take(
            node.source as Node,
            takenLazily(node, trail.filter(isNoParenthesis), (local) =>
              spaces.set(local, node.source as Node),
            ),
          );
        return;
      case "TSImportType": {
        const at = (node.source ?? (node.argument as Node).literal ?? node.argument) as Node;
        take(at, [isNode(node.qualifier) ? nameOf(node.qualifier) : ALL]);
        return;
      }
      case "MemberExpression":
      case "TSQualifiedName": {
        const from = spaces.get(nameOf(node.object ?? node.left));
        if (from) take(from, [nameOf(node.property ?? node.right)]);
        break;
      }
      case "SpreadElement": {
        const from = spaces.get(nameOf(node.argument));
        if (from) take(from, [ALL]);
      }
    }
    if (!deep && trail.length > 0) return;
    trail.push(node);
    for (const child of childrenOf(node)) visit(child);
    trail.pop();
  };
  visit(parsed(file, source));
  return names;
}

/** `file: name` of every export below `within` that no other file imports. `sources` = path → text of all possible importers. */
export function unusedExports(sources: ReadonlyMap<string, string>, within: string): string[] {
  const all = new Map([...sources].map(([file, source]) => [file, namesIn(file, source)]));
  const used = new Map<string, Set<string>>();
  for (const { imports } of all.values())
    for (const [to, taken] of imports) used.set(to, new Set([...(used.get(to) ?? []), ...taken]));
  return [...all].flatMap(([file, { exports }]) => {
    const taken = used.get(file);
    if (!file.startsWith(within) || taken?.has(ALL)) return [];
    return [...exports].filter((name) => !taken?.has(name)).map((name) => `${file}: ${name}`);
  });
}

/** Names that a source both declares and exports, except its default export. */
function declaredIn(file: string, source: string): Set<string> {
  const { body } = parsed(file, source) as unknown as { body: Node[] };
  const found = new Set<string>();
  const own = new Set(body.flatMap((node) => declared(node)));
  for (const node of body) {
    if (node.type !== "ExportNamedDeclaration" || node.source) continue;
    for (const name of declared(node.declaration as Node | null)) found.add(name);
    for (const { local, exported } of node.specifiers as Node[])
      if (own.has(nameOf(local))) found.add(nameOf(exported));
  }
  return found;
}

/** `name: files` of every name that several files declare and export. */
export function declaredTwice(sources: ReadonlyMap<string, string>): string[] {
  const files = new Map<string, string[]>();
  for (const [file, source] of sources)
    for (const name of declaredIn(file, source)) files.set(name, [...(files.get(name) ?? []), file]);
  return [...files].flatMap(([name, of]) => (of.length > 1 ? [`${name}: ${of.toSorted().join(", ")}`] : []));
}
