/** Finds the provider of a data folder, and starts a detached one when there is none. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { ask } from "./ask.ts";
import { FILES, privateFolder, proof, readAddress } from "./identity.ts";
import type { ProviderFile } from "./identity.ts";

const PROBE_TIMEOUT = 2000;
const START_TIMEOUT = 15_000;
const POLL = 25;

export interface FoundProvider {
  url: string;
  pid: number;
  apiKey: string;
  secret: string;
}

/**
 * The living provider of the folder: `provider.json` names it, `/hi` answers, and it proves that it knows the folder's
 * secret. Undefined when any of that fails; never throws.
 */
export async function findProvider(folder: string): Promise<FoundProvider | undefined> {
  const address = readAddress(folder);
  if (!address) return undefined;
  try {
    const secret = readFileSync(address.secret_file, "utf8").trim();
    if (!secret || !(await isOurs(address, secret))) return undefined;
    return { url: address.url, pid: address.pid, apiKey: address.api_key, secret };
  } catch {
    return undefined;
  }
}

async function isOurs(address: ProviderFile, secret: string): Promise<boolean> {
  const hi = await ask(`${address.url}/hi`, { op: "Hi", timeout: PROBE_TIMEOUT });
  if (hi.status !== 200) return false;
  const nonce = randomBytes(24).toString("base64url");
  const answer = await ask(`${address.url}/_local/prove`, {
    op: "Prove",
    method: "POST",
    body: { nonce },
    timeout: PROBE_TIMEOUT,
  });
  return (answer.body as { proof?: unknown } | undefined)?.proof === proof(secret, nonce);
}

/** The process to start: it must create the provider of the folder and stay until the provider closes. */
export interface Entry {
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
}

/**
 * Starts the provider of the folder in a process that outlives this one, or finds the one somebody else started
 * meanwhile: the folder's lock decides. Rejects when no provider answers within 15 s; its words are in `provider.log`.
 */
export async function startDetached(entry: Entry, folder: string): Promise<FoundProvider> {
  privateFolder(folder);
  const logFile = path.join(folder, FILES.log);
  const log = openSync(logFile, "a", 0o600);
  let exited: number | null | undefined;
  let failed: Error | undefined;
  try {
    const child = spawn(entry.command, entry.args, {
      cwd: folder,
      detached: true,
      stdio: ["ignore", log, log],
      env: entry.env ?? process.env,
    });
    child.once("exit", (code) => (exited = code));
    child.once("error", (error) => (failed = error));
    child.unref();
  } finally {
    closeSync(log);
  }
  const deadline = performance.now() + START_TIMEOUT;
  let afterExit = 0;
  for (;;) {
    const found = await findProvider(folder);
    if (found) return found;
    if (failed) throw new Error(`the provider could not be started: ${failed.message}`);
    // The loser of a race ends at once while the winner may still be on its way.
    if (exited !== undefined && exited !== 0 && ++afterExit > 100)
      throw new Error(`the provider ended at once (exit code ${exited}); see ${logFile}`);
    if (performance.now() > deadline) throw new Error(`the provider did not answer in time; see ${logFile}`);
    await new Promise((resolve) => setTimeout(resolve, POLL));
  }
}
