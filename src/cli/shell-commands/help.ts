/** `parley help`: shows the help of a command or a topic. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { findExtension } from "../../config/extensions.ts";
import { cleanLine } from "../../text/sanitize.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { ExitError } from "../base/exit.ts";
import { commandHelp, everyCommand, nounHelp, rootHelp } from "../help/help.ts";
import { TOPICS } from "../help/topics.ts";
import { write } from "../base/stdio.ts";
import { showLong } from "../run/paged-output.ts";

/** The help page for the words, or undefined if there is none. */
function pageOf(tree: CommandTree, words: readonly string[], all: boolean): string | undefined {
  if (words.length === 0) return rootHelp(tree);
  // Topics come first: `commands` is the list of all commands, not the plural of the noun `command`.
  const topic = words.join(" ");
  if (topic === "commands" && all) return everyCommand(tree, true);
  if (Object.hasOwn(TOPICS, topic)) return TOPICS[topic]!.text(tree);
  const path = tree.pathOf(words);
  if (tree.find(path)) return commandHelp(tree, path);
  return tree.visibleUnder(path).length > 0 ? nounHelp(tree, path) : undefined;
}

export default command({
  shell: true,
  group: "Setup",
  summary: "Show help for a command or a topic",
  examples: ["help commands", "help commands --all", "help poll create", "help exit-codes"],
  skipsConfig: true,
  allowsDryRun: true,
  args: {
    words: { kind: "list", positional: true, optional: true, help: "A command, or a topic" },
  },
  async run(shell: Shell, { words }) {
    const page = pageOf(shell.tree, words, shell.flags.all === true);
    const extension = page === undefined ? findExtension(shell.env, words.join(" ")) : undefined;
    if (extension) {
      const text = `${extension.name} is an extension: ${cleanLine(extension.path)}\n\nIts own help, if it has one: parley ${extension.name} --help\n`;
      await write(shell.out, text);
      return 0;
    }
    if (page === undefined) {
      const noun = shell.tree.pathOf(words.slice(0, 1));
      const hint = `parley help ${Object.hasOwn(shell.tree.nouns, noun) ? noun : "topics"}`;
      throw new ExitError(3, `Unknown command or topic '${words.join(" ")}'.`, hint);
    }
    await showLong(page, {
      out: shell.out,
      env: shell.env,
      isAllowed: shell.flags.pager !== false,
      lendInterrupt: shell.lendInterrupt,
    });
    return 0;
  },
});
