/** The structure of the repository: who may import whom, what stays behind ports, and how files begin. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, lawBreaks, layerOf, topFolder, withoutComments } from "./support/imports.ts";
import { declaredTwice } from "./support/exports.ts";
import { nodesOf, parsed } from "./support/syntax.ts";

const SRC = path.resolve(import.meta.dirname, "../src");

const entries = readdirSync(SRC, { recursive: true, withFileTypes: true });
const files = entries
  .filter((entry) => entry.isFile() && !/\.(?:bin|md)$/.test(entry.name))
  .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));

const text = new Map(files.map((file) => [file, readFileSync(path.join(SRC, file), "utf8")]));
const all = files.flatMap((file) => importsOf(file, text.get(file)!));

type Import = (typeof all)[number];

const loadedAtStart = (i: Import): boolean => !i.typeOnly && !i.lazy;

/** Types of the wire's entities may refer to each other in circles: a message has its reminder, and a reminder its message. */
const typeBetweenEntities = ({ from, to, typeOnly }: Import): boolean =>
  typeOnly && [from, to].every((file) => file.startsWith("wire/entities/"));

/** Import edges between groups of files; `named` maps a file to its group. */
function edgesOf(
  groupOf: (file: string) => string,
  included: (i: Import) => boolean,
): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const i of all) {
    const [from, to] = [groupOf(i.from), groupOf(i.to)];
    if (i.ours && included(i) && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  return edges;
}
const toArrays = (edges: Map<string, Set<string>>): Map<string, string[]> =>
  new Map([...edges].map(([from, to]) => [from, [...to]]));

/** Pairs with an edge in each direction. */
const mutualPairs = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...edges].flatMap(([from, to]) =>
    [...to]
      .filter((other) => from < other && edges.get(other)?.has(from))
      .map((other) => `${from} ⇄ ${other}`),
  );

