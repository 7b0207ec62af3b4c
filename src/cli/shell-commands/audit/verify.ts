/** `parley audit verify`: checks that the audit log was not altered. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { auditFile, readAudit } from "../../../config/audit.ts";
import { ExitError } from "../../base/exit.ts";
import { showFields } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "Verify that the audit log has not been altered",
  examples: ["audit verify", 'audit verify --head "$(cat last-head)"'],
  allowsDryRun: true,
  args: {
    head: {
      kind: "text",
      value: "hash",
      help: "Require an entry with this hash, so that none was cut off the end",
    },
  },
  async run(shell: Shell, { head }) {
    const { lines, fault } = readAudit(shell.env);
    const file = auditFile(shell.env);
    if (fault) throw new ExitError(7, `Line ${fault.line} of ${file} ${fault.reason}.`);
    if (head !== undefined && !lines.some(({ hash }) => hash === head))
      throw new ExitError(7, `No entry has the hash ${head}: entries were cut off the end.`);
    const last = lines.at(-1)?.hash;
    const found = { entries: lines.length, file, ...(last === undefined ? {} : { head: last }) };
    return showFields(shell, found);
  },
});
