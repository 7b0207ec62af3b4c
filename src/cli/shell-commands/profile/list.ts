/** `parley profile list`. */
import { listProfiles } from "../../../config/profiles.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const list: ShellRun<{}> = (shell) =>
  showList(
    shell,
    listProfiles(shell.env).map((row) => ({ ...row, current: row.name === shell.settings.profile })),
    (row) => ({
      kind: "table",
      columns: ["profile", "kind", "user", "url", "current", "protected"],
      rows: [[row.name, row.kind, row.user, row.url, row.current, row.protected]],
    }),
  );
export default list;
