/** Adopts folders of earlier versions, which were named after profiles: each is told its app, and those of one app are joined. */
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, rmdirSync } from "node:fs";
import path from "node:path";
import {
  FOLDER_MARK,
  appOfProfile,
  claimFolder,
  findAppFolder,
  foldersIn,
  readAppFolders,
  type AppId,
  type AppFolder,
} from "../config/app-folders.ts";
import { readConfigFile } from "../config/load.ts";
import { openLog } from "../config/log.ts";
import {
  cacheDir,
  dataDir,
  folderName,
  framesFolder,
  providerDir,
  stateDir,
  type Env,
} from "../config/paths.ts";
import { findProfile } from "../config/profiles.ts";
import { ConfigError } from "../config/settings.ts";
import { readOwn, replaceOwn } from "../model/files/own-files.ts";
import { acquireLock } from "../model/files/lock-file.ts";
import { parseObject } from "../model/json-object.ts";
import { localKeyOf } from "../model/files/local-key.ts";

/** How long a start waits for another one that adopts, and between looks; ms. */
const MAX_WAIT = 10_000;
const RETRY_DELAY = 20;

/**
 * Called at the start of each run, before anything can change a profile or erase the embedded provider. A folder that cannot
 * be adopted now, as on a read-only disk, is used as it is. Throws `ConfigError`.
 */
export async function adoptOldFolders(env: Env): Promise<void> {
  if (!hasWork(env)) return;
  try {
    const release = await waitForLock(path.join(stateDir(env), ".adopt.lock"));
    if (!release) return;
    try {
      // Names for completion were kept once for all providers.
      rmSync(path.join(cacheDir(env), "names.json"), { force: true });
      for (const name of readAppFolders(env).unclaimed) adopt(env, name);
      await joinFolders(env);
    } finally {
      release();
    }
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    openLog(env, "warn").warn("folders of an earlier version were not adopted", { error: String(error) });
  }
}

const hasWork = (env: Env): boolean => {
  const { folders, unclaimed } = readAppFolders(env);
  return unclaimed.length > 0 || doubles(folders).length > 0;
};

/** Undefined when another run takes too long. */
async function waitForLock(file: string): Promise<(() => void) | undefined> {
  const deadline = performance.now() + MAX_WAIT;
  for (;;) {
    const release = acquireLock(file);
    if (release || performance.now() > deadline) return release;
    await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY));
  }
}

/** Tells a folder the app of the profile it is named after; the profile may have been removed. */
function adopt(env: Env, name: string): void {
  const names = ["local", ...Object.keys(readConfigFile(env).profiles ?? {})];
  const profile = names.find((each) => folderName(each) === name);
  let app: AppId | undefined;
  try {
    app = profile === undefined ? undefined : appBefore(env, profile);
  } catch (error) {
    // The profile has to be repaired before anything can use the folder.
    if (error instanceof ConfigError) return;
    throw error;
  }
  adoptCache(env, name, app);
  claimFolder(env, name, app ?? {});
}

/**
 * The app whose data an earlier version kept under this profile's name. The embedded provider of the usual folder comes before
 * one of another folder. Without any its data were erased, and what is kept here belonged to them.
 */
function appBefore(env: Env, profile: string): AppId | undefined {
  const [usual, current] = [path.join(dataDir(env), "local"), providerDir(env)];
  const localKey = localKeyOf(usual) ?? localKeyOf(current);
  const found = findProfile(env, profile);
  return found && appOfProfile(found, localKey);
}

/** The cache of a second folder of an app, or of an app that is not known, is deleted: it can be filled again. */
function adoptCache(env: Env, name: string, app: AppId | undefined): void {
  const before = path.join(cacheDir(env), name);
  const cache = app && findAppFolder(env, app, name).places.cache;
  rmSync(framesFolder(env, name), { recursive: true, force: true });
  if (!existsSync(before)) return;
  if (cache === undefined || existsSync(cache)) rmSync(before, { recursive: true, force: true });
  else renameSync(before, cache);
}

/** Folders of one app, the first of which takes the data of the others. */
function doubles(folders: readonly AppFolder[]): { into: AppFolder; from: AppFolder }[] {
  const isSame = (a: AppFolder, b: AppFolder): boolean =>
    a.key !== undefined &&
    a.key === b.key &&
    (a.addresses.length === 0 || a.addresses.some((address) => b.addresses.includes(address)));
  return folders.flatMap((from, n) => {
    const into = folders.slice(0, n).find((each) => isSame(each, from));
    return into ? [{ into, from }] : [];
  });
}

/** Joins the folders of one app; one that another program has open stays until a later start. */
async function joinFolders(env: Env): Promise<void> {
  for (const { into, from } of doubles(readAppFolders(env).folders)) {
    const [source, target] = [path.join(stateDir(env), from.name), path.join(stateDir(env), into.name)];
    if (await moveAll(source, target)) {
      rmSync(path.join(source, FOLDER_MARK), { force: true });
      rmdirSync(source);
    }
  }
}

/** False if a part could not be moved. */
async function moveAll(source: string, target: string): Promise<boolean> {
  const { mergeStateDb } = await import("../core/store/merge-state.ts");
  let isWhole = true;
  for (const name of foldersIn(source)) {
    const [from, into] = [path.join(source, name), path.join(target, name)];
    const isMoved =
      mergeStateDb(path.join(from, "state.db"), path.join(into, "state.db")) && moveFiles(from, into);
    if (isMoved) rmdirSync(from);
    else isWhole = false;
  }
  return isWhole;
}

/** Moves the files of a user or of the campaigns; false while a run holds one of them. */
function moveFiles(from: string, into: string): boolean {
  mkdirSync(into, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(from).filter((each) => each.endsWith(".lock"))) {
    const release = acquireLock(path.join(from, name));
    if (!release) return false;
    release();
  }
  for (const name of readdirSync(from)) moveFile(path.join(from, name), path.join(into, name));
  return true;
}

function moveFile(from: string, into: string): void {
  if (!existsSync(into)) return renameSync(from, into);
  if (!into.endsWith(".ndjson")) return renameSync(from, `${into}.${Date.now().toString(36)}`);
  // Repeating this after a kill changes nothing: a person counts once, however often they are named.
  replaceOwn(into, joinedLines(readOwn(from) ?? "", readOwn(into) ?? ""));
  rmSync(from);
}

/** The lines of two journals or lists of opt-outs; those of `last` decide where they differ. */
function joinedLines(first: string, last: string): string {
  const idOf = (line: string): unknown => parseObject(line)?.id;
  const known = new Set(last.split("\n").map(idOf).filter(Boolean));
  const lines = first.split("\n").filter((line) => line !== "" && !known.has(idOf(line)));
  return lines.map((line) => `${line}\n`).join("") + last;
}
