/** How many files a run of the built program loads: each one takes time to find, read and link. */
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { Home, PARLEY } from "../support/home.ts";

const home = new Home();
afterAll(() => home.end());

const DIST = path.resolve(import.meta.dirname, "../../dist");

/** Runs the program and returns the files of `dist` that it loaded. */
function loaded(...args: string[]): string[] {
  const [hook, list] = [
    path.join(home.folder, "hook.mjs"),
    path.join(home.folder, `loaded by ${args.join(" ")}`),
  ];
  writeFileSync(
    hook,
    `import { appendFileSync } from "node:fs";
    import { registerHooks } from "node:module";
    registerHooks({ load(url, context, next) {
      if (url.includes("/dist/")) appendFileSync(${JSON.stringify(list)}, url + "\\n");
      return next(url, context);
    } });`,
  );
  execFileSync(process.execPath, ["--import", pathToFileURL(hook).href, PARLEY, ...args], { env: home.env });
  return readFileSync(list, "utf8").trim().split("\n");
}

test("--help loads at most twelve files, and a command at most forty", () => {
  const [help, list] = [loaded("--help"), loaded("config", "list")];
  expect(help.length).toBeGreaterThan(2);
  expect(help.length).toBeLessThanOrEqual(12);
  expect(list.length).toBeGreaterThan(help.length);
  expect(list.length).toBeLessThanOrEqual(40);
});

const importsOf = (file: string): string[] =>
  [...readFileSync(file, "utf8").matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)].map(([, to]) =>
    path.resolve(path.dirname(file), to!),
  );

test("the screen is at most sixteen files, with all that it imports", () => {
  const chunks = path.join(DIST, "chunks");
  const files = new Set(
    readdirSync(chunks).flatMap((name) => (name.startsWith("screen-") ? path.join(chunks, name) : [])),
  );
  expect(files.size).toBe(1);
  for (const file of files) for (const to of importsOf(file)) files.add(to);
  expect(files.size).toBeGreaterThan(3);
  expect(files.size).toBeLessThanOrEqual(16);
});

test("built files do not import each other in a circle", () => {
  const walk = (file: string, above: readonly string[]): void => {
    expect(above.includes(file), [...above, file].join(" imports ")).toBe(false);
    if (seen.has(file)) return;
    seen.add(file);
    for (const to of importsOf(file)) walk(to, [...above, file]);
  };
  const seen = new Set<string>();
  for (const entry of ["main.js", "core.js"]) walk(path.join(DIST, entry), []);
  expect(seen.size).toBeGreaterThan(5);
});

test("every name taken from a dynamic import is exported", () => {
  const files = readdirSync(DIST, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".js"))
    .map((file) => path.join(DIST, file));
  const exported = new Map<string, Set<string>>();
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    const names = [...text.matchAll(/export\s*\{([^}]*)\}/g)].flatMap(([, list]) =>
      list!.split(",").map((one) =>
        one
          .trim()
          .split(/\s+as\s+/)
          .at(-1)!,
      ),
    );
    exported.set(file, new Set([...names, ...(text.includes("export default") ? ["default"] : [])]));
  }
  const TAKEN = /\{([\w$:,]+)\}=await import\([`"](\.{1,2}\/[^`"]+)[`"]\)(?!\.then)/g;
  const taken = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(TAKEN)].flatMap(([, names, to]) =>
      names!.split(",").map((one) => ({
        name: one.split(":")[0]!,
        from: path.resolve(path.dirname(file), to!),
      })),
    ),
  );
  expect(taken.length).toBeGreaterThan(50);
  expect(taken.filter(({ name, from }) => !exported.get(from)?.has(name))).toEqual([]);
});
