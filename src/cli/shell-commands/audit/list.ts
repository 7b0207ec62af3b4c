/** `parley audit list`. */
import { rowView } from "../../../commands/base/define-command.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showList } from "../../output/results.ts";
import { cut, findLines } from "./find.ts";
import type { AUDIT_ARGS } from "./args.ts";

const list: ShellRun<typeof AUDIT_ARGS> = (shell, args) =>
  showList(shell, cut(shell, findLines(shell, args)), (line) =>
    rowView(
      {
        time: line.time,
        state: line.state,
        by: line.os_user,
        profile: line.profile,
        user: line.user,
        command: line.command,
        count: line.count,
        exit: line.exit,
      },
      { by: "os_user" },
    ),
  );
export default list;
