/** The context of one run of the command line: streams, flags, the host, and how results and questions are handled. */
import type { Host } from "../../open.ts";
import type { Settings } from "../../config/settings.ts";
import type { Audit } from "./audit.ts";
import type { CommandTree } from "./command-tree.ts";
import type { Flags } from "./globals.ts";
import type { InputStream, OutputStream, Streams } from "./stdio.ts";
import type { Raw } from "../../commands/base/args.ts";
import type { Question } from "../../commands/base/define-command.ts";

/** Another run in this process: one command with the values of its arguments, and streams of its own. */
export interface InnerRun {
  path: string;
  /** By argument, as they would be typed. */
  raw: Raw;
  flags: Flags;
  streams: Streams;
  signal: AbortSignal;
  asker: Asker;
  /** Whatever would change something is refused. */
  readOnly: boolean;
}

/** Answers questions in place of a terminal. */
type Asker = (question: Question) => Promise<boolean>;

export interface Shell {
  /** The command that runs; nothing where no line was understood. */
  path?: string;
  /** All commands there are. */
  tree: CommandTree;
  argv: readonly string[];
  flags: Flags;
  settings: Settings;
  host: Host;
  env: Readonly<Record<string, string | undefined>>;
  in: InputStream;
  out: OutputStream;
  err: OutputStream;
  /** Which streams are terminals, and how wide. */
  tty: { in: boolean; out: boolean; err: boolean; columns: number };
  color: { out: boolean; err: boolean };
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** Gives Ctrl-C to another program that has the terminal, until the returned function is called. */
  lendInterrupt(): () => void;
  /** Whoever answers questions in place of a terminal. */
  asker?: Asker;
  /** Whatever would change something is refused. */
  readOnly?: boolean;
  /** The exit code; nothing is thrown. */
  run(inner: InnerRun): Promise<number>;
  /** Takes the bar of a run away, before anything else comes to stand where it is. */
  eraseProgress?(): void;
  /** What is noted of changes. */
  audit: Audit;
  /** Facts for the run summary. */
  counts: { requests: number; items: number; writes: number };
}

/** The command line's wish for a JSON form: errors are JSON then, too. */
export function wantsJson(flags: Flags): boolean {
  return flags.json !== undefined || flags.ndjson !== undefined;
}

/** A line for people beside the data: standard error, silenced by -q. */
export function say(shell: Pick<Shell, "flags" | "err" | "eraseProgress">, text: string): void {
  if (shell.flags.quiet) return;
  shell.eraseProgress?.();
  shell.err.write(`${text}\n`);
}
