/** `parley local snapshot list`: the saved states of the embedded provider. */
import type { Shell } from "../../../base/shell.ts";
import { rowView, command } from "../../../../commands/base/define-command.ts";
import { showList } from "../../../output/results.ts";
import { megabytes } from "./snapshot.ts";

export default command({
  shell: true,
  summary: "List snapshots",
  examples: ["local snapshot list", "local snapshot list --json"],
  allowsDryRun: true,
  run: async (shell: Shell) =>
    showList(shell, await shell.host.local.snapshots(), (one) =>
      rowView({ name: one.name, saved: one.saved_at, size: megabytes(one.size) }),
    ),
});
