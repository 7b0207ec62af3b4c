/** `parley local start`: starts the embedded provider in the background. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { showOne } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Start the embedded provider in the background, until it is stopped",
  examples: ["local start", "local start --json=url"],
  async run(shell: Shell) {
    const { url, pid } = await shell.host.local.start(true);
    return showOne(shell, { url, pid, running: true }, `running at ${url}, process ${pid}`);
  },
});
