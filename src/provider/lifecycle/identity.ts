/** The identity of a data folder: its secret, API key, last port, and the address file that clients read. */
// Another program may have taken the remembered port, so before a client sends a token there, the process has to prove that it
// knows the secret of the data folder.
import { createHmac, randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { SECRET_FILE, apiKeyOf } from "../../model/files/local-key.ts";
import { readOwn, replaceOwn } from "../../model/files/own-files.ts";

/** Content of `provider.json` (specification/embedded-provider.md §1). The secret is in a separate file. */
export interface ProviderFile {
  url: string;
  pid: number;
  api_key: string;
  secret_file: string;
  /** Version of the program that runs the provider. */
  version?: string;
}

export const DATA_FILES = {
  database: "provider.db",
  lock: "lock.db",
  secret: SECRET_FILE,
  port: "port",
  clock: "clock",
  address: "provider.json",
  holder: "holder.json",
  uploads: "files",
  log: "provider.log",
} as const;

/** Creates the folder, or makes an existing one private. */
export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

function read(file: string): string | undefined {
  try {
    return readOwn(file);
  } catch {
    return undefined;
  }
}

/** Shortest accepted secret, bytes. */
const SECRET_BYTES = 32;

/** The secret file is too short: tokens signed with it could be forged. */
class WeakSecret extends Error {
  readonly hint = "parley local reset starts over with a new secret.";
  constructor(file: string) {
    super(`${file} holds fewer than ${SECRET_BYTES} bytes: that is no secret.`);
    this.name = "WeakSecret";
  }
}

/** The secret of a file, undefined when there is none. Throws `ForeignFile` and `WeakSecret`. */
function readSecretFile(file: string): string | undefined {
  const secret = readOwn(file)?.trim();
  if (secret !== undefined && Buffer.byteLength(secret) < SECRET_BYTES) throw new WeakSecret(file);
  return secret;
}

/** The folder's secret: 32 random bytes, created at the first start. Call with the folder's lock held. */
export function folderSecret(folder: string): string {
  const file = path.join(folder, DATA_FILES.secret);
  const found = readSecretFile(file);
  if (found !== undefined) {
    chmodSync(file, 0o600);
    return found;
  }
  const secret = newSecret();
  replaceOwn(file, `${secret}\n`);
  return secret;
}

/** Undefined when the file is missing or may not be read. */
export const readableSecret = (file: string): string | undefined => {
  try {
    return readSecretFile(file);
  } catch {
    return undefined;
  }
};

/** The identity that stays the same over all starts; undefined when the provider has never run. Never throws. */
export function storedIdentity(folder: string): { secret: string; apiKey: string; port: number } | undefined {
  const secret = readableSecret(path.join(folder, DATA_FILES.secret));
  return secret ? { secret, apiKey: apiKeyOf(secret), port: readPort(folder) } : undefined;
}

export function newSecret(): string {
  return randomBytes(32).toString("base64url");
}

/**
 * The answer to `prove`: shows, without a token, that this process knows the folder's secret. Clients check it before they send
 * anything sensitive to a port that another process may have taken.
 */
export function proof(secret: string, nonce: string): string {
  return createHmac("sha256", secret).update(`parley prove\n${nonce}`).digest("hex");
}

export function readPort(folder: string): number {
  const port = Number(read(path.join(folder, DATA_FILES.port)));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : 0;
}

export function writePort(folder: string, port: number): void {
  replaceOwn(path.join(folder, DATA_FILES.port), `${port}\n`);
}

/** How far the folder's clock was moved forward, milliseconds. */
export function readClockOffset(folder: string): number {
  const ms = Number(read(path.join(folder, DATA_FILES.clock)) ?? 0);
  return Number.isSafeInteger(ms) && ms > 0 ? ms : 0;
}

export function writeClockOffset(folder: string, ms: number): void {
  replaceOwn(path.join(folder, DATA_FILES.clock), `${ms}\n`);
}

export function writeAddress(folder: string, address: ProviderFile): void {
  replaceOwn(path.join(folder, DATA_FILES.address), `${JSON.stringify(address)}\n`);
}

export function removeAddress(folder: string): void {
  rmSync(path.join(folder, DATA_FILES.address), { force: true });
}

/** The address file; undefined when it is missing or malformed. */
export function readAddress(folder: string): ProviderFile | undefined {
  const text = read(path.join(folder, DATA_FILES.address));
  if (text === undefined) return undefined;
  try {
    const { url, pid, api_key, secret_file, version } = JSON.parse(text) as ProviderFile;
    if (![url, api_key, secret_file].every((value) => typeof value === "string")) return undefined;
    if (!/^http:\/\/127\.0\.0\.1:\d+$/.test(url) || !Number.isInteger(pid)) return undefined;
    return { url, pid, api_key, secret_file, ...(typeof version === "string" ? { version } : {}) };
  } catch {
    return undefined;
  }
}
