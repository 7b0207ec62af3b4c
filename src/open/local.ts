/** Finds, starts, controls and stops the embedded provider of a data folder. */
import path from "node:path";
import type { Env } from "../config/load.ts";
import { providerDir } from "../config/paths.ts";
import { readOwn } from "../model/files/own-files.ts";
import type { Local, LocalState, LocalProvider } from "./host.ts";
import { reasonOf } from "../wire/errors.ts";
import { signToken } from "../wire/token.ts";
import { userToken } from "./user-token.ts";
import { commandError } from "./fault.ts";

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

/** What an order that was refused says of itself, by HTTP status. */
const REFUSED: Readonly<Record<number, string>> = {
  400: "usage",
  403: "notAllowed",
  404: "notFound",
  409: "conflict",
};

/** Orders that come to the same when they are given twice. */
const REPEATABLE: ReadonlySet<string> = new Set(["coverage", "enter", "seed", "status", "stay", "stop"]);

/** Orders that are answered at once: the time of one question is enough for them. */
const QUICK: ReadonlySet<string> = new Set(["coverage", "enter", "status", "stay", "stop"]);

/** Read here and not by the provider's own reader, which would be loaded for every command. */
function clockMoved(folder: string): number {
  try {
    return Math.max(0, Number(readOwn(path.join(folder, "clock"))) || 0);
  } catch {
    return 0;
  }
}

/** How long whoever asks is ready to wait. */
export interface Bounds {
  /** Milliseconds for one question; 0 = no limit of its own. */
  timeout: number;
  /** Repeats of a question that got no answer. */
  retries: number;
  /** `performance.now()` at which a run that was given a time is over. */
  until?: number;
  /** Told once when it takes long. */
  waits?(what: string): void;
  /** Told what people should know: the provider is older than this program. */
  notice?(line: string): void;
}

/** How long a provider may take to end in order, and how long a killed one is watched, milliseconds. */
const STOPS_WITHIN = 15_000;
const DIES_WITHIN = 5000;
/** Between being asked to end and being ended, milliseconds. */
const TERM_GRACE = 1500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const unavailable = (message: string, hint?: string): Error =>
  Object.assign(commandError("unavailable", message), hint === undefined ? {} : { hint });

const doesNotAnswer = (pid: number, listening: boolean): Error =>
  listening
    ? unavailable(
        `The embedded provider, process ${pid}, runs but does not answer.`,
        "parley local stop --force ends it",
      )
    : unavailable(
        `The embedded provider, process ${pid}, has its folder but does not listen: it is starting or ending.`,
        "wait a little; parley local stop --force ends it",
      );

/** A start that failed, in the kinds the faces know: what the started process said of itself decides. */
function startError(error: unknown): unknown {
  const { name, message, exit, hint } = error as Error & { exit?: number; hint?: string };
  if (name !== "StartFailure") return error;
  if (exit === undefined) return unavailable(message, hint);
  return Object.assign(new Error(message), { name: "ExitError", exit, hint });
}

/** What a provider is started with, and how long whoever asks is ready to wait. */
interface Starting {
  env: Env;
  launcher: string;
  folder: string;
  version: string;
  bounds: Bounds;
}

/** The process that has the data folder: looked at, asked, started, and replaced when it is older than this program. */
class ProviderProcess {
  readonly #with: Starting;
  /** Milliseconds for one question. */
  readonly #probe: number;
  #noticed = false;

  constructor(starting: Starting) {
    this.#with = starting;
    this.#probe = starting.bounds.timeout > 0 ? starting.bounds.timeout : 60_000;
  }

