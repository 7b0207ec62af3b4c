/** `parley config set`: saves a setting in the config file. */
import { readChannel } from "../../../commands/base/args.ts";
import { saveSetting } from "../../../config/save.ts";
import { readSetting, settingText } from "../../../config/settings.ts";
import { themeProblem } from "../../../config/themes.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice } from "../../base/shell.ts";
import type { ShellRun } from "../../base/shell-command.ts";
import type { SET_ARGS } from "./args.ts";
import { settingKey } from "./setting.ts";

const set: ShellRun<typeof SET_ARGS> = async (shell, args) => {
  const key = settingKey(args.key);
  const value = readSetting(key, args.value, "config set");
  const fault = key === "theme" ? themeProblem(shell.env, String(value)) : undefined;
  if (fault) throw new ExitError(2, `config set: ${fault}.`);
  // Every later command would be refused.
  if (key === "channel" && value !== "") readChannel(String(value), shell.settings.channelType);
  await saveSetting(shell.env, key, value);
  printNotice(shell, `${key} = ${settingText(key, value)}`);
  return 0;
};
export default set;
