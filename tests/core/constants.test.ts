/** The constants of the protocol: each is in wire/constants.ts with the value of specification/constants.md, and is used. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { delayBounds } from "../../src/core/base/delay.ts";
import * as constants from "../../src/wire/constants.ts";

const exportedConstants: Record<string, unknown> = { ...constants };
const SRC = path.resolve(import.meta.dirname, "../../src");
const PAGE = readFileSync(path.resolve(SRC, "../docs/specification/constants.md"), "utf8");

/** The rows of the page: what, name, value as JSON. */
const ROWS = [...PAGE.matchAll(/^\| ([^|]+) \| `([A-Z0-9_]+)` \| `([^|]+)` \|$/gm)].map(
  ([, what, name, value]): [string, string, unknown] => [what!, name!, JSON.parse(value!)],
);

describe("specification/constants.md", () => {
  test.each(ROWS)("%s (%s) has the value of the page", (_what, name, value) => {
    expect(exportedConstants[name]).toEqual(value);
  });
  test("the page has a row for each constant", () => {
    expect(ROWS.map(([, name]) => name).toSorted()).toEqual(Object.keys(constants).toSorted());
  });
  test("the reconnect delay is between min(max(250, (n − 1)·2000), 25000) and min(500 + 2000·n, 25000)", () => {
    expect([1, 2, 3, 20].map(delayBounds)).toEqual([
      { lower: 250, upper: 2500 },
      { lower: 2000, upper: 4500 },
      { lower: 4000, upper: 6500 },
      { lower: 25_000, upper: 25_000 },
    ]);
  });
});

/** Names that stand in code, not in comments or texts. */
function namesInSources(): Set<string> {
  const names = new Set<string>();
  for (const entry of readdirSync(SRC, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || file === path.join(SRC, "wire/constants.ts"))
      continue;
    const code = readFileSync(file, "utf8")
      // A comment begins its line; in a text the same two characters are none.
      .replace(/^\s*\/\*[\s\S]*?\*\//gm, "")
      .replace(/^\s*\/\/.*$/gm, "")
      // An import alone is no use.
      .replace(/^(import|export)\s[^;]*?from\s+"[^"]+";/gm, "");
    for (const [name] of code.matchAll(/\b[A-Z][A-Z0-9_]+\b/g)) names.add(name);
  }
  return names;
}

test("every constant is used in the sources", () => {
  const names = namesInSources();
  expect(Object.keys(constants).filter((name) => !names.has(name))).toEqual([]);
});
