/** `parley config get`: the value of one setting. */
import type { Shell } from "../../base/shell.ts";
import { command } from "../../../commands/base/define-command.ts";
import { settingText } from "../../../config/settings.ts";
import { showOne } from "../../output/results.ts";
import { settingKey, sourcesOf, ONE_SETTING } from "./setting.ts";

export default command({
  shell: true,
  summary: "Print the value of a setting",
  examples: ["config get theme", "config get limit --json"],
  allowsDryRun: true,
  args: ONE_SETTING,
  run(shell: Shell, args) {
    const key = settingKey(args.key);
    const { value } = sourcesOf(shell)(key)[0]!;
    return showOne(shell, { key, value }, settingText(key, value));
  },
});
