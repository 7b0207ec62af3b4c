/** The structure of the repository: who may import whom, what stays behind ports, and how files begin. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { importsOf, lawBreaks, roomOf, sqlOutsideStorage, worldOutside } from "./support/import-law.ts";
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
  test("every import follows the rules", () => {
    expect(lawBreaks(text)).toEqual([]);
  });

  test("no file or folder is a symbolic link, which could evade the rules", () => {
    expect(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)).toEqual([]);
  });

  test.each([
    [
      "a top folder without a rule",
      "plugins/all.ts",
      'import { openProvider } from "../provider/provider.ts";',
    ],
    [
      "an interface that imports core's values",
      "tui/x.ts",
      'import { createCore } from "../core/client.ts";',
    ],
    ["core reading files", "core/x.ts", 'import { readFileSync } from "node:fs";'],
    [
      "core reading files through a module name without node:",
      "core/x.ts",
      'import { readFileSync } from "fs";',
    ],
    ["a file with an extension that the check does not read", "tui/x.mts", "export const a = 1;"],
    ["a re-export of core's values", "commands/x.ts", 'export * from "../core/client.ts";'],
    [
      "an import after another statement on one line",
      "tui/x.ts",
      'const a = 1; import { b } from "../core/client.ts";',
    ],
    ["a type import that loads the module", "tui/x.ts", 'import { type Client } from "../core/client.ts";'],
    ["the package by its own name", "tui/x.ts", 'import { createClient } from "parley-chat/core";'],
    ["an alias", "tui/x.ts", 'import { createCore } from "#core/client.ts";'],
    ["a file URL", "tui/x.ts", 'const core = await import("file:///src/core/client.ts");'],
    [
      "a JSON file of another top folder",
      "tui/x.ts",
      'import a from "../core/a.json" with { type: "json" };',
    ],
    ["a test helper", "cli/x.ts", 'import { Home } from "../../tests/support/home.ts";'],
    [
      "a worker file of another top folder",
      "tui/x.ts",
      'new Worker(new URL("../provider/chat.ts", import.meta.url));',
    ],
    ["an inner file of a package", "cli/x.ts", 'import { got } from "got/dist/source/index.js";'],
    [
      "a Node module through process.getBuiltinModule",
      "core/x.ts",
      'const fs = process.getBuiltinModule("node:fs");',
    ],
    [
      "process.getBuiltinModule under another name",
      "tui/x.ts",
      "const { getBuiltinModule: load } = process;",
    ],
    ["createRequire under another name", "tui/x.ts", 'import { createRequire as make } from "node:module";'],
    [
      "code from text by new Function",
      "tui/x.ts",
      "const load = new Function('name', 'return import(name)');",
    ],
    ["Function without new", "tui/x.ts", "const load = Function('name', 'return import(name)');"],
    ["Function in parentheses", "tui/x.ts", "const load = (0, Function)('name', 'return import(name)');"],
    [
      "Function as the constructor of a function",
      "tui/x.ts",
      "const load = (() => {}).constructor('return 1');",
    ],
    ["eval under another name", "tui/x.ts", "const run = eval; run('import(name)');"],
    ["code from text by node:vm", "tui/x.ts", 'import { runInThisContext } from "node:vm";'],
    ["code from text by the inspector", "tui/x.ts", 'import { Session } from "node:inspector";'],
    ["eval through globalThis", "tui/x.ts", "globalThis.eval('import(name)');"],
    ["Function through globalThis", "tui/x.ts", "new globalThis.Function('return import(name)');"],
    [
      "the constructor of a function by a string key",
      "tui/x.ts",
      'const make = (() => {})["constructor"]("return 1");',
    ],
    [
      "the constructor of a function, called later",
      "tui/x.ts",
      "const make = (() => {}).constructor; make('return 1');",
    ],
    [
      "the constructor of a function by destructuring",
      "tui/x.ts",
      "const { constructor: make } = () => {}; make('return 1');",
    ],
    [
      "the constructor of a function by a concatenated key",
      "tui/x.ts",
      'const make = (() => {})["con" + "structor"]("return 1");',
    ],
    [
      "the constructor of a function by a template key",
      "tui/x.ts",
      'const make = (() => {})[`con${"struct" + "or"}`]("return 1");',
    ],
    [
      "the constructor of a function by destructuring with a computed key",
      "tui/x.ts",
      'const { ["constructor"]: make } = () => {}; make("return 1");',
    ],
    [
      "the constructor of a function by destructuring with a quoted key",
      "tui/x.ts",
      'const { "constructor": make } = () => {};',
    ],
    [
      "the constructor of a function by Reflect.get",
      "tui/x.ts",
      'const make = Reflect.get(() => {}, "constructor");',
    ],
    ["createRequire by a string key", "tui/x.ts", 'const make = modules["createRequire"];'],
    ["a module loader hook", "tui/x.ts", 'import { register } from "node:module"; register("./x.js");'],
    [
      "the whole of node:module",
      "tui/x.ts",
      'import Module from "module"; Module._load("../core/client.ts");',
    ],
    ["the require of the main module", "tui/x.ts", "process.mainModule!.require('../core/client.ts');"],
    [
      "a worker from import.meta.resolve",
      "tui/x.ts",
      'new Worker(import.meta.resolve("../provider/chat.ts"));',
    ],
    [
      "a worker from a concatenated path",
      "tui/x.ts",
      'new Worker(new URL("../provider/" + "chat.ts", import.meta.url));',
    ],
    ["a worker from a String.raw path", "tui/x.ts", "new Worker(String.raw`./src/provider/chat.ts`);"],
    ["Worker under another name", "tui/x.ts", 'const W = Worker; new W("./src/provider/chat.ts");'],
    ["fork, which runs a file", "tui/x.ts", 'import { fork } from "node:child_process";'],
    [
      "spawn in a top folder that may not start programs",
      "commands/x.ts",
      'import { spawn } from "node:child_process";',
    ],
    [
      "exec by a lazy import in such a folder",
      "jobs/x.ts",
      'const { exec } = await import("child_process");',
    ],
    [
      "one of our own files, run by node",
      "cli/x.ts",
      'import { spawn } from "node:child_process"; spawn(process.execPath, ["src/provider/" + "chat.ts"]);',
    ],
    ["one of our own files, run by its name", "cli/x.ts", 'execFileSync("./chat.mjs");'],
    ["spawn under another name", "cli/x.ts", 'import { spawn as start } from "node:child_process";'],
    ["the whole of node:child_process", "cli/x.ts", 'import * as programs from "node:child_process";'],
    ["a worker from a plain path", "tui/x.ts", 'new Worker("./src/provider/chat.ts");'],
    ["a path with percent encoding", "tui/x.ts", 'const a = await import("../%63ore/client.ts");'],
    ["a path with backslashes", "tui/x.ts", 'const a = await import("..\\\\core\\\\client.ts");'],
    ["core calling a package that acts outside", "core/x.ts", 'import open from "open";'],
    ["a Node module through process.binding", "core/x.ts", 'const fs = process.binding("fs");'],
    ["process.binding by destructuring", "tui/x.ts", "const { binding: load } = process;"],
    ["process.binding by a string key", "tui/x.ts", 'process["binding"]("fs");'],
    ["native code by process.dlopen", "tui/x.ts", 'process.dlopen(module, "../core/a.node");'],
    [
      "Worker imported under another name",
      "tui/x.ts",
      'import { Worker as W } from "node:worker_threads"; new W("./src/provider/chat.ts");',
    ],
    [
      "the whole of node:worker_threads",
      "tui/x.ts",
      'import * as threads from "worker_threads"; new threads.Worker(file);',
    ],
    ["import.meta passed on", "tui/x.ts", 'const m = import.meta; m.resolve("../core/client.ts");'],
    ["a global by a concatenated name", "tui/x.ts", 'const load = globalThis["req" + "uire"];'],
    ["node:cluster, which runs a file", "tui/x.ts", 'import cluster from "node:cluster";'],
    ["node:test, which runs a file", "tui/x.ts", 'import { run } from "node:test";'],
    [
      "a reference comment for the compiler",
      "wire/x.ts",
      '/// <reference path="../core/client.ts" />\nconst a = 1;',
    ],
    ["require passed on", "tui/x.ts", "const load = require; load('../core/client.ts');"],
    [
      "createRequire",
      "commands/x.ts",
      'const { a } = createRequire(import.meta.url)("../provider/chat.ts");',
    ],
    ["core starting programs", "core/lists/x.ts", 'import { spawn } from "node:child_process";'],
    [
      "the provider's transport importing its domain",
      "provider/http/x.ts",
      'import { a } from "../domain/users/view/users.ts";',
    ],
    [
      "storage importing a view",
      "provider/domain/messages/storage/x.ts",
      'import { can } from "../../access/view/policy.ts";',
    ],
    [
      "a view importing the rules of another subject",
      "provider/domain/threads/view/x.ts",
      'import { storeMessage } from "../../messages/rules/store.ts";',
    ],
    [
      "the code below all subjects importing one of them",
      "provider/domain/query/x.ts",
      'import { findUser } from "../users/storage/rows.ts";',
    ],
    [
      "rules importing routes",
      "provider/domain/users/rules/x.ts",
      'import { userRoutes } from "../routes.ts";',
    ],
    ["a domain file outside the layer folders", "provider/domain/users/x.ts", "export const a = 1;"],
    [
      "a lazy import of a template path",
      "commands/x.ts",
      "const it = await import(`../provider/${name}.ts`);",
    ],
    ["a lazy import of a variable path", "commands/x.ts", "const it = await import(file);"],
    ["React outside the screen", "cli/x.ts", 'import React from "react";'],
    ["a static import of jobs", "commands/x.ts", 'import { run } from "../jobs/transfer.ts";'],
  ])("%s is refused", (_, file, source) => {
    expect(lawBreaks(new Map([[file, source]]))).not.toEqual([]);
  });

  test.each([
    ["an interface importing core's types", "tui/x.ts", 'import type { Client } from "../core/client.ts";'],
    ["a lazy import of jobs", "commands/x.ts", 'const { run } = await import("../jobs/transfer.ts");'],
    ["file access in a store of core", "core/store/x.ts", 'import { readFileSync } from "node:fs";'],
    [
      "the domain in the file that joins it with the transport",
      "provider/chat.ts",
      'import { due } from "./domain/due.ts";',
    ],
    [
      "rules importing the rules of another subject",
      "provider/domain/channels/rules/x.ts",
      'import { storeMessage } from "../../messages/rules/store.ts";',
    ],
    [
      "storage importing types of a view",
      "provider/domain/messages/storage/x.ts",
      'import type { Permissions } from "../../access/view/policy.ts";',
    ],
    [
      "a property called binding of another object",
      "tui/x.ts",
      "const { binding } = keys; table.binding(key);",
    ],
    ["Worker imported under its own name", "tui/x.ts", 'import { Worker } from "node:worker_threads";'],
    ["an import in a comment", "wire/x.ts", '/* import { x } from "../core/client.ts"; */'],
    ["a worker file of the same top folder", "tui/x.ts", 'new Worker(new URL("./y.ts", import.meta.url));'],
    ["a worker from the path of a function call", "tui/x.ts", "new Worker(threadFile(), {});"],
    ["an external program", "cli/x.ts", 'import { spawn } from "node:child_process"; spawn("less", [file]);'],
    ["a template key of any object", "tui/x.ts", "const value = table[`${kind}-${name}`];"],
    ["flushing the compile cache", "tui/x.ts", 'import { flushCompileCache } from "node:module";'],
    [
      "the name constructor in a list of strings",
      "wire/x.ts",
      'const refused = ["__proto__", "constructor"];',
    ],
    [
      "Function as a type, and require as a key",
      "tui/x.ts",
      "type Act = Function; const rules = { require: 1 };",
    ],
    ["import() as a type", "tui/x.ts", 'type Core = import("../core/core.ts").Core;'],
  ])("%s is allowed", (_, file, source) => {
    expect(lawBreaks(new Map([[file, source]]))).toEqual([]);
  });

  test("core may not reach files through other modules, even over two steps, but its stores may", () => {
    const disk = new Map([
      ["model/own-files.ts", 'import { readFileSync } from "node:fs";'],
      ["model/kept.ts", 'export { a } from "./own-files.ts";'],
    ]);
    const violationsOf = (file: string, up: string): string[] =>
      lawBreaks(new Map([...disk, [file, `import { a } from "${up}/model/kept.ts";`]]));
    expect(violationsOf("core/x.ts", "..")).toHaveLength(1);
    expect(violationsOf("core/store/x.ts", "../..")).toEqual([]);
  });

  test("top folders do not import each other in a circle", () => {
    expect(circlesOf(toArrays(edgesOf(roomOf, (i) => !i.typeOnly)))).toEqual([]);
  });

  test("files do not import each other in a circle, including types and lazy imports", () => {
    const edges = toArrays(
      edgesOf(
        (file) => file,
        (i) => !typeBetweenEntities(i),
      ),
    );
    expect(circlesOf(edges).map((circle) => circle.join(" → "))).toEqual([]);
    expect(edges.get("cli/shell-commands/api/index.ts")).toContain("cli/shell-commands/api/run.ts");
    expect(edges.get("cli/shell-commands/api/run.ts")).toContain("cli/shell-commands/api/args.ts");
    expect(circlesOf(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual([["b", "c", "b"]]);
  });

  test("the folders of the provider do not import each other in a circle", () => {
    const edges = toArrays(edgesOf((file) => path.posix.dirname(file), loadedAtStart));
    const provider = new Map([...edges].filter(([from]) => roomOf(`${from}/x.ts`) === "provider"));
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
  test("no rule, view or route of the provider contains SQL", () => {
    expect(sqlOutsideStorage(text)).toEqual([]);
  });

  test.each([
    ["a query in a rule", "search/rules/x.ts", 'const row = db.get("SELECT * FROM users WHERE id = ?", id);'],
    ["a delete in a view", "search/view/x.ts", 'call.db.run("DELETE FROM drafts WHERE cid = ?", cid);'],
    ["a condition for a query", "search/rules/x.ts", "const since = `(SELECT 1 FROM members)`;"],
    ["a statement from a variable", "search/routes.ts", "const rows = db.all<Row>(LATEST, cid);"],
    ["a paged list query", "search/rules/x.ts", "const { rows } = listPage<Row>(db, { columns });"],
  ])("%s is refused outside storage", (_, file, source) => {
    expect(sqlOutsideStorage(new Map([[`provider/domain/${file}`, source]]))).toHaveLength(1);
  });

  test.each([
    ["a statement in storage", "search/storage/x.ts", 'db.get("SELECT 1 FROM users")'],
    ["a statement below all subjects", "query/cursor.ts", "db.raw.prepare(`SELECT ${columns} FROM ${from}`)"],
    [
      "a comment about a statement",
      "search/rules/x.ts",
      "// SELECT 1 FROM users would be slow\nconst a = 1;",
    ],
    [
      "a message for people with SQL words",
      "search/rules/x.ts",
      'fail("from", "select where it goes, or delete from the list");',
    ],
  ])("%s is allowed", (_, file, source) => {
    expect(sqlOutsideStorage(new Map([[`provider/domain/${file}`, source]]))).toEqual([]);
  });
});

describe("the outside world reaches core through ports", () => {
  test("core and the folders below it use no clock, randomness, network, process or console, except in adapters and stores", () => {
    expect(worldOutside(text)).toEqual([]);
  });

  test.each([
    ["Date.now", "const now = Date.now();"],
    ["new Date()", "const now = new Date();"],
    ["a timer", "setTimeout(() => {}, 1);"],
    ["Math.random", "const n = Math.random();"],
    ["process by destructuring", "const { env } = process;"],
    ["process through globalThis", "const id = globalThis.process.pid;"],
    ["fetch", 'const answer = await fetch("https://a.example");'],
    ["random values of the global crypto", "crypto.getRandomValues(new Uint8Array(1));"],
    ["Date.now by a string key", 'const now = Date["now"]();'],
    ["Date.now by destructuring", "const { now } = Date;"],
    ["Date under another name", "const Day = Date;"],
    [
      "format() of a new formatter, which uses the current date",
      "const today = new Intl.DateTimeFormat().format();",
    ],
    ["format() of an existing formatter, which uses the current date", "const today = formatter.format();"],
    [
      "the format function of a formatter passed on",
      "const shown = dates.map(new Intl.DateTimeFormat(tag).format);",
    ],
    ["toLocaleString in the machine's language", "const text = amount.toLocaleString();"],
    ["localeCompare in the machine's language", "const order = a.localeCompare(b);"],
    ["localeCompare in a language from a variable", "const order = a.localeCompare(b, tag);"],
    ["toLocaleTimeString in the machine's time zone", "const text = new Date(ms).toLocaleTimeString(tag);"],
    ["getHours in the machine's time zone", "const hour = new Date(ms).getHours();"],
    ["new Date in the machine's time zone", "const at = new Date(2026, 1, 3);"],
    ["toTimeString in the machine's time zone", "const text = date.toTimeString();"],
    ["number formats of the machine's language", "const text = new Intl.NumberFormat().format(1);"],
    ["garbage collection through WeakRef", "const held = new WeakRef(value);"],
    ["the global object as self", "const at = self.Date;"],
    ["require", 'const fs = require("fs");'],
    ["Math.random by destructuring", "const { random } = Math;"],
    ["AbortSignal.timeout", "const signal = AbortSignal.timeout(5);"],
    ["Atomics.wait", "Atomics.wait(cells, 0, 0, 5);"],
    ["Temporal.Now", "const now = Temporal.Now.instant();"],
    ["new Date with an empty spread", "const now = new Date(...[]);"],
    ["the machine's time zone", "const zone = new Intl.DateTimeFormat(tag).resolvedOptions().timeZone;"],
    ["import.meta.dirname", "const here = import.meta.dirname;"],
    ["garbage collection through FinalizationRegistry", "const swept = new FinalizationRegistry(run);"],
    ["randomUUID of node:crypto", 'import { randomUUID as make } from "node:crypto";'],
  ])("%s is refused in core and model, but not in core's adapters", (_, source) => {
    for (const file of ["core/x.ts", "model/x.ts"])
      expect(worldOutside(new Map([[file, source]]))).toHaveLength(1);
    expect(worldOutside(new Map([["core/adapters/x.ts", source]]))).toEqual([]);
  });

  test.each([
    ["a call through a port", "deps.clock.setTimeout(run, 1);"],
    ["a date from a given time", "const at = new Date(ms);"],
    ["a date parsed or built in UTC", "const at = Date.parse(text) + Date.UTC(2026, 1);"],
    ["splitting text into characters", 'const parts = new Intl.Segmenter("en").segment(text);'],
    ["localeCompare in a literal language", 'const order = a.localeCompare(b, "en");'],
    ["getUTCHours", "const hour = new Date(ms).getUTCHours();"],
    ["instanceof Date and Math.max", "const is = value instanceof Date && Math.max(1, 2) > 1;"],
    ["process and fetch as keys", "const rules = { process: 1, fetch() {} };"],
    ["typeof process as a type", "type Process = typeof process;"],
  ])("%s is allowed in core", (_, source) => {
    expect(worldOutside(new Map([["core/x.ts", source]]))).toEqual([]);
  });

  test("only main.ts ends the process", () => {
    const broken = files.filter(
      (f) => f !== "main.ts" && /\bprocess\.exit\(/.test(text.get(f)!.replace(/\/\*[\s\S]*?\*\//g, "")),
    );
    expect(broken).toEqual([]);
  });
});

describe("exported names", () => {
  /** A handler has the name of its endpoint, and a boolean field of a body is a flag. */
  const DECLARED_IN_TWO_FILES = ["flag: provider/domain/flags/rules/flag-routes.ts, wire/fields.ts"];

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
