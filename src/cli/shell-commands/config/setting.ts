/** Finds the setting that an argument names, and its values in every source. */
import { didYouMeanSetting, loadSettings } from "../../../config/load.ts";
import { isSettingKey, type SettingKey } from "../../../config/settings.ts";
import { ExitError } from "../../base/exit.ts";
import { settingFlags } from "../../base/globals.ts";
import type { Shell } from "../../base/shell.ts";

/** Throws `ExitError` 2 for a name that is no setting's. */
export function settingKey(text: string): SettingKey {
  if (isSettingKey(text)) return text;
  throw new ExitError(2, `There is no setting '${text}'${didYouMeanSetting(text)}.`, "parley config list");
}

/** The values that a setting has, the one that counts first. */
export const sourcesOf = (shell: Shell): ReturnType<typeof loadSettings>["sources"] =>
  loadSettings({ flags: settingFlags(shell.flags), env: shell.env, cwd: process.cwd() }).sources;
