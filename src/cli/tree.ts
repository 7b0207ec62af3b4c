/** The tree of all commands, for parsing, help, completion and the documents. */
import { CommandTree } from "./base/command-tree.ts";
import { shellCommands } from "./shell-commands/table.gen.ts";

export const tree = new CommandTree(shellCommands);
