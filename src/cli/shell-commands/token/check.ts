/** `parley token check`: checks whether the provider accepts the token or the secret of the profile. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { readToken } from "../../../wire/token.ts";
import { timeFromSeconds } from "../../../wire/time.ts";
import { callDefaults, guardedCore } from "../../run/run.ts";
import { showFields } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Check whether the provider accepts the profile's token or secret",
  examples: ["token check", 'PARLEY_TOKEN="$(cat token.txt)" parley token check'],
  allowsDryRun: true,
  async run(shell: Shell) {
    const { host, env } = shell;
    const claims = env.PARLEY_TOKEN ? readToken(env.PARLEY_TOKEN)?.claims : undefined;
    const { profile, kind } = await host.identity();
    // On the embedded provider, the token may belong to any user.
    const owner = kind === "local" && claims?.user_id !== undefined ? { user: claims.user_id } : {};
    const opened = await host.open({ inMemory: true, calls: callDefaults(shell), ...owner });
    try {
      await guardedCore(shell, opened, "token check").call("getApp", { query: {} } as never);
      const exp = claims?.exp;
      const until = exp === undefined ? {} : { expires_at: timeFromSeconds(exp) };
      const user = opened.user.id === "" ? {} : { user_id: opened.user.id };
      const found = { accepted: true, profile, kind, ...user, ...until };
      return await showFields(shell, found);
    } finally {
      await opened.close();
    }
  },
});
