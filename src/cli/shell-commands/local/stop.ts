/** `parley local stop`: asks the provider to end; one that does not answer is killed after a question. */
import { confirm, canPrompt } from "../../base/prompts.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showOne } from "../../output/results.ts";
import type { STOP_ARGS } from "./args.ts";

/** Where it does not answer, who asked decides whether it is killed: nothing acknowledged is lost. */
const stop: ShellRun<typeof STOP_ARGS> = async (shell, { force }) => {
  const { local } = shell.host;
  const found = await local.look();
  if (found.state === "silent" && (force || canPrompt(shell))) {
    if (!force)
      await confirm(shell, {
        level: "moderate",
        question: `The embedded provider, process ${found.pid}, does not answer. Kill it? What it acknowledged is kept.`,
      });
    const killed = await local.kill();
    const told = { stopped: killed, ...(killed ? { killed } : {}) };
    return showOne(shell, told, killed ? `process ${found.pid} was killed` : "it has ended meanwhile");
  }
  const stopped = await local.stop();
  return showOne(shell, { stopped }, stopped ? "stopped" : "it was not running");
};
export default stop;
