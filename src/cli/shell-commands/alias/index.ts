/** `parley alias …`: words of one's own for lines of the shell. */
import type { Args } from "../../../commands/base/define-command.ts";
import { shellCommand } from "../../base/shell-command.ts";
import type { ShellCommand } from "../../base/shell-command.ts";

export const SET_ALIAS_ARGS = {
  name: { kind: "text", place: "positional", help: "The word" },
  line: {
    kind: "words",
    place: "rest",
    help: "What it stands for, without parley; $1, $2 … are the words behind it",
  },
} as const satisfies Args;

export const NAMED_ALIAS = {
  name: { kind: "text", place: "positional", help: "The word" },
} as const satisfies Args;

export const aliasCommands: Readonly<Record<string, ShellCommand>> = {
  "alias set": shellCommand({
    summary: "Give a line a word of your own",
    group: "Setup",
    examples: ["alias set ops 'send #ops'", "alias set by 'search from:@$1 after:7d'"],
    args: SET_ALIAS_ARGS,
    load: () => import("./set.ts"),
  }),
  "alias list": shellCommand({
    summary: "List your words and what they stand for",
    group: "Setup",
    examples: ["alias list", "alias list --json"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "alias remove": shellCommand({
    summary: "Remove a word of your own",
    group: "Setup",
    examples: ["alias remove ops", "alias remove by"],
    args: NAMED_ALIAS,
    load: () => import("./remove.ts"),
  }),
};
