/** `parley config list`: every setting with its value and where the value comes from. */
import type { Shell } from "../../base/shell.ts";
import { rowOf, command } from "../../../commands/base/define-command.ts";
import { settingKeys, settingText } from "../../../config/settings.ts";
import { showList } from "../../output/results.ts";
import { sourcesOf } from "./setting.ts";

export default command({
  shell: true,
  summary: "List settings and their values",
  examples: ["config list", "config list --json=key,value"],
  aliases: ["ls"],
  allowsDryRun: true,
  run(shell: Shell) {
    const sources = sourcesOf(shell);
    const rows = settingKeys.map((key) => {
      const { value, kind, name } = sources(key)[0]!;
      return { key, value, source: kind, name };
    });
    return showList(shell, rows, (row) =>
      rowOf(row, { setting: "key", value: { cell: settingText(row.key, row.value) }, from: "source" }),
    );
  },
});
