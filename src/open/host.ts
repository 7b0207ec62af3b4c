/** What a face is given to reach a provider: the host, the embedded provider, and a client that was opened. */
import type { loadSettings, Env } from "../config/load.ts";
import type { Profile, AuthKind, ProfileDescription } from "../config/profiles.ts";
import type { Settings } from "../config/settings.ts";
import type { CallDefaults, Core } from "../core/core.ts";
import type { SpareMemory } from "./memory.ts";
import type { OwnUser } from "../wire/entities/user.ts";
import type { FoundProvider } from "../provider/lifecycle/probe.ts";
import type { StoredSnapshot } from "../provider/lifecycle/snapshots.ts";

/** A profile, and what is asked for where it was not given, in this order. */
export interface SignIn extends ProfileDescription {
  kind: AuthKind;
  askKey(): Promise<string>;
  askSecret(): Promise<string>;
  askUser(): Promise<string>;
  /** Saved without being tried. */
  untried?: boolean;
  signal?: AbortSignal;
}

export interface SignedIn {
  profile: string;
  /** Where the token or secret lies; absent where there is none. */
  store?: "keyring" | "file";
  /** Who the provider says it is, and how long it took; absent untried. */
  tried?: { user: string; ms: number };
  /** The profile that was used before, where it is another. */
  before?: string;
}

/** A core bound to a profile and a user. */
export interface Opened {
  core: Core;
  profile: Profile;
  /** An empty id when only the server speaks. */
  user: { id: string; name?: string };
  /** A send may have reached the provider although no answer came: some try failed after it was connected, or has no answer yet. */
  maybeSent(): boolean;
  /** From now on no send leaves; returns when those that have left are answered, or after this many milliseconds. */
  giveUp(within: number): Promise<void>;
  /** Why the last send brought no answer of the provider, else the last request, and what to do about it where that is known. */
  lost(): { because: string; hint?: string } | undefined;
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
  /** A profile whose token is missing is opened all the same: what is kept can be seen, and one can sign in there. */
  signedOut?: boolean;
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
export type LocalProvider = FoundProvider;

/** What becomes of a data folder when one looks: nobody has it, or a process that answers, or one that does not. */
export type LocalState =
  | { state: "absent" }
  | ({ state: "running" } & LocalProvider)
  | { state: "silent"; pid: number; listening: boolean };

export interface ServeOptions {
  port?: number;
  data?: string;
  memory: boolean;
  /** Origins of web pages that may use it. */
  allowOrigins?: readonly string[];
  /** Calls over the limits are refused, not only counted. */
  rateLimits?: boolean;
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
  look(): Promise<LocalState>;
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
  snapshots(): Promise<StoredSnapshot[]>;
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
  /** The profile's app, and what its secret makes for a user: `lasts` in seconds, `exp` in Unix seconds. Throws `CommandError` (notAllowed) for a profile that holds no secret. */
  app(): Promise<{
    key: string;
    secret: string;
    tokenFor(user: string, lasts?: number): { token: string; exp?: number };
  }>;
  /**
   * Keeps a profile with its secret, tries it and uses it from then on; what is refused leaves everything as it was.
   * Throws `CommandError`, and what the provider says.
   */
  signIn(request: SignIn): Promise<SignedIn>;
  /** Whether a profile's address, key and token are good: who may speak, and how long the answer took. */
  tryProfile(name: string, signal?: AbortSignal): Promise<{ user: string; ms: number }>;
  /** The embedded provider of this data folder. */
  local: Local;
  /** What is wrong in the file of the person's own keys, by line. Given by main.ts. */
  keyFaults(): Promise<readonly string[]>;
  /** Of a program that stays open. */
  memory: Pick<SpareMemory, "used" | "look">;
  /** Runs the chat screen; the exit code. Given by main.ts. */
  screen(options: { channel?: string; readOnly?: boolean }): Promise<number>;
}

/** What of a run the host is told, and whom it tells. */
export type HostWishes = Pick<HostOptions, "insecure" | "trace" | "asks" | "waits" | "notice">;

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
  /** Told each time a request leaves, a repeat too. */
  asks?(): void;
}
