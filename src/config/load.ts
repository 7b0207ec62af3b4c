/** Reads settings from every source and reports where each came from: flag > environment > .parley.json > user config > default. */
import path from "node:path";
import { didYouMean } from "../text/spelling.ts";
import { configFile, type Env } from "./paths.ts";
import { themeProblem } from "./themes.ts";
import {
  ConfigError,
  SETTINGS,
  isSettingKey,
  readSetting,
  settingKeys,
  type SettingKey,
  type SettingRow,
  type Settings,
} from "./settings.ts";
import { isObject, parseObject } from "../model/json-object.ts";
import { readSmallFile } from "../model/files/small-file.ts";

interface Source {
  kind: "flag" | "environment" | "project" | "user" | "default";
  /** `--limit`, `PARLEY_LIMIT`, the file's path, or empty. */
  name: string;
  value: unknown;
}

/** The user's config file. */
export interface ConfigFile {
  current?: string;
  profiles?: Record<string, Record<string, unknown>>;
  settings?: Record<string, unknown>;
  /** The user's own command names. */
  aliases?: Record<string, string>;
}

/** Undefined when the file is missing. Throws `ConfigError` when it is not a JSON object. */
export function readJson(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readSmallFile(file);
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code === "ENOENT" ||
      (error as NodeJS.ErrnoException).code === "ENOTDIR"
    )
      return undefined;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const value = parseObject(text);
  if (value) return value;
  throw new ConfigError(`${file} is not a JSON object. Repair it, or move it away.`);
}

const FILE_KEYS = new Set(["$schema", "current", "profiles", "settings", "aliases", "__internal__"]);

export const readConfigFile = (env: Env): ConfigFile => readConfigAt(configFile(env));

/** Throws `ConfigError` for an unknown setting or an invalid value. */
export function checkConfigFile(name: string): void {
  const { settings = {} } = readConfigAt(name);
  checkKeys(settings, name);
  for (const [key, value] of Object.entries(settings)) if (isSettingKey(key)) readSetting(key, value, name);
}

function readConfigAt(file: string): ConfigFile {
  const value = readJson(file) ?? {};
  for (const key of Object.keys(value))
    if (!FILE_KEYS.has(key))
      throw new ConfigError(`${file}: unknown key '${key}'; settings go under "settings".`);
  for (const key of ["profiles", "settings", "aliases"])
    if (value[key] !== undefined && !isObject(value[key]))
      throw new ConfigError(`${file}: ${key} is not a JSON object. Repair it, or move the file away.`);
  return value as ConfigFile;
}

/** `.parley.json` of the working directory or the nearest folder above it. */
function findProjectFile(from: string): Project | undefined {
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
  /** All sources that set the key, strongest first; the default is always last. */
  sources(key: SettingKey): Source[];
  file: ConfigFile;
}

/** `flags` holds only flags given on the command line. Throws `ConfigError`. */
export function loadSettings(options: { flags: Record<string, unknown>; env: Env; cwd: string }): Loaded {
  const { flags, env, cwd } = options;
  const file = readConfigFile(env);
  const project = findProjectFile(cwd);
  checkKeys(file.settings ?? {}, configFile(env));
  if (project) checkProject(project);
  const inputs = { flags, env, project, file };
  const sources = (key: SettingKey): Source[] => sourcesOf(key, inputs);
  const settings = Object.fromEntries(
    settingKeys.map((key) => [key, sources(key)[0]!.value]),
  ) as unknown as Settings;
  const fault = themeProblem(env, settings.theme);
  if (fault) throw new ConfigError(`${originOf(sources("theme")[0]!)}: ${fault}.`);
  return { settings, sources, file };
}

/** How errors name a source. */
const originOf = ({ kind, name }: Source): string => name || kind;

function checkKeys(values: Record<string, unknown>, name: string): void {
  for (const key of Object.keys(values))
    if (key !== "$schema" && !isSettingKey(key))
      throw new ConfigError(
        `${name}: there is no setting '${key}'${didYouMeanSetting(key)}. 'parley config list' shows all.`,
      );
}

/** A `.parley.json`, shared by everybody who works in its folder. */
interface Project {
  file: string;
  values: Record<string, unknown>;
}

function checkProject({ file, values }: Project): void {
  for (const key of Object.keys(values))
    if (!isSettingKey(key) && SECRET_WORDS.test(key))
      throw new ConfigError(`${file}: a project must not contain secrets ('${key}').`);
  checkKeys(values, file);
  for (const key of Object.keys(values))
    if (isSettingKey(key) && (SETTINGS[key] as SettingRow).project === false)
      throw new ConfigError(`${file}: '${key}' may not be set by a project.`);
}

/** Everything a setting can come from. */
interface SettingInputs {
  flags: Record<string, unknown>;
  env: Env;
  project: Project | undefined;
  file: ConfigFile;
}

function sourcesOf(key: SettingKey, { flags, env, project, file }: SettingInputs): Source[] {
  const row: SettingRow = SETTINGS[key];
  const found: Source[] = [];
  const add = (kind: Source["kind"], name: string, raw: unknown, label = name): void => {
    if (raw !== undefined) found.push({ kind, name, value: readSetting(key, raw, label) });
  };
  add("flag", row.flag ?? "", flags[key], row.flag ?? "flag");
  // An empty variable counts as unset, except for the pager, where empty means none.
  const variable = row.env?.find((name) => env[name] !== undefined && (env[name] !== "" || key === "pager"));
  if (variable !== undefined) add("environment", variable, env[variable]);
  if (project) add("project", project.file, project.values[key]);
  const userValue = file.settings?.[key];
  add("user", configFile(env), key === "profile" ? (userValue ?? file.current) : userValue);
  return [...found, { kind: "default", name: "", value: row.default }];
}

/** `, did you mean 'theme'` for a typing error. */
export const didYouMeanSetting = (key: string): string => didYouMean(key, settingKeys);
