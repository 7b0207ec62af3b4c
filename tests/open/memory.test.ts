/** The young space of V8 under a flood: it keeps the size that it has when the screen begins. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { FLAGS, limitMemory } from "../../src/open/memory.ts";

/** Sets the flags and lets many objects live a little while; MiB of young space after it, and what V8 says. */
function flooded(flags: readonly string[]): { after: number; told: string } {
  const script = `
    const v8 = require("node:v8");
    const young = () => v8.getHeapSpaceStatistics().find((s) => s.space_name === "new_space").space_size / 2 ** 20;
    for (const flag of process.argv.slice(1)) v8.setFlagsFromString(flag);
    let kept = [];
    for (let n = 0; n < 1_000_000; n++) {
      kept.push({ n, text: "message " + n });
      if (kept.length > 100_000) kept = kept.slice(50_000);
    }
    console.log(JSON.stringify({ after: young() }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", script, "--", ...flags], {
    encoding: "utf8",
  });
  return { ...(JSON.parse(stdout) as { after: number }), told: stderr };
}

test("limited, the young space stays a small part of what the same flood takes without", () => {
  // How much is taken at the start differs from run to run, so the two floods are compared with each other.
  expect(flooded(FLAGS).after * 3).toBeLessThan(flooded([]).after);
});

test("this Node knows the flags: an unknown one would be told on the terminal, over the picture", () => {
  expect(flooded(FLAGS).told).toBe("");
  expect(flooded(["--no-such-flag"]).told).not.toBe("");
});

test("limiting sets every flag", () => {
  const set: string[] = [];
  limitMemory((flag) => set.push(flag));
  expect(set).toEqual(FLAGS);
});
