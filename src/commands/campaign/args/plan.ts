/** Flags that spread the messages of a campaign over time. */
import { type Args, type ArgValues, CommandError } from "../../base/define-command.ts";
import type { SendMode } from "./flow.ts";

export const PLAN_ARGS = {
  pauseOutside: {
    kind: "flag",
    help: "With --mode messages: wait outside of --window and on --quiet-day, and go on by itself",
  },
} as const satisfies Args;

export type PlanValues = ArgValues<typeof PLAN_ARGS>;

/** Throws `CommandError` (usage) for a plan of messages that the provider sends, or whose campaign is named by its id. */
export function refusePlan({ pauseOutside }: PlanValues, mode: SendMode | "id"): void {
  const flag = pauseOutside ? "--pause-outside" : undefined;
  if (flag === undefined || mode === "messages") return;
  throw new CommandError(
    "usage",
    mode === "id"
      ? `${flag} goes with a campaign file and --mode messages.`
      : `${flag} is for --mode messages: what the provider sends, it sends at once.`,
  );
}
