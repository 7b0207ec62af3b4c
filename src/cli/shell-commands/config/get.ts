/** `parley config get`: the value of one setting. */
import { settingText } from "../../../config/settings.ts";
import { showOne } from "../../output/results.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_SETTING } from "./args.ts";
import { settingKey, sourcesOf } from "./setting.ts";

const get: ShellRun<typeof ONE_SETTING> = (shell, args) => {
  const key = settingKey(args.key);
  const { value } = sourcesOf(shell)(key)[0]!;
  return showOne(shell, { key, value }, settingText(key, value));
};
export default get;
