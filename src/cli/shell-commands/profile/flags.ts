/** The flags that describe a profile, for `parley login` and `parley profile add`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flagRow } from "../../base/shell-command.ts";

export const PROFILE_FLAGS = {
  url: { kind: "text", value: "url", help: "Base URL of the provider" },
  key: { kind: "text", value: "key", help: "The app's API key" },
  user: { kind: "user", help: "Your user id" },
  kind: { kind: "choice", choices: ["token", "command", "secret"], help: "token, command or secret" },
  command: { kind: "text", value: "line", help: "Command that prints a token" },
  protected: flagRow("Ask before every write"),
} as const satisfies Args;
