/** Which exit codes each command can end with. */
import { commands } from "../../commands/table.gen.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { EXITS, type ExitCode } from "../base/exit.ts";

/** Every command: success, unexpected error, wrong usage, storage failure, signals. */
const ALWAYS: readonly ExitCode[] = [0, 1, 2, 12, 130, 143];

/** Commands that call the provider. */
const CALLS: readonly ExitCode[] = [3, 4, 5, 7, 10];

/** Commands that change something. */
const CHANGES: readonly ExitCode[] = [6, 11];

/** Flags of a wait that may end with nothing; the end of `--exit-after` alone is a success. */
const LIMITS = ["within", "untilMatch"];

/** Commands that may succeed for some items only, or report on such a run. */
const MAY_BE_PARTIAL =
  /^(apply$|archive|export|gdpr (delete|export)$|import (convert|upload)$|location share|campaign (continue|report|start|stats|test|watch)$)/;

/** The exit codes that a command can end with, in numeric order. */
export function exitsOf(tree: CommandTree, path: string): ExitCode[] {
  const { args } = tree.definition(path);
  const shellOnly = tree.shell.find(path);
  const isOffline = shellOnly?.skipsConfig === true;
  const isMany = Object.values(args).some((row) => row.kind === "list" && row.positional !== undefined);
  const codes = new Set<ExitCode>([
    ...ALWAYS,
    ...(isOffline ? [3 as const] : CALLS),
    ...((shellOnly === undefined ? commands.row(path).changes === "provider" : !isOffline) ? CHANGES : []),
    ...(LIMITS.some((name) => name in args) ? [8 as const] : []),
    ...(isMany || "report" in args || MAY_BE_PARTIAL.test(path) ? [9 as const] : []),
    ...(path === "plan" || path.endsWith(" diff") ? [14 as const] : []),
    ...(path === "ask" ? [15 as const] : []),
  ]);
  return EXITS.map(({ code }) => code).filter((code) => codes.has(code));
}

/** The codes that the help of a command lists because only some commands use them. */
export const notableCodes = (codes: readonly ExitCode[]): ExitCode[] =>
  codes.filter((code) => [8, 9, 14, 15].includes(code));
