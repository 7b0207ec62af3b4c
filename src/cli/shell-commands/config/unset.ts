/** `parley config unset`: removes a setting from the config file. */
import { saveSetting } from "../../../config/save.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { ONE_SETTING } from "./args.ts";
import { settingKey } from "./setting.ts";

const unset: ShellRun<typeof ONE_SETTING> = async (shell, { key }) => {
  await saveSetting(shell.env, settingKey(key), undefined);
  return 0;
};
export default unset;
