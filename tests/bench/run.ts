/** Runs all benchmarks one after another and prints budget, measured value and verdict; exits with 1 when more than two are red or one is above 1.5×. */
import { writeFileSync } from "node:fs";
import os from "node:os";
import { emptyStart, NODE } from "./measure.ts";
import { judge, table, type Figure, type Verdict } from "./report.ts";

const GROUPS: Record<string, () => Promise<{ run(): Promise<Figure[]> }>> = {
  start: () => import("./start.bench.ts"),
  typing: () => import("./typing.bench.ts"),
  work: () => import("./work.bench.ts"),
  flood: () => import("./flood.bench.ts"),
  provider: () => import("./provider.bench.ts"),
  big: () => import("./big.bench.ts"),
  archive: () => import("./archive.bench.ts"),
  lines: () => import("./lines.bench.ts"),
  text: () => import("./text.bench.ts"),
  crowd: () => import("./crowd.bench.ts"),
  reading: () => import("./reading.bench.ts"),
};

const requestedNames = process.argv.slice(2).filter((word) => !word.startsWith("-"));
const unknown = requestedNames.filter((name) => !(name in GROUPS));
if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(", ")}; there are ${Object.keys(GROUPS).join(", ")}`);
  process.exit(2);
}

const verdicts: Verdict[] = [];
const start = await emptyStart();
console.log(
  `${os.cpus().length} cores, ${os.cpus()[0]?.model.trim()}, Node ${process.version} (${NODE.split("/").at(-1)}), empty start ${start.toFixed(1)} ms\n`,
);
for (const name of requestedNames.length > 0 ? requestedNames : Object.keys(GROUPS)) {
  process.stderr.write(`… ${name}\n`);
  const group = await GROUPS[name]!();
  for (const figure of await group.run()) verdicts.push(judge(figure, start));
}
console.log(table(verdicts));
const red = verdicts.filter((v) => !v.green);
const regressions = verdicts.filter((v) => v.ratio > 1.5);
console.log(
  `\n${verdicts.length - red.length} green, ${red.length} red${regressions.length > 0 ? `, ${regressions.length} above 1.5×` : ""}`,
);
const json = process.argv.find((word) => word.startsWith("--json="))?.slice(7);
if (json) writeFileSync(json, JSON.stringify({ start, verdicts }, null, 2));
process.exitCode = red.length > 2 || regressions.length > 0 ? 1 : 0;
