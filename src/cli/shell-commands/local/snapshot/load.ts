/** `parley local snapshot load`: brings a saved state of the embedded provider back. */
import { confirm } from "../../../base/prompts.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import type { SNAPSHOT_NAME_ARGS } from "./args.ts";
import { noSnapshot } from "./snapshot.ts";

const load: ShellRun<typeof SNAPSHOT_NAME_ARGS> = async (shell, { name }) => {
  const { local } = shell.host;
  if (!(await local.snapshots()).some((one) => one.name === name)) throw noSnapshot(name);
  await confirm(shell, {
    level: "moderate",
    question: `Everything since the state '${name}' was saved will be forgotten.`,
  });
  await local.loadSnapshot(name);
  return showOne(shell, { name, loaded: true }, `back at ${name}`);
};
export default load;
