/** The interface of all output writers, and helpers that they share. */
import type { View } from "../../commands/base/define-command.ts";
import { cleanLine } from "../../text/sanitize.ts";
import type { Shell } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import { plainCell } from "./controls.ts";
import type { Cell } from "./table.ts";

export interface Writer {
  item(value: unknown, view: View | undefined): Promise<void>;
  /** `count`: how many items there were; `empty`: the names of the columns of a list without any. */
  end(count: number, empty?: readonly string[]): Promise<void>;
}

export interface WriterContext {
  shell: Shell;
  /** The results form a list; otherwise a single value. */
  list: boolean;
  live: boolean;
}

/** Longer lists are printed in pieces of this many rows. */
export const MAX_PENDING_ROWS = 500;

export function writeOut(shell: Shell, text: string): Promise<void> {
  shell.eraseProgress?.();
  return write(shell.out, text);
}

/** `--raw` in a pipe: control characters are not replaced. */
export const isRaw = ({ flags, tty }: Shell): boolean => flags.raw === true && !tty.out;

/** The function that removes control characters, unless `--raw` applies. */
export function cleaner(shell: Shell): (text: string) => string {
  if (shell.tty.out) return cleanLine;
  return isRaw(shell) ? (text) => text : plainCell;
}

export const cleanRow = (row: readonly Cell[], clean: (text: string) => string): Cell[] =>
  row.map((cell) => (typeof cell === "string" ? clean(cell) : cell));
