/** `parley local token`: creates a token for a user of the embedded provider. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { showOne } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Print a token for a user of the embedded provider",
  examples: ["local token bob", 'PARLEY_TOKEN="$(parley local token bob)" parley whoami'],
  args: {
    user: { kind: "user", positional: true, help: "The user" },
  },
  async run(shell: Shell, { user: user_id }) {
    const text = await shell.host.local.token(user_id);
    return showOne(shell, { user_id, token: text }, { kind: "line", text });
  },
});
