/** From a profile to a core that can speak: finds or starts the embedded provider, mints tokens and gives core its ports. */
import { loadSettings } from "./config/load.ts";
import type { Env } from "./config/load.ts";
import { openLog } from "./config/log.ts";
import { isTyped, noNames, noteNames } from "./config/names.ts";
import { storeFiles } from "./config/places.ts";
import { findProfile, listProfiles } from "./config/profiles.ts";
import type { Profile } from "./config/profiles.ts";
import { saveSetting } from "./config/save.ts";
import { limitMemory } from "./open/memory.ts";
import { ConfigError } from "./config/settings.ts";
import type { Settings } from "./config/settings.ts";
import type { CallDefaults, Core } from "./core/core.ts";
import { notAllowed, notFound } from "./open/fault.ts";
import { createLocal } from "./open/local.ts";
import { makeCore } from "./open/make-core.ts";
import { prepareNetwork } from "./open/network.ts";
import { forgetKept, waitingOf } from "./open/kept.ts";
import { osUser } from "./open/user.ts";
import { hostedWay, localPerson, localWay } from "./open/connection-target.ts";
import type { ConnectionTarget } from "./open/connection-target.ts";
import type { OwnUser } from "./wire/user.ts";

/** A core bound to a profile and a user. */
export interface Opened {
  core: Core;
  profile: Profile;
  /** An empty id when only the server speaks. */
  user: { id: string; name?: string };
  /** A send may have reached the provider although no answer came: some try failed after it was connected. */
  maybeSent(): boolean;
  /** Milliseconds that are left of what the run may take to send; `Infinity` without `sendWait`. */
  left(): number;
  /** Another send begins: nothing of it has been sent, and it has all its time. */
  again(): void;
  /** Opens the live connection: `connectUser` with the profile's token source. */
  connect(): Promise<OwnUser>;
  /** A run that reads for long keeps its memory small from now on. */
  runsLong(): void;
  /** Ends core and what was opened for it; the embedded provider goes on by its own rule (specification/embedded-provider.md §1). */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A profile's name; default: the setting `profile`. */
  profile?: string;
  /** `--as`: a user for whom a token is minted from the profile's secret (specification/auth.md §11). */
  user?: string;
  /** A server token instead of a user's. */
  server?: boolean;
  /** A one-shot send gives up after this long; `withdraw` takes a row back that was never sent (specification/sending.md §3). */
  sendWait?: { waitMs: number; withdraw: boolean };
  /** Nothing is sent through the outbox and nothing is kept: the store is in memory. */
  forgetful?: boolean;
  /** What is sent is written down before the embedded provider is looked for: it may be away. */
  queue?: boolean;
  /** What calls begin with: time limit, repeats, signal. */
  calls?: CallDefaults;
  /** Where the bytes of a file that was named are; absent = in the file. */
  fileOf?(file: string): Promise<string>;
  /** The embedded provider is looked for, and started, no sooner than this: a screen shows its cache first. Calls wait for `connect`. */
  after?: Promise<void>;
}

/** An embedded provider that answers. */
export interface LocalProvider {
  url: string;
  pid: number;
  apiKey: string;
  secret: string;
  /** Of the program it runs; undefined when that is from before versions were told. */
  version?: string;
}

/** What becomes of a data folder when one looks: nobody has it, or a process that answers, or one that does not. */
export type LocalLook =
  | { state: "absent" }
  | ({ state: "running" } & LocalProvider)
  | { state: "silent"; pid: number; listening: boolean };

export interface ServeOptions {
  port?: number;
  data?: string;
  memory: boolean;
  /** A new data folder begins with the demo workspace. */
  seed: boolean;
  /** Goes on without clients. */
  stay: boolean;
  /** Started for whoever needs it: it writes its own log, and tells why it cannot start to who started it. */
  background: boolean;
  /** Tells who started it what people should know. */
  tell?(notice: string): void;
  signal: AbortSignal;
  say(line: string): void;
  /** Each request is said, too. */
  debug: boolean;
}

