/** `parley local token`. */
import type { ShellRun } from "../../base/shell-command.ts";
import { write } from "../../base/stdio.ts";
import type { TOKEN_ARGS } from "./index.ts";

const token: ShellRun<typeof TOKEN_ARGS> = async (shell, { user }) => {
  await write(shell.out, `${await shell.host.local.token(user)}\n`);
  return 0;
};
export default token;
