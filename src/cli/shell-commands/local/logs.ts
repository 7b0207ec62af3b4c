/** `parley local logs`: the provider's log, line by line. */
import { createReadStream, existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { cleanLine } from "../../../text/sanitize.ts";
import { ExitError } from "../../base/exit.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { write } from "../../base/stdio.ts";

const logs: ShellRun<{}> = async (shell) => {
  const file = path.join(shell.host.local.folder, "provider.log");
  if (!existsSync(file)) throw new ExitError(3, `There is no log yet: ${file}`);
  for await (const line of createInterface({ input: createReadStream(file) }))
    await write(shell.out, `${shell.tty.out ? cleanLine(line) : line}\n`);
  return 0;
};
export default logs;
