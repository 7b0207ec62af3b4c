/** From a profile to a core that can speak: finds or starts the embedded provider, mints tokens and gives core its ports. */
import { userInfo } from "node:os";
import { loadSettings } from "./config/load.ts";
import type { Env } from "./config/load.ts";
import { openLog } from "./config/log.ts";
import { noteNames } from "./config/names.ts";
import { providerDir, storeFiles } from "./config/places.ts";
import { findProfile } from "./config/profiles.ts";
import type { Profile } from "./config/profiles.ts";
import { saveSetting } from "./config/save.ts";
import { readSecret } from "./config/secrets.ts";
import { ConfigError } from "./config/settings.ts";
import type { Settings } from "./config/settings.ts";
import type { Core, TokenSource } from "./core/core.ts";
import type { Ports, RequestPort, Socket, SocketPort } from "./core/ports.ts";
import type { Provider } from "./provider/provider.ts";
import { signToken } from "./wire/token.ts";
import type { OwnUser } from "./wire/user.ts";

/** A core bound to a profile and a user. */
export interface Opened {
  core: Core;
  profile: Profile;
  /** An empty id when only the server speaks. */
  user: { id: string; name?: string };
  /** A send may have reached the provider although no answer came: some try failed after it was connected. */
  maybeSent(): boolean;
  /** Opens the live connection: `connectUser` with the profile's token source. */
  connect(): Promise<OwnUser>;
  /** Ends core and what was opened for it; the embedded provider goes on by its own rule (decisions 13). */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A profile's name; default: the setting `profile`. */
  profile?: string;
  /** `--as`: a user for whom a token is minted from the profile's secret (decisions 12). */
  user?: string;
  /** A server token instead of a user's. */
  server?: boolean;
  /** A one-shot send gives up after this long; `withdraw` takes a row back that was never sent (decisions 17). */
  sendWait?: { waitMs: number; withdraw: boolean };
  /** Nothing is sent through the outbox and nothing is kept: the store is in memory. */
  forgetful?: boolean;
  /** The embedded provider is looked for, and started, no sooner than this: a screen shows its cache first. Calls wait for `connect`. */
  after?: Promise<void>;
}

/** An embedded provider that answers. */
export interface LocalProvider {
  url: string;
  pid: number;
  apiKey: string;
  secret: string;
}

export interface ServeOptions {
  port?: number;
  data?: string;
  memory: boolean;
  /** A new data folder begins with the demo workspace. */
  seed: boolean;
  /** Goes on without clients. */
  stay: boolean;
  signal: AbortSignal;
  say(line: string): void;
  /** Each request is said, too. */
  debug: boolean;
}

/** The embedded provider of a data folder (decisions 13). */
export interface Local {
  folder: string;
  find(): Promise<LocalProvider | undefined>;
  /** Finds it or starts one that outlives this process; `stay` = until it is stopped. */
  start(stay: boolean): Promise<LocalProvider>;
  /** Runs it here until the signal. */
  serve(options: ServeOptions): Promise<void>;
  /** `POST /_local/<verb>` with a server token. */
  control(verb: string, body: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Makes the user known, and in a demo workspace a member of its open channels. */
  enter(user: { id: string; name?: string }, found?: LocalProvider): Promise<void>;
  /** False when none was running. */
  stop(): Promise<boolean>;
  reset(seed: boolean): Promise<void>;
  token(user: string): Promise<string>;
}

/** What both faces are given by main.ts. */
export interface Host {
  settings: Settings;
  version: string;
  open(options?: OpenOptions): Promise<Opened>;
  /** Finds or starts the embedded provider; its base URL. */
  startProvider(): Promise<{ url: string; pid: number }>;
  /** Changes a setting for good (user config); undefined takes it back. */
  saveSetting(key: string, value: unknown): Promise<void>;
  profileOf(name: string): Profile | undefined;
  /** Who would speak, where and how; asks nobody. */
  identity(): Promise<{ profile: string; kind: string; user: string; url: string; protected: boolean }>;
  /** The embedded provider of this data folder. */
  local: Local;
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
  /** Told about each request, secrets blanked (`--debug http`). */
  trace?(line: string): void;
}

/** The OS user's name cut to `[a-z0-9_-]`, else `me` (decisions 12). */
export function localUser(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9_-]/g, "")
      .slice(0, 64) || "me"
  );
}

