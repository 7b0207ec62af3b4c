/** The budgets of what runs on the screen for one act, and that every benchmark can be loaded. */
import { execFileSync } from "node:child_process";
import { globSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./measure.ts";
import { figuresOf, measureWork } from "./work.bench.ts";

test("a letter, a message and a quiet second run no more of our files and functions than their budgets", async () => {
  const figures = figuresOf(await measureWork());
  expect(figures.filter(({ measured, budget }) => measured > budget)).toEqual([]);
});

test("Node loads every benchmark as it is", () => {
  const benches = globSync("tests/bench/*.bench.ts", { cwd: ROOT });
  const script = benches.map((file) => `await import(${JSON.stringify(path.join(ROOT, file))});`).join("\n");
  execFileSync(process.execPath, ["--input-type=module", "-e", script]);
  expect(benches).toContain("tests/bench/work.bench.ts");
});
