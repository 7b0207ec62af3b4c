/** `parley token …`: inspects tokens. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { DECODE_ARGS } from "./args.ts";

const scripts = commandInGroup("Scripts");

export const tokenCommands: Readonly<Record<string, ShellCommand>> = {
  "token decode": scripts({
    summary: "Decode a token without verifying its signature",
    skipsConfig: true,
    examples: ["token decode - < token.txt", "parley local token bob | parley token decode -"],
    args: DECODE_ARGS,
    allowsDryRun: true,
    load: () => import("./decode.ts"),
  }),
  "token check": scripts({
    summary: "Check whether the provider accepts the profile's token or secret",
    examples: ["token check", 'PARLEY_TOKEN="$(cat token.txt)" parley token check'],
    allowsDryRun: true,
    load: () => import("./check.ts"),
  }),
};
