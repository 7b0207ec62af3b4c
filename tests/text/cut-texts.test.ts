/** A text that is shown is cut between characters and by cells, never inside one by its UTF-16 units. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readProblem } from "../../src/cli/base/problem.ts";

const SRC = path.resolve(import.meta.dirname, "../../src");
/** A cleaned text of which a slice is taken. */
const SLICED =
  /\bclean(?:Line|Name|Text)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*\.(?:slice|substring|substr)\(/;

test("no cleaned text is sliced", () => {
  const files = readdirSync(SRC, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    /\.tsx?$/.test(name),
  );
  const sliced = files
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => SLICED.test(readFileSync(file, "utf8")));
  expect(sliced).toEqual([]);
  for (const code of ["cleanLine(text).slice(0, 4)", 'clean((a || "b").replaceAll("c", f(d)))\n  .slice(1)'])
    expect(code).toMatch(SLICED);
});

test.each(["😀", "👩‍👩‍👧", "漢"])("the sentence of an error is cut beside %s, not through it", (character) => {
  for (const before of ["", "x"]) {
    const { message } = readProblem(new Error(before + character.repeat(2000)));
    expect(message.isWellFormed()).toBe(true);
    expect(message.replace(before, "").replaceAll(character, "")).toBe("…");
  }
});
