/** How figures are measured: whole processes interleaved with an empty Node start, medians, and figures scaled to a 20 ms start. */
import { spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Milliseconds after a start until a screen is idle: it draws for 2.5 s, and releases the memory of the start after two more. */
export const UNTIL_IDLE = 6000;

export const ROOT = path.resolve(import.meta.dirname, "../..");
export const PARLEY = path.join(ROOT, "bin/parley.js");
export const NODE = process.execPath;

export const median = (values: readonly number[]): number => percentile(values, 0.5);
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** Runs the process to its end and returns the milliseconds from spawn to exit. Fails on an unexpected exit code. */
export function timeProcess(
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(NODE, args, { env: options.env ?? process.env, stdio: ["pipe", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0
        ? resolve(performance.now() - start)
        : reject(new Error(`${args.join(" ")} ended with ${code}: ${errors}`)),
    );
  });
}

/** Runs each case `runs` times, alternating with the others, so that a slow minute affects all alike. */
export async function interleave<K extends string>(
  runs: number,
  cases: Record<K, () => Promise<number>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(cases) as K[];
  const out = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (const name of names) await cases[name]();
  for (let n = 0; n < runs; n++) for (const name of names) out[name].push(await cases[name]());
  return out;
}

/** Median milliseconds of an empty Node start on this machine now. */
export async function emptyStart(runs = 15): Promise<number> {
  return median((await interleave(runs, { empty: () => timeProcess(["-e", "0"]) })).empty);
}

/** Environment with a private home for one benchmark: none of the user's files are read or written. */
export function privateHome(): NodeJS.ProcessEnv {
  const home = mkdtempSync(path.join(os.tmpdir(), "parley-bench-"));
  return {
    PATH: process.env.PATH,
    HOME: home,
    TERM: "xterm-256color",
    COLORTERM: "truecolor",
    LANG: "C.UTF-8",
    XDG_CONFIG_HOME: path.join(home, "config"),
    XDG_STATE_HOME: path.join(home, "state"),
    XDG_CACHE_HOME: path.join(home, "cache"),
    XDG_DATA_HOME: path.join(home, "data"),
    XDG_RUNTIME_DIR: path.join(home, "run"),
  };
}
