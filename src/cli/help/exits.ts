/** Which exit codes each command can end with. */
import { commands } from "../../commands/index.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { EXITS, type ExitCode } from "../base/exit.ts";

/** Any run: an unexpected error, wrong use, a broken disk, a signal. */
const ALWAYS: readonly ExitCode[] = [0, 1, 2, 12, 130, 143];

/** What a provider may answer. */
const ANSWERS: readonly ExitCode[] = [3, 4, 5, 7, 10];

/** What may become of a change. */
const CHANGES: readonly ExitCode[] = [6, 11];

/** Flags that end a wait. */
const LIMITS = ["within", "exitAfter"];

/** They do a part of their work, or tell of one who did. */
const MAY_REACH_SOME = /^(archive|export|location share|campaign (report|start|stats|test|watch)$)/;

/** In the order of the numbers. */
export function exitsOf(tree: CommandTree, path: string): ExitCode[] {
  const { args } = tree.definition(path);
  const own = tree.shell[path];
  const isOffline = own?.bare === true;
  const isMany = Object.values(args).some((row) => row.kind === "list" && row.place !== undefined);
  const codes = new Set<ExitCode>([
    ...ALWAYS,
    ...(isOffline ? [3 as const] : ANSWERS),
    ...((own === undefined ? commands[path]!.changes === "provider" : !isOffline) ? CHANGES : []),
    ...(LIMITS.some((name) => name in args) ? [8 as const] : []),
    ...(isMany || "report" in args || MAY_REACH_SOME.test(path) ? [9 as const] : []),
    ...(path === "plan" || path.endsWith(" diff") ? [14 as const] : []),
    ...(path === "ask" ? [15 as const] : []),
  ]);
  return EXITS.map(({ code }) => code).filter((code) => codes.has(code));
}

/** Codes that say more than that it went well or wrong: the page of a command names them. */
export const notableCodes = (codes: readonly ExitCode[]): ExitCode[] =>
  codes.filter((code) => [8, 9, 14, 15].includes(code));
