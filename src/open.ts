/** Creates the host: settings, profiles, the embedded provider, and a client for a profile. */
import { loadSettings } from "./config/load.ts";
import { findProfile, listProfiles, type Profile } from "./config/profiles.ts";
import { saveSetting } from "./config/save.ts";
import type { Settings } from "./config/settings.ts";
import { decideApp, deleteMessages, localDataOf, strandedData } from "./open/local-data.ts";
import { createLocal, type LocalLimits } from "./open/local.ts";
import {
  MIN_PROBE_MS,
  appOf,
  identityOf,
  openProfile,
  profileNamed,
  type ProfileContext,
} from "./open/open-profile.ts";
import { IdleCollector } from "./open/memory.ts";
import { osUser } from "./open/user.ts";
import type { Host, HostOptions } from "./open/host.ts";

export { adoptOldFolders } from "./open/adopt-folders.ts";
export type {
  Host,
  HostHooks,
  Local,
  LocalData,
  LocalProvider,
  LocalState,
  Opened,
  OpenOptions,
  ReadSource,
} from "./open/host.ts";

/** Time limits and notices for requests to the embedded provider. */
const localBounds = (
  { settings: { timeout, retries }, onSlow, notice }: HostOptions & { settings: Settings },
  maxWait: number | undefined,
): LocalLimits => ({
  timeout,
  retries,
  ...(maxWait !== undefined && { until: performance.now() + Math.max(MIN_PROBE_MS, maxWait) }),
  ...(onSlow && { onSlow }),
  ...(notice && { notice }),
});

/** Throws `ConfigError` when settings or profiles cannot be read. */
export function createHost(options: HostOptions): Host {
  const { env, version } = options;
  const { settings, sources } = loadSettings(options);
  const context = { ...options, settings };
  // These limits cover the start of the provider only if the user set them; a default does not count.
  const ifSet = (key: "maxWait" | "timeout"): number | undefined =>
    sources(key).length > 1 ? settings[key] : undefined;
  const maxWait = ifSet("maxWait");
  const uploadStall = ifSet("timeout");
  const local = createLocal(env, options.launcher, () => osUser(env), {
    version,
    limits: localBounds(context, maxWait),
  });
  const profiles: ProfileContext = {
    ...context,
    local,
    ...(maxWait !== undefined && { maxWait }),
    ...(uploadStall !== undefined && { uploadStall }),
  };
  const current = (): Profile => profileNamed(env, settings.profile);

  const host: Host = {
    settings,
    version,
    open: (openOptions = {}) => openProfile(profiles, openOptions),
    openSource: async (source) => (await import("./open/open-source.ts")).openSource(profiles, source),
    local,
    withLocalData: (folder) =>
      createHost({ ...options, env: { ...env, PARLEY_LOCAL_DATA: folder, PARLEY_LOCAL_SEED: "none" } }),
    signIn: async (request) => (await import("./open/sign-in.ts")).signInTo(host, env, request),
    tryProfile: async (name, signal) => (await import("./open/sign-in.ts")).tryProfile(host, name, signal),
    now() {
      const ahead = local.clockAhead();
      // The profile is read from its file each time, which an archive would do for every message.
      return Date.now() + (ahead !== 0 && current().kind === "local" ? ahead : 0);
    },
    startProvider: () => local.start(false),
    settingsNow: () => loadSettings(options),
    saveSetting: (key, value) => saveSetting(env, key, value),
    profileOf: (name) => findProfile(env, name),
    profiles: () => listProfiles(env),
    localData: (profile) => localDataOf(env, profileNamed(env, profile)),
    strandedData: () => strandedData(env),
    deleteMessages,
    decideApp: (profile, same) => decideApp(env, profileNamed(env, profile), same),
    identity: async () => identityOf(profiles, current()),
    keyFaults: () => Promise.resolve([]),
    app: () => appOf(profiles, current()),
    memory: new IdleCollector(),
    screen: () => Promise.reject(new Error("the host has no screen")),
  };
  return host;
}
