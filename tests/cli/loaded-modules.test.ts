/** Modules loaded by a run of the built program: a command loads no other command, no screen, no socket and no second HTTP client (specification/command-line.md §8). */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { tree } from "../../src/cli/tree.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../support/remove-folder.ts";

const root = path.resolve(import.meta.dirname, "../..");
const home = mkdtempSync(path.join(os.tmpdir(), "parley-lazy-"));
const listing = path.join(home, "loaded.json");
const hook = path.join(home, "hook.mjs");
const env = {
  PATH: process.env.PATH,
  HOME: home,
  TERM: "dumb",
  XDG_CONFIG_HOME: path.join(home, "config"),
  XDG_STATE_HOME: path.join(home, "state"),
  XDG_CACHE_HOME: path.join(home, "cache"),
  XDG_DATA_HOME: path.join(home, "data"),
  XDG_RUNTIME_DIR: path.join(home, "run"),
};

interface Loaded {
  builtins: Set<string>;
  /** The concatenated sources of the loaded chunks. */
  text: string;
}

async function loadedBy(...args: string[]): Promise<Loaded> {
  await promisify(execFile)(process.execPath, ["--import", hook, path.join(root, "bin/parley.js"), ...args], {
    env: { ...env, LOADED: listing },
  });
  const { builtins, urls } = JSON.parse(readFileSync(listing, "utf8")) as {
    builtins: string[];
    urls: string[];
  };
  const chunks = urls.filter((url) => url.includes("/dist/"));
  return {
    builtins: new Set(builtins.map((name) => name.replace(/^NativeModule /, ""))),
    text: chunks.map((url) => readFileSync(new URL(url), "utf8")).join("\n"),
  };
}

/** Strings in the bundle that occur in one library only. */
const MARKS = {
  react: "react.element",
  ws: "Sec-WebSocket-Version",
  sqlite: "node:sqlite",
  got: "isStream",
  marked: "lheading",
  ajv: "$dataMetaSchema",
} as const;
const marksIn = (text: string): string[] =>
  Object.entries(MARKS).flatMap(([name, mark]) => (text.includes(mark) ? [name] : []));
const undiciModules = (loaded: Loaded): string[] =>
  [...loaded.builtins].filter((name) => name.includes("undici"));

beforeAll(async () => {
  writeFileSync(
    hook,
    `import { registerHooks } from "node:module";
     import { writeFileSync } from "node:fs";
     const urls = [];
     registerHooks({ load(url, context, next) { urls.push(url); return next(url, context); } });
     process.on("exit", () =>
       writeFileSync(process.env.LOADED, JSON.stringify({ urls, builtins: process.moduleLoadList })));`,
  );
  await loadedBy("local", "start");
});

afterAll(async () => {
  await loadedBy("local", "stop");
  removeFolder(home);
});

test("every searched string is in the built program", () => {
  const dist = path.join(root, "dist");
  const all = [dist, path.join(dist, "chunks")]
    .flatMap((dir) => readdirSync(dir).map((name) => path.join(dir, name)))
    .filter((file) => file.endsWith(".js"))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  expect(marksIn(all)).toEqual(Object.keys(MARKS));
});

test("--help and completion load only commander and open no database", async () => {
  for (const args of [["--help"], ["send", "--help"], ["__complete", "--", "mess"]]) {
    const loaded = await loadedBy(...args);
    expect(marksIn(loaded.text), args.join(" ")).toEqual([]);
    expect(undiciModules(loaded)).toEqual([]);
    expect(loaded.builtins.has("http")).toBe(false);
    expect(loaded.builtins.has("sqlite")).toBe(false);
  }
});

test("send loads its outbox and one HTTP client: no screen, WebSocket, undici or settings writer", async () => {
  const loaded = await loadedBy("send", "#general", "hello");
  expect(marksIn(loaded.text)).toEqual(["sqlite", "got"]);
  expect(undiciModules(loaded)).toEqual([]);
  expect(loaded.builtins.has("http2")).toBe(false);
});

/** The commands whose definitions are among the loaded sources; in the tables, which are loaded always, each key has quotes. */
const definitionsIn = ({ text }: Loaded): string[] =>
  tree
    .allPaths()
    .filter((path) =>
      ["`", '"'].some((quote) => text.includes(`summary:${quote}${tree.definition(path).summary}${quote}`)),
    );

test("a command loads its own definition and no other, and help loads none", async () => {
  expect(definitionsIn(await loadedBy("message", "list", "-c", "#general"))).toEqual(["message list"]);
  expect(definitionsIn(await loadedBy("user", "list"))).toEqual(["user list"]);
  expect(definitionsIn(await loadedBy("local", "status"))).toEqual(["local status"]);
  expect(definitionsIn(await loadedBy("--help"))).toEqual([]);
  expect(definitionsIn(await loadedBy("message", "list", "--help"))).toEqual([]);
});

test("a reading command loads its in-memory store and one HTTP client", async () => {
  const read = await loadedBy("channel", "list", "--json");
  expect(marksIn(read.text)).toEqual(["sqlite", "got"]);
  expect(undiciModules(read)).toEqual([]);
});
