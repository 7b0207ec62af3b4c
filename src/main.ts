/** Starts the program: guards the streams, handles signals, picks a face, and is the only one to end the process. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { FrameFile } from "./config/frames.ts";
import type { Host, HostWishes } from "./open.ts";

/** Where the package's own files are, from the bundle or from the sources. */
const packageFile = new URL("../package.json", import.meta.url);

/** The script that starts this program again, wherever it was called from: the launcher of the bundle, or this source. */
const launcher = fileURLToPath(
  import.meta.url.endsWith(".ts") ? import.meta.url : new URL("../bin/parley.js", import.meta.url),
);

function readVersion(): string {
  return (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
}

/** A reader that left is no error; anything else on a stream is. */
function guardStreams(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    // A terminal that has gone is a hang-up; a full disk behind > is what it is everywhere.
    if (error.code === "EIO") process.exit(129);
    process.stderr.write(`error: standard output cannot be written: ${error.code ?? error.message}\n`);
    process.exit(12);
  });
  process.stderr.on("error", (error: NodeJS.ErrnoException) => {
    // There is nobody left to tell.
    if (error.code !== "EPIPE") process.exit(1);
  });
}

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** How long a stopping run may take to put things in order after a signal, milliseconds. */
const GRACE = 3000;

/** The first signal stops the run in order, the second at once. */
function listenToSignals(): {
  signal: AbortSignal;
  code(): number | undefined;
  /** Until the returned function is called, Ctrl-C belongs to a program that has the terminal. */
  lendInterrupt(): () => void;
  release(): void;
} {
  const abort = new AbortController();
  let code: number | undefined;
  let lent = 0;
  const listeners = Object.entries(SIGNALS).map(([name, exit]) => {
    const listener = (): void => {
      if (name === "SIGINT" && lent > 0) return;
      if (code !== undefined) process.exit(code);
      code = exit;
      abort.abort(new DOMException(name, "AbortError"));
      setTimeout(() => process.exit(exit), GRACE).unref();
    };
    process.on(name, listener);
    return [name, listener] as const;
  });
  return {
    signal: abort.signal,
    code: () => code,
    lendInterrupt() {
      lent++;
      return () => void lent--;
    },
    release: () => listeners.forEach(([name, listener]) => process.off(name, listener)),
  };
}

/** Node would end a run that has nothing left to wait for with a code and words of its own. */
function watchEmptyLoop(argv: readonly string[], version: string): () => void {
  const ran = async (): Promise<void> => {
    const [{ unfinishedRun }, { openLog }, { logFile }] = await Promise.all([
      import("./cli/base/unfinished-run.ts"),
      import("./config/log.ts"),
      import("./config/paths.ts"),
    ]);
    const log = openLog(process.env, "error");
    process.stderr.write(unfinishedRun({ argv, version, log: logFile(process.env), note: log.error }));
    process.exit(1);
  };
  const listener = (): void => void ran();
  process.once("beforeExit", listener);
  return () => process.off("beforeExit", listener);
}

/**
 * `parley` alone on a terminal: the screen without building the command tree first. Undefined when it could not be
 * opened: the shell then meets the same fault and says it in its own words, with its exit code.
 */
async function screenAlone(makeHost: () => Promise<Host>): Promise<number | undefined> {
  try {
    return await (await makeHost()).screen({});
  } catch {
    return undefined;
  }
}

/** What the launcher did with the terminal before this program was loaded (bin/ahead.cjs). */
interface Ahead {
  /** The keys are this program's from now on: what was typed is read next. True when the last picture stands. */
  take(): boolean;
  /** The terminal is as it was found, where it was not taken yet. */
  giveBack(): void;
  /** Where the picture of a screen of this size is kept; undefined for a start that shows none. */
  frameFile(columns: number, rows: number): FrameFile | undefined;
}

/** Runs `parley` with these arguments; sets the exit code and returns when output may still be pending. */
export async function main(argv: readonly string[], ahead?: Ahead): Promise<void> {
  guardStreams();
  process.umask(0o077);
  const signals = listenToSignals();
  const version = readVersion();
  const finished = watchEmptyLoop(argv, version);
  const { env } = process;

  const makeHost = async (flags: Record<string, unknown>, options: HostWishes): Promise<Host> => {
    const { createHost, limitMemory } = await import("./open.ts");
    const host = createHost({ flags, env, cwd: process.cwd(), version, launcher, ...options });
    host.screen = async (screen) => {
      // The screen reads its own keys and ends in its own order.
      signals.release();
      // What the screen is made of would grow the young space to twice what it needs.
      limitMemory();
      const { startScreen } = await import("./tui/start.tsx");
      return startScreen(host, { ...screen, ...(ahead && { ahead }) });
    };
    host.keyFaults = async () => {
      const { ownKeyProblems } = await import("./tui/bindings/own-keys.ts");
      return ownKeyProblems(env, host.settings.keys);
    };
    return host;
  };

  const shell = async (): Promise<number> => {
    // Only `chat` goes on to the screen; everything else reads and prints as usual.
    if (argv[0] !== "chat") ahead?.giveBack();
    const { runShell } = await import("./cli/start.ts");
    const { signal, lendInterrupt } = signals;
    const streams = { in: process.stdin, out: process.stdout, err: process.stderr };
    return runShell(argv, { version, env, streams, signal, lendInterrupt, host: makeHost });
  };
  const alone = argv.length === 0 && process.stdin.isTTY && process.stdout.isTTY && !env.PARLEY_RUN_SUMMARY;
  const code = (alone ? await screenAlone(() => makeHost({}, {})) : undefined) ?? (await shell());
  finished();
  process.exitCode = signals.code() ?? code;
  // A live connection that would not end must not hold a finished run.
  if (process.exitCode === 130 || process.exitCode === 143) setTimeout(() => process.exit(), 50).unref();
}

if (import.meta.main) await main(process.argv.slice(2));
