/** The config, state, cache and data folders by XDG, each overridable by environment (specification/storage.md §1). */
import { homedir } from "node:os";
import path from "node:path";

/** Environment variables. */
export type Env = Readonly<Record<string, string | undefined>>;

/** An XDG folder; relative values are ignored, as XDG demands. */
function base(env: Env, name: string, windows: string, ...fallback: string[]): string {
  const set = env[name];
  if (set && path.isAbsolute(set)) return path.join(set, "parley");
  const appData = process.platform === "win32" ? env[windows] : undefined;
  if (appData) return path.join(appData, "parley");
  return path.join(env.HOME || homedir(), ...fallback, "parley");
}

export const configDir = (env: Env): string => base(env, "XDG_CONFIG_HOME", "APPDATA", ".config");
export const stateDir = (env: Env): string => base(env, "XDG_STATE_HOME", "LOCALAPPDATA", ".local", "state");
export const cacheDir = (env: Env): string => base(env, "XDG_CACHE_HOME", "LOCALAPPDATA", ".cache");
export const dataDir = (env: Env): string => base(env, "XDG_DATA_HOME", "APPDATA", ".local", "share");

export const configFile = (env: Env): string => path.join(configDir(env), "config.json");
/** The user's key bindings. */
export const keysFile = (env: Env): string => path.join(configDir(env), "keys.conf");
export const credentialsFile = (env: Env): string => path.join(configDir(env), "credentials.json");
export const logFile = (env: Env): string => path.join(stateDir(env), "parley.log");
/** Data of the embedded provider. */
export const providerDir = (env: Env): string => env.PARLEY_LOCAL_DATA || path.join(dataDir(env), "local");

/** A safe folder name for a profile or user: no separators, no dots, never empty. */
export function folderName(name: string): string {
  const safe = name.replace(/[^\w@-]/g, (c) => `%${c.codePointAt(0)!.toString(16).padStart(2, "0")}`);
  return safe === "" ? "%" : safe.slice(0, 200);
}

/** Where the launcher keeps the last frames of a profile, bound to its settings (bin/ahead.cjs). */
export const framesFolder = (env: Env, profile: string): string =>
  path.join(cacheDir(env), folderName(profile), ".frames");
