/** The interfaces of the host, the embedded provider, and an opened client. */
import type { loadSettings } from "../config/load.ts";
import type { Profile, AuthKind, ProfileDescription } from "../config/profiles.ts";
import type { Settings } from "../config/settings.ts";
import type { CallDefaults, Core } from "../core/core.ts";
import type { RequestPort, SocketPort } from "../core/base/ports.ts";
import type { IdleCollector } from "./memory.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import type { FoundProvider } from "../provider/lifecycle/probe.ts";
import type { StoredSnapshot } from "../provider/lifecycle/snapshots.ts";
import type { Env } from "../config/paths.ts";
import type { AppPlaces } from "../config/app-folders.ts";

/** A profile to sign in with; missing values are asked for in this order. */
export interface SignIn extends ProfileDescription {
  kind: AuthKind;
  askKey(): Promise<string>;
  askSecret(): Promise<string>;
  askUser(): Promise<string>;
  skipTest?: boolean;
  signal?: AbortSignal;
}

/** A tested profile. */
export interface Tried {
  user: string;
  ms: number;
  /** Whether the user is in any channel; absent where that could not be read. */
  inChannel?: boolean;
}

export interface SignedIn {
  profile: string;
  /** Where the token or secret was stored; absent if there is none. */
  store?: "keyring" | "file";
  /** The user and the duration of the test; absent if it was skipped. */
  test?: Tried;
  /** The previous profile, if it is another one. */
  previousProfile?: string;
}

/** The data of a profile's app on this machine. */
export interface LocalData extends AppPlaces {
  /** Messages of all its users that are not sent yet. */
  unsent: number;
  /** The other profiles of the same app. */
  profiles: string[];
  /** Addresses at which its key has data that may be the same app's. */
  undecided: string[];
}

/** What is read instead of a provider, and answers in this process. */
export interface ReadSource {
  /** How it is called on the screen. */
  name: string;
  user: { id: string; name?: string };
  /** `host:port` of its files, the only place from which pictures are fetched by themselves. */
  fileHost?: string;
  request: RequestPort;
  socket: SocketPort;
}

/** A core bound to a profile and a user. */
export interface Opened {
  core: Core;
  profile: Profile;
  /** The folders of the app's local data. */
  places: AppPlaces;
  /** What is read instead of the provider of a profile. */
  source?: ReadSource;
  /** The id is empty for a server-side client. */
  user: { id: string; name?: string };
  /** A send may have reached the provider without an answer: an attempt failed after it connected, or is still in flight. */
  maybeSent(): boolean;
  /** Prevents further send attempts; resolves when those in flight are answered, or after this many ms. */
  giveUp(within: number): Promise<void>;
  /** Why the last send (or else the last request) got no answer, and a hint if there is one. */
  lastFailure(): { because: string; hint?: string } | undefined;
  /** Milliseconds left for sending; `Infinity` without `sendWait`. */
  timeLeft(): number;
  /** Resets attempts and time limit for the next send of the run. */
  resetSend(): void;
  /** Opens the live connection: `connectUser` with the profile's token source. */
  connect(): Promise<OwnUser>;
  /** Limits memory growth for a run that reads for a long time. */
  runsLong(): void;
  /** Closes core; the embedded provider keeps running by its own rules (specification/embedded-provider.md §1). */
  close(): Promise<void>;
}

export interface OpenOptions {
  /** A profile's name; default: the setting `profile`. */
  profile?: string;
  /** `--as`: a user for whom a token is minted from the profile's secret (specification/auth.md §11). */
  user?: string;
  /** Opens a profile even if its token is missing, to show cached data and to sign in there. */
  allowSignedOut?: boolean;
  /** Without a user, by the app's secret; `ifPossible`: as the user where there is none. */
  server?: boolean | "ifPossible";
  /** What is said when the profile has no secret for `server`. */
  serverOnly?: string;
  /** Time limit of a one-shot send; `withdraw` removes a row that was never sent (specification/sending.md §3). */
  sendWait?: { waitMs: number; withdraw: boolean };
  /** Keeps the store in memory: no outbox and no cache on disk. */
  inMemory?: boolean;
  /** Settles to which app local data belong, although the store is in memory. */
  needsPlaces?: boolean;
  /** Stores messages before the embedded provider is started, so that they are queued if it is unavailable. */
  queue?: boolean;
  /** Default options of calls: time limit, retries, signal. */
  calls?: CallDefaults;
  /** How the live connection is made; default: the setting. */
  transport?: Settings["transport"];
  /** Sees the headers of each answer, names in lower case. */
  onAnswer?(headers: Readonly<Record<string, string>>): void;
  /** Maps the name of an upload to the file with its bytes; absent = the file itself. */
  fileOf?(file: string): Promise<string>;
  /** Delays the start of the embedded provider, so that a screen shows its cache first. Calls wait for `connect`. */
  startAfter?: Promise<void>;
}

/** A running embedded provider that answers. */
export type LocalProvider = FoundProvider;

/** The state of a data folder: unused, used by a process that answers, or by one that does not. */
export type LocalState =
  | { state: "absent" }
  | ({ state: "running" } & LocalProvider)
  | { state: "silent"; pid: number; listening: boolean };

export interface ServeOptions {
  port?: number;
  data?: string;
  memory: boolean;
  allowOrigins?: readonly string[];
  /** Refuses calls over the rate limits instead of only counting them. */
  rateLimits?: boolean;
  /** Fills a new data folder with the demo workspace. */
  seed: boolean;
  stay: boolean;
  /** Runs in the background: it writes a log, and reports a failed start to the starting process. */
  background: boolean;
  report?(notice: string): void;
  signal: AbortSignal;
  print(line: string): void;
  debug: boolean;
}

