/** `parley config explain`: every source that sets a value, the effective one first. */
import { rowView } from "../../../commands/base/define-command.ts";
import { SETTINGS, settingText } from "../../../config/settings.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_SETTING } from "./args.ts";
import { settingKey, sourcesOf } from "./setting.ts";

const explain: ShellRun<typeof ONE_SETTING> = (shell, args) => {
  const key = settingKey(args.key);
  const { words } = SETTINGS[key];
  const rows = sourcesOf(shell)(key).map((source, n) => ({ key, ...source, used: n === 0, words }));
  return showList(shell, rows, ({ kind, name, value, used }) =>
    rowView({ from: name ? `${kind} ${name}` : kind, value: settingText(key, value), used }),
  );
};
export default explain;
