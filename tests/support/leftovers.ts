/** Runs before and after all tests: prints the seed of the proof, and fails the run when a process or a temporary folder is left over. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PATIENCE } from "./patience.ts";

/** Command line and environment of a process; empty where the system does not provide them. */
function describeProcess(pid: string): { words: string; env: string } {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  return { words: read("cmdline"), env: read("environ") };
}

/** Processes whose command line or environment contains the folder of this run. */
export function processesOf(folder: string, own: readonly number[]): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && !own.includes(Number(name)))
    .flatMap((pid) => {
      const { words, env } = describeProcess(pid);
      if (words.startsWith("vitest-watchdog")) return [];
      return `${words} ${env}`.includes(folder) && words !== "" ? [`process ${pid}: ${words.trim()}`] : [];
    });
}

/** Providers started in a folder, also those that have not reported to be running yet. */
export const startingIn = (folder: string): number[] =>
  processesOf(folder, [process.pid])
    .filter((line) => / serve --data /.test(line))
    .map((line) => Number(/^process (\d+):/.exec(line)![1]));

/** The names of files inside, which show who created the folder. */
function inside(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.length > 8 ? `${names.slice(0, 8).join(", ")} …` : names.join(", ");
}

/** Temporary folders left in the folder of this run. Node's compile cache is ignored, and the runner removes its own files later. */
export const foldersOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("parley-"))
    .map((name) => `folder ${path.join(folder, name)}: ${inside(path.join(folder, name))}`);

/** All temporary folders of this run are in one folder, passed to workers and their children by TMPDIR. */
export default function setup(): () => Promise<void> {
  const folder = (process.env.TMPDIR = mkdtempSync(path.join(tmpdir(), "parley-tests-")));
  const { PARLEY_PROOF, PARLEY_PROOF_SEED } = process.env;
  if (PARLEY_PROOF) console.log(`stories are drawn with PARLEY_PROOF_SEED=${PARLEY_PROOF_SEED}`);
  return async () => {
    const deadline = performance.now() + PATIENCE;
    let leftovers: string[];
    for (;;) {
      leftovers = [...processesOf(folder, [process.pid, process.ppid]), ...foldersOf(folder)];
      if (leftovers.length === 0 || performance.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const line of leftovers) {
      const pid = /^process (\d+):/.exec(line)?.[1];
      if (pid) process.kill(Number(pid), "SIGKILL");
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    if (leftovers.length > 0) throw new Error(`The run left something behind:\n${leftovers.join("\n")}`);
  };
}
