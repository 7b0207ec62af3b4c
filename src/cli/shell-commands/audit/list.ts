/** `parley audit list`: lists the entries of this machine's audit log. */
import { rowOf } from "../../../commands/base/define-command.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showList } from "../../output/results.ts";
import { cutToLimit, findAuditLines } from "./find.ts";
import type { AUDIT_ARGS } from "./args.ts";

const list: ShellRun<typeof AUDIT_ARGS> = (shell, args) =>
  showList(shell, cutToLimit(shell, findAuditLines(shell, args)), (line) =>
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
