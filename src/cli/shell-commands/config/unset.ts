/** `parley config unset`: removes a setting from the config file. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { saveSetting } from "../../../config/save.ts";
import { settingKey, ONE_SETTING } from "./setting.ts";

export default command({
  shell: true,
  summary: "Reset a setting to its default",
  examples: ["config unset theme", "config unset limit"],
  args: ONE_SETTING,
  async run(shell: Shell, { key }) {
    await saveSetting(shell.env, settingKey(key), undefined);
    return 0;
  },
});