function osUser(env: Env): { id: string; name?: string } {
  let name = env.USER ?? env.USERNAME ?? "";
  try {
    name = userInfo().username || name;
  } catch {
    // A container without an entry for this user.
  }
  return { id: localUser(name) };
}

/** What a core needs to know of a profile. */
interface Way {
  baseUrl(): string;
  apiKey: string;
  secret?: string;
  user: { id: string; name?: string };
  token?: TokenSource;
  loopback: boolean;
  prepare?(): Promise<void>;
}

/** Throws `ConfigError` when settings or profiles cannot be read. */
export function createHost(options: HostOptions): Host {
  const { env, version } = options;
  const { settings } = loadSettings(options);
  const local = createLocal(env, options.launcher, () => osUser(env));

  const profileNamed = (name: string): Profile => {
    const profile = findProfile(env, name);
    if (!profile) throw notFound(`There is no profile '${name}'.`);
    return profile;
  };

  const open = async (how: OpenOptions = {}): Promise<Opened> => {
    const profile = profileNamed(how.profile ?? settings.profile);
    const asked = how.user ?? (settings.user || undefined);
    const way =
      profile.kind === "local"
        ? await localWay(local, asked ?? profile.user, env, how.after)
        : await hostedWay(profile, asked, options);
    if (how.server && way.secret === undefined)
      throw notAllowed(`This is server side only: profile '${profile.name}' holds no secret.`);
    const user = how.server ? { id: "" } : way.user;
    const log = openLog(env, settings.log);
    const tries = { maybeSent: false };
    const core = await makeCore(way, how, settings, options, storeFiles(env, profile.name, user.id), tries);
    if (user.id !== "" && way.token !== undefined) core.setUser(user, way.token);
    return {
      core,
      profile,
      user,
      maybeSent: () => tries.maybeSent,
      connect: () => {
        if (user.id === "" || way.token === undefined)
          throw new ConfigError("A live connection needs a user: add --as <user>.");
        return core.connectUser(user, way.token);
      },
      async close() {
        const { channels, users } = core.state();
        noteNames(env, {
          channels: [...channels.values()].map(({ cid, channel }) => [cid, channel.name ?? ""]),
          users: [...users.values()].map((u) => [u.id, u.name ?? ""]),
        });
        // What was reached stands, whatever the way out says.
        await core
          .close()
          .catch((error: unknown) => log.warn("core did not close in order", { error: String(error) }));
      },
    };
  };

  return {
    settings,
    version,
    open,
    local,
    startProvider: () => local.start(false),
    saveSetting: (key, value) => saveSetting(env, key, value),
    profileOf: (name) => findProfile(env, name),
    async identity() {
      const profile = profileNamed(settings.profile);
      const isLocal = profile.kind === "local";
      return {
        profile: profile.name,
        kind: profile.kind,
        user: settings.user || profile.user || (isLocal ? osUser(env).id : "(server)"),
        url: isLocal ? ((await local.find())?.url ?? "(not running)") : profile.url!,
        protected: profile.protected === true,
      };
    },
    screen: () => Promise.reject(new Error("no screen was given")),
  };
}

const named = (name: string, kind: string, message: string): Error =>
  Object.assign(new Error(message), { name, kind });
/** The faces read kinds of refusals by name and kind; the words are made here. */
const notFound = (message: string): Error => named("CommandFault", "notFound", message);
const notAllowed = (message: string): Error => named("CommandFault", "notAllowed", message);

/** The embedded provider: its address is looked up again before each connection attempt, because it may have moved. */
async function localWay(
  local: Local,
  asked: string | undefined,
  env: Env,
  after: Promise<void> | undefined,
): Promise<Way> {
  const user = asked === undefined ? osUser(env) : { id: asked };
  // Who the folder is does not change from start to start; where it listens may.
  const known = after && (await import("./provider/life/identity.ts")).knownIdentity(local.folder);
  let current: LocalProvider | undefined;
  const prepare = async (): Promise<LocalProvider> => {
    const found = await local.start(false);
    if (found.url === current?.url && found.pid === current.pid) return found;
    await local.enter(user, found);
    return (current = found);
  };
  const { secret, apiKey } = known ?? (await prepare());
  return {
    baseUrl: () => current?.url ?? `http://127.0.0.1:${known?.port || 1}`,
    apiKey,
    secret,
    user,
    token: signToken({ user_id: user.id }, secret),
    loopback: true,
    async prepare() {
      await after;
      await prepare();
    },
  };
}

