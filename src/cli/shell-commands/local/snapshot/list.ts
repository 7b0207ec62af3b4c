/** `parley local snapshot list`: the saved states of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { rowOf, command } from "../../../../commands/base/define-command.ts";
import { showList } from "../../../output/results.ts";
import { megabytes } from "./snapshot.ts";

export default command({
  shell: true,
  summary: "List snapshots",
  examples: ["local snapshot list", "local snapshot list --json"],
  allowsDryRun: true,
  run: async (shell: Shell) =>
    showList(shell, await shell.host.local.snapshots(), (one) =>
      rowOf(one, { name: "name", saved: "saved_at", size: { field: "size", cell: megabytes(one.size) } }),
    ),
});
