/** The flags that make a profile, for `parley login` and `parley profile add`. */
import type { Args } from "../../../commands/base/define-command.ts";
import { flag } from "../../base/shell-command.ts";

export const PROFILE_FLAGS = {
  url: { kind: "text", place: "flag", value: "url", optional: true, help: "Base URL of the provider" },
  key: { kind: "text", place: "flag", value: "key", optional: true, help: "The app's API key" },
  user: { kind: "user", place: "flag", optional: true, help: "Your user id" },
  kind: {
    kind: "choice",
    place: "flag",
    optional: true,
    choices: ["token", "command", "secret"],
    help: "token, command or secret",
  },
  command: {
    kind: "text",
    place: "flag",
    value: "line",
    optional: true,
    help: "A command that prints a token",
  },
  protected: flag("Writes ask first"),
} as const satisfies Args;
