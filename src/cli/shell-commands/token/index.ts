/** `parley token …`: looks into tokens. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { DECODE_ARGS } from "./args.ts";

export const tokenCommands: Readonly<Record<string, ShellCommand>> = {
  "token decode": shellCommand({
    summary: "Decode a token without verifying its signature",
    group: "Scripts",
    bare: true,
    examples: ["token decode - < token.txt", "parley local token bob | parley token decode -"],
    args: DECODE_ARGS,
    dry: true,
    load: () => import("./decode.ts"),
  }),
  "token check": shellCommand({
    summary: "Check whether the provider accepts the profile's token or secret",
    group: "Scripts",
    examples: ["token check", 'PARLEY_TOKEN="$(cat token.txt)" parley token check'],
    args: {},
    dry: true,
    load: () => import("./check.ts"),
  }),
};
