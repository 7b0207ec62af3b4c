/** `parley user token`: creates a token with the app's secret. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { USER_TOKEN_ARGS } from "./args.ts";

export const userShellCommands: Readonly<Record<string, ShellCommand>> = {
  "user token": shellCommand({
    summary: "Create a token for a user with the app's secret",
    group: "Scripts",
    examples: ["user token ana --for 24h", "user token ana > token.txt"],
    args: USER_TOKEN_ARGS,
    allowsDryRun: true,
    load: () => import("./token.ts"),
  }),
};
