/** `parley profile list`: lists the profiles and marks the current one. */
import { rowView } from "../../../commands/base/define-command.ts";
import { listProfiles } from "../../../config/profiles.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";

const list: ShellRun<{}> = (shell) =>
  showList(
    shell,
    listProfiles(shell.env).map((row) => ({ ...row, current: row.name === shell.settings.profile })),
    (row) =>
      rowView({
        profile: row.name,
        kind: row.kind,
        user: row.user,
        url: row.url,
        current: row.current,
        protected: row.protected,
      }),
  );
export default list;
