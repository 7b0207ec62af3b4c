/** Finds the setting that an argument names, and its values in every source. */
import type { Args } from "../../../commands/base/define-command.ts";
import { didYouMeanSetting, loadSettings } from "../../../config/load.ts";
import { isSettingKey, type SettingKey } from "../../../config/settings.ts";
import { ExitError } from "../../base/exit.ts";
import { settingFlags } from "../../base/globals.ts";
import type { Shell } from "../../base/shell.ts";

export const ONE_SETTING = {
  key: { kind: "text", positional: true, help: "The setting" },
} as const satisfies Args;

/** Throws `ExitError` 2 for an unknown setting. */
export function settingKey(text: string): SettingKey {
  if (isSettingKey(text)) return text;
  throw new ExitError(2, `Unknown setting '${text}'${didYouMeanSetting(text)}.`, "parley config list");
}

/** The sources of a setting's value, the effective one first. */
export const sourcesOf = (shell: Shell): ReturnType<typeof loadSettings>["sources"] =>
  loadSettings({ flags: settingFlags(shell.flags), env: shell.env, cwd: process.cwd() }).sources;
