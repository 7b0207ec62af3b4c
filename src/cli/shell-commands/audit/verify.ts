/** `parley audit verify`: checks that the audit log was not altered. */
import { auditFile, readAudit } from "../../../config/audit.ts";
import { ExitError } from "../../base/exit.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showFields } from "../../output/results.ts";
import type { VERIFY_ARGS } from "./args.ts";

const verify: ShellRun<typeof VERIFY_ARGS> = async (shell, { head }) => {
  const { lines, fault } = readAudit(shell.env);
  const file = auditFile(shell.env);
  if (fault) throw new ExitError(7, `Line ${fault.line} of ${file} ${fault.reason}.`);
  if (head !== undefined && !lines.some(({ hash }) => hash === head))
    throw new ExitError(7, `No entry has the hash ${head}: entries were cut off the end.`);
  const last = lines.at(-1)?.hash;
  const found = { entries: lines.length, file, ...(last === undefined ? {} : { head: last }) };
  return showFields(shell, found);
};
export default verify;