describe("the import rules", () => {
  test("every import follows the table of folders", () => {
    expect(lawBreaks(text)).toEqual([]);
  });

  test.each([
    [
      "a folder that the table does not name",
      "plugins/all.ts",
      'import { a } from "../provider/provider.ts";',
    ],
    [
      "an interface that imports core's values",
      "tui/x.ts",
      'import { createCore } from "../core/client.ts";',
    ],
    ["a static import of jobs", "commands/x.ts", 'export * from "../jobs/transfer.ts";'],
    ["a module whose name is made while it runs", "commands/x.ts", "await import(`../provider/${name}.ts`);"],
    ["a thread of another folder", "tui/x.ts", 'new Worker(new URL("../provider/a.ts", import.meta.url));'],
    ["React outside the screen", "cli/x.ts", 'import React from "react";'],
    ["transport that knows its domain", "provider/http/x.ts", 'import { a } from "../domain/due.ts";'],
    [
      "a layer that knows one above it",
      "provider/domain/messages/storage/x.ts",
      'import { can } from "../../access/view/policy.ts";',
    ],
  ])("%s is refused", (_, file, source) => {
    expect(lawBreaks(new Map([[file, source]]))).toHaveLength(1);
  });

  test("types may be imported where values may not, and jobs when they run", () => {
    const core = 'import type { Client } from "../core/client.ts";';
    const jobs = 'const { run } = await import("../jobs/transfer.ts");';
    expect(
      lawBreaks(
        new Map([
          ["tui/x.ts", core],
          ["commands/x.ts", jobs],
        ]),
      ),
    ).toEqual([]);
  });

  test("top folders do not import each other in a circle", () => {
    expect(circlesOf(toArrays(edgesOf(topFolder, (i) => !i.typeOnly)))).toEqual([]);
  });

  test("files do not import each other in a circle, including types and lazy imports", () => {
    const edges = toArrays(
      edgesOf(
        (file) => file,
        (i) => !typeBetweenEntities(i),
      ),
    );
    expect(circlesOf(edges).map((circle) => circle.join(" → "))).toEqual([]);
    expect(edges.get("cli/shell-commands/table.gen.ts")).toContain("cli/shell-commands/api.ts");
    expect(edges.get("cli/shell-commands/tail.ts")).toContain("cli/shell-commands/tail/options.ts");
    expect(circlesOf(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual([["b", "c", "b"]]);
  });

  test("the folders of the provider do not import each other in a circle", () => {
    const edges = toArrays(edgesOf((file) => path.posix.dirname(file), loadedAtStart));
    const provider = new Map([...edges].filter(([from]) => topFolder(`${from}/x.ts`) === "provider"));
    expect(circlesOf(provider).map((circle) => circle.join(" → "))).toEqual([]);
  });

  /** A file directly in src counts as its own folder. */
  const folderOf = (file: string): string => (file.includes("/") ? path.posix.dirname(file) : file);

  test("no two folders import each other, including types and lazy imports", () => {
    expect(mutualPairs(edgesOf(folderOf, () => true))).toEqual([]);
    expect(
      mutualPairs(
        new Map([
          ["a", new Set(["b", "c"])],
          ["b", new Set(["a"])],
        ]),
      ),
    ).toEqual(["a ⇄ b"]);
    const edges = edgesOf(folderOf, () => true);
    expect(edges.get("tui/screen")).toContain("core");
    expect(edges.get("main.ts")).toContain("tui");
  });
});

/** Each cycle once, as the first depth-first walk meets it; a node whose walk found none is not visited again. */
function circlesOf(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const circles: string[][] = [];
  const finished = new Set<string>();
  const walk = (node: string, route: string[]): void => {
    const cycleStart = route.indexOf(node);
    if (cycleStart >= 0) return void circles.push([...route.slice(cycleStart), node]);
    if (finished.has(node)) return;
    for (const next of edges.get(node) ?? []) walk(next, [...route, node]);
    finished.add(node);
  };
  for (const node of edges.keys()) walk(node, []);
  return circles;
}

describe("SQL statements", () => {
  const SQL =
    /\b(?:SELECT|INSERT (?:OR \w+ )?INTO|DELETE FROM|FROM [a-z_]+|WHERE|ORDER BY|GROUP BY|SET [a-z_]+ =)\s|\b(?:db|raw)\s*\.(?:get|all|value|column|run|prepare|exec)\b|\blistPage\b/;
  /** `CREATE` lines are allowed: the top of the domain puts the tables of all subjects together. */
  const sqlIn = (source: string): string[] =>
    withoutComments(source)
      .split("\n")
      .filter((line) => SQL.test(line) && !line.startsWith("CREATE "));

  test("no rule, view or route of the provider contains SQL", () => {
    const above = files.filter(
      (file) => (layerOf(file) ?? 0) > layerOf("provider/domain/users/storage/a.ts")!,
    );
    expect(above.length).toBeGreaterThan(100);
    expect(above.flatMap((file) => sqlIn(text.get(file)!).map((line) => `${file}: ${line}`))).toEqual([]);
    expect(sqlIn('db.get("SELECT * FROM users WHERE id = ?", id);\n// SELECT 1 FROM users')).toHaveLength(1);
    expect(sqlIn('fail("from", "select where it goes, or delete from the list");')).toEqual([]);
  });
});

describe("the outside world reaches core through ports", () => {
  /** What no lint rule knows; the others stand in .oxlintrc.json. */
  const OF_THE_MACHINE =
    /\bnew Date\((?:\s*\)|[^()]*(?:\([^()]*\)[^()]*)*,)|\bimport\.meta\b|\.localeCompare\((?!.*, "[a-z]+"[,)])|\bformat(?:ToParts)?\(\)/;

  test("core and the folders below it take neither the time nor the language from the machine", () => {
    const below = files.filter(
      (file) => /^(core|model|wire|text)\//.test(file) && !file.startsWith("core/adapters/"),
    );
    const found = below.flatMap((file) =>
      withoutComments(text.get(file)!)
        .split("\n")
        .flatMap((line) => (OF_THE_MACHINE.test(line) ? [`${file}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
    for (const line of [
      "new Date()",
      "new Date(2026, 1)",
      "import.meta.dirname",
      "a.localeCompare(b)",
      "a.localeCompare(b, tag)",
      "formatter.format()",
    ])
      expect(OF_THE_MACHINE.test(line), line).toBe(true);
    for (const line of ["new Date(ms)", 'a.localeCompare(b, "en")', "formatter.format(at)"])
      expect(OF_THE_MACHINE.test(line), line).toBe(false);
  });

  test("only main.ts ends the process", () => {
    const broken = files.filter(
      (f) => f !== "main.ts" && /\bprocess\.exit\(/.test(withoutComments(text.get(f)!)),
    );
    expect(broken).toEqual([]);
  });
});

describe("exported names", () => {
  /** A handler has the name of its endpoint, and a boolean field of a body is a flag. */
  const DECLARED_IN_TWO_FILES = ["flag: provider/domain/flags/rules/flag-routes.ts, wire/entities/fields.ts"];

  test("each is declared in one file only", () => {
    expect(declaredTwice(text)).toEqual(DECLARED_IN_TWO_FILES);
  });

  test("a second declaration is found in every syntax; re-exports and unexported names are not counted", () => {
    const duplicatesOf = (one: string, other: string): string[] =>
      declaredTwice(new Map(Object.entries({ "a.ts": one, "b.ts": other })));
    expect(duplicatesOf("export const A = 1;", "export function A() {}")).toEqual(["A: a.ts, b.ts"]);
    expect(duplicatesOf("export interface A { b: 1 }", "type A = 2; export type { A };")).toEqual([
      "A: a.ts, b.ts",
    ]);
    expect(duplicatesOf("export class A {}", "const b = 1; export { b as A };")).toEqual(["A: a.ts, b.ts"]);
    expect(duplicatesOf("export const A = 1;", "const A = 2;")).toEqual([]);
    expect(duplicatesOf("export const A = 1;", 'export { A } from "./a.ts";')).toEqual([]);
    expect(duplicatesOf("export const A = 1;", 'import { A } from "./a.ts"; export { A };')).toEqual([]);
    expect(duplicatesOf("export type A = 1; export const A = 1;", "export default 1;")).toEqual([]);
  });
});

describe("the style of files", () => {
  test("the first line of each file is a comment of one sentence", () => {
    expect(files.filter((f) => !/^\/\*\* [A-Z`].*[.:)]( \*\/)?$/.test(text.get(f)!.split("\n")[0]!))).toEqual(
      [],
    );
  });
  /** First lines of comments that begin in lower case, except linter directives and names that are written that way. */
  const lowComments = (source: string): string[] =>
    source
      .split("\n")
      .map((line) => line.trim())
      .filter((line, i, all) => /^\/\/ [a-z]/.test(line) && !all[i - 1]?.startsWith("//"))
      .filter((line) => !/^\/\/ (oxlint|eslint|rxvt|libuv)\b/.test(line));
  test("line comments begin with a capital letter", () => {
    expect(lowComments("// as it was\n// that one\n// oxlint-disable-next-line\nx;\n  // why")).toEqual([
      "// as it was",
      "// why",
    ]);
    expect(files.flatMap((f) => lowComments(text.get(f)!).map((line) => `${f}: ${line}`))).toEqual([]);
  });
  /** Line counts of all functions in a source. */
  const lengthsOf = (file: string, source: string): number[] =>
    nodesOf(parsed(file, source)).flatMap(([{ type, start, end, body }]) =>
      /Function/.test(type) && body ? [source.slice(start as number, end as number).split("\n").length] : [],
    );
  test("at most ten functions are longer than 60 lines", () => {
    expect(lengthsOf("a.ts", "function a() {\n  return () => 1;\n}\ndeclare function b(): void;")).toEqual([
      3, 1,
    ]);
    const long = files.flatMap((f) =>
      lengthsOf(f, text.get(f)!).flatMap((n) => (n > 60 ? [`${f}: ${n}`] : [])),
    );
    expect(long.length, long.join("\n")).toBeLessThanOrEqual(10);
  });
  const isCatchAllName = (file: string): boolean =>
    /(^|\/)(shared|common|types)(\.tsx?$|\/)|(^|[/-])(utils?|helpers?|misc)(\.tsx?$|\/)/.test(file);
  test("no file is named utils, helpers, common, shared, misc or types", () => {
    expect(files.filter(isCatchAllName)).toEqual([]);
    expect(["text/utils.ts", "text/string-utils.ts", "tui/helpers/a.ts"].every(isCatchAllName)).toBe(true);
    expect(["core/base/api-types.ts", "text/mischief.ts"].some(isCatchAllName)).toBe(false);
  });
});
