/** A setting as it was named, its values by where they come from, and a value as it is written. */
import { loadSettings, nearest } from "../../../config/load.ts";
import { SETTINGS, isSettingKey } from "../../../config/settings.ts";
import type { SettingKey, SettingRow } from "../../../config/settings.ts";
import { ExitError } from "../../base/exit.ts";
import { settingFlags } from "../../base/globals.ts";
import type { Shell } from "../../base/shell.ts";

/** Throws `ExitError` 2 for a name that is no setting's. */
export function settingKey(text: string): SettingKey {
  if (isSettingKey(text)) return text;
  throw new ExitError(2, `There is no setting '${text}'${nearest(text)}.`, "parley config list");
}

/** A duration in the words it is written in. */
export function settingText(key: SettingKey, value: unknown): string {
  const row: SettingRow = SETTINGS[key];
  if (row.type !== "duration" || typeof value !== "number") return String(value);
  return value % 60_000 === 0 && value > 0
    ? `${value / 60_000}m`
    : value % 1000 === 0
      ? `${value / 1000}s`
      : `${value}ms`;
}

/** The values that a setting has, the one that counts first. */
export const sourcesOf = (shell: Shell): ReturnType<typeof loadSettings>["sources"] =>
  loadSettings({ flags: settingFlags(shell.flags), env: shell.env, cwd: process.cwd() }).sources;
