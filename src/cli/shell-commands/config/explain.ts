/** `parley config explain`: every source that sets a value, the effective one first. */
import type { Shell } from "../../base/shell.ts";
import { rowView, command } from "../../../commands/base/define-command.ts";
import { SETTINGS, settingText } from "../../../config/settings.ts";
import { showList } from "../../output/results.ts";
import { settingKey, sourcesOf, ONE_SETTING } from "./setting.ts";

export default command({
  shell: true,
  summary: "Explain where the value of a setting comes from",
  examples: ["config explain limit", "config explain theme --json"],
  allowsDryRun: true,
  args: ONE_SETTING,
  run(shell: Shell, args) {
    const key = settingKey(args.key);
    const { words } = SETTINGS[key];
    const rows = sourcesOf(shell)(key).map((source, n) => ({ key, ...source, used: n === 0, words }));
    return showList(shell, rows, ({ kind, name, value, used }) =>
      rowView({ from: name ? `${kind} ${name}` : kind, value: settingText(key, value), used }),
    );
  },
});
