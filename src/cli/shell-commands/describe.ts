/** `parley describe`: the command tree, its flags and the exit codes as versioned JSON. */
import { flagName } from "../../commands/base/args.ts";
import { commands } from "../../commands/index.ts";
import { EXITS, ExitError } from "../base/exit.ts";
import { GLOBALS } from "../base/globals.ts";
import { examplesOf, needsSecret, usageOf } from "../help/help.ts";
import { jsonText } from "../output/json.ts";
import { write } from "../base/stdio.ts";
import { OWN } from "./index.ts";
import type { OwnRun } from "./kit.ts";

function describeCommand(path: string): object {
  const definition = (OWN[path] ?? commands[path])!;
  return {
    command: path,
    summary: definition.summary,
    usage: usageOf(path),
    examples: examplesOf(path),
    aliases: definition.aliases ?? [],
    needs_secret: needsSecret(path),
    asks: commands[path]?.confirm !== undefined,
    arguments: Object.entries(definition.args).map(([name, row]) => ({
      name: row.place === "flag" ? `--${flagName(name)}` : flagName(name),
      place: row.place,
      kind: row.kind,
      required: !row.optional && !row.here && row.default === undefined && row.kind !== "flag",
      help: row.help,
      ...(row.choices ? { choices: row.choices } : {}),
    })),
  };
}

const describe: OwnRun = async (shell, values) => {
  const words = (values.command as string[]).join(" ");
  const paths = [...Object.keys(OWN).filter((path) => !OWN[path]!.hidden), ...Object.keys(commands)].filter(
    (path) => words === "" || path === words || path.startsWith(`${words} `),
  );
  if (paths.length === 0) throw new ExitError(3, `There is no command '${words}'.`, "parley describe");
  const all = {
    schema_version: 1,
    commands: paths.toSorted().map(describeCommand),
    global_flags: GLOBALS.map(({ flags, help }) => ({ flags, help })),
    exit_codes: EXITS,
  };
  await write(shell.out, `${jsonText(all, shell.tty.out)}\n`);
  return 0;
};
export default describe;
