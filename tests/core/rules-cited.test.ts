/** Every rule of the client that is built has a test that names it; a rule nobody names fails here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const TESTS = path.resolve(import.meta.dirname, "..");

/** How many rules a group of client-rules.md has. */
const GROUPS = { SEND: 14, SET: 17, MSG: 12, READ: 11, TYPE: 7, ID: 13 };
/** Drafts while the provider's copy is off: -2 and -7 are about the copy alone. */
const LOCAL_DRAFTS = [1, 3, 4, 5, 6, 8];
/** No client call deletes users yet, so there is nothing to refuse (R-ID-10). */
const WITHOUT_A_CALL = ["R-ID-10"];

/** The titles of `test`, `it` and `describe`, `.each` and the like included; text elsewhere does not count. */
function titlesOf(source: string): string[] {
  const code = source.replace(/^\s*(\/\/|\/\*\*|\*).*$/gm, "");
  // a call, or the second call of `.each([…])(…)`; `.each` rows may hold the rule too
  const calls = /(?:\b(?:test|it|describe)(?:\.\w+)*|[\])])\(\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/g;
  const rows = /^\s*\[\s*(["'`])(R-(?:\\.|(?!\1)[^\\])*)\1/gm;
  return [...code.matchAll(calls), ...code.matchAll(rows)].map((found) => found[2]!);
}

/** `R-SET-12, R-SET-14` as written, and the short form `R-SET-12, -14`. */
function rulesIn(title: string): string[] {
  return [...title.matchAll(/R-([A-Z]+)((?:-\d+)(?:,? (?:and )?-\d+)*)/g)].flatMap(([, group, numbers]) =>
    [...numbers!.matchAll(/-(\d+)/g)].map(([, n]) => `R-${group}-${n}`),
  );
}

const cited = new Set(
  readdirSync(TESTS, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.test\.tsx?$/.test(entry.name) && entry.name !== "rules-cited.test.ts",
    )
    .flatMap((entry) =>
      titlesOf(readFileSync(path.join(entry.parentPath, entry.name), "utf8")).flatMap(rulesIn),
    ),
);

for (const [group, count] of Object.entries(GROUPS))
  test(`every rule of ${group} is named by a test`, () => {
    const rules = Array.from({ length: count }, (_, i) => `R-${group}-${i + 1}`);
    expect(rules.filter((rule) => !cited.has(rule) && !WITHOUT_A_CALL.includes(rule))).toEqual([]);
  });

test("every rule of local drafts is named by a test", () => {
  expect(LOCAL_DRAFTS.map((n) => `R-DRAFT-${n}`).filter((rule) => !cited.has(rule))).toEqual([]);
});

test("a title is read, a comment is not", () => {
  expect(
    titlesOf('// test("R-ID-1")\n  test("R-ID-2, -3: x", () => {});\ntest.each([1])("R-ID-4", f);').flatMap(
      rulesIn,
    ),
  ).toEqual(["R-ID-2", "R-ID-3", "R-ID-4"]);
});
