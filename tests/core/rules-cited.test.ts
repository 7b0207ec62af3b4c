/** Every rule of the client that is built has a test that names it; a rule nobody names fails here. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const TESTS = path.resolve(import.meta.dirname, "..");

/** How many rules a group has. */
const GROUPS = {
  ID: 13,
  SEND: 14,
  SET: 17,
  MSG: 12,
  READ: 11,
  TYPE: 7,
  LINK: 9,
  ATT: 7,
  MENT: 5,
  CMD: 5,
  DRAFT: 8,
  MUTE: 3,
  PIN: 3,
  CHAN: 4,
  REC: 2,
  THREAD: 3,
  SEARCH: 3,
  REM: 2,
  LOC: 5,
  NOTE: 3,
  POLL: 17,
  CAMP: 3,
};

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
    expect(rules.filter((rule) => !cited.has(rule))).toEqual([]);
  });

test("a title is read, a comment is not", () => {
  expect(
    titlesOf('// test("R-ID-1")\n  test("R-ID-2, -3: x", () => {});\ntest.each([1])("R-ID-4", f);').flatMap(
      rulesIn,
    ),
  ).toEqual(["R-ID-2", "R-ID-3", "R-ID-4"]);
});
