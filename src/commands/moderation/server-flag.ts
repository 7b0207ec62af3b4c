/** The `--server` flag of lists that can be read as a moderator or as the app. */
import type { ArgRow } from "../base/define-command.ts";

export const SERVER = {
  kind: "flag",
  help: "Ask as the app, with its secret, instead of as you",
} as const satisfies ArgRow;
