/** Reports a bug of this program: Node's event loop became empty before the command had ended. */
import { problemJson, problemText, type Problem } from "./problem.ts";

interface UnfinishedRun {
  argv: readonly string[];
  version: string;
  log: string;
  note(text: string, fields: Record<string, unknown>): void;
}

/** The report as text, or as JSON if the arguments request it. */
export function unfinishedRun({ argv, version, log, note }: UnfinishedRun): string {
  // Only the command is named: the other arguments may be private text.
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
