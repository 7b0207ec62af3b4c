/** The moment a campaign stops by itself. */
import type { ArgRow } from "../base/define-command.ts";

export const STOP_AT = {
  kind: "time",
  direction: "future",
  help: "Stop then, whoever is left",
} as const satisfies ArgRow;
