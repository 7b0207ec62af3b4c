/** `parley audit list`: the changes that the audit log of this machine holds. */
import { rowOf } from "../../../commands/base/define-command.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showList } from "../../output/results.ts";
import { cutToLimit, findLines } from "./find.ts";
import type { AUDIT_ARGS } from "./args.ts";

const list: ShellRun<typeof AUDIT_ARGS> = (shell, args) =>
  showList(shell, cutToLimit(shell, findLines(shell, args)), (line) =>
    rowOf(line, {
      time: "time",
      state: "state",
      by: "os_user",
      profile: "profile",
      user: "user",
      command: "command",
      count: "count",
      exit: "exit",
    }),
  );
export default list;
