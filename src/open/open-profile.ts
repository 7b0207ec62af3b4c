/** Opens a client for a profile's user, from the profile's name. */
import type { Env } from "../config/load.ts";
import { openLog } from "../config/log.ts";
import { isTypeable, emptyNames, saveNames } from "../config/names.ts";
import { storeFiles } from "../config/paths.ts";
import { findProfile, type Profile } from "../config/profiles.ts";
import { ConfigError, type Settings } from "../config/settings.ts";
import type { Core } from "../core/core.ts";
import type { Host, HostOptions, Local, OpenOptions, Opened } from "./host.ts";
import {
  hostedTarget,
  hostedPerson,
  localPerson,
  localTarget,
  type ConnectionTarget,
} from "./connection-target.ts";
import { notAllowed, notFound } from "./fault.ts";
import { makeCore, type Tries } from "./make-core.ts";
import { limitMemory } from "./memory.ts";
import { prepareNetwork } from "./network.ts";
import { userToken } from "./user-token.ts";

/** What a profile is opened with. */
export interface ProfileContext extends HostOptions {
  settings: Settings;
  local: Local;
  /** Milliseconds from the start of a run, when the person named them. */
  maxWait?: number;
  /** How long an upload may stand still, milliseconds, when the person named a time limit. */
  uploadStall?: number;
}

export function profileNamed(env: Env, name: string): Profile {
  const profile = findProfile(env, name);
  if (!profile)
    throw Object.assign(notFound(`There is no profile '${name}'.`), {
      hint: `parley login ${name} adds it, parley profile list shows what there is`,
    });
  return profile;
}

/** Ends a core; the names it has met can be completed from then on. */
async function closeCore(core: Core, env: Env, settings: Settings): Promise<void> {
  const { channels, users } = core.state();
  saveNames(env, {
    ...emptyNames(),
    channel: [...channels.values()]
      .filter(({ cid }) => isTypeable(cid))
      .map(({ cid, channel }) => [cid, channel.name ?? ""]),
    user: [...users.values()].map((u) => [u.id, u.name ?? ""]),
  });
  // What was reached stands, whatever the way out says.
  await core
    .close()
    .catch((error: unknown) =>
      openLog(env, settings.log).warn("core did not close in order", { error: String(error) }),
    );
}

const serverSide = ({ name }: Profile): Error =>
  Object.assign(notAllowed(`This needs the app's secret, and profile '${name}' holds none.`), {
    hint: "parley help ops shows how to give it one; --profile local has one to try it with.",
  });

/** Who was named for this run belongs to its own profile. */
const userNamed = ({ user, profile }: Settings, { name }: Profile): string | undefined =>
  name === profile ? user || undefined : undefined;

/** Who connects stays, so its memory is kept small. Throws `ConfigError` where nobody is named. */
function connectAs(
  core: Core,
  user: Opened["user"],
  token: ConnectionTarget["token"],
): ReturnType<Core["connectUser"]> {
  if (user.id === "" || token === undefined)
    throw new ConfigError("A live connection needs a user: add --as <user>.");
  limitMemory();
  return core.connectUser(user, token);
}

/** However short the time of a run is, a provider that is there is found in it, milliseconds. */
export const LOOK = 1000;

/** Where a profile leads, and as whom. */
async function targetOf(
  context: ProfileContext,
  profile: Profile,
  how: OpenOptions,
  began: number,
): Promise<ConnectionTarget> {
  const { settings, env, local, maxWait } = context;
  const asked = how.user ?? userNamed(settings, profile);
  // Nothing of the embedded provider's leaves the machine, unless Node was told to take a proxy for everything.
  if (profile.kind !== "local" || env.NODE_USE_ENV_PROXY) await prepareNetwork(settings, env);
  if (profile.kind !== "local") return hostedTarget(profile, asked, context, settings, how);
  const until = maxWait === undefined ? {} : { until: began + Math.max(LOOK, maxWait) };
  const when = { ...(how.after ? { after: how.after } : until), queue: how.queue === true };
  return localTarget(local, asked ?? profile.user, env, when);
}

/** How long one send of a run may take, and whether it may have reached the provider. */
function createSendWatch(
  how: OpenOptions,
  began: number,
): Pick<Opened, "maybeSent" | "giveUp" | "lost" | "left" | "again"> & { tries: Tries } {
  const tries: Tries = { maybeSent: false, underway: new Set(), over: false, cut: new AbortController() };
  let ends = how.sendWait ? began + how.sendWait.waitMs : Infinity;
  return {
    tries,
    maybeSent: () => tries.maybeSent || tries.underway.size > 0,
    async giveUp(within) {
      tries.over = true;
      const landed = Promise.allSettled(tries.underway);
      if (tries.underway.size > 0)
        await Promise.race([landed, new Promise((resolve) => setTimeout(resolve, within).unref())]);
      // Whoever gave up does not wait for what is still on its way, however long one request may take.
      tries.maybeSent ||= tries.underway.size > 0;
      tries.cut.abort();
    },
    lost: () => tries.lost,
    left: () => Math.max(1, ends - performance.now()),
    again() {
      tries.maybeSent = false;
      tries.over = false;
      tries.cut = new AbortController();
      tries.lost = undefined;
      if (how.sendWait) ends = performance.now() + how.sendWait.waitMs;
    },
  };
}

export async function openProfile(context: ProfileContext, how: OpenOptions): Promise<Opened> {
  const { settings, env } = context;
  const profile = profileNamed(env, how.profile ?? settings.profile);
  const began = performance.now();
  const target = await targetOf(context, profile, how, began);
  if (how.server && target.secret === undefined) throw serverSide(profile);
  const user = how.server ? { id: "" } : target.user;
  const { tries, ...watch } = createSendWatch(how, began);
  const inTime = how.sendWait ? { ...how, sendWait: { ...how.sendWait, waitMs: watch.left() } } : how;
  const files = storeFiles(env, profile.name, user.id);
  const core = await makeCore(target, inTime, settings, context, files, tries);
  const { token } = target;
  if (user.id !== "" && token !== undefined) core.setUser(user, token);
  return {
    core,
    profile,
    user,
    ...watch,
    connect: () => connectAs(core, user, token),
    runsLong: () => limitMemory(),
    close: () => closeCore(core, env, settings),
  };
}

/** Throws `CommandError` (notAllowed) for a profile that holds no secret. */
export async function appOf(context: ProfileContext, profile: Profile): ReturnType<Host["app"]> {
  const {
    apiKey: key,
    secret,
    clockOffset: ahead = 0,
  } = await targetOf(context, profile, {}, performance.now());
  if (secret === undefined) throw serverSide(profile);
  const sameClock = profile.kind === "local";
  return {
    key,
    secret,
    tokenFor: (user, lasts) => userToken({ secret, user, now: Date.now() + ahead, lasts, sameClock }),
  };
}

/** Who would speak, where and how; asks nobody. */
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
      (isLocal ? profile.user || localPerson(env).id : hostedPerson(profile, env) || "(server)"),
    url: isLocal ? ((await local.find())?.url ?? "(not running)") : profile.url!,
    protected: profile.protected === true,
  };
}
