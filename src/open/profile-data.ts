/** Counts the unsent messages of a profile's users, and deletes their local data. */
import { readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import { profileFolders, type Env } from "../config/paths.ts";

const STORE_FILES = ["state.db", "state.db-wal", "state.db-shm"];

const usersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));

/** Counts the unsent messages of all users of the profile. */
export async function countProfileUnsent(env: Env, profile: string): Promise<number> {
  const { countUnsent } = await import("../core/store/count-unsent.ts");
  const users = await usersIn(profileFolders(env, profile).state);
  return users.reduce((sum, user) => sum + countUnsent(path.join(user, STORE_FILES[0]!)), 0);
}

/** Deletes the cache, drafts and unsent messages; campaign journals and opt-outs stay. */
export async function deleteProfileData(env: Env, profile: string): Promise<void> {
  const { state, cache } = profileFolders(env, profile);
  await rm(cache, { recursive: true, force: true });
  for (const user of await usersIn(state)) {
    for (const name of STORE_FILES) await rm(path.join(user, name), { force: true });
    await rmdir(user).catch(() => {});
  }
  await rmdir(state).catch(() => {});
}