async function hostedWay(profile: Profile, asked: string | undefined, options: HostOptions): Promise<Way> {
  const { env, insecure } = options;
  const base = {
    baseUrl: () => profile.url!,
    apiKey: profile.key!,
    loopback: /^https?:\/\/(localhost|127\.|\[::1\])/.test(profile.url!),
  };
  const userId = asked ?? profile.user;
  if (profile.kind === "secret") {
    const secret = env.PARLEY_API_SECRET || (await readSecret(env, profile, insecure));
    if (!secret) throw signIn(`Profile '${profile.name}' has no secret.`);
    if (userId === undefined) return { ...base, secret, user: { id: "" } };
    return {
      ...base,
      secret,
      user: { id: userId },
      token: () => signToken({ user_id: userId, iat: seconds() - 5, exp: seconds() + 86_400 }, secret),
    };
  }
  if (asked !== undefined && asked !== profile.user)
    throw notAllowed(`Profile '${profile.name}' holds no secret, so it cannot speak as ${asked}.`);
  if (userId === undefined) throw signIn(`Profile '${profile.name}' names no user.`);
  const user = { id: userId };
  const given = env.PARLEY_TOKEN;
  if (given) return { ...base, user, token: given };
  if (profile.kind === "command") {
    const { runTokenCommand } = await import("./config/token-command.ts");
    return { ...base, user, token: () => runTokenCommand(profile.command!, env) };
  }
  const token = await readSecret(env, profile, insecure);
  if (!token) throw signIn(`Profile '${profile.name}' has no token.`);
  return { ...base, user, token };
}

const seconds = (): number => Math.floor(Date.now() / 1000);
/** Exit code 4 with the way to sign in. */
const signIn = (message: string): Error =>
  Object.assign(new Error(message), { name: "ExitError", exit: 4, hint: "parley login" });

async function makeCore(
  way: Way,
  how: OpenOptions,
  settings: Settings,
  options: HostOptions,
  files: { state: string; cache: string },
  tries: { maybeSent: boolean },
): Promise<Core> {
  const user = how.server ? undefined : way.user.id || undefined;
  const [
    { createCore },
    { createGotRequest },
    { createSystemClock, systemOnline },
    { createSystemRandom },
    store,
  ] = await Promise.all([
    import("./core/client.ts"),
    import("./core/adapters/got-request.ts"),
    import("./core/adapters/system-clock.ts"),
    import("./core/adapters/system-random.ts"),
    how.forgetful
      ? import("./core/store/memory.ts").then(({ createMemoryStore }) => createMemoryStore(user))
      : import("./core/store/open-store.ts").then(({ openStore }) =>
          openStore({ ...files, ...(user ? { userId: user } : {}) }),
        ),
  ]);
  const request = watchSends(createGotRequest(), tries);
  const clock = createSystemClock();
  const ports: Ports = {
    request: options.trace ? traced(request, options.trace) : request,
    socket: lazySocket(),
    store,
    clock,
    random: createSystemRandom(),
    log: openLog(options.env, settings.log),
    online: systemOnline,
    openFile: async (file) => (await import("./core/adapters/upload-body.ts")).openUpload(file),
  };
  return createCore(
    {
      baseUrl: way.baseUrl,
      apiKey: way.apiKey,
      transport: settings.transport,
      typing: settings.typing,
      clientName: `parley-${options.version}`,
      isLoopback: way.loopback,
      ...(way.secret === undefined ? {} : { secret: way.secret }),
      ...(way.prepare ? { prepare: way.prepare } : {}),
      ...(how.sendWait ? { sendWait: how.sendWait } : {}),
    },
    ports,
  );
}

