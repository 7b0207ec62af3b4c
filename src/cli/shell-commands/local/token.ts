/** `parley local token`: makes a token for a user of the embedded provider. */
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { TOKEN_ARGS } from "./args.ts";

const token: ShellRun<typeof TOKEN_ARGS> = async (shell, { user: user_id }) => {
  const made = await shell.host.local.token(user_id);
  return showOne(shell, { user_id, token: made }, { kind: "line", text: made });
};
export default token;
