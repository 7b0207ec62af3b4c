/** `parley local snapshot save`: saves the data of the embedded provider under a name. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { showOne } from "../../../output/results.ts";
import type { SAVE_ARGS } from "./args.ts";
import { megabytes } from "./snapshot.ts";

const save: ShellRun<typeof SAVE_ARGS> = async (shell, { name }) => {
  const { snapshot } = (await shell.host.local.control("snapshot", { name })) as {
    snapshot: { name: string; saved_at: string; size: number };
  };
  return showOne(shell, snapshot, `saved ${name}, ${megabytes(snapshot.size)}`);
};
export default save;
