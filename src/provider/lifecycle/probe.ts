/** Finds the provider of a data folder: running, silent (a process holds the folder but does not answer), or absent. */
import { randomBytes } from "node:crypto";
import { TransportError } from "../../model/transport.ts";
import { isOwnerAlive } from "../../model/files/owner.ts";
import { requestJson } from "./request-json.ts";
import { readHolder } from "./holder.ts";
import { proof, readAddress, readableSecret, type ProviderFile } from "./identity.ts";

/** Default time for one probe, milliseconds. */
export const PROBE_TIMEOUT = 2000;

export interface FoundProvider {
  url: string;
  pid: number;
  apiKey: string;
  secret: string;
  /** Version of its program; absent for programs older than this field. */
  version?: string;
}

export type ProviderState =
  | { state: "absent" }
  | { state: "running"; provider: FoundProvider }
  /** A process holds the folder and does not answer: it is starting (not listening yet), closing, too busy, or suspended. */
  | { state: "silent"; pid: number; listening: boolean };

/**
 * Probes the provider that `provider.json` names: it proves that it knows the folder's secret, which works even while its disk
 * or database fails. May take `timeout` milliseconds. Never throws.
 */
export async function probeProvider(folder: string, timeout = PROBE_TIMEOUT): Promise<ProviderState> {
  const address = readAddress(folder);
  const secret = address && readableSecret(address.secret_file);
  const answer = address && secret ? await prove(address, secret, timeout) : "nobody";
  if (typeof answer === "object") {
    // The address may be from a killed provider whose port a new one took; the new one has written its own file by now.
    const current = answer.pid === address!.pid ? address! : (readAddress(folder) ?? address!);
    return { state: "running", provider: { ...describe(current, secret!), pid: answer.pid } };
  }
  const holder = readHolder(folder);
  if (holder) return { state: "silent", pid: holder.pid, listening: address !== undefined };
  // Older programs write no holder file: an open port without an answer means that the process holds the folder.
  if (address && answer === "silent" && isOwnerAlive(`${address.pid}:`))
    return { state: "silent", pid: address.pid, listening: true };
  return { state: "absent" };
}

const describe = (address: ProviderFile, secret: string): FoundProvider => ({
  url: address.url,
  pid: address.pid,
  apiKey: address.api_key,
  secret,
  ...(address.version === undefined ? {} : { version: address.version }),
});

/** `silent`: the port accepts connections but gives no answer in time. */
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
    const { proof: received, pid } = (answer.body ?? {}) as { proof?: unknown; pid?: unknown };
    if (received !== proof(secret, nonce)) return "nobody";
    return { pid: typeof pid === "number" ? pid : address.pid };
  } catch (error) {
    return error instanceof TransportError && error.kind === "timeout" ? "silent" : "nobody";
  }
}
