/** `parley alias remove`: removes an alias. */
import { changeConfig } from "../../../config/save.ts";
import { ExitError } from "../../base/exit.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { aliasesOf } from "./expand.ts";
import type { NAMED_ALIAS } from "./args.ts";

const remove: ShellRun<typeof NAMED_ALIAS> = async (shell, { name }) => {
  if (!Object.hasOwn(aliasesOf(shell.env), name))
    throw new ExitError(3, `There is no alias '${name}'.`, "parley alias list");
  await changeConfig(shell.env, (file) => {
    const { [name]: _gone, ...rest } = file.aliases ?? {};
    file.aliases = rest;
  });
  return 0;
};
export default remove;
