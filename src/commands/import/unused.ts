/** Reports what a conversion did not use of its file: a line per reason, and exit code 9 when content is missing. */
import type { Tally } from "../../jobs/tally.ts";
import { CommandError } from "../base/define-command.ts";

export type { Tally };

/** The error (partial) when texts, files, replies or reactions are missing; undefined if there is no loss. `note` prints the reasons. */
export function unusedError(tally: Tally, note: (line: string) => void = () => {}): CommandError | undefined {
  for (const line of tally.lines) note(line);
  const { lossWords } = tally;
  if (lossWords === undefined) return undefined;
  return new CommandError("partial", `Not everything could be imported: ${lossWords} missing or cut.`);
}