  async look(until = Infinity): Promise<LocalState> {
    const { probeProvider } = await import("../provider/lifecycle/probe.ts");
    const within = Math.max(1, Math.min(this.#probe, until - performance.now()));
    const found = await probeProvider(this.#with.folder, within);
    return found.state === "running" ? { state: "running", ...found.provider } : found;
  }

  async post(found: LocalProvider, verb: string, body: object): Promise<Record<string, unknown>> {
    const token = signToken({ server: true }, found.secret);
    const { requestJson } = await import("../provider/lifecycle/request-json.ts");
    const answer = await requestJson(`${found.url}/_local/${verb}?api_key=${found.apiKey}`, {
      op: `local ${verb}`,
      method: "POST",
      headers: { Authorization: token, "stream-auth-type": "jwt" },
      body,
      timeout: QUICK.has(verb) ? this.#probe : Math.max(this.#probe, 10_000),
    }).catch((error: unknown) => {
      // What may be asked for twice is only unavailable; of anything else nobody knows whether it happened.
      throw REPEATABLE.has(verb) ? error : Object.assign(error as Error, { unsafe: true });
    });
    const reply = (answer.body ?? {}) as Record<string, unknown>;
    if (answer.status < 200 || answer.status > 299)
      throw commandError(
        REFUSED[answer.status] ?? "unavailable",
        reasonOf(String(reply.message ?? "")) || `The embedded provider refused ${verb}.`,
      );
    return reply;
  }

  async launch(
    seed = this.#with.env.PARLEY_LOCAL_SEED !== "none",
    until: number | undefined = this.#with.bounds.until,
  ): Promise<LocalProvider> {
    const { env, launcher, folder, bounds } = this.#with;
    const { startDetached } = await import("../provider/lifecycle/start.ts");
    try {
      return await startDetached(backgroundEntry(env, launcher, folder, seed), folder, {
        timeout: this.#probe,
        silentLimit: this.#probe * (1 + bounds.retries),
        ...(until === undefined ? {} : { deadline: until }),
        ...(bounds.waits ? { onWait: bounds.waits } : {}),
        ...(bounds.notice ? { onNotice: bounds.notice } : {}),
      });
    } catch (error) {
      throw startError(error);
    }
  }

  /** The one that answers, or a new one. */
  async need(until?: number): Promise<LocalProvider> {
    const found = await this.look(until);
    return found.state === "running" ? this.#renewed(found, until) : this.launch(undefined, until);
  }

  /** Until nobody has the folder any more. */
  async gone(within: number): Promise<boolean> {
    const deadline = performance.now() + within;
    while ((await this.look()).state !== "absent") {
      if (performance.now() > deadline) return false;
      await pause(50);
    }
    return true;
  }

  /** False when none was running. */
  async stop(): Promise<boolean> {
    const found = await this.look();
    if (found.state === "absent") return false;
    if (found.state === "silent") throw doesNotAnswer(found.pid, found.listening);
    await this.post(found, "stop", {});
    if (!(await this.gone(STOPS_WITHIN)))
      throw unavailable(
        `The embedded provider, process ${found.pid}, was told to stop and has not ended yet.`,
        "parley local stop --force ends it",
      );
    return true;
  }

  async kill(): Promise<boolean> {
    const found = await this.look();
    if (found.state === "absent") return false;
    // One that is only busy ends in order; one that was stopped or hangs hears nothing.
    signal(found.pid, "SIGTERM");
    if (await this.gone(TERM_GRACE)) return true;
    signal(found.pid, "SIGKILL");
    if (!(await this.gone(DIES_WITHIN))) throw doesNotAnswer(found.pid, true);
    return true;
  }

  /** One of an older program makes place for a new one while nobody is connected; until then it is used, and that is said. */
  async #renewed(found: LocalProvider, until?: number): Promise<LocalProvider> {
    const { version, bounds } = this.#with;
    if (!isOlder(found.version, version) || this.#noticed) return found;
    // One that ends just now is met again by whoever asked for it.
    const status = await this.post(found, "status", {}).catch(() => undefined);
    if (!status) return found;
    if (mayBeReplaced(status)) {
      await this.stop();
      const next = await this.launch(undefined, until);
      if (status.stay === true) await this.post(next, "stay", { on: true });
      return next;
    }
    this.#noticed = true;
    bounds.notice?.(
      `the embedded provider, process ${found.pid}, is still that of Parley ${found.version ?? "from before"}, because others use it; parley local stop lets a new one start`,
    );
    return found;
  }
}

/** The door to the embedded provider of this data folder. */
export function createLocal(
  env: Env,
  launcher: string,
  me: () => { id: string; name?: string },
  program: { version: string; bounds: Bounds },
): Local {
  const folder = providerDir(env);
  const { version, bounds } = program;
  const running = new ProviderProcess({ env, launcher, folder, version, bounds });
  const need = (): Promise<LocalProvider> => running.need(bounds.until);
  let moved: number | undefined;
  return {
    folder,
    look: () => running.look(),
    async find() {
      const found = await running.look();
      return found.state === "running" ? found : undefined;
    },
    ahead: () => (moved ??= clockMoved(folder)),
    async start(stay, until) {
      const found = await running.need(until);
      if (stay) await running.post(found, "stay", { on: true });
      return found;
    },
    serve: async (options) =>
      (await import("./serve.ts")).serveProvider(folder, me(), { ...options, version }),
    control: async (verb, body) => running.post(await need(), verb, body),
    async enter(user, found) {
      await running.post(found ?? (await need()), "enter", { ...user });
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
    async reset(seed) {
      await running.stop();
      const { rm } = await import("node:fs/promises");
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
      await running.launch(seed);
    },
    async snapshots() {
      return (await import("../provider/lifecycle/snapshots.ts")).listSnapshots(folder);
    },
    async loadSnapshot(name) {
      const ran = await running.stop();
      const { loadSnapshot } = await import("../provider/lifecycle/snapshots.ts");
      if (!(await loadSnapshot(folder, name)))
        throw commandError("notFound", `There is no saved state '${name}'.`);
      if (ran) await running.launch();
    },
    async removeSnapshot(name) {
      return (await import("../provider/lifecycle/snapshots.ts")).removeSnapshot(folder, name);
    },
    async token(user) {
      const found = await need();
      await running.post(found, "enter", { id: user });
      const now = Date.now() + clockMoved(folder);
      return userToken({ secret: found.secret, user, now, sameClock: true }).token;
    },
  };
}

/** Nobody is connected, and it runs in nobody's foreground: one from before that was told went on without clients there alone. */
function mayBeReplaced({ connections, background, stay }: Record<string, unknown>): boolean {
  return connections === 0 && (background ?? stay !== true) === true;
}

/** One that tells no version is from before versions were told. */
function isOlder(version: string | undefined, own: string): boolean {
  const parts = (text: string): number[] => text.split(/[.-]/).slice(0, 3).map(Number);
  const [theirs, ours] = [parts(version ?? "0.0.0"), parts(own)];
  for (const [n, part] of ours.entries()) if (part !== theirs[n]) return (theirs[n] ?? 0) < part;
  return false;
}

/** One that has ended meanwhile hears nothing. */
function signal(pid: number, name: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
