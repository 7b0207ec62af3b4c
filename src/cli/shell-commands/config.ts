/** `parley config …`: shows, changes and explains settings. */
import { loadSettings } from "../../config/load.ts";
import * as places from "../../config/places.ts";
import { saveSetting } from "../../config/save.ts";
import { SETTINGS, isSettingKey, readSetting, settingKeys } from "../../config/settings.ts";
import type { SettingKey, SettingRow } from "../../config/settings.ts";
import { nearest } from "../../config/load.ts";
import { ExitError } from "../base/exit.ts";
import { settingFlags } from "../base/globals.ts";
import { openResults } from "../output/results.ts";
import type { Shell } from "../base/shell.ts";
import { say } from "../base/shell.ts";
import type { OwnRun } from "./kit.ts";

function keyOf(text: unknown): SettingKey {
  const key = String(text);
  if (isSettingKey(key)) return key;
  throw new ExitError(2, `There is no setting '${key}'${nearest(key)}.`, "parley config list");
}

/** A duration in the words it is written in. */
function settingText(key: SettingKey, value: unknown): string {
  const row: SettingRow = SETTINGS[key];
  if (row.type !== "duration" || typeof value !== "number") return String(value);
  return value % 60_000 === 0 && value > 0
    ? `${value / 60_000}m`
    : value % 1000 === 0
      ? `${value / 1000}s`
      : `${value}ms`;
}

const loaded = (shell: Shell): ReturnType<typeof loadSettings> =>
  loadSettings({ flags: settingFlags(shell.flags), env: shell.env, cwd: process.cwd() });

const config: OwnRun = async (shell, values, path) => {
  switch (path) {
    case "config list": {
      const { sources } = loaded(shell);
      const results = openResults(shell, true);
      for (const key of settingKeys) {
        const from = sources(key)[0]!;
        const value = settingText(key, from.value);
        await results.item(
          { key, value: from.value, source: from.kind, name: from.name },
          { kind: "table", columns: ["setting", "value", "from"], rows: [[key, value, from.kind]] },
        );
      }
      await results.end();
      return 0;
    }
    case "config get": {
      const key = keyOf(values.key);
      const { value } = loaded(shell).sources(key)[0]!;
      const results = openResults(shell, false);
      await results.item({ key, value }, { kind: "line", text: settingText(key, value) });
      await results.end();
      return 0;
    }
    case "config set": {
      const key = keyOf(values.key);
      const value = readSetting(key, values.value, "config set");
      await saveSetting(shell.env, key, value);
      say(shell, `${key} = ${settingText(key, value)}`);
      return 0;
    }
    case "config unset": {
      await saveSetting(shell.env, keyOf(values.key), undefined);
      return 0;
    }
    case "config explain": {
      const key = keyOf(values.key);
      const row: SettingRow = SETTINGS[key];
      const results = openResults(shell, true);
      for (const [n, source] of loaded(shell).sources(key).entries()) {
        const where = source.name ? `${source.kind} ${source.name}` : source.kind;
        await results.item(
          { key, ...source, used: n === 0, words: row.words },
          {
            kind: "table",
            columns: ["from", "value", "used"],
            rows: [[where, settingText(key, source.value), n === 0]],
          },
        );
      }
      await results.end();
      return 0;
    }
    default: {
      const results = openResults(shell, false);
      const where = {
        config: places.configFile(shell.env),
        credentials: places.credentialsFile(shell.env),
        state: places.stateDir(shell.env),
        cache: places.cacheDir(shell.env),
        local: places.providerDir(shell.env),
        log: places.logFile(shell.env),
      };
      await results.item(where, { kind: "fields", fields: Object.entries(where) });
      await results.end();
      return 0;
    }
  }
};
export default config;
