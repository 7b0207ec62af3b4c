/** `parley local snapshot load`: restores a saved state of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { command } from "../../../../commands/base/define-command.ts";
import { confirm } from "../../../base/prompts.ts";
import { showOne } from "../../../output/results.ts";
import { snapshotNotFound, SNAPSHOT_NAME_ARGS } from "./snapshot.ts";

export default command({
  shell: true,
  asks: true,
  summary: "Restore a snapshot; everything after it is lost",
  examples: ["local snapshot load before", "local snapshot load before --yes"],
  args: SNAPSHOT_NAME_ARGS,
  async run(shell: Shell, { name }) {
    const { local } = shell.host;
    if (!(await local.snapshots()).some((one) => one.name === name)) throw snapshotNotFound(name);
    await confirm(shell, {
      level: "moderate",
      question: `Everything after snapshot '${name}' will be lost.`,
    });
    await local.loadSnapshot(name);
    return showOne(shell, { name, loaded: true }, `restored ${name}`);
  },
});
