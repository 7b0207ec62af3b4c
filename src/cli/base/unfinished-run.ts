/** Reports, as a bug of this program, that Node had nothing left to do before the command had ended. */
import { problemJson, problemText, type Problem } from "./problem.ts";

interface UnfinishedRun {
  argv: readonly string[];
  version: string;
  /** The path of the log, where one was kept. */
  log: string;
  note(text: string, fields: Record<string, unknown>): void;
}

/** What people and scripts read of it. */
export function unfinishedRun({ argv, version, log, note }: UnfinishedRun): string {
  // The first word is the command; what follows may be somebody's message.
  const command = /^[a-z][\w-]*$/.exec(argv[0] ?? "")?.[0] ?? "";
  note("the run ended with nothing left to wait for", { command, version, node: process.version });
  const problem: Problem = {
    exit: 1,
    message: `parley ${command} stopped in the middle: nothing was left to wait for`.replace("  ", " "),
    because: `a mistake in Parley ${version}, not in what was asked for`,
    hint: `please report it, with the last lines of ${log}`,
    retryable: false,
  };
  return argv.some((word) => /^--(nd)?json(=|$)/.test(word)) ? problemJson(problem) : problemText(problem);
}
