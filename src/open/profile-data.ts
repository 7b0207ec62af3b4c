/** The local data of a profile's users: how much is unsent, and deleting it. */
import { readdir, rm, rmdir } from "node:fs/promises";
import path from "node:path";
import type { Env } from "../config/load.ts";
import { profileFolders } from "../config/paths.ts";

/** Files of the durable store. */
const STORE = ["state.db", "state.db-wal", "state.db-shm"];

const usersIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(folder, entry.name));

/** Messages of all users of the profile. */
export async function waitingOf(env: Env, profile: string): Promise<number> {
  const { countUnsent } = await import("../core/store/count-unsent.ts");
  const users = await usersIn(profileFolders(env, profile).state);
  return users.reduce((sum, user) => sum + countUnsent(path.join(user, STORE[0]!)), 0);
}

/** The cache, drafts and what waits; journals of campaigns and who wants none of them stay. */
export async function forgetKept(env: Env, profile: string): Promise<void> {
  const { state, cache } = profileFolders(env, profile);
  await rm(cache, { recursive: true, force: true });
  for (const user of await usersIn(state)) {
    for (const name of STORE) await rm(path.join(user, name), { force: true });
    await rmdir(user).catch(() => {});
  }
  await rmdir(state).catch(() => {});
}
