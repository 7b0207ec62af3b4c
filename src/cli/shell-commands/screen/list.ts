/** `parley screen list`: lists the chat screens open on this machine. */
import { rowView } from "../../../commands/base/define-command.ts";
import { openScreens } from "../../../config/screens.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showList } from "../../output/results.ts";

const list: ShellRun<{}> = async (shell) =>
  showList(shell, await openScreens(shell.env), (screen) =>
    rowView({ pid: screen.pid, profile: screen.profile, user: screen.user, channel: screen.channel ?? "" }),
  );
export default list;
