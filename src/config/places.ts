/** The config, state, cache and data folders by XDG, each overridable by environment (specification/storage.md §1). */
import { homedir } from "node:os";
import path from "node:path";

type Env = Readonly<Record<string, string | undefined>>;

/** A folder of the XDG kind: a relative value counts as none, as XDG wants it. */
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
/** The person's own keys. */
export const keysFile = (env: Env): string => path.join(configDir(env), "keys.conf");
export const credentialsFile = (env: Env): string => path.join(configDir(env), "credentials.json");
export const logFile = (env: Env): string => path.join(stateDir(env), "parley.log");
/** The embedded provider's data. */
export const providerDir = (env: Env): string => env.PARLEY_LOCAL_DATA || path.join(dataDir(env), "local");

/** One folder name from a profile's or user's name: never a separator, a dot name or an empty one. */
export function folderName(name: string): string {
  const safe = name.replace(/[^\w@-]/g, (c) => `%${c.codePointAt(0)!.toString(16).padStart(2, "0")}`);
  return safe === "" ? "%" : safe.slice(0, 200);
}

/** Durable and rebuildable store of a profile and user. */
export function storeFiles(env: Env, profile: string, user: string): { state: string; cache: string } {
  const below = [folderName(profile), folderName(user)];
  return {
    state: path.join(stateDir(env), ...below, "state.db"),
    cache: path.join(cacheDir(env), ...below, "cache.db"),
  };
}

/** The folders with what is kept of a profile, a folder a user in each. */
export const profileFolders = (env: Env, profile: string): { state: string; cache: string } => ({
  state: path.join(stateDir(env), folderName(profile)),
  cache: path.join(cacheDir(env), folderName(profile)),
});

/** What commands keep of a profile on this machine: journals of campaigns, who wants none. */
export const keptFolder = (env: Env, profile: string): string =>
  path.join(stateDir(env), folderName(profile), "campaigns");
