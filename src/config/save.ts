/** Writes the user's config file through conf: atomically, 0600, in a 0700 folder; conf is loaded only here. */
import { chmodSync, mkdirSync } from "node:fs";
import { asStoreFailure } from "../model/files/storage.ts";
import { readConfigFile, type ConfigFile } from "./load.ts";
import { configDir, type Env } from "./paths.ts";

/** Reads, changes and writes the file. Throws `ConfigError` for an unreadable file, which is left as it is. */
export async function changeConfig(env: Env, change: (file: ConfigFile) => void): Promise<void> {
  const file = readConfigFile(env);
  change(file);
  const dir = configDir(env);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const { default: Conf } = await import("conf");
  const conf = new Conf<Record<string, unknown>>({
    cwd: dir,
    configName: "config",
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    clearInvalidConfig: false,
    projectName: "parley",
    projectSuffix: "",
  });
  try {
    conf.store = { ...file };
  } catch (error) {
    throw asStoreFailure(error, conf.path);
  }
  if (process.platform !== "win32") chmodSync(conf.path, 0o600);
}

/** Saves one setting; `undefined` removes it. `readSetting` has checked the value before. */
export async function saveSetting(env: Env, key: string, value: unknown): Promise<void> {
  await changeConfig(env, (file) => {
    const settings = { ...file.settings };
    if (value === undefined) delete settings[key];
    else settings[key] = value;
    file.settings = settings;
    // `current` is the older key for the profile; both must not contradict each other.
    if (key === "profile") delete file.current;
  });
}
