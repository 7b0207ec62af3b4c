/** `parley user token`: makes a token with the app's secret; nothing is sent. */
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { USER_TOKEN_ARGS } from "./args.ts";

const token: ShellRun<typeof USER_TOKEN_ARGS> = async (shell, { user, for: lasts }) => {
  const { tokenFor } = await shell.host.app();
  const made = tokenFor(user, lasts && Math.ceil(lasts.ms / 1000));
  const ends = made.exp === undefined ? {} : { expires_at: new Date(made.exp * 1000).toISOString() };
  return showOne(shell, { user_id: user, token: made.token, ...ends }, made.token);
};
export default token;
