/** Reads and changes settings for the settings list. */
import {
  ConfigError,
  readSetting,
  settingKeys,
  settingText,
  type SettingKey,
  type Settings,
} from "../../config/settings.ts";
import { themeProblem } from "../../config/themes.ts";
import type { Host } from "../../open.ts";
import type { SettingsEditor } from "../screen/host.ts";

interface Needs {
  host: Pick<Host, "settingsNow" | "saveSetting">;
  env: Readonly<Record<string, string | undefined>>;
  /** Applies the settings that can change while the screen runs. */
  apply(settings: Settings, key: SettingKey): void;
}

export function createSettingsEditor({ host, env, apply }: Needs): SettingsEditor {
  return {
    list() {
      const { sources } = host.settingsNow();
      return settingKeys.map((key) => {
        const [{ value, name, kind }] = sources(key) as [ReturnType<typeof sources>[number]];
        return { key, value: settingText(key, value), from: kind === "default" ? "" : name };
      });
    },
    async set(key, raw) {
      const value = raw === undefined ? undefined : readSetting(key, raw, "settings");
      const fault = key === "theme" && value !== undefined ? themeProblem(env, String(value)) : undefined;
      if (fault) throw new ConfigError(fault);
      await host.saveSetting(key, value);
      const { settings } = host.settingsNow();
      // A value chosen here overrides flags and variables until the program ends.
      apply(value === undefined ? settings : { ...settings, [key]: value }, key);
    },
  };
}
