/** The interface of every output format: it prints items one by one, and what is left at the end. */
import type { View } from "../../commands/base/define-command.ts";
import { cleanLine } from "../../text/sanitize.ts";
import type { Shell } from "../base/shell.ts";
import { write } from "../base/stdio.ts";
import { plainCell } from "./controls.ts";
import type { Cell } from "./table.ts";

export interface Writer {
  item(value: unknown, view: View | undefined): Promise<void>;
  /** `count`: how many items there were. */
  end(count: number): Promise<void>;
}

export interface WriterContext {
  shell: Shell;
  /** Items of a list even when there is one; otherwise a single value. */
  list: boolean;
  /** Rows are printed as they come. */
  live: boolean;
}

/** Rows that are printed together; longer lists are printed in such pieces. */
export const PIECE = 500;

export function putOut(shell: Shell, text: string): Promise<void> {
  shell.eraseProgress?.();
  return write(shell.out, text);
}

/** Into a pipe everything as it is, also what steers a terminal: it was asked for. */
export const isRaw = ({ flags, tty }: Shell): boolean => flags.raw === true && !tty.out;

/** A text on its way out: nothing that steers a terminal, unless it was asked for. */
export function cleaner(shell: Shell): (text: string) => string {
  if (shell.tty.out) return cleanLine;
  return isRaw(shell) ? (text) => text : plainCell;
}

export const cleanRow = (row: readonly Cell[], clean: (text: string) => string): Cell[] =>
  row.map((cell) => (typeof cell === "string" ? clean(cell) : cell));
