/** Finds the folders with the local data of an app: by its key and address, never by a profile's name (specification/storage.md §1). */
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { addressLabel, addressOf } from "../model/address.ts";
import { readOwn, replaceOwn } from "../model/files/own-files.ts";
import { isObject, parseObject } from "../model/json-object.ts";
import { cacheDir, folderName, stateDir, type Env } from "./paths.ts";
import type { Profile } from "./profiles.ts";
import { ConfigError } from "./settings.ts";

/** An app of a provider. Keys of embedded providers are unique, so they need no address, which changes. */
export interface AppId {
  key: string;
  address?: string;
}

/** An app, with its first address if it has several, and the folders of its local data. */
export interface AppPlaces extends AppId {
  /** How the app is written: `k3y@chat.example`. */
  app: string;
  state: string;
  cache: string;
}

/** A folder in the state folder, with the app that it belongs to; without a key it belongs to none that is known. */
export interface AppFolder {
  name: string;
  key?: string;
  /** All lead to the same app. */
  addresses: readonly string[];
}

/** The app that a key and an address lead to. */
export const appAt = (key: string, url: string | undefined): AppId =>
  url === undefined || key.startsWith("local_") ? { key } : { key, address: addressOf(url) };

/** The app of a profile; `localKey` is that of the embedded provider, which has none before its first start. */
export function appOfProfile({ kind, key, url }: Profile, localKey: string | undefined): AppId | undefined {
  const found = kind === "local" ? localKey : key;
  return found === undefined ? undefined : appAt(found, url);
}

/** How an app is written for people. */
export const appLabel = ({ key, address }: AppId): string =>
  `${key}@${address === undefined ? "local" : addressLabel(address)}`;

const MAX_NAME = 200;

/** A folder name that no profile can have, because of its @. */
function folderOf({ key, address }: AppId): string {
  const safe = (text: string): string =>
    encodeURIComponent(text).replace(/[*!'()~]/g, (c) => `%${c.codePointAt(0)!.toString(16)}`);
  const name = `${safe(key)}@${safe(address === undefined ? "local" : addressLabel(address))}`;
  if (name.length <= MAX_NAME) return name;
  return `${name.slice(0, MAX_NAME / 2)}-${createHash("sha256").update(name).digest("hex")}`;
}

/** Names the app that a folder belongs to. */
export const FOLDER_MARK = "app.json";
const appFile = (env: Env, name: string): string => path.join(stateDir(env), name, FOLDER_MARK);

const CAMPAIGNS = "campaigns";
const STATE_FILE = "state.db";

/** Undefined when the folder names no app yet. Throws `ConfigError` for a damaged file. */
function readAppFolder(env: Env, name: string): AppFolder | undefined {
  const file = appFile(env, name);
  const text = readOwn(file);
  if (text === undefined) return undefined;
  const value = parseObject(text);
  const { key, addresses = [] } = value ?? {};
  const isWhole =
    isObject(value) &&
    (key === undefined || typeof key === "string") &&
    Array.isArray(addresses) &&
    addresses.every((address) => typeof address === "string");
  if (!isWhole) throw new ConfigError(`${file} is damaged. Repair it, or move its folder away.`);
  return { name, addresses: addresses as string[], ...(key !== undefined && { key }) };
}

/** The folders that name an app, by name, and the names of those of earlier versions, which name none. */
export function readAppFolders(env: Env): { folders: AppFolder[]; unclaimed: string[] } {
  const folders: AppFolder[] = [];
  const unclaimed: string[] = [];
  for (const name of foldersIn(stateDir(env)).toSorted()) {
    const folder = readAppFolder(env, name);
    if (folder) folders.push(folder);
    else if (isOfProfile(path.join(stateDir(env), name))) unclaimed.push(name);
  }
  return { folders, unclaimed };
}

/** Whether a folder looks like one that an earlier version named after a profile. */
const isOfProfile = (folder: string): boolean =>
  !path.basename(folder).includes("@") &&
  foldersIn(folder).some((name) => name === CAMPAIGNS || existsSync(path.join(folder, name, STATE_FILE)));

/** The names of the folders in a folder. */
export function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** Whether a folder holds the data of this app. */
const belongsTo = ({ key, addresses }: AppFolder, app: AppId): boolean =>
  key === app.key && (app.address === undefined || addresses.includes(app.address));

/**
 * The folder of an app, as it is or would be named. A folder that has the profile's name is preferred, while several belong
 * to the app. `others` are those of the same key at other addresses, if the app has none of its own.
 */
export function findAppFolder(
  env: Env,
  app: AppId,
  profile: string,
): { places: AppPlaces; name: string; others: AppFolder[] } {
  const { folders, unclaimed } = readAppFolders(env);
  const own = folders.filter((folder) => belongsTo(folder, app));
  const oldName = folderName(profile);
  const found = own.find(({ name }) => name === oldName) ?? own[0];
  const [address = app.address] = found?.addresses ?? [];
  // A folder of an earlier version that cannot be claimed, as on a read-only disk, is used as it is.
  const name = found?.name ?? (unclaimed.includes(oldName) ? oldName : folderOf(app));
  const others = name === folderOf(app) && !found ? folders.filter(({ key }) => key === app.key) : [];
  const first: AppId = { key: app.key, ...(address !== undefined && { address }) };
  const state = path.join(stateDir(env), name);
  return {
    name,
    others,
    places: { ...first, app: appLabel(first), state, cache: path.join(cacheDir(env), folderOf(first)) },
  };
}

const textOf = ({ key, address }: Partial<AppId>): string =>
  `${JSON.stringify({ key, addresses: address === undefined ? [] : [address] })}\n`;

/** Writes which app a folder belongs to, unless it says so already; without an app it belongs to none that is known. */
export function claimFolder(env: Env, name: string, app: Partial<AppId>): void {
  const file = appFile(env, name);
  if (existsSync(file)) return;
  const part = `${file}.${process.pid}.part`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(part, textOf(app), { mode: 0o600, flush: true });
    try {
      // Of two programs at once, the first decides.
      linkSync(part, file);
    } finally {
      rmSync(part, { force: true });
    }
  } catch {
    // On a disk that is full or read-only, whatever is stored there next fails with its own error.
  }
}

/** Adds an address that leads to the app of a folder. */
export function addAddress(env: Env, { name, key, addresses }: AppFolder, address: string): void {
  replaceOwn(
    appFile(env, name),
    `${JSON.stringify({ key, addresses: [...new Set([...addresses, address])] })}\n`,
  );
}

/** The databases of a user: the durable state, and the cache that can be rebuilt. */
export const storeFiles = ({ state, cache }: AppPlaces, user: string): { state: string; cache: string } => ({
  state: path.join(state, folderName(user), STATE_FILE),
  cache: path.join(cache, folderName(user), "cache.db"),
});

/** Files of campaigns of an app: journals and opt-outs. */
export const campaignFolder = ({ state }: AppPlaces): string => path.join(state, CAMPAIGNS);
