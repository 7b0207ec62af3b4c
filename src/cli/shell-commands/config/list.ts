/** `parley config list`: every setting with its value and where the value comes from. */
import { rowView } from "../../../commands/base/define-command.ts";
import { settingKeys, settingText } from "../../../config/settings.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { sourcesOf } from "./setting.ts";

const list: ShellRun<{}> = (shell) => {
  const sources = sourcesOf(shell);
  const rows = settingKeys.map((key) => {
    const { value, kind, name } = sources(key)[0]!;
    return { key, value, source: kind, name };
  });
  return showList(shell, rows, ({ key, value, source }) =>
    rowView({ setting: key, value: settingText(key, value), from: source }),
  );
};
export default list;
