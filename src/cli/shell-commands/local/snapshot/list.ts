/** `parley local snapshot list`. */
import type { ShellRun } from "../../../base/shell-command.ts";
import { showList } from "../../../output/results.ts";
import { megabytes } from "./snapshot.ts";

const list: ShellRun<{}> = async (shell) =>
  showList(shell, await shell.host.local.snapshots(), (one) => ({
    kind: "table",
    columns: ["name", "saved", "size"],
    rows: [[one.name, one.saved_at, megabytes(one.size)]],
  }));
export default list;
