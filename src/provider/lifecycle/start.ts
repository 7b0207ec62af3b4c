/** Starts the provider of a data folder as a background process, or waits for one being started. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync } from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import { ForeignFile, appendOwn } from "../../model/files/own-files.ts";
import { PROBE_TIMEOUT, probeProvider, type FoundProvider, type ProviderState } from "./probe.ts";
import { DATA_FILES, privateFolder } from "./identity.ts";

/** Time for a started process until it listens, milliseconds; it may have to recover big files. */
const START_LIMIT = 120_000;
/** Time for a process that listens but does not answer, milliseconds. */
const SILENT_LIMIT = 15_000;
/** After this long the person is told what is being waited for, milliseconds. */
const NOTICE_AFTER = 1500;
const POLL = 25;
/** The exit code of a provider that finds the folder locked by another. */
const EXIT_FOLDER_BUSY = 6;

/** The process to start: it must create the folder's provider and run until the provider closes. */
interface Entry {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

interface StartOptions {
  /** Milliseconds for one probe. */
  timeout?: number;
  /** Milliseconds for a process that listens but does not answer. */
  silentLimit?: number;
  /** `performance.now()` at which to give up. */
  deadline?: number;
  /** Called when it takes long, with what is being waited for. */
  onWait?(what: string): void;
  onNotice?(line: string): void;
}

class StartFailure extends Error {
  /** The exit code that the started process reported. */
  readonly exit: number | undefined;
  readonly hint: string | undefined;
  constructor(message: string, facts: { exit?: number | undefined; hint?: string | undefined } = {}) {
    super(message);
    this.name = "StartFailure";
    this.exit = facts.exit;
    this.hint = facts.hint;
  }
}

/** A line that a starting process writes to its fourth stream: a notice for people, or why it cannot start. */
interface Report {
  notice?: string;
  exit?: number;
  message?: string;
  hint?: string;
}

/**
 * Limits glibc's allocator to one arena. By default each of V8's helper threads gets one, and none shrinks again:
 * some 20 MiB more after an hour.
 */
export const ONE_ARENA = { MALLOC_ARENA_MAX: "1" };

class StartedProcess {
  code: number | null | undefined;
  /** The folder was probed once more after its end, which shows the process that won the race for the lock. */
  probedAfterEnd = false;
  error: Error | undefined;
  #output = "";
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
      // Waits for close instead of exit: by then all its reports are read.
      child.once("close", (code) => (this.code = code));
      child.once("error", (error) => (this.error = error));
      this.#readReports(child);
      child.unref();
      this.#child = child;
    } finally {
      if (typeof log === "number") closeSync(log);
    }
  }

  #readReports(child: ChildProcess): void {
    const report = child.stdio[3] as (Readable & { unref?(): void }) | null | undefined;
    report?.on("data", (piece: Buffer) => (this.#output += piece.toString("utf8")));
    report?.on("error", () => undefined);
    report?.unref?.();
  }

  /** Kills this process when another one is the provider, so that it does not take over when the other stops. */
  withdraw(provider: FoundProvider): void {
    if (this.code === undefined && this.#child.pid !== provider.pid) this.#child.kill();
  }

  get reports(): Report[] {
    return this.#output
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

/** Starts without a log when the disk is full. */
function openLog(folder: string): number | "ignore" {
  try {
    return appendOwn(path.join(folder, DATA_FILES.log));
  } catch (error) {
    if (error instanceof ForeignFile) throw error;
    return "ignore";
  }
}

/**
 * Starts a provider unless one runs; the folder's lock decides which process becomes it. Throws `StartFailure` when a starting
 * process does not listen within START_LIMIT, or a listening one does not answer within SILENT_LIMIT.
 */
export async function startDetached(
  entry: Entry,
  folder: string,
  options: StartOptions = {},
): Promise<FoundProvider> {
  privateFolder(folder);
  const startedAt = performance.now();
  const deadline = options.deadline ?? Infinity;
  let child: StartedProcess | undefined;
  let silentSince: number | undefined;
  let lastNotice = "";
  for (;;) {
    const probedAt = performance.now();
    const remainingMs = deadline - probedAt;
    const probe = await probeProvider(
      folder,
      Math.max(1, Math.min(options.timeout ?? PROBE_TIMEOUT, remainingMs)),
    );
    if (probe.state === "running") {
      await passNotices(child, options);
      child?.withdraw(probe.provider);
      return probe.provider;
    }
    const now = performance.now();
    child = ensureProcess(child, probe, () => new StartedProcess(entry, folder));
    silentSince = probe.state === "silent" && probe.listening ? (silentSince ?? probedAt) : undefined;
    if (silentSince !== undefined && now - silentSince >= (options.silentLimit ?? SILENT_LIMIT))
      throw silenceFailure(probe);
    if (now >= deadline || now - startedAt >= START_LIMIT) throw silenceFailure(probe, folder);
    // The reason for waiting may change: first no process holds the folder, then one holds it and is silent.
    if (now - startedAt >= NOTICE_AFTER && lastNotice !== waitReason(probe))
      options.onWait?.((lastNotice = waitReason(probe)));
    await new Promise((resolve) => setTimeout(resolve, Math.min(POLL, Math.max(1, deadline - now))));
  }
}

/** Starts a process where there is none. After it ended, the folder is probed again before that counts as a failure. */
function ensureProcess(
  child: StartedProcess | undefined,
  probe: ProviderState,
  start: () => StartedProcess,
): StartedProcess | undefined {
  if (child?.error) throw new StartFailure(`the provider could not be started: ${child.error.message}`);
  if (child && child.code === undefined) return child;
  if (probe.state !== "absent") return undefined;
  if (!child) return start();
  if (!child.probedAfterEnd) {
    child.probedAfterEnd = true;
    return child;
  }
  if (child.code !== EXIT_FOLDER_BUSY) throw exitFailure(child);
  return start();
}

/** Passes on the notices; the process wrote them before it listened, so one turn of the event loop reads them all. */
async function passNotices(child: StartedProcess | undefined, options: StartOptions): Promise<void> {
  if (!child || !options.onNotice) return;
  await new Promise((resolve) => setTimeout(resolve, 1));
  for (const { notice } of child.reports) if (notice !== undefined) options.onNotice(notice);
}

function exitFailure({ code, reports }: StartedProcess): StartFailure {
  const { message, hint, exit } = reports.find((each) => each.message !== undefined) ?? {};
  if (message === undefined)
    return new StartFailure(`the provider ended at once (exit code ${code})`, { hint: "parley local logs" });
  return new StartFailure(message, { exit, hint });
}

function silenceFailure(probe: ProviderState, folder?: string): StartFailure {
  const stop = "parley local stop --force ends it; parley local logs may tell why";
  if (probe.state !== "silent")
    return new StartFailure(
      `the embedded provider did not start in time; see ${path.join(folder ?? "", DATA_FILES.log)}`,
    );
  return probe.listening
    ? new StartFailure(`the embedded provider, process ${probe.pid}, is running but does not answer`, {
        hint: stop,
      })
    : new StartFailure(`the embedded provider, process ${probe.pid}, is still starting`, {
        hint: "wait a little and run it again; parley local stop --force ends it",
      });
}

function waitReason(probe: ProviderState): string {
  if (probe.state !== "silent") return "waiting for the embedded provider to start";
  return probe.listening
    ? `waiting for the embedded provider, process ${probe.pid}, to answer`
    : `waiting for the embedded provider, process ${probe.pid}, to start: a big data folder takes its time`;
}
