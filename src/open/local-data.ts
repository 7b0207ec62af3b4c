/** The local data of apps: asks whom they belong to, counts unsent messages, and deletes them. */
import { rm, rmdir } from "node:fs/promises";
import path from "node:path";
import {
  FOLDER_MARK,
  addAddress,
  appLabel,
  appOfProfile,
  claimFolder,
  findAppFolder,
  foldersIn,
  readAppFolders,
  type AppId,
  type AppPlaces,
} from "../config/app-folders.ts";
import { framesFolder, providerDir, stateDir, type Env } from "../config/paths.ts";
import { listProfiles, type Profile } from "../config/profiles.ts";
import { localKeyOf } from "../model/files/local-key.ts";
import { commandError, notFound } from "./errors.ts";
import type { HostOptions, LocalData } from "./host.ts";

const STORE_FILES = ["state.db", "state.db-wal", "state.db-shm"];

/** The app of a profile; undefined before the first start of the embedded provider. */
const appOfNow = (env: Env, profile: Profile): AppId | undefined =>
  appOfProfile(profile, localKeyOf(providerDir(env)));

/**
 * The folders of an app's data for reading and writing. Asks once when its key was used at another address: the app may be
 * the same. Throws `CommandError` (conflict) when nobody can be asked.
 */
export async function requirePlaces(
  { env, askSameApp }: Pick<HostOptions, "env" | "askSameApp">,
  app: AppId,
  profile: string,
): Promise<AppPlaces> {
  const { name, others, places } = findAppFolder(env, app, profile);
  for (const other of others) {
    const [before = ""] = other.addresses;
    const isSame = await askSameApp?.(
      `Data of ${appLabel({ key: app.key, address: before })} are on this machine. Does ${app.address} lead to the same app, so that they belong to it?`,
    );
    if (isSame === undefined) throw undecided(profile, app, before);
    if (!isSame) continue;
    addAddress(env, other, app.address!);
    return requirePlaces({ env }, app, profile);
  }
  claimFolder(env, name, app);
  return places;
}

const undecided = (profile: string, { key, address }: AppId, before: string): Error =>
  Object.assign(
    commandError(
      "conflict",
      `The key ${key} was used at ${before} before, and it is not known whether ${address} leads to the same app.`,
    ),
    {
      hint: `parley profile data ${profile} --same ${before} if it does, parley profile data ${profile} --new if it does not`,
    },
  );

/** Decides the question of `requirePlaces`: the data at this address are those of the app, or it has data of its own. */
export function decideApp(env: Env, profile: Profile, same: string | undefined): void {
  const app = appOfNow(env, profile);
  if (app?.address === undefined)
    throw commandError("conflict", "The embedded provider is known by its key.");
  const { name, others } = findAppFolder(env, app, profile.name);
  if (same === undefined) return claimFolder(env, name, app);
  const other = others.find(({ addresses }) => addresses.includes(same));
  if (!other)
    throw notFound(
      `No data of the key ${app.key} at ${same} can be taken over: there are none, or ${app.address} has data of its own.`,
    );
  addAddress(env, other, app.address);
}

const unsentIn = async (state: string): Promise<number> => {
  const { countUnsent } = await import("../core/store/count-unsent.ts");
  return foldersIn(state).reduce(
    (sum, user) => sum + countUnsent(path.join(state, user, STORE_FILES[0]!)),
    0,
  );
};

/** Where the data of a profile's app are, and who shares them; undefined before the first start of the embedded provider. */
export async function localDataOf(env: Env, profile: Profile): Promise<LocalData | undefined> {
  const app = appOfNow(env, profile);
  if (!app) return undefined;
  const { places, others } = findAppFolder(env, app, profile.name);
  const profiles: string[] = [];
  for (const other of listProfiles(env)) {
    const its = other.name === profile.name ? undefined : appOfNow(env, other);
    if (its && findAppFolder(env, its, other.name).places.state === places.state) profiles.push(other.name);
  }
  return {
    ...places,
    unsent: await unsentIn(places.state),
    profiles,
    undecided: others.flatMap(({ addresses }) => addresses.slice(0, 1)),
  };
}

/** Apps with unsent messages here that no profile leads to; undefined for one that is not known. */
export async function strandedData(env: Env): Promise<{ app: string | undefined; unsent: number }[]> {
  const used = listProfiles(env).flatMap((profile) => {
    const app = appOfNow(env, profile);
    return app ? [findAppFolder(env, app, profile.name).name] : [];
  });
  const found: { app: string | undefined; unsent: number }[] = [];
  for (const { name, key, addresses } of readAppFolders(env).folders) {
    const unsent = used.includes(name) ? 0 : await unsentIn(path.join(stateDir(env), name));
    const [address] = addresses;
    const app = key === undefined ? undefined : appLabel({ key, ...(address !== undefined && { address }) });
    if (unsent > 0) found.push({ app, unsent });
  }
  return found;
}

/** Deletes the cache, drafts and unsent messages; campaign journals and opt-outs stay. */
export async function deleteMessages({ state, cache }: Pick<AppPlaces, "state" | "cache">): Promise<void> {
  await rm(cache, { recursive: true, force: true });
  for (const user of foldersIn(state)) {
    for (const name of STORE_FILES) await rm(path.join(state, user, name), { force: true });
    await rmdir(path.join(state, user)).catch(() => {});
  }
  if (foldersIn(state).length > 0) return;
  await rm(path.join(state, FOLDER_MARK), { force: true });
  await rmdir(state).catch(() => {});
}

/** Deletes everything of an embedded provider whose data were erased. */
export async function deleteAppData(env: Env, app: AppId): Promise<void> {
  const { places } = findAppFolder(env, app, "local");
  for (const folder of [places.cache, places.state, framesFolder(env, "local")])
    await rm(folder, { recursive: true, force: true });
}
