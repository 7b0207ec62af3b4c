/** `parley user token`: makes a token from the app's secret, without a request. */
import { DURATION } from "../../../commands/base/args.ts";
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const USER_TOKEN_ARGS = {
  user: { kind: "user", place: "positional", help: "The user" },
  for: { ...DURATION, help: "How long it is valid (default: for ever)" },
} as const satisfies Args;

export const userCommands: Readonly<Record<string, ShellCommand>> = {
  "user token": shellCommand({
    summary: "Create a token for a user with the app's secret",
    group: "Scripts",
    examples: ["user token ana --for 24h", "user token ana > token.txt"],
    args: USER_TOKEN_ARGS,
    dry: true,
    load: () => import("./token.ts"),
  }),
};
