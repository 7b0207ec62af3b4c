/** Starts the program: handles stream errors and signals, runs the screen or the command line, and ends the process. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FrameFile } from "./config/frames.ts";
import type { Host, HostHooks } from "./open.ts";

/** The package file, found from the bundle and from the sources. */
const packageFile = new URL("../package.json", import.meta.url);

/** The script that starts this program again: the launcher of the bundle, or this source file. */
const launcher = fileURLToPath(
  import.meta.url.endsWith(".ts") ? import.meta.url : new URL("../bin/parley.js", import.meta.url),
);

function readVersion(): string {
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}

interface OutputGuard {
  /** What a failure of standard output means; undefined if the run has changed nothing. */
  report: ((reason: string) => string | undefined) | undefined;
  /** Ends the run as after a signal. */
  end: ((code: number) => void) | undefined;
}

/** A closed pipe ends the process quietly, unless it has changed something; other stream errors are failures. */
function guardStreams(guard: OutputGuard): void {
  let isReported = false;
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (isReported) return;
    // The terminal has gone: exit as after SIGHUP.
    if (error.code === "EIO") process.exit(129);
    const reported = guard.report?.(error.code === "EPIPE" ? "it was closed" : (error.code ?? error.message));
    if (reported !== undefined && guard.end) {
      isReported = true;
      process.stderr.write(reported);
      return guard.end(12);
    }
    if (error.code === "EPIPE") process.exit(0);
    process.stderr.write(`error: standard output cannot be written: ${error.code ?? error.message}\n`);
    process.exit(12);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    // The error cannot be printed anywhere.
    if (error.code !== "EPIPE") process.exit(1);
  });
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** How long a run may take to end after a signal, ms. */
const GRACE_MS = 3000;

/**
 * Signals closer together than this are one wish: `timeout` signals its child and then the child's process group, and
 * a launcher passes on what it gets; ms. Ending at once would keep a message that the run is about to withdraw.
 */
const SAME_SIGNAL_MS = 200;

/** The first signal aborts the run gracefully, a later one ends the process at once. */
function listenToSignals(): {
  signal: AbortSignal;
  code(): number | undefined;
  /** Ends the run gracefully with this code, as a signal does. */
  end(code: number): void;
  /** Leaves Ctrl-C to a child program that has the terminal, until the returned function is called. */
  lendInterrupt(): () => void;
  release(): void;
} {
  const abort = new AbortController();
  let code: number | undefined;
  let endedAt = 0;
  let lent = 0;
  const end = (exit: number, reason: string): void => {
    process.exitCode = code = exit;
    endedAt = performance.now();
    abort.abort(new DOMException(reason, "AbortError"));
    setTimeout(() => process.exit(exit), GRACE_MS).unref();
  };
  const listeners = Object.entries(SIGNALS).map(([name, exit]) => {
    const listener = (): void => {
      if (name === "SIGINT" && lent > 0) return;
      if (code === undefined) end(exit, name);
      else if (performance.now() - endedAt > SAME_SIGNAL_MS) process.exit(code);
    };
    process.on(name, listener);
    return [name, listener] as const;
  });
  return {
    signal: abort.signal,
    code: () => code,
    end: (exit) => end(exit, "the output was lost"),
    lendInterrupt() {
      lent++;
      return () => void lent--;
    },
    release: () => listeners.forEach(([name, listener]) => process.off(name, listener)),
  };
}

/** Reports a bug if the event loop becomes empty before the run has ended; the result removes the listener. */
function watchEmptyLoop(argv: readonly string[], version: string): () => void {
  const report = async (): Promise<void> => {
    const [{ unfinishedRun }, { openLog }, { logFile }] = await Promise.all([
      import("./cli/base/unfinished-run.ts"),
      import("./config/log.ts"),
      import("./config/paths.ts"),
    ]);
    const log = openLog(process.env, "error");
    process.stderr.write(unfinishedRun({ argv, version, log: logFile(process.env), note: log.error }));
    process.exit(1);
  };
  const listener = (): void => void report();
  process.once("beforeExit", listener);
  return () => process.off("beforeExit", listener);
}

