/** Arguments that the commands of a campaign file have in common. */
import { SEGMENT_TARGETS_PER_CALL } from "../../../wire/constants.ts";
import type { ArgRow, Args, Values } from "../../base/define-command.ts";
import { CommandError } from "../../base/define-command.ts";
import type { GUARD_ARGS } from "./guards.ts";

export const CAMPAIGN_FILE_ARG = {
  kind: "file",
  place: "positional",
  help: "The campaign file; - reads standard input",
} as const satisfies ArgRow;

export const MODE = {
  mode: {
    kind: "choice",
    choices: ["campaign", "messages"],
    default: "campaign",
    help: "Who sends: the provider, or this program, a message for each person with the columns of their record",
  },
} as const satisfies Args;

export const MODE_ARGS = {
  ...MODE,
  rate: { kind: "number", value: "n", help: "Messages a second of --mode messages; default 10" },
} as const satisfies Args;

/** A name with a folder, or that ends as such files do, or `-`, is a file; any other is the id of a campaign. */
export const isFileName = (word: string): boolean => word === "-" || /[/\\]|\.(ya?ml|json)$/i.test(word);

export const START_ARGS = {
  skipWrong: { kind: "flag", help: "Leave out records that are wrong and people who are unknown" },
  chunk: { kind: "number", value: "n", help: "Targets of a segment in one call; default 1000" },
} as const satisfies Args;

type Given = Values<typeof START_ARGS> & Values<typeof GUARD_ARGS>;

/** What start and schedule have in common. Throws `CommandError` (usage). */
export function startOptions({ skipWrong = false, chunk, ...flags }: Given): {
  mode: "campaign";
  flags: Values<typeof GUARD_ARGS>;
  skipWrong: boolean;
  chunk?: number;
} {
  if (chunk !== undefined && !(Number.isInteger(chunk) && chunk > 0 && chunk <= SEGMENT_TARGETS_PER_CALL))
    throw new CommandError("usage", `--chunk must be a whole number from 1 to ${SEGMENT_TARGETS_PER_CALL}.`);
  return { mode: "campaign", flags, skipWrong, ...(chunk === undefined ? {} : { chunk }) };
}
