/** `parley local token`: creates a token for a user of the embedded provider. */
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { TOKEN_ARGS } from "./args.ts";

const token: ShellRun<typeof TOKEN_ARGS> = async (shell, { user: user_id }) => {
  const text = await shell.host.local.token(user_id);
  return showOne(shell, { user_id, token: text }, { kind: "line", text });
};
export default token;
