/** `parley user token`: creates a token with the app's secret, without a request. */
import { DURATION } from "../../../commands/base/args.ts";
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { timeFromSeconds } from "../../../wire/time.ts";
import { showOne } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Create a token for a user with the app's secret",
  examples: ["user token ana --for 24h", "user token ana > token.txt"],
  allowsDryRun: true,
  args: {
    user: { kind: "user", positional: true, help: "The user" },
    for: { ...DURATION, help: "How long it is valid (default: for ever)" },
  },
  async run(shell: Shell, { user, for: lasts }) {
    const { tokenFor } = await shell.host.app();
    const { token: text, exp } = tokenFor(user, lasts && Math.ceil(lasts.ms / 1000));
    const expiry = exp === undefined ? {} : { expires_at: timeFromSeconds(exp) };
    return showOne(shell, { user_id: user, token: text, ...expiry }, text);
  },
});
