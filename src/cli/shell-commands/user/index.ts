/** `parley user token`: makes a token from the app's secret, without a request. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { USER_TOKEN_ARGS } from "./args.ts";

export const userShellCommands: Readonly<Record<string, ShellCommand>> = {
  "user token": shellCommand({
    summary: "Create a token for a user with the app's secret",
    group: "Scripts",
    examples: ["user token ana --for 24h", "user token ana > token.txt"],
    args: USER_TOKEN_ARGS,
    dry: true,
    load: () => import("./token.ts"),
  }),
};
