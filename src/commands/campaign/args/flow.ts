/** Arguments shared by commands for campaign files. */
import { SEGMENT_TARGETS_PER_CALL } from "../../../wire/constants.ts";
import { type ArgRow, type Args, type ArgValues, CommandError } from "../../base/define-command.ts";
import type { GUARD_ARGS } from "./guards.ts";

export const CAMPAIGN_FILE_ARG = {
  kind: "file",
  positional: true,
  help: "The campaign file; - reads standard input",
} as const satisfies ArgRow;

export const MODE = {
  mode: {
    kind: "choice",
    choices: ["campaign", "messages"],
    default: "campaign",
    help: "Who sends: the provider, or this program (messages: one per person, with the columns of their record)",
  },
} as const satisfies Args;

export const MODE_ARGS = {
  ...MODE,
  rate: { kind: "number", value: "n", help: "With --mode messages: messages per second (default: 10)" },
} as const satisfies Args;

/** Whether a word is a file (`-`, a path, or a YAML or JSON extension) instead of the id of a campaign. */
export const isFileName = (word: string): boolean => word === "-" || /[/\\]|\.(ya?ml|json)$/i.test(word);

/** Arguments for `--mode messages`. */
export const MESSAGES_ARGS = {
  ...MODE_ARGS,
  concurrency: {
    kind: "number",
    from: 1,
    to: 32,
    value: "n",
    help: "With --mode messages: parallel messages (default: 4)",
  },
  maxErrors: { kind: "number", from: 1, help: "Stop after this many failures" },
} as const satisfies Args;

type MessagesValues = ArgValues<typeof MESSAGES_ARGS>;

/** Throws `CommandError` (usage) for an invalid rate. */
export function messageOptions({ rate = 10, concurrency = 4, maxErrors = Infinity }: MessagesValues): {
  rate: number;
  concurrency: number;
  maxErrors: number;
} {
  if (!(rate > 0)) throw new CommandError("usage", "--rate must be above 0.");
  return { rate, concurrency, maxErrors };
}

export const START_ARGS = {
  skipWrong: { kind: "flag", help: "Skip invalid records and unknown people" },
  chunk: {
    kind: "number",
    from: 1,
    to: SEGMENT_TARGETS_PER_CALL,
    value: "n",
    help: "Segment targets per request (default: 1000)",
  },
} as const satisfies Args;

type StartValues = ArgValues<typeof START_ARGS> & ArgValues<typeof GUARD_ARGS>;

/** Options shared by start and schedule. */
export function startOptions({ skipWrong, chunk, ...flags }: StartValues): {
  mode: "campaign";
  flags: ArgValues<typeof GUARD_ARGS>;
  skipWrong: boolean;
  chunk?: number;
} {
  return { mode: "campaign", flags, skipWrong, ...(chunk === undefined ? {} : { chunk }) };
}
