/** The `--server` flag of commands that can be run as a person or as the app. */
import type { ArgRow } from "./define-command.ts";

export const SERVER = {
  kind: "flag",
  help: "Ask as the app, with its secret, instead of as you",
} as const satisfies ArgRow;
