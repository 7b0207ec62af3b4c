/** Finds, starts, controls and stops the embedded provider of a data folder. */
import path from "node:path";
import { withoutSecrets } from "../config/child-env.ts";
import { providerDir, type Env } from "../config/paths.ts";
import { localKeyOf } from "../model/files/local-key.ts";
import { isRunning } from "../model/files/owner.ts";
import { readOwn } from "../model/files/own-files.ts";
import type { Local, LocalState, LocalProvider } from "./host.ts";
import { reasonOf } from "../wire/errors.ts";
import { signToken } from "../wire/token.ts";
import { deleteAppData } from "./local-data.ts";
import { userToken } from "./user-token.ts";
import { commandError } from "./errors.ts";

/** The command that runs this program as the provider in the background, without secrets in its environment. */
function backgroundEntry(
  env: Env,
  launcher: string,
  folder: string,
  seed: boolean,
): { command: string; args: string[]; env: NodeJS.ProcessEnv } {
  const args = [launcher, "serve", "--data", folder, "--seed", seed ? "demo" : "none"];
  return { command: process.execPath, args, env: { ...withoutSecrets(env), PARLEY_BACKGROUND: "1" } };
}

/** The kind of error of a refused control request, by HTTP status. */
const ERROR_KIND_BY_STATUS: Readonly<Record<number, string>> = {
  400: "usage",
  403: "notAllowed",
  404: "notFound",
  409: "conflict",
};

const IDEMPOTENT: ReadonlySet<string> = new Set([
  "coverage",
  "enter",
  "erased",
  "seed",
  "status",
  "stay",
  "stop",
]);

/** Control requests that are answered at once, so the normal time limit is enough. */
const QUICK: ReadonlySet<string> = new Set(["coverage", "enter", "erased", "status", "stay", "stop"]);

/** Reads the clock file directly, since the provider's reader would have to be loaded for every command. */
function readClockOffset(folder: string): number {
  try {
    return Math.max(0, Number(readOwn(path.join(folder, "clock"))) || 0);
  } catch {
    return 0;
  }
}

/** Time limits and notices for requests to the provider. */
export interface LocalLimits {
  /** Time limit of one request, ms; 0 = none. */
  timeout: number;
  retries: number;
  /** When a run with a time limit ends, by `performance.now()`. */
  until?: number;
  onSlow?(what: string): void;
  /** Receives notices for people, such as about an older provider. */
  notice?(line: string): void;
}

/** How long to wait for a stopped and for a killed provider to end, ms. */
const STOP_TIMEOUT = 15_000;
const KILL_TIMEOUT = 5000;
/** Between SIGTERM and SIGKILL, ms. */
const TERM_GRACE = 1500;

/** How long to wait until a provider's files are free of what was deleted, and between two looks; ms. */
const ERASED_WITHIN = 60_000;
const ERASED_PAUSE = 50;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const unavailable = (message: string, hint?: string): Error =>
  Object.assign(commandError("unavailable", message), hint === undefined ? {} : { hint });

const doesNotAnswer = (pid: number, listening: boolean): Error =>
  listening
    ? unavailable(
        `The embedded provider, process ${pid}, is running but does not answer.`,
        "parley local stop --force kills it",
      )
    : unavailable(
        `The embedded provider, process ${pid}, uses its folder but does not listen: it is starting or stopping.`,
        "wait a little; parley local stop --force kills it",
      );

/** Converts a failed start; the report of the started process decides its exit code. */
function startError(error: unknown): unknown {
  const { name, message, exit, hint } = error as Error & { exit?: number; hint?: string };
  if (name !== "StartFailure") return error;
  if (exit === undefined) return unavailable(message, hint);
  return Object.assign(new Error(message), { name: "ExitError", exit, hint });
}

interface StartOptions {
  env: Env;
  launcher: string;
  folder: string;
  version: string;
  limits: LocalLimits;
}

/** The provider process of a data folder: finds, calls, starts and stops it, and replaces one of an older version. */
class ProviderProcess {
  readonly #options: StartOptions;
  /** Time limit of one request, ms. */
  readonly #requestTimeout: number;
  #hasNoticed = false;

  constructor(options: StartOptions) {
    this.#options = options;
    this.#requestTimeout = options.limits.timeout > 0 ? options.limits.timeout : 60_000;
  }

