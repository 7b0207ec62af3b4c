/** `parley local start`: starts the embedded provider in the background. */
import { showOne } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const start: ShellRun<{}> = async (shell) => {
  const { url, pid } = await shell.host.local.start(true);
  return showOne(shell, { url, pid, running: true }, `running at ${url}, process ${pid}`);
};
export default start;
