/** Finds the provider of a data folder: it answers, or a process has the folder and is silent, or there is none. */
import { randomBytes } from "node:crypto";
import { TransportError } from "../../model/transport.ts";
import { isOwnerAlive } from "../../model/files/owner.ts";
import { requestJson } from "./ask.ts";
import { readHolder } from "./holder.ts";
import { proof, readAddress, secretIn, type ProviderFile } from "./identity.ts";

/** Milliseconds for one question when nobody says otherwise. */
export const PROBE_TIMEOUT = 2000;

export interface FoundProvider {
  url: string;
  pid: number;
  apiKey: string;
  secret: string;
  /** Of the program it runs; one from before versions were told has none. */
  version?: string;
}

export type ProviderState =
  | { state: "absent" }
  | { state: "running"; provider: FoundProvider }
  /** A process has the folder and does not answer: it starts (not listening yet), ends, is too busy, or was stopped. */
  | { state: "silent"; pid: number; listening: boolean };

/**
 * Looks at the folder's provider: `provider.json` names it, and it proves that it knows the folder's secret, which it can also
 * while its disk or database refuses. The question may take `timeout` milliseconds. Never throws.
 */
export async function probeProvider(folder: string, timeout = PROBE_TIMEOUT): Promise<ProviderState> {
  const address = readAddress(folder);
  const secret = address && secretIn(address.secret_file);
  const answered = address && secret ? await prove(address, secret, timeout) : "nobody";
  if (typeof answered === "object") {
    // What was read may be left by one that was killed, while a new one took the same port: by now it has written its own.
    const current = answered.pid === address!.pid ? address! : (readAddress(folder) ?? address!);
    return { state: "running", provider: { ...found(current, secret!), pid: answered.pid } };
  }
  const holder = readHolder(folder);
  if (holder) return { state: "silent", pid: holder.pid, listening: address !== undefined };
  // An older program writes its address alone: it holds the folder when its port is open and nobody speaks.
  if (address && answered === "silent" && isOwnerAlive(`${address.pid}:`))
    return { state: "silent", pid: address.pid, listening: true };
  return { state: "absent" };
}

const found = (address: ProviderFile, secret: string): FoundProvider => ({
  url: address.url,
  pid: address.pid,
  apiKey: address.api_key,
  secret,
  ...(address.version === undefined ? {} : { version: address.version }),
});

/** `silent`: the port takes connections and gives no answer. */
async function prove(
  address: ProviderFile,
  secret: string,
  timeout: number,
): Promise<{ pid: number } | "silent" | "nobody"> {
  try {
    const nonce = randomBytes(24).toString("base64url");
    const answer = await requestJson(`${address.url}/_local/prove`, {
      op: "Prove",
      method: "POST",
      body: { nonce },
      timeout,
    });
    const { proof: given, pid } = (answer.body ?? {}) as { proof?: unknown; pid?: unknown };
    if (given !== proof(secret, nonce)) return "nobody";
    return { pid: typeof pid === "number" ? pid : address.pid };
  } catch (error) {
    return error instanceof TransportError && error.kind === "timeout" ? "silent" : "nobody";
  }
}