/** A refused connection or an unknown host: not a byte of the request left (decisions 17). */
const NEVER_SENT =
  /refused|host name|host cannot be reached|network (cannot be reached|is down)|certificate|address is not valid/;

function watchSends(request: RequestPort, tries: { maybeSent: boolean }): RequestPort {
  return async (what) => {
    try {
      return await request(what);
    } catch (error) {
      if (what.method === "POST" && !NEVER_SENT.test((error as Error).message)) tries.maybeSent = true;
      throw error;
    }
  };
}

/** What `--debug http` shows: never a key, a token or an authorization header. */
function traced(request: RequestPort, trace: (line: string) => void): RequestPort {
  return async (what) => {
    const url = what.url.replace(/([?&](?:api_key|authorization|token|user_token|json)=)[^&]*/gi, "$1***");
    const headers = Object.entries(what.headers)
      .map(
        ([name, value]) => `${name}: ${/authorization|cookie|key|token|secret/i.test(name) ? "***" : value}`,
      )
      .join("; ");
    trace(`> ${what.method} ${url} (${headers})`);
    const began = performance.now();
    try {
      const reply = await request(what);
      trace(`< ${reply.status} ${Math.round(performance.now() - began)} ms, ${reply.text.length} characters`);
      return reply;
    } catch (error) {
      trace(
        `< ${(error as Error).name}: ${(error as Error).message.replace(/api_key=[^&\s]*/g, "api_key=***")}`,
      );
      throw error;
    }
  };
}

/** The WebSocket library is loaded at the first connection, not by one-shots that never make one. */
function lazySocket(): SocketPort {
  let make: SocketPort | undefined;
  return (url, handlers) => {
    if (make) return make(url, handlers);
    let inner: Socket | undefined;
    let ended = false;
    void import("./core/adapters/ws-socket.ts").then(({ createWsSocket }) => {
      make = createWsSocket();
      if (!ended) inner = make(url, handlers);
    });
    const end = (close: (socket: Socket) => void, code: number, reason: string): void => {
      if (inner) return close(inner);
      if (ended) return;
      ended = true;
      handlers.close(code, reason);
    };
    return {
      send: (text) => inner?.send(text),
      close: (code, reason) => end((socket) => socket.close(code, reason), code, reason ?? ""),
      terminate: () => end((socket) => socket.terminate(), 1006, ""),
    };
  };
}

/** This program, as the command that runs the provider in the background; it gets folders, never a secret. */
function backgroundEntry(
  env: Env,
  launcher: string,
  folder: string,
  seed: boolean,
): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
  const { PARLEY_TOKEN: _token, PARLEY_API_SECRET: _secret, ...rest } = env;
  const args = [launcher, "serve", "--data", folder, ...(seed ? [] : ["--seed", "none"])];
  return { command: process.execPath, args, env: { ...rest, PARLEY_BACKGROUND: "1" } };
}

/** Marks a data folder that holds the demo workspace. */
const DEMO_MARK = "demo";

function createLocal(env: Env, launcher: string, me: () => { id: string; name?: string }): Local {
  const folder = providerDir(env);
  const find: Local["find"] = async () => (await import("./provider/life/find.ts")).findProvider(folder);
  const post = async (found: LocalProvider, verb: string, body: object): Promise<Record<string, unknown>> => {
    const token = signToken({ server: true }, found.secret);
    const { ask } = await import("./provider/life/ask.ts");
    const answer = await ask(`${found.url}/_local/${verb}?api_key=${found.apiKey}`, {
      method: "POST",
      headers: { Authorization: token, "stream-auth-type": "jwt" },
      body,
      timeout: 10_000,
    });
    const reply = (answer.body ?? {}) as Record<string, unknown>;
    if (answer.status < 200 || answer.status > 299)
      throw named(
        "CommandFault",
        "unavailable",
        `The embedded provider refused ${verb}: ${String(reply.message)}`,
      );
    return reply;
  };
  const launch = async (seed = env.PARLEY_LOCAL_SEED !== "none"): Promise<LocalProvider> => {
    const { startDetached } = await import("./provider/life/find.ts");
    try {
      return await startDetached(backgroundEntry(env, launcher, folder, seed), folder);
    } catch (error) {
      // A folder that cannot be made stays that.
      if ((error as NodeJS.ErrnoException).syscall) throw error;
      throw named("CommandFault", "unavailable", (error as Error).message);
    }
  };
  const need = async (): Promise<LocalProvider> => (await find()) ?? launch();
  const local: Local = {
    folder,
    find,
    async start(stay) {
      const found = await need();
      if (stay) await post(found, "stay", { on: true });
      return found;
    },
    serve: (options) => serveProvider(folder, me(), options),
    control: async (verb, body) => post(await need(), verb, body),
    async enter(user, found) {
      await post(found ?? (await need()), "enter", { ...user });
    },
    async stop() {
      const found = await find();
      if (!found) return false;
      await post(found, "stop", {});
      // It has stopped when its lock can be had again, which its address file going away announces.
      for (let i = 0; i < 100 && (await find()); i++) await new Promise((resolve) => setTimeout(resolve, 50));
      return true;
    },
    async reset(seed) {
      await local.stop();
      const { rm } = await import("node:fs/promises");
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      await launch(seed);
    },
    async token(user) {
      const found = await need();
      await post(found, "enter", { id: user });
      return signToken({ user_id: user }, found.secret);
    },
  };
  return local;
}

