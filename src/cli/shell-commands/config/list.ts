/** `parley config list`. */
import { settingKeys } from "../../../config/settings.ts";
import { showList } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import { settingText, sourcesOf } from "./setting.ts";

const list: ShellRun<{}> = (shell) => {
  const sources = sourcesOf(shell);
  const rows = settingKeys.map((key) => {
    const { value, kind, name } = sources(key)[0]!;
    return { key, value, source: kind, name };
  });
  return showList(shell, rows, ({ key, value, source }) => ({
    kind: "table",
    columns: ["setting", "value", "from"],
    rows: [[key, settingText(key, value), source]],
  }));
};
export default list;
