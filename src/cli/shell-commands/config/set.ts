/** `parley config set`. */
import { saveSetting } from "../../../config/save.ts";
import { readSetting } from "../../../config/settings.ts";
import { say } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { SET_ARGS } from "./index.ts";
import { settingKey, settingText } from "./setting.ts";

const set: ShellRun<typeof SET_ARGS> = async (shell, args) => {
  const key = settingKey(args.key);
  const value = readSetting(key, args.value, "config set");
  await saveSetting(shell.env, key, value);
  say(shell, `${key} = ${settingText(key, value)}`);
  return 0;
};
export default set;
