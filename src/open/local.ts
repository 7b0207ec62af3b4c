/** The embedded provider of a data folder from outside: found, started, controlled and stopped. */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Env } from "../config/load.ts";
import { providerDir } from "../config/places.ts";
import type { Local, LocalProvider } from "../open.ts";
import { reasonOf } from "../wire/errors.ts";
import { signToken } from "../wire/token.ts";
import { named } from "./fault.ts";

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

/** Read here and not by the provider's own reader, which would be loaded for every command. */
function clockMoved(folder: string): number {
  try {
    return Math.max(0, Number(readFileSync(path.join(folder, "clock"), "utf8")) || 0);
  } catch {
    return 0;
  }
}

/** The door to the embedded provider of this data folder. */
export function createLocal(env: Env, launcher: string, me: () => { id: string; name?: string }): Local {
  const folder = providerDir(env);
  const find: Local["find"] = async () => (await import("../provider/life/find.ts")).findProvider(folder);
  const post = async (found: LocalProvider, verb: string, body: object): Promise<Record<string, unknown>> => {
    const token = signToken({ server: true }, found.secret);
    const { ask } = await import("../provider/life/ask.ts");
    const answer = await ask(`${found.url}/_local/${verb}?api_key=${found.apiKey}`, {
      op: `local ${verb}`,
      method: "POST",
      headers: { Authorization: token, "stream-auth-type": "jwt" },
      body,
      timeout: 10_000,
    }).catch((error: unknown) => {
      // What may be asked for twice is only unavailable; of anything else nobody knows whether it happened.
      throw REPEATABLE.has(verb) ? error : Object.assign(error as Error, { unsafe: true });
    });
    const reply = (answer.body ?? {}) as Record<string, unknown>;
    if (answer.status < 200 || answer.status > 299)
      throw named(
        "CommandFault",
        REFUSED[answer.status] ?? "unavailable",
        reasonOf(String(reply.message ?? "")) || `The embedded provider refused ${verb}.`,
      );
    return reply;
  };
  const launch = async (seed = env.PARLEY_LOCAL_SEED !== "none"): Promise<LocalProvider> => {
    const { startDetached } = await import("../provider/life/find.ts");
    try {
      return await startDetached(backgroundEntry(env, launcher, folder, seed), folder);
    } catch (error) {
      // A folder that cannot be made stays that.
      if ((error as NodeJS.ErrnoException).syscall) throw error;
      throw named("CommandFault", "unavailable", (error as Error).message);
    }
  };
  const need = async (): Promise<LocalProvider> => (await find()) ?? launch();
  let moved: number | undefined;
  const local: Local = {
    folder,
    find,
    ahead: () => (moved ??= clockMoved(folder)),
    async start(stay) {
      const found = await need();
      if (stay) await post(found, "stay", { on: true });
      return found;
    },
    serve: async (options) => (await import("./serve.ts")).serveProvider(folder, me(), options),
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
    async snapshots() {
      return (await import("../provider/life/snapshots.ts")).listSnapshots(folder);
    },
    async loadSnapshot(name) {
      const ran = await local.stop();
      const { loadSnapshot } = await import("../provider/life/snapshots.ts");
      if (!(await loadSnapshot(folder, name)))
        throw named("CommandFault", "notFound", `There is no saved state '${name}'.`);
      if (ran) await launch();
    },
    async removeSnapshot(name) {
      return (await import("../provider/life/snapshots.ts")).removeSnapshot(folder, name);
    },
    async token(user) {
      const found = await need();
      await post(found, "enter", { id: user });
      return signToken({ user_id: user }, found.secret);
    },
  };
  return local;
}
