/** `parley token …`: looks into tokens. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const DECODE_ARGS = {
  token: {
    kind: "text",
    place: "positional",
    optional: true,
    default: "-",
    help: "- for standard input",
  },
} as const satisfies Args;

export const tokenCommands: Readonly<Record<string, ShellCommand>> = {
  "token decode": shellCommand({
    summary: "Show what a token says; its signature is not checked",
    group: "Scripts",
    bare: true,
    examples: ["token decode - < token.txt"],
    args: DECODE_ARGS,
    dry: true,
    load: () => import("./decode.ts"),
  }),
  "token check": shellCommand({
    summary: "Ask the provider whether it takes the token or secret of the profile",
    group: "Scripts",
    examples: ["token check", 'PARLEY_TOKEN="$(cat token.txt)" parley token check'],
    args: {},
    dry: true,
    load: () => import("./check.ts"),
  }),
};
