/** Fake settings, themes, key file and snippets: changed settings are recorded in a list, themes are the built-in ones. */
import { BUILT_IN_THEMES, isBuiltInTheme } from "../../src/config/themes.ts";
import {
  ConfigError,
  SETTINGS,
  readSetting,
  settingKeys,
  type SettingKey,
} from "../../src/config/settings.ts";
import { TEMPLATE, readKeys } from "../../src/tui/bindings/key-file.ts";
import type { Extensions, KeyFile, SettingsEditor, Snippets, Themes } from "../../src/tui/screen/host.ts";
import { makeTheme } from "../../src/tui/render/theme.ts";

export interface FakeSettings {
  settingsEditor: SettingsEditor;
  themes: Themes;
  keyFile: KeyFile;
  snippets: Snippets;
  extensions: Extensions;
  /** The text of the key file. */
  keysText: string | undefined;
  /** Settings that were saved, in order. */
  saved: [SettingKey, string | undefined][];
}

export function fakeSettings(given?: FakeSettings): FakeSettings {
  if (given) return given;
  const texts = new Map<string, string>();
  const values = new Map<SettingKey, string>();
  const saved: FakeSettings["saved"] = [];
  const chosen = (): string => values.get("theme") ?? "auto";
  const fake: FakeSettings = {
    saved,
    keysText: undefined,
    keyFile: {
      read: () => fake.keysText ?? TEMPLATE,
      write: async (text) => readKeys((fake.keysText = text), "keys.conf", "default").faults,
    },
    snippets: {
      read: () => ({ snippets: [...texts].map(([name, text]) => ({ name, text })), faults: [] }),
      save: (name, text) => void (text === undefined ? texts.delete(name) : texts.set(name, text)),
    },
    extensions: {
      list: () => [],
      find: () => undefined,
      run: () => Promise.reject(new Error("there are no extensions")),
    },
    settingsEditor: {
      list: () =>
        settingKeys.map((key) => {
          const own = values.get(key);
          return own === undefined
            ? { key, value: String(SETTINGS[key].default), from: "" }
            : { key, value: own, from: "/home/me/.config/parley/config.json" };
        }),
      async set(key, raw) {
        const value = raw === undefined ? undefined : String(readSetting(key, raw, "settings"));
        if (key === "theme" && value !== undefined && value !== "auto" && !isBuiltInTheme(value))
          throw new ConfigError(`theme must be one of auto, ${Object.keys(BUILT_IN_THEMES).join(", ")}`);
        saved.push([key, value]);
        if (value === undefined) values.delete(key);
        else values.set(key, value);
      },
    },
    themes: {
      list: () =>
        ["auto", ...Object.keys(BUILT_IN_THEMES)].map((name) => ({
          name,
          words: name === "auto" ? name : BUILT_IN_THEMES[name as keyof typeof BUILT_IN_THEMES],
        })),
      chosen,
      make: (name) => makeTheme(3, isBuiltInTheme(name) ? name : "dark"),
    },
  };
  return fake;
}
