/** Runs transcripts (`$ parley …` and the expected output) in a private home with its own embedded provider. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { PARLEY, ensureBuilt, type Ran } from "./home.ts";
import { plainWords, runHere, shellHere } from "./shell-here.ts";
import { removeFolder } from "./remove-folder.ts";

/** The program, built first if the build is older than the sources. */
function entry(): string {
  ensureBuilt();
  return PARLEY;
}

export interface Home {
  folder: string;
  env: NodeJS.ProcessEnv;
  /** A script that always starts the built program; `parley` itself may run in this process instead. */
  built: string;
  /** Runs one line of a POSIX shell with `parley` in its PATH. */
  sh(line: string): Promise<Ran>;
  /** Stops the provider and removes the folder. */
  end(): Promise<void>;
}

/** `here`: the command line runs in this process instead of a new program for each call of `parley`. */
export function makeHome({ here = false } = {}): Home {
  const folder = mkdtempSync(path.join(tmpdir(), "parley-home-"));
  const bin = path.join(folder, "bin");
  const work = path.join(folder, "work");
  const built = path.join(folder, "built/parley");
  for (const made of [bin, work, path.dirname(built)]) mkdirSync(made);
  const script = `#!/bin/sh\nexec '${process.execPath}' '${entry()}' "$@"\n`;
  writeFileSync(built, script, { mode: 0o755 });
  const leave = here ? shellHere(folder, bin) : symlinkSync(built, path.join(bin, "parley"));
  const env: NodeJS.ProcessEnv = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    TMPDIR: tmpdir(),
    XDG_CONFIG_HOME: path.join(folder, "config"),
    XDG_STATE_HOME: path.join(folder, "state"),
    XDG_CACHE_HOME: path.join(folder, "cache"),
    XDG_DATA_HOME: path.join(folder, "data"),
    PARLEY_KEYRING: "off",
    PARLEY_LOCAL_SEED: "none",
    PARLEY_USER: "mira",
    TZ: "UTC",
    LANG: "C.UTF-8",
  };
  const sh = (line: string): Promise<Ran> =>
    new Promise((resolve, reject) => {
      const child = spawn("/bin/sh", ["-c", line], { cwd: work, env, stdio: ["ignore", "pipe", "pipe"] });
      let out = "";
      let err = "";
      child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
      child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
      child.once("error", reject);
      child.once("close", (code) => resolve({ out, err, code }));
    });
  return {
    folder,
    env,
    built,
    sh: (line) => {
      const words = here ? plainWords(line) : undefined;
      return words ? runHere({ words, env, cwd: work }) : sh(line);
    },
    async end() {
      await sh("parley local stop");
      leave?.();
      removeFolder(folder);
    },
  };
}

export interface Step {
  line: number;
  command: string;
  out: string[];
  err: string[];
  code: number;
}

/** `$ ` a command; plain lines its output; `2> ` its errors; `[n]` its exit code when it is not 0; `# ` a comment. */
export function readTranscript(text: string): Step[] {
  const steps: Step[] = [];
  for (const [n, line] of text.split("\n").entries()) {
    const step = steps.at(-1);
    if (line.startsWith("# ") || line.trim() === "") continue;
    if (line.startsWith("$ ")) steps.push({ line: n + 1, command: line.slice(2), out: [], err: [], code: 0 });
    else if (line.startsWith("2> ")) step!.err.push(line.slice(3));
    else if (/^\[\d+\]$/.test(line)) step!.code = Number(line.slice(1, -1));
    else step!.out.push(line);
  }
  return steps;
}

/** Compares a text with its transcript, in which `…` matches anything within the line. */
export function fits(wanted: readonly string[], text: string): boolean {
  const lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
  if (lines.length !== wanted.length) return false;
  return wanted.every((line, i) => {
    const pattern = line
      .split("…")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    return new RegExp(`^${pattern}$`).test(lines[i]!);
  });
}

export const readStory = (file: string): Step[] => readTranscript(readFileSync(file, "utf8"));
