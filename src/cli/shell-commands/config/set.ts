/** `parley config set`: saves a setting in the config file. */
import { command } from "../../../commands/base/define-command.ts";
import { readChannel } from "../../../commands/base/args.ts";
import { saveSetting } from "../../../config/save.ts";
import { readSetting, settingText } from "../../../config/settings.ts";
import { themeProblem } from "../../../config/themes.ts";
import { ExitError } from "../../base/exit.ts";
import { printNotice, type Shell } from "../../base/shell.ts";
import { settingKey, ONE_SETTING } from "./setting.ts";

export default command({
  shell: true,
  summary: "Set a setting permanently",
  examples: ["config set theme dark", "config set limit 100"],
  args: {
    ...ONE_SETTING,
    value: { kind: "words", positional: true, help: "The value" },
  },
  async run(shell: Shell, args) {
    const key = settingKey(args.key);
    const value = readSetting(key, args.value, "config set");
    const fault = key === "theme" ? themeProblem(shell.env, String(value)) : undefined;
    if (fault) throw new ExitError(2, `config set: ${fault}.`);
    // Every later command would be refused.
    if (key === "channel" && value !== "") readChannel(String(value), shell.settings.channelType);
    await saveSetting(shell.env, key, value);
    printNotice(shell, `${key} = ${settingText(key, value)}`);
    return 0;
  },
});
