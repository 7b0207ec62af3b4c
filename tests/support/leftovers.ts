/** Before and after a run of the tests: says which sample is drawn, and fails the run when a process or a temporary folder is left behind. */
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PATIENCE } from "./patience.ts";

/** What a process was started with and in, as far as the system tells; empty where it does not. */
function told(pid: string): { words: string; env: string } {
  const read = (name: string): string => {
    try {
      return readFileSync(`/proc/${pid}/${name}`, "utf8").replaceAll("\0", " ");
    } catch {
      return "";
    }
  };
  return { words: read("cmdline"), env: read("environ") };
}

/** Processes that were started with a folder of this run, by its name in their words or their environment. */
export function processesOf(folder: string, own: readonly number[]): string[] {
  if (!existsSync("/proc/self/environ")) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && !own.includes(Number(name)))
    .flatMap((pid) => {
      const { words, env } = told(pid);
      if (words.startsWith("vitest-watchdog")) return [];
      return `${words} ${env}`.includes(folder) && words !== "" ? [`process ${pid}: ${words.trim()}`] : [];
    });
}

/** The providers that were started in a folder, whether or not they have written that they run. */
export const startingIn = (folder: string): number[] =>
  processesOf(folder, [process.pid])
    .filter((line) => / serve --data /.test(line))
    .map((line) => Number(/^process (\d+):/.exec(line)![1]));

/** What lies in it tells whose it was. */
function inside(folder: string): string {
  const names = readdirSync(folder, { recursive: true }).map(String);
  return names.length > 8 ? `${names.slice(0, 8).join(", ")} …` : names.join(", ");
}

/** What lies in the folder of this run. Node's compile cache is Node's, and the runner cleans up after itself later. */
export const foldersOf = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith("parley-"))
    .map((name) => `folder ${path.join(folder, name)}: ${inside(path.join(folder, name))}`);

/** Temporary folders of this run lie in one place: workers, and all that they start, have its name from here. */
export default function setup(): () => Promise<void> {
  const folder = (process.env.TMPDIR = mkdtempSync(path.join(tmpdir(), "parley-tests-")));
  const { PARLEY_SAMPLE, PARLEY_PROOF } = process.env;
  console.log(PARLEY_PROOF ? "all of it" : `the sample is drawn with PARLEY_SAMPLE=${PARLEY_SAMPLE}`);
  return async () => {
    const deadline = performance.now() + PATIENCE;
    let left: string[];
    for (;;) {
      left = [...processesOf(folder, [process.pid, process.ppid]), ...foldersOf(folder)];
      if (left.length === 0 || performance.now() > deadline) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    for (const line of left) {
      const pid = /^process (\d+):/.exec(line)?.[1];
      if (pid) process.kill(Number(pid), "SIGKILL");
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    if (left.length > 0) throw new Error(`The run left something behind:\n${left.join("\n")}`);
  };
}
