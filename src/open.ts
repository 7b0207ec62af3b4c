/** What a face needs to reach a provider: settings, profiles, the embedded provider, and a client for a profile. */
import { loadSettings } from "./config/load.ts";
import { findProfile, listProfiles, type Profile } from "./config/profiles.ts";
import { saveSetting } from "./config/save.ts";
import type { Settings } from "./config/settings.ts";
import { forgetKept, waitingOf } from "./open/profile-data.ts";
import { createLocal, type Bounds } from "./open/local.ts";
import {
  LOOK,
  appOf,
  identityOf,
  openProfile,
  profileNamed,
  type ProfileContext,
} from "./open/open-profile.ts";
import { SpareMemory } from "./open/memory.ts";
import { osUser } from "./open/user.ts";
import type { Host, HostOptions } from "./open/host.ts";

export type { Host, HostWishes, Local, LocalProvider, LocalState, Opened } from "./open/host.ts";
export { limitMemory } from "./open/memory.ts";

/** How long questions to the embedded provider may take, and who is told what it has to say. */
const localBounds = (
  { settings: { timeout, retries }, waits, notice }: HostOptions & { settings: Settings },
  maxWait: number | undefined,
): Bounds => ({
  timeout,
  retries,
  ...(maxWait !== undefined && { until: performance.now() + Math.max(LOOK, maxWait) }),
  ...(waits && { waits }),
  ...(notice && { notice }),
});

/** Throws `ConfigError` when settings or profiles cannot be read. */
export function createHost(options: HostOptions): Host {
  const { env, version } = options;
  const { settings, sources } = loadSettings(options);
  const context = { ...options, settings };
  // Only who names a time has it counted from the first step on.
  const named = (key: "maxWait" | "timeout"): number | undefined =>
    sources(key).length > 1 ? settings[key] : undefined;
  const maxWait = named("maxWait");
  const uploadStall = named("timeout");
  const local = createLocal(env, options.launcher, () => osUser(env), {
    version,
    bounds: localBounds(context, maxWait),
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
    open: (how = {}) => openProfile(profiles, how),
    local,
    signIn: async (request) => (await import("./open/sign-in.ts")).signInTo(host, env, request),
    tryProfile: async (name, signal) => (await import("./open/sign-in.ts")).tryProfile(host, name, signal),
    now: () => Date.now() + (current().kind === "local" ? local.ahead() : 0),
    startProvider: () => local.start(false),
    settingsNow: () => loadSettings(options),
    saveSetting: (key, value) => saveSetting(env, key, value),
    profileOf: (name) => findProfile(env, name),
    profiles: () => listProfiles(env),
    waitingOf: (profile) => waitingOf(env, profile),
    forgetKept: (profile) => forgetKept(env, profile),
    identity: async () => identityOf(profiles, current()),
    keyFaults: () => Promise.resolve([]),
    app: () => appOf(profiles, current()),
    memory: new SpareMemory(),
    screen: () => Promise.reject(new Error("no screen was given")),
  };
  return host;
}
