/** `parley user token`: signs a token with the app's secret; nothing is sent. */
import { signToken } from "../../../wire/token.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { USER_TOKEN_ARGS } from "./index.ts";

/** Clocks differ a little: it counts from a moment ago, seconds. */
const EARLIER = 5;

const token: ShellRun<typeof USER_TOKEN_ARGS> = async (shell, { user, for: lasts }) => {
  const { secret } = await shell.host.app();
  const now = Math.floor(shell.host.now() / 1000);
  const exp = lasts === undefined ? undefined : now + Math.ceil(lasts.ms / 1000);
  const made = signToken(
    { user_id: user, iat: now - EARLIER, ...(exp === undefined ? {} : { exp }) },
    secret,
  );
  const ends = exp === undefined ? {} : { expires_at: new Date(exp * 1000).toISOString() };
  return showOne(shell, { user_id: user, token: made, ...ends }, made);
};
export default token;