  async probe(until = Infinity): Promise<LocalState> {
    const { probeProvider } = await import("../provider/lifecycle/probe.ts");
    const within = Math.max(1, Math.min(this.#requestTimeout, until - performance.now()));
    const probed = await probeProvider(this.#options.folder, within);
    return probed.state === "running" ? { state: "running", ...probed.provider } : probed;
  }

  async post(provider: LocalProvider, verb: string, body: object): Promise<Record<string, unknown>> {
    const token = signToken({ server: true }, provider.secret);
    const { requestJson } = await import("../provider/lifecycle/request-json.ts");
    const answer = await requestJson(`${provider.url}/_local/${verb}?api_key=${provider.apiKey}`, {
      op: `local ${verb}`,
      method: "POST",
      headers: { Authorization: token, "stream-auth-type": "jwt" },
      body,
      timeout: QUICK.has(verb) ? this.#requestTimeout : Math.max(this.#requestTimeout, 10_000),
    }).catch((error: unknown) => {
      // The outcome of a request that is not idempotent is unknown.
      throw IDEMPOTENT.has(verb) ? error : Object.assign(error as Error, { unsafe: true });
    });
    const reply = (answer.body ?? {}) as Record<string, unknown>;
    if (answer.status < 200 || answer.status > 299)
      throw commandError(
        ERROR_KIND_BY_STATUS[answer.status] ?? "unavailable",
        reasonOf(String(reply.message ?? "")) || `The embedded provider refused ${verb}.`,
      );
    return reply;
  }

  async launch(
    seed = this.#options.env.PARLEY_LOCAL_SEED !== "none",
    until: number | undefined = this.#options.limits.until,
  ): Promise<LocalProvider> {
    const { env, launcher, folder, limits } = this.#options;
    const { startDetached } = await import("../provider/lifecycle/start.ts");
    try {
      return await startDetached(backgroundEntry(env, launcher, folder, seed), folder, {
        timeout: this.#requestTimeout,
        silentLimit: this.#requestTimeout * (1 + limits.retries),
        ...(until === undefined ? {} : { deadline: until }),
        ...(limits.onSlow ? { onWait: limits.onSlow } : {}),
        ...(limits.notice ? { onNotice: limits.notice } : {}),
      });
    } catch (error) {
      throw startError(error);
    }
  }

  /** Finds the running provider or starts a new one. */
  async findOrStart(until?: number): Promise<LocalProvider> {
    const state = await this.probe(until);
    return state.state === "running" ? this.#replaceIfOlder(state, until) : this.launch(undefined, until);
  }

  /** Waits until no process uses the folder; false after `within` ms. */
  async untilGone(pid: number, within: number): Promise<boolean> {
    const deadline = performance.now() + within;
    while ((await this.probe()).state !== "absent") {
      if (performance.now() > deadline) return false;
      await sleep(50);
    }
    // An ending process still writes its code cache after it has let go of the folder. On a shared disk the number may
    // belong to a process of another machine, so this is waited for, but is no condition.
    while (pid !== process.pid && isRunning(pid) && performance.now() < deadline) await sleep(10);
    return true;
  }

  /** False when none was running. */
  async stop(): Promise<boolean> {
    const state = await this.probe();
    if (state.state === "absent") return false;
    if (state.state === "silent") throw doesNotAnswer(state.pid, state.listening);
    await this.post(state, "stop", {});
    if (!(await this.untilGone(state.pid, STOP_TIMEOUT)))
      throw unavailable(
        `The embedded provider, process ${state.pid}, was told to stop but is still running.`,
        "parley local stop --force kills it",
      );
    return true;
  }

  async kill(): Promise<boolean> {
    const state = await this.probe();
    if (state.state === "absent") return false;
    // A busy process still ends in order on SIGTERM; a suspended or hanging one needs SIGKILL.
    signal(state.pid, "SIGTERM");
    if (await this.untilGone(state.pid, TERM_GRACE)) return true;
    signal(state.pid, "SIGKILL");
    if (!(await this.untilGone(state.pid, KILL_TIMEOUT))) throw doesNotAnswer(state.pid, true);
    return true;
  }

  /** Waits until no file holds what was deleted; false for a provider in memory. */
  async hasErased(provider: LocalProvider, signal: AbortSignal): Promise<boolean> {
    for (const end = performance.now() + ERASED_WITHIN; ; await sleep(ERASED_PAUSE)) {
      signal.throwIfAborted();
      const { erased, in_memory: inMemory } = await this.post(provider, "erased", {});
      if (inMemory) return false;
      if (erased) return true;
      if (performance.now() > end)
        throw commandError(
          "unavailable",
          "The embedded provider is still removing what was deleted from its files; run the same command again.",
        );
    }
  }

  /** Replaces a provider of an older version if nobody is connected; otherwise uses it and prints a notice. */
  async #replaceIfOlder(provider: LocalProvider, until?: number): Promise<LocalProvider> {
    const { version, limits } = this.#options;
    if (!isOlder(provider.version, version) || this.#hasNoticed) return provider;
    // A provider that is just ending is handled by the caller's next request.
    const status = await this.post(provider, "status", {}).catch(() => undefined);
    if (!status) return provider;
    if (mayBeReplaced(status)) {
      await this.stop();
      const newProvider = await this.launch(undefined, until);
      if (status.stay === true) await this.post(newProvider, "stay", { on: true });
      return newProvider;
    }
    this.#hasNoticed = true;
    limits.notice?.(
      `the embedded provider, process ${provider.pid}, is still that of ${provider.version === undefined ? "an older Parley" : `Parley ${provider.version}`}, because others are using it; run parley local stop to update it`,
    );
    return provider;
  }
}

/** Creates the interface to the embedded provider of this data folder. */
export function createLocal(
  env: Env,
  launcher: string,
  me: () => { id: string; name?: string },
  program: { version: string; limits: LocalLimits },
): Local {
  const folder = providerDir(env);
  const { version, limits } = program;
  const providerProcess = new ProviderProcess({ env, launcher, folder, version, limits });
  const findOrStart = (): Promise<LocalProvider> => providerProcess.findOrStart(limits.until);
  let clockOffset: number | undefined;
  return {
    folder,
    probe: () => providerProcess.probe(),
    async find() {
      const provider = await providerProcess.probe();
      return provider.state === "running" ? provider : undefined;
    },
    clockAhead: () => (clockOffset ??= readClockOffset(folder)),
    async start(stay, until) {
      const provider = await providerProcess.findOrStart(until);
      if (stay) await providerProcess.post(provider, "stay", { on: true });
      return provider;
    },
    serve: async (options) =>
      (await import("./serve.ts")).serveProvider(folder, me(), { ...options, version }),
    control: async (verb, body) => providerProcess.post(await findOrStart(), verb, body),
    erased: async (signal) =>
      (await providerProcess.hasErased(await findOrStart(), signal)) ? folder : undefined,
    async enter(user, provider) {
      await providerProcess.post(provider ?? (await findOrStart()), "enter", { ...user });
    },
    stop: () => providerProcess.stop(),
    kill: () => providerProcess.kill(),
    async reset(seed) {
      await providerProcess.stop();
      await erase(env, folder);
      await providerProcess.launch(seed);
    },
    async snapshots() {
      return (await import("../provider/lifecycle/snapshots.ts")).listSnapshots(folder);
    },
    async loadSnapshot(name) {
      const wasRunning = await providerProcess.stop();
      const { loadSnapshot } = await import("../provider/lifecycle/snapshots.ts");
      if (!(await loadSnapshot(folder, name)))
        throw commandError("notFound", `There is no snapshot '${name}'.`);
      if (wasRunning) await providerProcess.launch();
    },
    async removeSnapshot(name) {
      return (await import("../provider/lifecycle/snapshots.ts")).removeSnapshot(folder, name);
    },
    async token(user) {
      const provider = await findOrStart();
      await providerProcess.post(provider, "enter", { id: user });
      const now = Date.now() + readClockOffset(folder);
      return userToken({ secret: provider.secret, user, now, sameClock: true }).token;
    },
  };
}

/** Erases a data folder and what is kept for it: the next one has another key, so nothing could use these data any more. */
async function erase(env: Env, folder: string): Promise<void> {
  const key = localKeyOf(folder);
  const { rm } = await import("node:fs/promises");
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  if (key !== undefined) await deleteAppData(env, { key });
}

/** True if nobody is connected and it runs in the background. Old versions do not report `background`; there, only a foreground provider has `stay`. */
function mayBeReplaced({ connections, background, stay }: Record<string, unknown>): boolean {
  return connections === 0 && (background ?? stay !== true) === true;
}

/** A provider without a version is older than all others. */
function isOlder(version: string | undefined, current: string): boolean {
  const parts = (text: string): number[] => text.split(/[.-]/).slice(0, 3).map(Number);
  const [otherParts, currentParts] = [parts(version ?? "0.0.0"), parts(current)];
  for (const [n, part] of currentParts.entries())
    if (part !== otherParts[n]) return (otherParts[n] ?? 0) < part;
  return false;
}

/** Signals a process; one that has already ended is ignored. */
function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
