/** `parley local snapshot load`: restores a saved state of the embedded provider. */
import { confirm } from "../../../base/prompts.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import type { SNAPSHOT_NAME_ARGS } from "./args.ts";
import { snapshotNotFound } from "./snapshot.ts";

const load: ShellRun<typeof SNAPSHOT_NAME_ARGS> = async (shell, { name }) => {
  const { local } = shell.host;
  if (!(await local.snapshots()).some((one) => one.name === name)) throw snapshotNotFound(name);
  await confirm(shell, {
    level: "moderate",
    question: `Everything after snapshot '${name}' will be lost.`,
  });
  await local.loadSnapshot(name);
  return showOne(shell, { name, loaded: true }, `restored ${name}`);
};
export default load;
