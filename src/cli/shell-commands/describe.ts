/** `parley describe`: prints the command tree, flags and exit codes as versioned JSON. */
import type { Shell } from "../base/shell.ts";
import { command } from "../../commands/base/define-command.ts";
import { flagName, isRequired } from "../../commands/base/args.ts";
import type { CommandTree } from "../base/command-tree.ts";
import { EXITS, ExitError } from "../base/exit.ts";
import { GLOBALS } from "../base/globals.ts";
import { examplesOf, usageOf } from "../help/help.ts";
import { exitsOf } from "../help/exits.ts";
import { knownFields } from "../output/fields.ts";
import { showOne } from "../output/results.ts";
import { jsonText } from "../output/json.ts";
import { write } from "../base/stdio.ts";

function describeCommand(tree: CommandTree, path: string): object {
  const definition = tree.definition(path);
  return {
    command: path,
    summary: definition.summary,
    usage: usageOf(tree, path),
    examples: examplesOf(tree, path),
    aliases: definition.aliases ?? [],
    needs_secret: tree.needsSecret(path),
    asks: tree.mayAskFirst(path),
    arguments: Object.entries(definition.args).map(([name, row]) => ({
      name: row.positional ? flagName(name) : `--${flagName(name)}`,
      place: row.positional === true ? "positional" : (row.positional ?? "flag"),
      kind: row.kind,
      required: isRequired(row),
      help: row.help,
      ...(row.choices ? { choices: row.choices } : {}),
    })),
    fields: knownFields(path === "send" ? "message send" : path),
    exit_codes: exitsOf(tree, path),
  };
}

export default command({
  shell: true,
  group: "Scripts",
  summary: "Print the command tree as JSON",
  examples: ["describe", "describe channel list"],
  skipsConfig: true,
  allowsDryRun: true,
  args: {
    command: { kind: "list", positional: true, optional: true, help: "Describe only this command" },
  },
  async run(shell: Shell, { command }) {
    const { tree } = shell;
    const words = command.join(" ");
    const paths = tree
      .visiblePaths()
      .filter((path) => words === "" || path === words || path.startsWith(`${words} `));
    if (paths.length === 0) throw new ExitError(3, `There is no command '${words}'.`, "parley describe");
    const all = {
      schema_version: 1,
      commands: paths.toSorted().map((path) => describeCommand(tree, path)),
      global_flags: GLOBALS.map(({ flags, help }) => ({ flags, help })),
      exit_codes: EXITS,
    };
    const { jq, template, json } = shell.flags;
    if (jq === undefined && template === undefined && !json) {
      await write(shell.out, `${jsonText(all, shell.tty.out)}\n`);
      return 0;
    }
    return showOne(shell, all, "");
  },
});
