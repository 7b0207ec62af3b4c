/** `parley alias …`: short names that people give to command lines. */
import { shellCommand, type ShellCommand } from "../../base/shell-command.ts";
import { SET_ALIAS_ARGS, NAMED_ALIAS } from "./args.ts";

export const aliasCommands: Readonly<Record<string, ShellCommand>> = {
  "alias set": shellCommand({
    summary: "Define an alias for a command line",
    group: "Setup",
    examples: ["alias set ops 'send #ops'", "alias set by 'search from:@$1 after:7d'"],
    args: SET_ALIAS_ARGS,
    load: () => import("./set.ts"),
  }),
  "alias list": shellCommand({
    summary: "List aliases and what they stand for",
    group: "Setup",
    examples: ["alias list", "alias list --json"],
    args: {},
    aliases: ["ls"],
    dry: true,
    load: () => import("./list.ts"),
  }),
  "alias remove": shellCommand({
    summary: "Remove an alias",
    group: "Setup",
    examples: ["alias remove ops", "alias remove by"],
    args: NAMED_ALIAS,
    load: () => import("./remove.ts"),
  }),
};
