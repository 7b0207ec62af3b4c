/** `parley alias …`: defines short names for command lines. */
import { commandInGroup, type ShellCommand } from "../../base/shell-command.ts";
import { SET_ALIAS_ARGS, NAMED_ALIAS } from "./args.ts";

const setup = commandInGroup("Setup");

export const aliasCommands: Readonly<Record<string, ShellCommand>> = {
  "alias set": setup({
    summary: "Define an alias for a command line",
    examples: ["alias set ops 'send #ops'", "alias set by 'search from:@$1 after:7d'"],
    args: SET_ALIAS_ARGS,
    load: () => import("./set.ts"),
  }),
  "alias list": setup({
    summary: "List aliases and their command lines",
    examples: ["alias list", "alias list --json"],
    aliases: ["ls"],
    allowsDryRun: true,
    load: () => import("./list.ts"),
  }),
  "alias remove": setup({
    summary: "Remove an alias",
    examples: ["alias remove ops", "alias remove by"],
    args: NAMED_ALIAS,
    load: () => import("./remove.ts"),
  }),
};
