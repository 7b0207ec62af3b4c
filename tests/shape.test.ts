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
  .filter((entry) => entry.isFile() && !entry.name.endsWith(".bin"))
  .map((entry) => path.relative(SRC, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/"));

const text = new Map(files.map((file) => [file, readFileSync(path.join(SRC, file), "utf8")]));
const all = files.flatMap((file) => importsOf(file, text.get(file)!));

type Import = (typeof all)[number];

const atOnce = (i: Import): boolean => !i.typeOnly && !i.lazy;

/** Types of the wire's entities may refer to each other in circles: a message has its reminder, and a reminder its message. */
const betweenEntities = ({ from, to, typeOnly }: Import): boolean =>
  typeOnly && [from, to].every((file) => file.startsWith("wire/entities/"));

/** Import edges between groups of files; `named` maps a file to its group. */
function edgesOf(named: (file: string) => string, counts: (i: Import) => boolean): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const i of all) {
    const [from, to] = [named(i.from), named(i.to)];
    if (i.ours && counts(i) && from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  return edges;
}
const lists = (edges: Map<string, Set<string>>): Map<string, string[]> =>
  new Map([...edges].map(([from, to]) => [from, [...to]]));

/** Pairs with an edge in each direction. */
const bothWays = (edges: ReadonlyMap<string, ReadonlySet<string>>): string[] =>
  [...edges].flatMap(([from, to]) =>
    [...to]
      .filter((other) => from < other && edges.get(other)?.has(from))
      .map((other) => `${from} ⇄ ${other}`),
  );

describe("the import law", () => {
  test("every import is one that the house allows", () => {
    expect(lawBreaks(text)).toEqual([]);
  });

  test("no file or folder stands under a second name, where the law would take it for another", () => {
    expect(entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)).toEqual([]);
  });

  test.each([
    ["a room that nobody named", "plugins/all.ts", 'import { openProvider } from "../provider/provider.ts";'],
    ["a face that takes core's values", "tui/x.ts", 'import { createCore } from "../core/client.ts";'],
    ["core that reads files", "core/x.ts", 'import { readFileSync } from "node:fs";'],
    ["core that reads files by their short name", "core/x.ts", 'import { readFileSync } from "fs";'],
    ["a file that no law reads", "tui/x.mts", "export const a = 1;"],
    ["a re-export of core's values", "commands/x.ts", 'export * from "../core/client.ts";'],
    ["an import behind another statement", "tui/x.ts", 'const a = 1; import { b } from "../core/client.ts";'],
    ["types that are loaded as values are", "tui/x.ts", 'import { type Client } from "../core/client.ts";'],
    ["the package by its own name", "tui/x.ts", 'import { createClient } from "parley-chat/core";'],
    ["an alias", "tui/x.ts", 'import { createCore } from "#core/client.ts";'],
    ["a place on the disk", "tui/x.ts", 'const core = await import("file:///src/core/client.ts");'],
    ["data of another room", "tui/x.ts", 'import a from "../core/a.json" with { type: "json" };'],
    ["what only tests use", "cli/x.ts", 'import { Home } from "../../tests/support/home.ts";'],
    ["a thread of another room", "tui/x.ts", 'new Worker(new URL("../provider/chat.ts", import.meta.url));'],
    ["a part of a package", "cli/x.ts", 'import { got } from "got/dist/source/index.js";'],
    ["a module of Node that is asked for", "core/x.ts", 'const fs = process.getBuiltinModule("node:fs");'],
    ["that under another name", "tui/x.ts", "const { getBuiltinModule: load } = process;"],
    ["a require under another name", "tui/x.ts", 'import { createRequire as make } from "node:module";'],
    ["code out of text", "tui/x.ts", "const load = new Function('name', 'return import(name)');"],
    ["that without new", "tui/x.ts", "const load = Function('name', 'return import(name)');"],
    ["that in parentheses", "tui/x.ts", "const load = (0, Function)('name', 'return import(name)');"],
    ["that by a function at hand", "tui/x.ts", "const load = (() => {}).constructor('return 1');"],
    ["that under another name", "tui/x.ts", "const run = eval; run('import(name)');"],
    ["that by a module", "tui/x.ts", 'import { runInThisContext } from "node:vm";'],
    ["that by the inspector", "tui/x.ts", 'import { Session } from "node:inspector";'],
    ["that by the global object", "tui/x.ts", "globalThis.eval('import(name)');"],
    ["that made by the global object", "tui/x.ts", "new globalThis.Function('return import(name)');"],
    ["that by a text", "tui/x.ts", 'const make = (() => {})["constructor"]("return 1");'],
    ["that kept for later", "tui/x.ts", "const make = (() => {}).constructor; make('return 1');"],
    ["that taken apart", "tui/x.ts", "const { constructor: make } = () => {}; make('return 1');"],
    ["that by a text put together", "tui/x.ts", 'const make = (() => {})["con" + "structor"]("return 1");'],
    ["that by a template", "tui/x.ts", 'const make = (() => {})[`con${"struct" + "or"}`]("return 1");'],
    [
      "that taken apart by a text",
      "tui/x.ts",
      'const { ["constructor"]: make } = () => {}; make("return 1");',
    ],
    ["that taken apart by its quoted name", "tui/x.ts", 'const { "constructor": make } = () => {};'],
    ["that by reflection", "tui/x.ts", 'const make = Reflect.get(() => {}, "constructor");'],
    ["a require by its name as a text", "tui/x.ts", 'const make = modules["createRequire"];'],
    ["a hook that loads", "tui/x.ts", 'import { register } from "node:module"; register("./x.js");'],
    ["what loads, as a whole", "tui/x.ts", 'import Module from "module"; Module._load("../core/client.ts");'],
    ["a require of the program", "tui/x.ts", "process.mainModule!.require('../core/client.ts');"],
    [
      "a thread by a path that is asked for",
      "tui/x.ts",
      'new Worker(import.meta.resolve("../provider/chat.ts"));',
    ],
    [
      "a thread by a path that is put together",
      "tui/x.ts",
      'new Worker(new URL("../provider/" + "chat.ts", import.meta.url));',
    ],
    ["a thread by a raw path", "tui/x.ts", "new Worker(String.raw`./src/provider/chat.ts`);"],
    ["threads under another name", "tui/x.ts", 'const W = Worker; new W("./src/provider/chat.ts");'],
    ["a program by a path", "tui/x.ts", 'import { fork } from "node:child_process";'],
    ["a program in a room that starts none", "commands/x.ts", 'import { spawn } from "node:child_process";'],
    ["one there, when it is wanted", "jobs/x.ts", 'const { exec } = await import("child_process");'],
    [
      "a program of ours by its path",
      "cli/x.ts",
      'import { spawn } from "node:child_process"; spawn(process.execPath, ["src/provider/" + "chat.ts"]);',
    ],
    ["a program of ours by its name", "cli/x.ts", 'execFileSync("./chat.mjs");'],
    ["programs under another name", "cli/x.ts", 'import { spawn as start } from "node:child_process";'],
    ["programs as a whole", "cli/x.ts", 'import * as programs from "node:child_process";'],
    ["a thread by a bare path", "tui/x.ts", 'new Worker("./src/provider/chat.ts");'],
    ["a path that Node decodes", "tui/x.ts", 'const a = await import("../%63ore/client.ts");'],
    [
      "a path with slashes of another system",
      "tui/x.ts",
      'const a = await import("..\\\\core\\\\client.ts");',
    ],
    ["core that lets a package act", "core/x.ts", 'import open from "open";'],
    ["a module of Node by the process", "core/x.ts", 'const fs = process.binding("fs");'],
    ["that taken apart", "tui/x.ts", "const { binding: load } = process;"],
    ["that by a text", "tui/x.ts", 'process["binding"]("fs");'],
    ["native code by its file", "tui/x.ts", 'process.dlopen(module, "../core/a.node");'],
    [
      "threads by a name of one's own",
      "tui/x.ts",
      'import { Worker as W } from "node:worker_threads"; new W("./src/provider/chat.ts");',
    ],
    [
      "threads as a whole",
      "tui/x.ts",
      'import * as threads from "worker_threads"; new threads.Worker(file);',
    ],
    ["what knows places, handed on", "tui/x.ts", 'const m = import.meta; m.resolve("../core/client.ts");'],
    ["a global by a made name", "tui/x.ts", 'const load = globalThis["req" + "uire"];'],
    ["programs of a file", "tui/x.ts", 'import cluster from "node:cluster";'],
    ["tests that run a file", "tui/x.ts", 'import { run } from "node:test";'],
    [
      "a file that only the compiler reads",
      "wire/x.ts",
      '/// <reference path="../core/client.ts" />\nconst a = 1;',
    ],
    ["a require that is handed on", "tui/x.ts", "const load = require; load('../core/client.ts');"],
    ["a require", "commands/x.ts", 'const { a } = createRequire(import.meta.url)("../provider/chat.ts");'],
    ["core that starts programs", "core/lists/x.ts", 'import { spawn } from "node:child_process";'],
    [
      "the transport that asks the domain",
      "provider/http/x.ts",
      'import { a } from "../domain/users/view/users.ts";',
    ],
    [
      "storage that asks a view",
      "provider/domain/messages/storage/x.ts",
      'import { can } from "../../access/view/policy.ts";',
    ],
    [
      "a view that asks the rules of another subject",
      "provider/domain/threads/view/x.ts",
      'import { storeMessage } from "../../messages/rules/store.ts";',
    ],
    [
      "what all subjects stand on that asks one",
      "provider/domain/query/x.ts",
      'import { findUser } from "../users/storage/rows.ts";',
    ],
    [
      "rules that ask the routes",
      "provider/domain/users/rules/x.ts",
      'import { userRoutes } from "../routes.ts";',
    ],
    ["a file of the domain without a layer", "provider/domain/users/x.ts", "export const a = 1;"],
    ["an import by a made name", "commands/x.ts", "const it = await import(`../provider/${name}.ts`);"],
    ["an import by a name out of a variable", "commands/x.ts", "const it = await import(file);"],
    ["React outside the screen", "cli/x.ts", 'import React from "react";'],
    ["jobs that are loaded at once", "commands/x.ts", 'import { run } from "../jobs/transfer.ts";'],
  ])("%s is against it", (_, file, source) => {
    expect(lawBreaks(new Map([[file, source]]))).not.toEqual([]);
  });

  test.each([
    ["types of core in a face", "tui/x.ts", 'import type { Client } from "../core/client.ts";'],
    ["jobs when a command runs", "commands/x.ts", 'const { run } = await import("../jobs/transfer.ts");'],
    ["files in a store of core", "core/store/x.ts", 'import { readFileSync } from "node:fs";'],
    ["the domain where both halves are joined", "provider/chat.ts", 'import { due } from "./domain/due.ts";'],
    [
      "rules that ask the rules of another subject",
      "provider/domain/channels/rules/x.ts",
      'import { storeMessage } from "../../messages/rules/store.ts";',
    ],
    [
      "storage that takes types of a view",
      "provider/domain/messages/storage/x.ts",
      'import type { Permissions } from "../../access/view/policy.ts";',
    ],
    [
      "a key of the process by that name elsewhere",
      "tui/x.ts",
      "const { binding } = keys; table.binding(key);",
    ],
    ["threads by their name", "tui/x.ts", 'import { Worker } from "node:worker_threads";'],
    ["a comment that speaks of an import", "wire/x.ts", '/* import { x } from "../core/client.ts"; */'],
    ["a thread of the own room", "tui/x.ts", 'new Worker(new URL("./y.ts", import.meta.url));'],
    ["a thread by a place that was chosen", "tui/x.ts", "new Worker(threadFile(), {});"],
    ["a program of others", "cli/x.ts", 'import { spawn } from "node:child_process"; spawn("less", [file]);'],
    ["a key that is asked for by a variable", "tui/x.ts", "const value = table[`${kind}-${name}`];"],
    ["what is written at the end", "tui/x.ts", 'import { flushCompileCache } from "node:module";'],
    ["a key of that name in a list", "wire/x.ts", 'const refused = ["__proto__", "constructor"];'],
    ["the type of any function", "tui/x.ts", "type Act = Function; const rules = { require: 1 };"],
    ["the type of a module", "tui/x.ts", 'type Core = import("../core/core.ts").Core;'],
  ])("%s is not", (_, file, source) => {
    expect(lawBreaks(new Map([[file, source]]))).toEqual([]);
  });

  test("core does not reach out through a leaf that acts either, not even two steps away; its stores do", () => {
    const disk = new Map([
      ["model/own-files.ts", 'import { readFileSync } from "node:fs";'],
      ["model/kept.ts", 'export { a } from "./own-files.ts";'],
    ]);
    const by = (file: string, up: string): string[] =>
      lawBreaks(new Map([...disk, [file, `import { a } from "${up}/model/kept.ts";`]]));
    expect(by("core/x.ts", "..")).toHaveLength(1);
    expect(by("core/store/x.ts", "../..")).toEqual([]);
  });

  test("no two rooms import each other", () => {
    expect(circlesOf(lists(edgesOf(roomOf, (i) => !i.typeOnly)))).toEqual([]);
  });

  test("no files import from each other in a circle, be it types or what is loaded later", () => {
    const edges = lists(
      edgesOf(
        (file) => file,
        (i) => !betweenEntities(i),
      ),
    );
    expect(circlesOf(edges).map((circle) => circle.join(" → "))).toEqual([]);
    expect(edges.get("cli/shell-commands/api/index.ts")).toContain("cli/shell-commands/api/run.ts");
    expect(edges.get("cli/shell-commands/api/run.ts")).toContain("cli/shell-commands/api/args.ts");
    expect(circlesOf(new Map(Object.entries({ a: ["b"], b: ["c"], c: ["b"] })))).toEqual([["b", "c", "b"]]);
  });

  test("the folders of the provider stand in one order", () => {
    const edges = lists(edgesOf((file) => path.posix.dirname(file), atOnce));
    const provider = new Map([...edges].filter(([from]) => roomOf(`${from}/x.ts`) === "provider"));
    expect(circlesOf(provider).map((circle) => circle.join(" → "))).toEqual([]);
  });

  /** A file directly in src counts as its own folder. */
  const folderOf = (file: string): string => (file.includes("/") ? path.posix.dirname(file) : file);

  test("no two folders import each other, be it types or what is loaded later", () => {
    expect(bothWays(edgesOf(folderOf, () => true))).toEqual([]);
    expect(
      bothWays(
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
  const left = new Set<string>();
  const walk = (at: string, trail: string[]): void => {
    const before = trail.indexOf(at);
    if (before >= 0) return void circles.push([...trail.slice(before), at]);
    if (left.has(at)) return;
    for (const next of edges.get(at) ?? []) walk(next, [...trail, at]);
    left.add(at);
  };
  for (const node of edges.keys()) walk(node, []);
  return circles;
}

describe("statements stand in storage", () => {
  test("no rule, view or route of the provider speaks SQL", () => {
    expect(sqlOutsideStorage(text)).toEqual([]);
  });

  test.each([
    ["a query in a rule", "search/rules/x.ts", 'const row = db.get("SELECT * FROM users WHERE id = ?", id);'],
    ["a change in a view", "search/view/x.ts", 'call.db.run("DELETE FROM drafts WHERE cid = ?", cid);'],
    ["a condition that goes into a query", "search/rules/x.ts", "const since = `(SELECT 1 FROM members)`;"],
    ["a statement out of a variable", "search/routes.ts", "const rows = db.all<Row>(LATEST, cid);"],
    ["a page of a list", "search/rules/x.ts", "const { rows } = listPage<Row>(db, { columns });"],
  ])("%s is against it", (_, file, source) => {
    expect(sqlOutsideStorage(new Map([[`provider/domain/${file}`, source]]))).toHaveLength(1);
  });

  test.each([
    ["a statement in storage", "search/storage/x.ts", 'db.get("SELECT 1 FROM users")'],
    ["what all subjects stand on", "query/cursor.ts", "db.raw.prepare(`SELECT ${columns} FROM ${from}`)"],
    ["a comment about one", "search/rules/x.ts", "// SELECT 1 FROM users would be slow\nconst a = 1;"],
    [
      "a sentence to people",
      "search/rules/x.ts",
      'fail("from", "select where it goes, or delete from the list");',
    ],
  ])("%s is not", (_, file, source) => {
    expect(sqlOutsideStorage(new Map([[`provider/domain/${file}`, source]]))).toEqual([]);
  });
});

describe("the outside world reaches core through ports", () => {
  test("no clock, chance, network, process or console in core outside its adapters and stores, nor in what it stands on", () => {
    expect(worldOutside(text)).toEqual([]);
  });

  test.each([
    ["the time", "const now = Date.now();"],
    ["today", "const now = new Date();"],
    ["a timer", "setTimeout(() => {}, 1);"],
    ["chance", "const n = Math.random();"],
    ["the process taken apart", "const { env } = process;"],
    ["the process by a longer way", "const id = globalThis.process.pid;"],
    ["the network", 'const answer = await fetch("https://a.example");'],
    ["chance out of the crypto that is there", "crypto.getRandomValues(new Uint8Array(1));"],
    ["the time by a key", 'const now = Date["now"]();'],
    ["the time taken apart", "const { now } = Date;"],
    ["the date under another name", "const Day = Date;"],
    ["the date that a formatter takes", "const today = new Intl.DateTimeFormat().format();"],
    ["the date that a formatter of before takes", "const today = formatter.format();"],
    [
      "the date that a formatter takes later",
      "const shown = dates.map(new Intl.DateTimeFormat(tag).format);",
    ],
    ["the language of the machine", "const text = amount.toLocaleString();"],
    ["the order of its language", "const order = a.localeCompare(b);"],
    ["the order of a language that is given", "const order = a.localeCompare(b, tag);"],
    ["its zone by its language", "const text = new Date(ms).toLocaleTimeString(tag);"],
    ["its zone", "const hour = new Date(ms).getHours();"],
    ["its zone, to make a date", "const at = new Date(2026, 1, 3);"],
    ["its zone as text", "const text = date.toTimeString();"],
    ["how it writes numbers", "const text = new Intl.NumberFormat().format(1);"],
    ["when memory is swept, by a weak hand", "const held = new WeakRef(value);"],
    ["the global object under a second name", "const at = self.Date;"],
    ["a module by require", 'const fs = require("fs");'],
    ["chance taken apart", "const { random } = Math;"],
    ["a timer of a signal", "const signal = AbortSignal.timeout(5);"],
    ["a wait between threads", "Atomics.wait(cells, 0, 0, 5);"],
    ["the time of the new kind", "const now = Temporal.Now.instant();"],
    ["the date out of nothing", "const now = new Date(...[]);"],
    ["the zone of the machine", "const zone = new Intl.DateTimeFormat(tag).resolvedOptions().timeZone;"],
    ["its own place on the disk", "const here = import.meta.dirname;"],
    ["when memory is swept", "const swept = new FinalizationRegistry(run);"],
    ["chance by a module", 'import { randomUUID as make } from "node:crypto";'],
  ])("%s is seen", (_, source) => {
    for (const file of ["core/x.ts", "model/x.ts"])
      expect(worldOutside(new Map([[file, source]]))).toHaveLength(1);
    expect(worldOutside(new Map([["core/adapters/x.ts", source]]))).toEqual([]);
  });

  test.each([
    ["what comes by a port", "deps.clock.setTimeout(run, 1);"],
    ["a date that was told", "const at = new Date(ms);"],
    ["a date that is read", "const at = Date.parse(text) + Date.UTC(2026, 1);"],
    ["letters, which are the same everywhere", 'const parts = new Intl.Segmenter("en").segment(text);'],
    ["the order of one language", 'const order = a.localeCompare(b, "en");'],
    ["a part of a date in UTC", "const hour = new Date(ms).getUTCHours();"],
    ["what is a date", "const is = value instanceof Date && Math.max(1, 2) > 1;"],
    ["a key of that name", "const rules = { process: 1, fetch() {} };"],
    ["a type of that name", "type Process = typeof process;"],
  ])("%s is none of it", (_, source) => {
    expect(worldOutside(new Map([["core/x.ts", source]]))).toEqual([]);
  });

  test("only main.ts ends the process", () => {
    const broken = files.filter(
      (f) => f !== "main.ts" && /\bprocess\.exit\(/.test(text.get(f)!.replace(/\/\*[\s\S]*?\*\//g, "")),
    );
    expect(broken).toEqual([]);
  });
});

describe("one word for one thing", () => {
  /** A handler has the name of its endpoint, and a boolean field of a body is a flag. */
  const BOTH = ["flag: provider/domain/flags/rules/flag-routes.ts, wire/fields.ts"];

  test("a name that is exported is declared in one file", () => {
    expect(declaredTwice(text)).toEqual(BOTH);
  });

  test("it is seen however it is declared and exported, and only there", () => {
    const twice = (one: string, other: string): string[] =>
      declaredTwice(new Map(Object.entries({ "a.ts": one, "b.ts": other })));
    expect(twice("export const A = 1;", "export function A() {}")).toEqual(["A: a.ts, b.ts"]);
    expect(twice("export interface A { b: 1 }", "type A = 2; export type { A };")).toEqual(["A: a.ts, b.ts"]);
    expect(twice("export class A {}", "const b = 1; export { b as A };")).toEqual(["A: a.ts, b.ts"]);
    expect(twice("export const A = 1;", "const A = 2;")).toEqual([]);
    expect(twice("export const A = 1;", 'export { A } from "./a.ts";')).toEqual([]);
    expect(twice("export const A = 1;", 'import { A } from "./a.ts"; export { A };')).toEqual([]);
    expect(twice("export type A = 1; export const A = 1;", "export default 1;")).toEqual([]);
  });
});

describe("how files look", () => {
  test("the first line of every file is one sentence", () => {
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
  test("a comment is a sentence and begins like one", () => {
    expect(lowComments("// as it was\n// that one\n// oxlint-disable-next-line\nx;\n  // why")).toEqual([
      "// as it was",
      "// why",
    ]);
    expect(files.flatMap((f) => lowComments(text.get(f)!).map((line) => `${f}: ${line}`))).toEqual([]);
  });
  /** Line counts of all functions in a source. */
  const lengthsOf = (file: string, source: string): number[] =>
    [...nodesOf(parsed(file, source))].flatMap(([{ type, start, end, body }]) =>
      /Function/.test(type) && body ? [source.slice(start as number, end as number).split("\n").length] : [],
    );
  test("at most ten functions are longer than 60 lines; the linter refuses one of more than 100", () => {
    expect(lengthsOf("a.ts", "function a() {\n  return () => 1;\n}\ndeclare function b(): void;")).toEqual([
      3, 1,
    ]);
    const long = files.flatMap((f) =>
      lengthsOf(f, text.get(f)!).flatMap((n) => (n > 60 ? [`${f}: ${n}`] : [])),
    );
    expect(long.length, long.join("\n")).toBeLessThanOrEqual(10);
  });
  const isDrawer = (file: string): boolean =>
    /(^|\/)(shared|common|types)(\.tsx?$|\/)|(^|[/-])(utils?|helpers?|misc)(\.tsx?$|\/)/.test(file);
  test("there are no drawers", () => {
    expect(files.filter(isDrawer)).toEqual([]);
    expect(["text/utils.ts", "text/string-utils.ts", "tui/helpers/a.ts"].every(isDrawer)).toBe(true);
    expect(["core/base/api-types.ts", "text/mischief.ts"].some(isDrawer)).toBe(false);
  });
});
