/** `parley whoami`: profile, user, way of signing in and the provider's address; no request is sent. */
import { showFields } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const whoami: ShellRun<{}> = async (shell) => {
  const identity = await shell.host.identity();
  return showFields(shell, identity);
};
export default whoami;
