/** `parley local stop`: stops the provider; one that does not answer is killed after confirmation. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { confirm, canPrompt } from "../../base/prompts.ts";
import { showOne } from "../../output/results.ts";

export default command({
  shell: true,
  asks: true,
  summary: "Stop the embedded provider",
  examples: ["local stop", "local stop --force"],
  args: {
    force: { kind: "flag", help: "Kill it if it does not answer" },
  },
  async run(shell: Shell, { force }) {
    const { local } = shell.host;
    const found = await local.probe();
    if (found.state === "silent" && (force || canPrompt(shell))) {
      if (!force)
        await confirm(shell, {
          level: "moderate",
          question: `The embedded provider, process ${found.pid}, does not answer. Kill it? Everything it acknowledged is saved.`,
        });
      const killed = await local.kill();
      const result = { stopped: killed, ...(killed ? { killed } : {}) };
      return showOne(shell, result, killed ? `killed process ${found.pid}` : "it has already stopped");
    }
    const stopped = await local.stop();
    return showOne(shell, { stopped }, stopped ? "stopped" : "it was not running");
  },
});
