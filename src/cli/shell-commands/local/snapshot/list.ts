/** `parley local snapshot list`: the saved states of the embedded provider. */
import { rowView } from "../../../../commands/base/define-command.ts";
import type { ShellRun } from "../../../base/shell-command.ts";
import { showList } from "../../../output/results.ts";
import { megabytes } from "./snapshot.ts";

const list: ShellRun<{}> = async (shell) =>
  showList(shell, await shell.host.local.snapshots(), (one) =>
    rowView({ name: one.name, saved: one.saved_at, size: megabytes(one.size) }),
  );
export default list;
