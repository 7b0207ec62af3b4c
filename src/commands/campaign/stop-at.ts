/** The argument for the time a campaign stops automatically. */
import type { ArgRow } from "../base/define-command.ts";

export const STOP_AT = {
  kind: "time",
  direction: "future",
  help: "Stop at this time, even if some have not received it",
} as const satisfies ArgRow;
