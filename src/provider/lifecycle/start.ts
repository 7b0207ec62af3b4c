/** Starts the provider of a data folder as a background process, or waits for one being started. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { ForeignFile, appendOwn } from "../../model/files/own-files.ts";
import { PROBE_TIMEOUT, probeProvider, type FoundProvider, type ProviderState } from "./find.ts";
import { DATA_FILES, privateFolder } from "./identity.ts";

/** A process that was started and does not listen yet may read back big files: milliseconds. */
const START_LIMIT = 120_000;
/** One that listens and does not answer, milliseconds. */
const SILENT_LIMIT = 15_000;
/** After this long it is said that one waits, milliseconds. */
const TOLD_AFTER = 1500;
const POLL = 25;
/** The exit code of one that met another with the folder. */
const LOST_THE_RACE = 6;

/** The process to start: it must create the provider of the folder and stay until the provider closes. */
interface Entry {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

interface Patience {
  /** Milliseconds for one question. */
  timeout?: number;
  /** Milliseconds for one that listens and does not answer. */
  silent?: number;
  /** `performance.now()` at which all is over. */
  until?: number;
  /** Told once when it takes long: what is waited for. */
  waits?(what: string): void;
  /** Told what the started one wants people to know. */
  notice?(line: string): void;
}

/** Why there is no provider to speak with. */
class StartFailure extends Error {
  /** What the started process said of itself when it ended: its exit code, and what to do. */
  readonly exit: number | undefined;
  readonly hint: string | undefined;
  constructor(message: string, facts: { exit?: number | undefined; hint?: string | undefined } = {}) {
    super(message);
    this.name = "StartFailure";
    this.exit = facts.exit;
    this.hint = facts.hint;
  }
}

/** What a starting process tells over its fourth stream, a line each: what people should know, or why it cannot start. */
interface Report {
  notice?: string;
  exit?: number;
  message?: string;
  hint?: string;
}

/**
 * One place that the C library's allocator takes memory from, where glibc reads this. It would give each of V8's helper
 * threads one of its own, and each of those stays as large as it once was: some 20 MiB more after an hour, in steps.
 */
export const ONE_ARENA = { MALLOC_ARENA_MAX: "1" };

class Started {
  /** Undefined while it runs. */
  code: number | null | undefined;
  /** It was looked again after its end: whoever won the race shows by then. */
  lookedAfter = false;
  failed: Error | undefined;
  #said = "";
  #child: ChildProcess;

  constructor(entry: Entry, folder: string) {
    const log = openLog(folder);
    try {
      const child = spawn(entry.command, entry.args, {
        cwd: folder,
        detached: true,
        stdio: ["ignore", log, log, "pipe"],
        env: { ...ONE_ARENA, ...(entry.env ?? process.env) },
      });
      // Not at its exit: what it tells is read by then.
      child.once("close", (code) => (this.code = code));
      child.once("error", (error) => (this.failed = error));
      this.#listen(child);
      child.unref();
      this.#child = child;
    } finally {
      if (typeof log === "number") closeSync(log);
    }
  }

  #listen(child: ChildProcess): void {
    const report = child.stdio[3] as (Readable & { unref?(): void }) | null | undefined;
    report?.on("data", (piece: Buffer) => (this.#said += piece.toString("utf8")));
    report?.on("error", () => undefined);
    report?.unref?.();
  }

  /** Somebody else is the provider: this one, still on its way, must not become one when that one has stopped. */
  withdraw(provider: FoundProvider): void {
    if (this.code === undefined && this.#child.pid !== provider.pid) this.#child.kill();
  }

  get reports(): Report[] {
    return this.#said
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Report];
        } catch {
          return [];
        }
      });
  }
}

/** On a full disk there may be no log: that is no reason not to start. */
function openLog(folder: string): number | "ignore" {
  try {
    return appendOwn(path.join(folder, DATA_FILES.log));
  } catch (error) {
    if (error instanceof ForeignFile) throw error;
    return "ignore";
  }
}

/**
 * The folder's lock decides who becomes the provider. Throws `StartFailure` when nobody answers within the bounds: one
 * that starts may take two minutes, one that listens and is silent a few questions.
 */
export async function startDetached(
  entry: Entry,
  folder: string,
  patience: Patience = {},
): Promise<FoundProvider> {
  privateFolder(folder);
  const began = performance.now();
  const until = patience.until ?? Infinity;
  let child: Started | undefined;
  let silentSince: number | undefined;
  let told = "";
  for (;;) {
    const asked = performance.now();
    const left = until - asked;
    const look = await probeProvider(folder, Math.max(1, Math.min(patience.timeout ?? PROBE_TIMEOUT, left)));
    if (look.state === "running") {
      await passNotices(child, patience);
      child?.withdraw(look.provider);
      return look.provider;
    }
    const now = performance.now();
    child = next(child, look, () => new Started(entry, folder));
    silentSince = look.state === "silent" && look.listening ? (silentSince ?? asked) : undefined;
    if (silentSince !== undefined && now - silentSince >= (patience.silent ?? SILENT_LIMIT))
      throw silent(look);
    if (now >= until || now - began >= START_LIMIT) throw silent(look, folder);
    // What it waits for may become clearer: first nobody has the folder, then somebody has it and is silent.
    if (now - began >= TOLD_AFTER && told !== waitingFor(look)) patience.waits?.((told = waitingFor(look)));
    await new Promise((resolve) => setTimeout(resolve, Math.min(POLL, Math.max(1, until - now))));
  }
}

/** Starts one where there is none. One that ended because another has the folder makes place for a look at that one. */
function next(child: Started | undefined, look: ProviderState, start: () => Started): Started | undefined {
  if (child?.failed) throw new StartFailure(`the provider could not be started: ${child.failed.message}`);
  if (child && child.code === undefined) return child;
  if (look.state !== "absent") return undefined;
  if (!child) return start();
  if (!child.lookedAfter) {
    child.lookedAfter = true;
    return child;
  }
  if (child.code !== LOST_THE_RACE) throw ended(child);
  return start();
}

/** It told before it listened: what it said lies here already, and is read in this turn of the loop. */
async function passNotices(child: Started | undefined, patience: Patience): Promise<void> {
  if (!child || !patience.notice) return;
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (const { notice } of child.reports) if (notice !== undefined) patience.notice(notice);
}

function ended({ code, reports }: Started): StartFailure {
  const { message, hint, exit } = reports.find((each) => each.message !== undefined) ?? {};
  if (message === undefined)
    return new StartFailure(`the provider ended at once (exit code ${code})`, { hint: "parley local logs" });
  return new StartFailure(message, { exit, hint });
}

function silent(look: ProviderState, folder?: string): StartFailure {
  const stop = "parley local stop --force ends it; parley local logs may tell why";
  if (look.state !== "silent")
    return new StartFailure(
      `the embedded provider did not start in time; see ${path.join(folder ?? "", DATA_FILES.log)}`,
    );
  return look.listening
    ? new StartFailure(`the embedded provider, process ${look.pid}, runs but does not answer`, { hint: stop })
    : new StartFailure(`the embedded provider, process ${look.pid}, is still starting`, {
        hint: "wait a little and run it again; parley local stop --force ends it",
      });
}

function waitingFor(look: ProviderState): string {
  if (look.state !== "silent") return "waiting for the embedded provider to start";
  return look.listening
    ? `waiting for the embedded provider, process ${look.pid}, to answer`
    : `waiting for the embedded provider, process ${look.pid}, to start: a big data folder takes its time`;
}
