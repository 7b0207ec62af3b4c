/** The argument for the time a campaign stops automatically. */
import { CommandError, type ArgRow } from "../base/define-command.ts";

export const STOP_AT = {
  kind: "time",
  direction: "future",
  measured: true,
  help: "Stop at this time, even if some have not received it",
} as const satisfies ArgRow;

/** Throws `CommandError` (usage) for a stop that is not after the start; `start` is in milliseconds from now. */
export function requireStopAfter(start: number, stopAt: { at: string; ms: number } | undefined): void {
  if (stopAt !== undefined && stopAt.ms <= start)
    throw new CommandError("usage", `--stop-at ${stopAt.at} must be later than the start.`);
}
