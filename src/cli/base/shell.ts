/** What a run of the command line has at hand: streams, flags, the host, and how results and questions are handled. */
import type { Host } from "../../open.ts";
import type { Settings } from "../../config/settings.ts";
import type { CommandTree } from "./command-tree.ts";
import type { Flags } from "./globals.ts";
import type { Input, Output } from "./stdio.ts";

export interface Shell {
  /** All commands there are. */
  tree: CommandTree;
  argv: readonly string[];
  flags: Flags;
  settings: Settings;
  host: Host;
  env: Readonly<Record<string, string | undefined>>;
  in: Input;
  out: Output;
  err: Output;
  /** Which streams are terminals, and how wide. */
  tty: { in: boolean; out: boolean; err: boolean; columns: number };
  color: { out: boolean; err: boolean };
  /** Aborted by the first Ctrl-C or SIGTERM. */
  signal: AbortSignal;
  /** Gives Ctrl-C to another program that has the terminal, until the returned function is called. */
  lendInterrupt(): () => void;
  /** Facts for the run summary. */
  counts: { requests: number; items: number; writes: number };
}

/** The command line's wish for a JSON form: errors are JSON then, too. */
export function wantsJson(flags: Flags): boolean {
  return flags.json !== undefined || flags.ndjson !== undefined;
}

/** A line for people beside the data: standard error, silenced by -q. */
export function say(shell: Shell, text: string): void {
  if (!shell.flags.quiet) shell.err.write(`${text}\n`);
}
