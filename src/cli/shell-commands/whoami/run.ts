/** `parley whoami`: prints profile, user, kind of sign-in and the provider's address, without a request. */
import { showFields } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const whoami: ShellRun<{}> = async (shell) => {
  const identity = await shell.host.identity();
  return showFields(shell, identity);
};
export default whoami;
