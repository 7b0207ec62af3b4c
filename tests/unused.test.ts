/** Every export is imported by another file; an unused one is only in the way. */
import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { unusedExports } from "./support/exports.ts";
import { nodesOf, parsed } from "./support/syntax.ts";

/** Exports used without an import: by the launcher, by the build in place of a library, or by the protocol reference made from the source text. */
const PUBLIC = [
  "src/main.ts: main",
  "src/text/ink-width.ts: default",
  // Bundled by scripts/docs.mjs.
  "src/tui/bindings/keys-page.ts: keysPage",
  "src/wire/events.ts: EventMap",
  // The package's type declarations need these names: a damaged store, and the parts of the endpoint table.
  "src/core/store/state-db.ts: SavedWrites",
  "src/wire/endpoints/app.ts: RateLimitsQuery",
  "src/wire/endpoints/campaigns.ts: Cursors",
  "src/wire/endpoints/moderation.ts: BanPlace",
  "src/wire/endpoints/threads.ts: ThreadLimits",
  "src/wire/endpoints/users.ts: UserExport",
];

/** Exports of the package are for other programs. */
const isExported = (one: string): boolean => one.startsWith("src/core/index.ts: ");

const ROOT = path.resolve(import.meta.dirname, "..");

const sources = new Map(
  ["src", "scripts", "tests"].flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /(?<!\.d)\.(ts|tsx|mjs)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map(
        (file) => [path.relative(ROOT, file).replaceAll(path.sep, "/"), readFileSync(file, "utf8")] as const,
      ),
  ),
);

test("every export of src is used by another file", () => {
  const unused = unusedExports(sources, "src/").filter((one) => !PUBLIC.includes(one) && !isExported(one));
  expect(unused).toEqual([]);
});

test("no export of src is used by tests alone", () => {
  const product = new Map([...sources].filter(([file]) => !file.startsWith("tests/")));
  const isUsedAtHome = (one: string): boolean => {
    const [file, name] = one.split(": ") as [string, string];
    return mentions(product.get(file)!, name) > 1;
  };
  const alone = unusedExports(product, "src/").filter((one) => !PUBLIC.includes(one) && !isExported(one));
  expect(alone.filter((one) => !isUsedAtHome(one))).toEqual([]);
});

/** How often a source uses a name, not counting comments. */
function mentions(source: string, name: string): number {
  const mentions = nodesOf(parsed("a.tsx", source)).filter(([node]) => node.name === name);
  return mentions.length;
}

test("mentions counts uses of a name, not comments", () => {
  expect(mentions("/** a */ export const a = 1; // a", "a")).toBe(1);
  expect(mentions("export function a() {} const b = { c: a };", "a")).toBe(2);
});

test.each([
  ["a name that is imported", 'import { a } from "./a.ts";'],
  ["a type", 'import type { a } from "./a.ts";'],
  ["an import under another name", 'import { a as b } from "./a.ts";'],
  ["a namespace import", 'import * as it from "./a.ts"; it.a();'],
  ["a re-export", 'export { a } from "./a.ts";'],
  ["a lazy import", 'const { a } = await import("./a.ts");'],
  ["a lazy import of one name", 'const a = (await import("./a.ts")).a;'],
  ["a lazy namespace import", 'const it = await import("./a.ts"); it.a();'],
  [
    "one lazy import of several",
    'const [{ a }, b] = await Promise.all([import("./a.ts"), import("./b.ts")]);',
  ],
  ["a lazy namespace import with then", 'import("./a.ts").then((it) => it.a());'],
  ["a lazy import with then", 'import("./a.ts").then(({ a }) => a());'],
  ["the type of an import", 'type A = import("./a.ts").a;'],
])("%s counts as a use", (_, taker) => {
  const both = new Map([
    ["src/a.ts", "export const a = 1; export const b = 2;"],
    ["tests/b.ts", taker.replaceAll("./a.ts", "../src/a.ts")],
  ]);
  expect(unusedExports(both, "src/")).toEqual(["src/a.ts: b"]);
});

test("a namespace import that is spread uses every export", () => {
  const spread = new Map([
    ["src/a.ts", "export const a = 1;"],
    ["src/b.ts", 'import * as it from "./a.ts"; console.log({ ...it });'],
  ]);
  expect(unusedExports(spread, "src/")).toEqual([]);
});

test("an export used only in its own file is unused", () => {
  const alone = new Map([["src/a.ts", "export const a = 1; export default () => a; export type B = 1;"]]);
  expect(unusedExports(alone, "src/")).toEqual(["src/a.ts: a", "src/a.ts: default", "src/a.ts: B"]);
});
