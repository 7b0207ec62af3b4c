/** `parley alias remove`: removes an alias. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { changeConfig } from "../../../config/save.ts";
import { ExitError } from "../../base/exit.ts";
import { aliasesOf } from "./expand.ts";

export default command({
  shell: true,
  summary: "Remove an alias",
  examples: ["alias remove ops", "alias remove by"],
  args: {
    name: { kind: "text", positional: true, help: "Name of the alias" },
  },
  async run(shell: Shell, { name }) {
    if (!Object.hasOwn(aliasesOf(shell.env), name))
      throw new ExitError(3, `There is no alias '${name}'.`, "parley alias list");
    await changeConfig(shell.env, (file) => {
      const { [name]: _gone, ...rest } = file.aliases ?? {};
      file.aliases = rest;
    });
    return 0;
  },
});