/**
 * Plain `parley` on a terminal: opens the screen without building the command tree. Undefined if that fails; the
 * command line then runs into the same error and prints it with its exit code.
 */
async function screenAlone(makeHost: () => Promise<Host>): Promise<number | undefined> {
  try {
    return await (await makeHost()).screen({});
  } catch {
    return undefined;
  }
}

/** The terminal state that the launcher prepared before this program was loaded (bin/ahead.cjs). */
interface Ahead {
  /** Takes over the keyboard; keys typed so far are read next. True if the last frame is on the screen. */
  take(): boolean;
  /** Restores the terminal, unless it was taken over. */
  giveBack(): void;
  /** The file that stores the frame of a screen of this size; undefined if this start shows none. */
  frameFile(columns: number, rows: number): FrameFile | undefined;
}

/** How long connections that do not close may keep the process of a finished run, ms. */
const LEFTOVER_MS = 1000;

/** Resolves when what was written so far has reached the system. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write("", () => resolve()));

/** Runs `parley` with these arguments and sets the exit code; output may still be pending when it returns. */
export async function main(argv: readonly string[], ahead?: Ahead): Promise<void> {
  const output: OutputGuard = { report: undefined, end: undefined };
  guardStreams(output);
  process.umask(0o077);
  const signals = listenToSignals();
  output.end = signals.end;
  const version = readVersion();
  const unwatch = watchEmptyLoop(argv, version);
  const { env } = process;

  const makeHost = async (flags: Record<string, unknown>, options: HostHooks): Promise<Host> => {
    const { adoptOldFolders, createHost } = await import("./open.ts");
    const askSameApp = async (question: string): Promise<boolean | undefined> => {
      ahead?.giveBack();
      const { askOnTerminal } = await import("./cli/base/prompts.ts");
      return askOnTerminal(process, signals.signal, host.settings.nonInteractive, question);
    };
    const host = createHost({ flags, env, cwd: process.cwd(), version, launcher, askSameApp, ...options });
    await adoptOldFolders(env);
    host.screen = async (screen) => {
      // The screen handles keys and signals by itself.
      signals.release();
      const { startScreen } = await import("./tui/start.tsx");
      return startScreen(host, { ...screen, ...(ahead && { launcher: ahead }) });
    };
    host.keyFaults = async () => {
      const { keyFileProblems: ownKeyProblems } = await import("./tui/bindings/key-file-problems.ts");
      return ownKeyProblems(env, host.settings.keys);
    };
    return host;
  };

  const shell = async (): Promise<number> => {
    // Only `chat` opens the screen; all other commands use the terminal as usual.
    if (argv[0] !== "chat") ahead?.giveBack();
    const { runShell } = await import("./cli/start.ts");
    const { signal, lendInterrupt } = signals;
    const streams = { in: process.stdin, out: process.stdout, err: process.stderr };
    const onLostOutput = (report: OutputGuard["report"]): void => void (output.report = report);
    return runShell(argv, { version, env, streams, signal, lendInterrupt, onLostOutput, host: makeHost });
  };
  const isScreenAlone =
    argv.length === 0 && process.stdin.isTTY && process.stdout.isTTY && !env.PARLEY_RUN_SUMMARY;
  const code = (isScreenAlone ? await screenAlone(() => makeHost({}, {})) : undefined) ?? (await shell());
  unwatch();
  process.exitCode = signals.code() ?? code;
  const isInterrupted = process.exitCode === 130 || process.exitCode === 143;
  if (!isInterrupted) await Promise.all([written(process.stdout), written(process.stderr)]);
  // A connection that does not close must not keep a run alive that is over.
  setTimeout(() => process.exit(), isInterrupted ? 50 : LEFTOVER_MS).unref();
}

if (import.meta.main) await main(process.argv.slice(2));
