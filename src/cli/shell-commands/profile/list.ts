/** `parley profile list`: lists the profiles and marks the current one. */
import type { Shell } from "../../base/shell.ts";
import { rowOf, command } from "../../../commands/base/define-command.ts";
import { listProfiles } from "../../../config/profiles.ts";
import { showList } from "../../output/results.ts";

export default command({
  shell: true,
  summary: "List profiles",
  examples: ["profile list", "profile list --json=name,url"],
  aliases: ["ls"],
  allowsDryRun: true,
  run: (shell: Shell) =>
    showList(
      shell,
      listProfiles(shell.env).map((row) => ({ ...row, current: row.name === shell.settings.profile })),
      (row) =>
        rowOf(row, {
          profile: "name",
          kind: "kind",
          user: "user",
          url: "url",
          current: "current",
          protected: "protected",
        }),
    ),
});
