/** The `--server` flag of lists that moderators read with their token and the app with its secret. */
import type { ArgRow } from "../base/define-command.ts";

export const SERVER = {
  kind: "flag",
  help: "Ask as the app, with its secret, instead of as you",
} as const satisfies ArgRow;
