/** `parley local stop`: stops the provider; one that does not answer is killed after confirmation. */
import { confirm, canPrompt } from "../../base/prompts.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { STOP_ARGS } from "./args.ts";

const stop: ShellRun<typeof STOP_ARGS> = async (shell, { force }) => {
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
};
export default stop;