/** The embedded provider of a data folder (specification/embedded-provider.md §1). */
export interface Local {
  folder: string;
  probe(): Promise<LocalState>;
  /** The running provider, if it answers. */
  find(): Promise<LocalProvider | undefined>;
  /** How far its clock was advanced, ms. */
  clockAhead(): number;
  /**
   * Finds it or starts one that outlives this process; `stay`: it runs until it is stopped; `until`: when to give up, by
   * `performance.now()`.
   */
  start(stay: boolean, until?: number): Promise<LocalProvider>;
  /** Runs it in this process until the signal. */
  serve(options: ServeOptions): Promise<void>;
  /** `POST /_local/<verb>` with a server token. */
  control(verb: string, body: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** The folder, once no file in it holds freed pages of what was deleted; undefined for a provider in memory. Throws `CommandError` (unavailable) after a minute. */
  erased(signal: AbortSignal): Promise<string | undefined>;
  /** Creates the user, and joins the open channels of a demo workspace. */
  enter(user: { id: string; name?: string }, provider?: LocalProvider): Promise<void>;
  /** False when none was running. Throws for one that does not answer, which can only be killed. */
  stop(): Promise<boolean>;
  /** Kills the process that uses the folder; false when there is none. */
  kill(): Promise<boolean>;
  /** Erases everything and starts anew; `seed` undefined: with the content that the environment names. */
  reset(seed: boolean | undefined): Promise<void>;
  token(user: string): Promise<string>;
  snapshots(): Promise<StoredSnapshot[]>;
  /** Stops the provider, restores the snapshot and starts the provider again. */
  loadSnapshot(name: string): Promise<void>;
  /** False when there is none. */
  removeSnapshot(name: string): Promise<boolean>;
}

/** What main.ts provides to the screen and the command line. */
export interface Host {
  settings: Settings;
  version: string;
  open(options?: OpenOptions): Promise<Opened>;
  /** The time of the profile's provider, as far as it is known without a request; ms since the epoch. */
  now(): number;
  startProvider(): Promise<{ url: string; pid: number }>;
  /** Reads the settings again, with the source of each value. */
  settingsNow(): ReturnType<typeof loadSettings>;
  /** Saves a setting in the user's config file; undefined removes it. */
  saveSetting(key: string, value: unknown): Promise<void>;
  profileOf(name: string): Profile | undefined;
  profiles(): Profile[];
  /** Undefined before the first start of the embedded provider. */
  localData(profile: string): Promise<LocalData | undefined>;
  /** Apps with unsent messages here that no profile leads to; undefined for one that is not known. */
  strandedData(): Promise<{ app: string | undefined; unsent: number }[]>;
  /** Deletes the cache, drafts and unsent messages in these folders; campaign journals and opt-outs stay. */
  deleteMessages(places: AppPlaces): Promise<void>;
  /** Decides whether a profile's app is the one with data at the address `same`, or has data of its own. Throws `CommandError`. */
  decideApp(profile: string, same: string | undefined): void;
  /** The user, provider and kind of sign-in of the current profile, without a request. */
  identity(): Promise<{ profile: string; kind: string; user: string; url: string; protected: boolean }>;
  /** The profile's key and secret, and a function that makes user tokens: `lasts` in seconds, `exp` in Unix seconds. Throws `CommandError` (notAllowed) for a profile without a secret. */
  app(): Promise<{
    key: string;
    secret: string;
    tokenFor(user: string, lifetime?: number): { token: string; exp?: number };
  }>;
  /**
   * Saves a profile with its secret, tests it and makes it the current one; a failure restores the previous state.
   * Throws `CommandError` and errors of the provider.
   */
  signIn(request: SignIn): Promise<SignedIn>;
  /** Tests a profile's address, key and token. */
  tryProfile(name: string, signal?: AbortSignal): Promise<Tried>;
  local: Local;
  /** The same with an embedded provider that keeps its data in this folder, and begins empty. */
  withLocalData(folder: string): Pick<Host, "open" | "local">;
  /** Faults in the user's key bindings, by line. Set by main.ts. */
  keyFaults(): Promise<readonly string[]>;
  /** Reduces the memory of a screen that stays open. */
  memory: Pick<IdleCollector, "used">;
  /** Opens a client for a source; it stores nothing, and what is fetched for the screen goes when it is closed. */
  openSource(source: ReadSource): Promise<Opened>;
  /** Runs the chat screen and resolves to the exit code; a source can only be read. Set by main.ts. */
  screen(options: { channel?: string; readOnly?: boolean; source?: ReadSource }): Promise<number>;
}

/** The options of a host that belong to one run. */
export type HostHooks = Pick<HostOptions, "insecure" | "trace" | "onRequest" | "onSlow" | "notice">;

export interface HostOptions {
  flags: Record<string, unknown>;
  env: Env;
  cwd: string;
  version: string;
  /** The script of this program, run again as the provider in the background. */
  launcher: string;
  insecure?: boolean;
  /** Receives notices for people, such as a damaged file or an older provider. */
  notice?(line: string): void;
  /** Called when the embedded provider takes long to start or to answer. */
  onSlow?(what: string): void;
  /** Receives a line for each request, with secrets redacted (`--debug http`). */
  trace?(line: string): void;
  /** Called for each request, including retries. */
  onRequest?(): void;
  /** Asks on a terminal; absent, or undefined as an answer, when nobody can be asked. */
  askSameApp?(question: string): Promise<boolean | undefined>;
}
