/** Flags that spread the messages of a campaign over time. */
import { type Args, type ArgValues, CommandError } from "../../base/define-command.ts";
import type { SendMode } from "./flow.ts";

export const PLAN_ARGS = {
  pauseOutside: {
    kind: "flag",
    help: "With --mode messages: wait outside of --window and on --quiet-day, and go on by itself",
  },
  spread: {
    kind: "text",
    value: "duration",
    help: "With --mode messages: send evenly over this time, for example 24h",
  },
  atLocal: {
    kind: "text",
    value: "time",
    help: "With --mode messages: send at this time of day where each person is, by their field time_zone (default: --tz)",
  },
  againTo: {
    kind: "choice",
    choices: ["unread"],
    help: "With --mode messages: send it again, as a new campaign, to those who have not read it",
  },
} as const satisfies Args;

export type PlanValues = Omit<ArgValues<typeof PLAN_ARGS>, "againTo">;

/** Throws `CommandError` (usage) for a plan of messages that the provider sends, or whose campaign is named by its id. */
export function refusePlan(
  { pauseOutside, spread, atLocal, againTo }: ArgValues<typeof PLAN_ARGS>,
  mode: SendMode | "id",
): void {
  const [flag] = [
    ...(pauseOutside ? ["--pause-outside"] : []),
    ...(spread === undefined ? [] : ["--spread"]),
    ...(atLocal === undefined ? [] : ["--at-local"]),
    ...(againTo === undefined ? [] : ["--again-to"]),
  ];
  if (flag === undefined || mode === "messages") return;
  throw new CommandError(
    "usage",
    mode === "id"
      ? `${flag} goes with a campaign file and --mode messages.`
      : `${flag} is for --mode messages: what the provider sends, it sends at once.`,
  );
}
