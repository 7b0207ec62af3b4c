/** `parley user token`: creates a token with the app's secret, without a request. */
import type { ShellRun } from "../../base/shell-command.ts";
import { timeFromSeconds } from "../../../wire/time.ts";
import { showOne } from "../../output/results.ts";
import type { USER_TOKEN_ARGS } from "./args.ts";

const token: ShellRun<typeof USER_TOKEN_ARGS> = async (shell, { user, for: lasts }) => {
  const { tokenFor } = await shell.host.app();
  const { token: text, exp } = tokenFor(user, lasts && Math.ceil(lasts.ms / 1000));
  const expiry = exp === undefined ? {} : { expires_at: timeFromSeconds(exp) };
  return showOne(shell, { user_id: user, token: text, ...expiry }, text);
};
export default token;