/** The embedded provider of a data folder (specification/embedded-provider.md §1). */
export interface Local {
  folder: string;
  look(): Promise<LocalLook>;
  /** The one that answers. */
  find(): Promise<LocalProvider | undefined>;
  /** How far its clock was moved ahead of this machine's, milliseconds. */
  ahead(): number;
  /**
   * Finds it or starts one that outlives this process; `stay` = until it is stopped, `until` = the `performance.now()` at
   * which nobody waits any longer.
   */
  start(stay: boolean, until?: number): Promise<LocalProvider>;
  /** Runs it here until the signal. */
  serve(options: ServeOptions): Promise<void>;
  /** `POST /_local/<verb>` with a server token. */
  control(verb: string, body: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Makes the user known, and in a demo workspace a member of its open channels. */
  enter(user: { id: string; name?: string }, found?: LocalProvider): Promise<void>;
  /** False when none was running. Throws when there is one that does not answer: that one can only be killed. */
  stop(): Promise<boolean>;
  /** Ends the process that has the folder, whether it answers or not; false when there is none. */
  kill(): Promise<boolean>;
  reset(seed: boolean): Promise<void>;
  token(user: string): Promise<string>;
  snapshots(): Promise<{ name: string; saved_at: string; size: number }[]>;
  /** Stops the provider, puts the state back and starts it again. */
  loadSnapshot(name: string): Promise<void>;
  /** False when there is none. */
  removeSnapshot(name: string): Promise<boolean>;
}

/** What both faces are given by main.ts. */
export interface Host {
  settings: Settings;
  version: string;
  open(options?: OpenOptions): Promise<Opened>;
  /** Milliseconds since the epoch by the clock of the profile's provider, as far as it is known without asking. */
  now(): number;
  /** Finds or starts the embedded provider; its base URL. */
  startProvider(): Promise<{ url: string; pid: number }>;
  /** Settings as they would be read now, with all that has been kept meanwhile, and where each value comes from. */
  settingsNow(): ReturnType<typeof loadSettings>;
  /** Changes a setting for good (user config); undefined takes it back. */
  saveSetting(key: string, value: unknown): Promise<void>;
  profileOf(name: string): Profile | undefined;
  /** All that there are, read now. */
  profiles(): Profile[];
  /** Messages of a profile's users that wait on this machine to be sent. */
  waitingOf(profile: string): Promise<number>;
  /** Forgets what this machine keeps of a profile's users. */
  forgetKept(profile: string): Promise<void>;
  /** Who would speak, where and how; asks nobody. */
  identity(): Promise<{ profile: string; kind: string; user: string; url: string; protected: boolean }>;
  /** The key and the secret of the profile's app. Throws `CommandError` (notAllowed) for a profile that holds none. */
  app(): Promise<{ key: string; secret: string }>;
  /** The embedded provider of this data folder. */
  local: Local;
  /** What is wrong in the file of the person's own keys, by line. Given by main.ts. */
  keyFaults(): Promise<readonly string[]>;
  /** Runs the chat screen; the exit code. Given by main.ts. */
  screen(options: { channel?: string }): Promise<number>;
}

export interface HostOptions {
  flags: Record<string, unknown>;
  env: Env;
  cwd: string;
  version: string;
  /** The script that is this program: it is run again as the provider in the background. */
  launcher: string;
  insecure?: boolean;
  /** Told what people should know beside the result: something was damaged, replaced, or is older than this program. */
  notice?(line: string): void;
  /** Told when the embedded provider takes long to start or to answer. */
  waits?(what: string): void;
  /** Told about each request, secrets blanked (`--debug http`). */
  trace?(line: string): void;
}

/** Ends a core; the names it has met can be completed from then on. */
async function closeCore(core: Core, env: Env, settings: Settings): Promise<void> {
  const { channels, users } = core.state();
  noteNames(env, {
    ...noNames(),
    channel: [...channels.values()]
      .filter(({ cid }) => isTyped(cid))
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
  Object.assign(notAllowed(`This is server side only: profile '${name}' holds no secret.`), {
    hint: "parley help ops",
  });

/** Who was named for this run belongs to its own profile. */
const userNamed = ({ user, profile }: Settings, { name }: Profile): string | undefined =>
  name === profile ? user || undefined : undefined;
async function appOf(
  profile: Profile,
  targetOf: (profile: Profile) => Promise<ConnectionTarget>,
): Promise<{ key: string; secret: string }> {
  const { apiKey: key, secret } = await targetOf(profile);
  if (secret === undefined) throw serverSide(profile);
  return { key, secret };
}

/** Who connects stays, so its memory is kept small. Throws `ConfigError` where nobody is named. */
function connectAs(
  core: Core,
  user: Opened["user"],
  token: ConnectionTarget["token"],
): ReturnType<Core["connectUser"]> {
  if (user.id === "" || token === undefined)
    throw new ConfigError("A live connection needs a user: add --as <user>.");
  return core.connectUser(user, token).finally(() => limitMemory());
}

/** Throws `ConfigError` when settings or profiles cannot be read. */
export function createHost(options: HostOptions): Host {
  const { env, version } = options;
  const { settings, sources } = loadSettings(options);
  // Only who names a time has it counted from the first step on.
  const bound = sources("maxWait").length > 1 ? settings.maxWait : undefined;
  const untilFrom = (began: number): { until?: number } =>
    bound === undefined ? {} : { until: began + bound };
  const { timeout, retries } = settings;
  const bounds = {
    timeout,
    retries,
    ...untilFrom(performance.now()),
    ...(options.waits ? { waits: options.waits } : {}),
    ...(options.notice ? { notice: options.notice } : {}),
  };
  const local = createLocal(env, options.launcher, () => osUser(env), { version, bounds });

  const profileNamed = (name: string): Profile => {
    const profile = findProfile(env, name);
    if (!profile) throw notFound(`There is no profile '${name}'.`);
    return profile;
  };

  const targetOf = async (profile: Profile, how: OpenOptions, began: number): Promise<ConnectionTarget> => {
    const asked = how.user ?? userNamed(settings, profile);
    // Nothing of the embedded provider's leaves the machine, unless Node was told to take a proxy for everything.
    if (profile.kind !== "local" || env.NODE_USE_ENV_PROXY) await prepareNetwork(settings, env);
    if (profile.kind !== "local") return hostedWay(profile, asked, options, settings);
    const when = { ...(how.after ? { after: how.after } : untilFrom(began)), queue: how.queue === true };
    return localWay(local, asked ?? profile.user, env, when);
  };

  const open = async (how: OpenOptions = {}): Promise<Opened> => {
    const profile = profileNamed(how.profile ?? settings.profile);
    const began = performance.now();
    const target = await targetOf(profile, how, began);
    if (how.server && target.secret === undefined) throw serverSide(profile);
    const user = how.server ? { id: "" } : target.user;
    const tries = { maybeSent: false };
    let ends = how.sendWait ? began + how.sendWait.waitMs : Infinity;
    const left = (): number => Math.max(1, ends - performance.now());
    const inTime = how.sendWait ? { ...how, sendWait: { ...how.sendWait, waitMs: left() } } : how;
    const files = storeFiles(env, profile.name, user.id);
    const core = await makeCore(target, inTime, settings, options, files, tries);
    const { token } = target;
    if (user.id !== "" && token !== undefined) core.setUser(user, token);
    return {
      core,
      profile,
      user,
      maybeSent: () => tries.maybeSent,
      left,
      again() {
        tries.maybeSent = false;
        if (how.sendWait) ends = performance.now() + how.sendWait.waitMs;
      },
      connect: () => connectAs(core, user, token),
      runsLong: () => limitMemory(),
      close: () => closeCore(core, env, settings),
    };
  };

  return {
    settings,
    version,
    open,
    local,
    now: () => Date.now() + (profileNamed(settings.profile).kind === "local" ? local.ahead() : 0),
    startProvider: () => local.start(false),
    settingsNow: () => loadSettings(options),
    saveSetting: (key, value) => saveSetting(env, key, value),
    profileOf: (name) => findProfile(env, name),
    profiles: () => listProfiles(env),
    waitingOf: (profile) => waitingOf(env, profile),
    forgetKept: (profile) => forgetKept(env, profile),
    async identity() {
      const profile = profileNamed(settings.profile);
      const isLocal = profile.kind === "local";
      return {
        profile: profile.name,
        kind: profile.kind,
        user: settings.user || profile.user || (isLocal ? localPerson(env).id : "(server)"),
        url: isLocal ? ((await local.find())?.url ?? "(not running)") : profile.url!,
        protected: profile.protected === true,
      };
    },
    keyFaults: () => Promise.resolve([]),
    app: () => appOf(profileNamed(settings.profile), (profile) => targetOf(profile, {}, performance.now())),
    screen: () => Promise.reject(new Error("no screen was given")),
  };
}
