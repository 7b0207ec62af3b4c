/** `parley alias set`: defines an alias for a command line. */
import { changeConfig } from "../../../config/save.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { splitLine } from "./expand.ts";
import type { SET_ALIAS_ARGS } from "./args.ts";

const set: ShellRun<typeof SET_ALIAS_ARGS> = async (shell, { name, line }) => {
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
};
export default set;
