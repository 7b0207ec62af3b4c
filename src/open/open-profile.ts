/** Opens a client for a profile. */
import { openLog } from "../config/log.ts";
import { isTypeable, emptyNames, saveNames } from "../config/names.ts";
import { appAt, findAppFolder, storeFiles, type AppPlaces } from "../config/app-folders.ts";
import type { Env } from "../config/paths.ts";
import { findProfile, type Profile } from "../config/profiles.ts";
import { ConfigError, type Settings } from "../config/settings.ts";
import type { Core } from "../core/core.ts";
import type { Host, HostOptions, Local, OpenOptions, Opened } from "./host.ts";
import {
  hostedTarget,
  hostedUserOf,
  localUserOf,
  localTarget,
  type ConnectionTarget,
} from "./connection-target.ts";
import { localKeyOf } from "../model/files/local-key.ts";
import { notAllowed, notFound } from "./errors.ts";
import { requirePlaces } from "./local-data.ts";
import { makeCore, type SendAttempts } from "./make-core.ts";
import { limitMemory } from "./memory.ts";
import { prepareNetwork } from "./network.ts";
import { userToken } from "./user-token.ts";

export interface ProfileContext extends HostOptions {
  settings: Settings;
  local: Local;
  /** Time limit from the start of a run, if the user set one; ms. */
  maxWait?: number;
  /** How long an upload may stall, if the user set a time limit; ms. */
  uploadStall?: number;
}

export function profileNamed(env: Env, name: string): Profile {
  const profile = findProfile(env, name);
  if (!profile)
    throw Object.assign(notFound(`There is no profile '${name}'.`), {
      hint: `parley login ${name} adds it; parley profile list lists the profiles`,
    });
  return profile;
}

/** Saves the names in a state for shell completion. */
function saveNamesOf(core: Core, { cache }: AppPlaces): void {
  const { channels, users } = core.state();
  saveNames(cache, {
    ...emptyNames(),
    channel: [...channels.values()]
      .filter(({ cid }) => isTypeable(cid))
      .map(({ cid, channel }) => [cid, channel.name ?? ""]),
    user: [...users.values()].map((u) => [u.id, u.name ?? ""]),
  });
}

/** `isErased`: nothing is stored for its app any more. */
async function closeCore(
  core: Core,
  places: AppPlaces,
  isErased: boolean,
  { env, settings }: Pick<ProfileContext, "env" | "settings">,
): Promise<void> {
  if (!isErased) saveNamesOf(core, places);
  // A failure to close does not fail the run, whose work is done.
  await core
    .close()
    .catch((error: unknown) =>
      openLog(env, settings.log).warn("core did not close in order", { error: String(error) }),
    );
}

const secretMissing = ({ name }: Profile, serverOnly?: string): Error =>
  Object.assign(notAllowed(serverOnly ?? `This needs the app's secret, but profile '${name}' has none.`), {
    hint: `${serverOnly === undefined ? "" : `Profile '${name}' has no app secret. `}See parley help ops, or try it with --profile local.`,
  });

/** The user chosen for this run, which applies only to the current profile. */
const requestedUser = ({ user, profile }: Settings, { name }: Profile): string | undefined =>
  name === profile ? user || undefined : undefined;

/** Connects, and then limits memory, since the run stays. Throws `ConfigError` without a user. */
export function connectAs(
  core: Core,
  user: Opened["user"],
  token: ConnectionTarget["token"],
): ReturnType<Core["connectUser"]> {
  if (user.id === "" || token === undefined)
    throw new ConfigError("A live connection needs a user: add --as <user>.");
  return core.connectUser(user, token).finally(limitMemory);
}

/** Minimum time to find a running provider, however short the time limit of a run; ms. */
export const MIN_PROBE_MS = 1000;

async function targetOf(
  context: ProfileContext,
  profile: Profile,
  options: OpenOptions,
  startedAt: number,
): Promise<ConnectionTarget> {
  const { settings, env, local, maxWait } = context;
  const userId = options.user ?? requestedUser(settings, profile);
  // The embedded provider needs no network, unless Node is set to use a proxy for everything.
  if (profile.kind !== "local" || env.NODE_USE_ENV_PROXY) await prepareNetwork(settings, env);
  if (profile.kind !== "local") return hostedTarget(profile, userId, context, settings, options);
  const until = maxWait === undefined ? {} : { until: startedAt + Math.max(MIN_PROBE_MS, maxWait) };
  const startOptions = {
    ...(options.startAfter ? { startAfter: options.startAfter } : until),
    queue: options.queue === true,
  };
  return localTarget(local, userId ?? profile.user, env, startOptions);
}

