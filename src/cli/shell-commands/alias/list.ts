/** `parley alias list`: lists the aliases and their command lines. */
import { rowView } from "../../../commands/base/define-command.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { showList } from "../../output/results.ts";
import { aliasesOf } from "./expand.ts";

const list: ShellRun<{}> = (shell) => {
  const rows = Object.entries(aliasesOf(shell.env)).map(([name, line]) => ({ name, line }));
  return showList(shell, rows, rowView);
};
export default list;
