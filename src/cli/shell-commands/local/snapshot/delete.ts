/** `parley local snapshot delete`: deletes a saved state. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { showOne } from "../../../output/results.ts";
import { snapshotNotFound, SNAPSHOT_NAME_ARGS } from "./snapshot.ts";

export default command({
  shell: true,
  summary: "Delete a snapshot",
  examples: ["local snapshot delete before", "local snapshot delete before --yes"],
  args: SNAPSHOT_NAME_ARGS,
  async run(shell: Shell, { name }) {
    if (!(await shell.host.local.removeSnapshot(name))) throw snapshotNotFound(name);
    return showOne(shell, { name, deleted: true }, `deleted ${name}`);
  },
});
