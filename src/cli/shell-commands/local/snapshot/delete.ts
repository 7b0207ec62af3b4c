/** `parley local snapshot delete`: deletes a saved state. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import type { SNAPSHOT_NAME_ARGS } from "./args.ts";
import { snapshotNotFound } from "./snapshot.ts";

const remove: ShellRun<typeof SNAPSHOT_NAME_ARGS> = async (shell, { name }) => {
  if (!(await shell.host.local.removeSnapshot(name))) throw snapshotNotFound(name);
  return showOne(shell, { name, deleted: true }, `deleted ${name}`);
};
export default remove;