/** Runs the provider in this process until the signal, `local stop`, or the end of its idle time. */
async function serveProvider(
  home: string,
  me: { id: string; name?: string },
  options: ServeOptions,
): Promise<void> {
  const [
    { createProvider, FolderBusy },
    { robotHost },
    { flood, floodOrder },
    { existsSync, writeFileSync },
    path,
  ] = await Promise.all([
    import("./provider/provider.ts"),
    import("./provider/robots/inside.ts"),
    import("./provider/robots/flood.ts"),
    import("node:fs"),
    import("node:path"),
  ]);
  const data = options.memory ? ":memory:" : path.resolve(options.data ?? home);
  const mark = options.memory ? undefined : path.join(data, DEMO_MARK);
  const fresh = options.memory || !existsSync(path.join(data, "provider.db"));
  let demo = mark !== undefined && existsSync(mark);
  let provider: Provider;
  try {
    provider = createProvider({
      data,
      ...(options.port === undefined ? {} : { port: options.port }),
      stay: options.stay,
      warn: options.say,
      ...(options.debug
        ? { log: (entry) => options.say(`${entry.op} ${entry.status} ${entry.duration}`) }
        : {}),
      verbs: {
        enter: (body) => enter(body),
        flood: (body) => flood(host, floodOrder(body)).then((written) => ({ written })),
      },
    });
  } catch (error) {
    if (error instanceof FolderBusy) throw named("CommandFault", "conflict", error.message);
    throw error;
  }
  const host = robotHost(provider);
  const entered = new Set<string>();
  const { joinDemo, seedDemo, startGuide } = await import("./provider/demo/index.ts");
  const enter = (body: Record<string, unknown>): Record<string, unknown> => {
    const id = String(body.id);
    if (entered.has(id)) return { id };
    const { users } = host.perform("queryUsers", { query: { filter_conditions: { id }, limit: 1 } });
    if (users.length === 0) {
      const name = typeof body.name === "string" ? body.name : id;
      host.perform("upsertUsers", { body: { users: { [id]: { id, name } } } });
    }
    if (demo && id !== me.id) joinDemo(host, id);
    entered.add(id);
    return { id };
  };
  if (fresh && options.seed) {
    try {
      seedDemo(host, { id: me.id, name: me.name ?? me.id });
      if (mark) writeFileSync(mark, "", { mode: 0o600 });
      demo = true;
    } catch (error) {
      // An empty workspace that works is better than none; nothing of a failed seed is kept.
      options.say(`the demo workspace could not be made: ${(error as Error).message}`);
    }
  }
  const stopGuide = demo ? startGuide(host) : () => {};
  const stop = (): void => void provider.close();
  options.signal.addEventListener("abort", stop, { once: true });
  try {
    await provider.listen();
    options.say(
      `the embedded provider listens at ${provider.url}, data in ${options.memory ? "memory" : data}`,
    );
    await provider.closed;
  } finally {
    stopGuide();
    options.signal.removeEventListener("abort", stop);
    await provider.close();
  }
}
