/** Arguments that the commands of a campaign file have in common. */
import type { ArgRow, Args } from "../base/define-command.ts";

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
