/** Reads settings from every source and says where each came from: flag > environment > .parley.json > user config > default. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { slipsBetween } from "../text/spelling.ts";
import { configFile } from "./places.ts";
import { ConfigError, SETTINGS, isSettingKey, readSetting, settingKeys } from "./settings.ts";
import type { SettingKey, SettingRow, Settings } from "./settings.ts";

export type Env = Readonly<Record<string, string | undefined>>;

interface Source {
  kind: "flag" | "environment" | "project" | "user" | "default";
  /** `--limit`, `PARLEY_LIMIT`, the file's path, or empty. */
  name: string;
  value: unknown;
}

/** The user's file as it is on disk; profiles and settings sit side by side. */
export interface ConfigFile {
  current?: string;
  profiles?: Record<string, Record<string, unknown>>;
  settings?: Record<string, unknown>;
}

/** Throws `ConfigError` when the file is there and is no JSON object. */
export function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === "ENOENT" ||
      (error as NodeJS.ErrnoException).code === "ENOTDIR"
    )
      return undefined;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new ConfigError(`${file} is not a JSON object. Repair it, or move it away.`);
}

const FILE_KEYS = new Set(["$schema", "current", "profiles", "settings", "__internal__"]);

export function readConfigFile(env: Env): ConfigFile {
  const file = configFile(env);
  const value = readJson(file) ?? {};
  for (const key of Object.keys(value))
    if (!FILE_KEYS.has(key))
      throw new ConfigError(`${file}: there is no '${key}' here; settings go under "settings".`);
  return value as ConfigFile;
}

/** `.parley.json` of the working directory or the nearest folder above it. */
function findProjectFile(from: string): { file: string; values: Record<string, unknown> } | undefined {
  for (let dir = path.resolve(from); ; dir = path.dirname(dir)) {
    const file = path.join(dir, ".parley.json");
    const values = readJson(file);
    if (values) return { file, values };
    if (path.dirname(dir) === dir) return undefined;
  }
}

const SECRET_WORDS = /secret|token|password/i;

interface Loaded {
  settings: Settings;
  /** All sources that name the key, strongest first; the default is always last. */
  sources(key: SettingKey): Source[];
  file: ConfigFile;
}

/** `flags` holds only what was written on the command line. Throws `ConfigError`. */
export function loadSettings(options: { flags: Record<string, unknown>; env: Env; cwd: string }): Loaded {
  const { flags, env, cwd } = options;
  const file = readConfigFile(env);
  const userName = configFile(env);
  const user = file.settings ?? {};
  const project = findProjectFile(cwd);
  const checkKeys = (values: Record<string, unknown>, name: string): void => {
    for (const key of Object.keys(values)) {
      if (key === "$schema") continue;
      if (!isSettingKey(key))
        throw new ConfigError(
          `${name}: there is no setting '${key}'${nearest(key)}. 'parley config list' shows all.`,
        );
    }
  };
  checkKeys(user, userName);
  if (project) {
    for (const key of Object.keys(project.values))
      if (!isSettingKey(key) && SECRET_WORDS.test(key))
        throw new ConfigError(
          `${project.file}: a project may name a profile, never hold a secret ('${key}').`,
        );
    checkKeys(project.values, project.file);
    for (const key of Object.keys(project.values))
      if (isSettingKey(key) && (SETTINGS[key] as SettingRow).project === false)
        throw new ConfigError(`${project.file}: '${key}' may not be set by a project.`);
  }

  const sources = (key: SettingKey): Source[] => {
    const row: SettingRow = SETTINGS[key];
    const found: Source[] = [];
    if (flags[key] !== undefined)
      found.push({
        kind: "flag",
        name: row.flag ?? "",
        value: readSetting(key, flags[key], row.flag ?? "flag"),
      });
    for (const name of row.env ?? []) {
      const text = env[name];
      // An empty variable says nothing, except where empty is a choice of its own.
      if (text === undefined || (text === "" && key !== "pager")) continue;
      found.push({ kind: "environment", name, value: readSetting(key, text, name) });
      break;
    }
    if (project && project.values[key] !== undefined)
      found.push({
        kind: "project",
        name: project.file,
        value: readSetting(key, project.values[key], project.file),
      });
    const own = key === "profile" ? (user[key] ?? file.current) : user[key];
    if (own !== undefined)
      found.push({ kind: "user", name: userName, value: readSetting(key, own, userName) });
    found.push({ kind: "default", name: "", value: row.default });
    return found;
  };

  const settings = Object.fromEntries(
    settingKeys.map((key) => [key, sources(key)[0]!.value]),
  ) as unknown as Settings;
  return { settings, sources, file };
}

/** `, did you mean 'theme'` for a typing error. */
export function nearest(key: string): string {
  const scored = settingKeys
    .map((known) => ({ known, d: slipsBetween(key.toLowerCase(), known.toLowerCase()) }))
    .toSorted((a, b) => a.d - b.d)[0]!;
  return scored.d <= 2 ? `, did you mean '${scored.known}'` : "";
}