/** Tracks the time limit and the attempts of the sends of a run. */
export function createSendWatch(
  options: OpenOptions,
  startedAt: number,
): Pick<Opened, "maybeSent" | "giveUp" | "lastFailure" | "timeLeft" | "resetSend"> & {
  attempts: SendAttempts;
} {
  const attempts: SendAttempts = {
    maybeSent: false,
    inFlight: new Set(),
    hasGivenUp: false,
    abort: new AbortController(),
  };
  let deadline = options.sendWait ? startedAt + options.sendWait.waitMs : Infinity;
  return {
    attempts,
    maybeSent: () => attempts.maybeSent || attempts.inFlight.size > 0,
    async giveUp(within) {
      attempts.hasGivenUp = true;
      const settled = Promise.allSettled(attempts.inFlight);
      if (attempts.inFlight.size > 0)
        await Promise.race([settled, new Promise((resolve) => setTimeout(resolve, within).unref())]);
      // Attempts still in flight are aborted; each then says whether it had a connection over which it may have arrived.
      attempts.abort.abort();
      await settled;
    },
    lastFailure: () => attempts.lastFailure,
    timeLeft: () => Math.max(1, deadline - performance.now()),
    resetSend() {
      attempts.maybeSent = false;
      attempts.hasGivenUp = false;
      attempts.abort = new AbortController();
      attempts.lastFailure = undefined;
      if (options.sendWait) deadline = performance.now() + options.sendWait.waitMs;
    },
  };
}

export async function openProfile(context: ProfileContext, asked: OpenOptions): Promise<Opened> {
  const { settings, env } = context;
  const profile = profileNamed(env, asked.profile ?? settings.profile);
  const startedAt = performance.now();
  const target = await targetOf(context, profile, asked, startedAt);
  const options = {
    ...asked,
    server: asked.server === "ifPossible" ? target.secret !== undefined : asked.server,
  };
  if (options.server && target.secret === undefined) throw secretMissing(profile, options.serverOnly);
  const user = options.server ? { id: "" } : target.user;
  const { attempts, ...watch } = createSendWatch(options, startedAt);
  const coreOpenOptions = options.sendWait
    ? { ...options, sendWait: { ...options.sendWait, waitMs: watch.timeLeft() } }
    : options;
  const app = appAt(target.apiKey, profile.url);
  const places =
    options.inMemory && !options.needsPlaces
      ? findAppFolder(env, app, profile.name).places
      : await requirePlaces(context, app, profile.name);
  const files = storeFiles(places, user.id);
  const core = await makeCore(target, coreOpenOptions, settings, context, files, attempts);
  const { token } = target;
  if (user.id !== "" && token !== undefined) core.setUser(user, token);
  return {
    core,
    profile,
    places,
    user,
    ...watch,
    connect: () => connectAs(core, user, token),
    runsLong: () => limitMemory(),
    close() {
      const isErased = profile.kind === "local" && localKeyOf(context.local.folder) !== places.key;
      return closeCore(core, places, isErased, context);
    },
  };
}

/** Throws `CommandError` (notAllowed) for a profile without a secret. */
export async function appOf(context: ProfileContext, profile: Profile): ReturnType<Host["app"]> {
  const { apiKey: key, secret, clockOffset = 0 } = await targetOf(context, profile, {}, performance.now());
  if (secret === undefined) throw secretMissing(profile);
  const sameClock = profile.kind === "local";
  return {
    key,
    secret,
    tokenFor: (user, lifetime) =>
      userToken({ secret, user, now: Date.now() + clockOffset, lifetime, sameClock }),
  };
}

/** The user, provider and kind of sign-in of a profile, without a request. */
export async function identityOf(
  { settings, env, local }: ProfileContext,
  profile: Profile,
): ReturnType<Host["identity"]> {
  const isLocal = profile.kind === "local";
  return {
    profile: profile.name,
    kind: profile.kind,
    user:
      settings.user ||
      (isLocal ? profile.user || localUserOf(env).id : hostedUserOf(profile, env) || "(server)"),
    url: isLocal ? ((await local.find())?.url ?? "(not running)") : profile.url!,
    protected: profile.protected === true,
  };
}
