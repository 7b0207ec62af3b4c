/** The commands that hints of start and schedule name, with the flags that were used. */
import type { Args } from "../base/define-command.ts";
import { commandHint } from "../base/command-hint.ts";
import { CAMPAIGN_FILE_ARG, MODE_ARGS, START_ARGS } from "./args/flow.ts";
import { GUARD_ARGS } from "./args/guards.ts";
import type { StartLines } from "./flow/start-file.ts";
import { STOP_AT } from "./stop-at.ts";

const PLACE = { kind: "text", positional: true, help: "" } as const;

/** `path` and `rows` of the command, and the values it was called with. */
export function startLines(
  path: string,
  rows: Args,
  values: Readonly<Record<string, unknown>> & { campaign: string },
): StartLines {
  const byProvider = { campaign: PLACE, at: PLACE, stopAt: STOP_AT, ...GUARD_ARGS };
  return {
    again: commandHint(path, rows, values),
    check: commandHint(
      "campaign check",
      { file: CAMPAIGN_FILE_ARG, ...MODE_ARGS },
      { ...values, file: values.campaign },
    ),
    later: commandHint("campaign schedule", { ...byProvider, ...START_ARGS }, { ...values, at: "<time>" }),
    byId: (id) => commandHint(path, byProvider, { ...values, campaign: id }),
  };
}
