/** The context of one command-line run: streams, flags, settings, and how questions are answered. */
import type { Host } from "../../open.ts";
import type { Settings } from "../../config/settings.ts";
import type { Audit } from "./audit.ts";
import type { CommandTree } from "./command-tree.ts";
import type { Flags } from "./globals.ts";
import type { InputStream, OutputStream, Streams } from "./stdio.ts";
import type { Question, RawArgs } from "../../commands/base/define-command.ts";

/** A nested run in this process, as the MCP server makes: one command with its arguments and its own streams. */
export interface InnerRun {
  path: string;
  /** Argument values as typed, by name. */
  raw: RawArgs;
  flags: Flags;
  streams: Streams;
  signal: AbortSignal;
  confirmer: Confirmer;
  readOnly: boolean;
  onMore: OnMore;
}

/** Called when a list has more, with the cursor of its next page if it has pages. */
type OnMore = (next: string | undefined) => void;
type Confirmer = (question: Question) => Promise<boolean>;

/**
 * What a command line is given. `host` is the program's: main.ts makes it before there is a line, and gives it to the
 * screen as well. A client (`Opened`) is no part of it, since a line may open none, or several.
 */
export interface Shell {
  /** The path of the command; undefined when the line could not be parsed. */
  path?: string;
  tree: CommandTree;
  argv: readonly string[];
  flags: Flags;
  settings: Settings;
  host: Host;
  env: Readonly<Record<string, string | undefined>>;
  in: InputStream;
  out: OutputStream;
  err: OutputStream;
  /** Which streams are terminals, and the width of the output. */
  tty: { in: boolean; out: boolean; err: boolean; columns: number };
  color: { out: boolean; err: boolean };
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** Leaves Ctrl-C to a child program that has the terminal, until the returned function is called. */
  lendInterrupt(): () => void;
  confirmer?: Confirmer;
  readOnly?: boolean;
  /** Instead of a notice that a list has more. */
  onMore?: OnMore;
  /** Resolves to the exit code; never rejects. */
  run(inner: InnerRun): Promise<number>;
  /** Erases the progress bar, before other output is written to its line. */
  eraseProgress?(): void;
  audit: Audit;
  /** What was changed last, in words, once its result is to be printed: `sent as ana-7f3c`. */
  changed: { last?: string };
  /** Whether the command changes something by its definition. */
  changes?: boolean;
  /** Counts for the summary that --verbose prints. */
  counts: { requests: number; items: number; writes: number };
}

/** True when JSON output is requested; errors are printed as JSON then, too. */
export function wantsJson(flags: Flags): boolean {
  return flags.json !== undefined || flags.ndjson !== undefined;
}

/** Prints a line for people on standard error; -q silences it. */
export function printNotice(shell: Pick<Shell, "flags" | "err" | "eraseProgress">, text: string): void {
  if (shell.flags.quiet) return;
  shell.eraseProgress?.();
  shell.err.write(`${text}\n`);
}
