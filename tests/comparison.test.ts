/** The comparison with other clients: every row exists, and each "yes" names an existing test. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const text = readFileSync(path.join(import.meta.dirname, "../docs/comparison.md"), "utf8");
const rows = [...text.matchAll(/^\| (\d+) \| ([^|]+) \| (yes|partly|no) \| ([^\n]+) \|$/gm)].map(
  ([, number, what, state, rest]) => ({
    number: Number(number),
    what: what!,
    state: state!,
    by: rest!.split(" | ")[0]!,
  }),
);
const ROWS = 190;

test("the comparison has a row for each feature, and for each that no other client has", () => {
  const numbers = rows.map(({ number }) => number);
  expect(numbers).toEqual([
    ...Array.from({ length: ROWS }, (_, n) => n + 1),
    ...Array.from({ length: 20 }, (_, n) => n + 1),
  ]);
});

test("its summary has the right counts", () => {
  const count = (state: string): number => rows.slice(0, ROWS).filter((row) => row.state === state).length;
  expect(text).toContain(
    `${count("yes")} of ${ROWS} rows whole, ${count("partly")} in part, ${count("no")} not.`,
  );
});

/** Why the test named by a row cannot be found: its file below tests/ or its title is wrong. */
function problemOf({ by, what, state }: (typeof rows)[number]): string | undefined {
  const named = /^`([^`]+)` "(.+?)"(?:;|$)/.exec(by);
  if (!named) return state === "yes" || by.trim() === "" ? `${what}: names no test` : undefined;
  const file = path.join(import.meta.dirname, named[1]!);
  if (!existsSync(file)) return `${what}: there is no ${named[1]}`;
  return readFileSync(file, "utf8").includes(named[2]!)
    ? undefined
    : `${what}: no test is called ${named[2]}`;
}

test("each yes names an existing test, and every other answer gives a reason", () => {
  expect(rows.map(problemOf).filter(Boolean)).toEqual([]);
});

test.each([
  ["a file that is gone", '`tui/gone.test.ts` "it works"', "there is no"],
  ["a name that nobody has", ["`comparison.test.ts`", '"it works', 'well"'].join(" "), "no test is called"],
  ["nothing", "", "names no test"],
])("a yes with %s is reported", (_, by, words) => {
  expect(problemOf({ number: 1, what: "one", state: "yes", by })).toContain(words);
});
