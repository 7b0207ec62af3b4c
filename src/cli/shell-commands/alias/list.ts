/** `parley alias list`: lists the aliases and their command lines. */
import type { Shell } from "../../base/shell.ts";
import { rowOf, command } from "../../../commands/base/define-command.ts";
import { showList } from "../../output/results.ts";
import { aliasesOf } from "./expand.ts";

export default command({
  shell: true,
  summary: "List aliases and their command lines",
  examples: ["alias list", "alias list --json"],
  aliases: ["ls"],
  allowsDryRun: true,
  run(shell: Shell) {
    const rows = Object.entries(aliasesOf(shell.env)).map(([name, line]) => ({ name, line }));
    return showList(shell, rows, (row) => rowOf(row, { name: "name", line: "line" }));
  },
});
