// Runs the long tests completely: all stories, cuts, faults and corrupted requests of which `npm test` runs a sample.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const vitest = path.join(
  path.dirname(fileURLToPath(import.meta.resolve("vitest/package.json"))),
  "vitest.mjs",
);
const { status } = spawnSync(process.execPath, [vitest, "run", ...process.argv.slice(2)], {
  stdio: "inherit",
  env: { ...process.env, PARLEY_PROOF: "1" },
});
process.exitCode = status ?? 1;
