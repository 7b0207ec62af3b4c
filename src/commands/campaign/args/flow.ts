/** Arguments shared by commands for campaign files. */
import { SEGMENT_TARGETS_PER_CALL } from "../../../wire/constants.ts";
import { type ArgRow, type Args, type ArgValues, CommandError } from "../../base/define-command.ts";
import type { GUARD_ARGS } from "./guards.ts";

export const CAMPAIGN_FILE_ARG = {
  kind: "file",
  positional: true,
  help: "The campaign file; - reads standard input",
} as const satisfies ArgRow;

/** Who sends a campaign: the provider, or this program. */
export const SEND_MODES = ["campaign", "messages"] as const;
export type SendMode = (typeof SEND_MODES)[number];

export const MODE = {
  mode: {
    kind: "choice",
    choices: SEND_MODES,
    help: "Who sends: the provider (campaign), or this program, one message per person with the columns of their record (messages); default: mode in the file, else campaign",
  },
} as const satisfies Args;

/** The mode of a file, which a flag may repeat. Throws `CommandError` (usage) for a flag that says otherwise. */
export function modeOf(
  { name, mode }: { name: string; mode?: SendMode | undefined },
  flag: string | undefined,
): SendMode {
  const asked = SEND_MODES.find((one) => one === flag);
  if (mode !== undefined && asked !== undefined && asked !== mode)
    throw new CommandError("usage", `${name} says mode: ${mode}, and --mode ${asked} says otherwise.`);
  return mode ?? asked ?? "campaign";
}

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
  flags: ArgValues<typeof GUARD_ARGS>;
  skipWrong: boolean;
  chunk?: number;
} {
  return { flags, skipWrong, ...(chunk === undefined ? {} : { chunk }) };
}
