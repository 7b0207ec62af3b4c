/** `parley alias set`: defines an alias for a command line. */
import { command } from "../../../commands/base/define-command.ts";
import { changeConfig } from "../../../config/save.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { splitLine } from "./expand.ts";

export default command({
  shell: true,
  summary: "Define an alias for a command line",
  examples: ["alias set ops 'send #ops'", "alias set by 'search from:@$1 after:7d'"],
  args: {
    name: { kind: "text", positional: true, help: "Name of the alias" },
    line: {
      kind: "words",
      positional: "rest",
      help: "The command line without parley; $1, $2 … are its arguments",
    },
  },
  async run(shell: Shell, { name, line }) {
    const { tree } = shell;
    if (!/^[a-z][\w-]{0,31}$/.test(name))
      throw new ExitError(
        2,
        `'${name}' is not a valid alias: use lower-case letters, digits, - and _, at most 32.`,
      );
    if (tree.hasWord(name))
      throw new ExitError(6, `parley ${name} is a command, and an alias cannot replace one.`);
    if (line.startsWith("!"))
      throw new ExitError(2, "An alias is a parley command, not a shell command.", "Write a shell function.");
    const [first = ""] = splitLine(line) ?? [];
    if (!tree.hasWord(first))
      throw new ExitError(
        2,
        `An alias must begin with a command: '${first}' is not one.`,
        "parley help commands",
      );
    await changeConfig(shell.env, (file) => {
      file.aliases = { ...file.aliases, [name]: line };
    });
    printNotice(shell, `parley ${name} = parley ${line}`);
    return 0;
  },
});
