/** Stores tokens and secrets of profiles in the OS keyring, or in a file only the owner can read. */
import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, statSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { readJson } from "./load.ts";
import { credentialsFile, type Env } from "./paths.ts";
import { ConfigError } from "./settings.ts";

const SERVICE = "parley";
/** Milliseconds; a keyring may be waiting for a password in a window nobody sees. */
const KEYRING_WAIT = 3000;

interface Keyring {
  get(): Promise<string | undefined>;
  set(secret: string): Promise<void>;
  delete(): Promise<void>;
}

/** Undefined when no keyring is installed or PARLEY_KEYRING is off. */
async function keyring(env: Env, account: string): Promise<Keyring | undefined> {
  if (env.PARLEY_KEYRING === "off") return undefined;
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    // The store is named: the library would fall back to a kernel keyring that is cleared at logout.
    const entry = new AsyncEntry(SERVICE, account, { linux: { store: "secret-service" } } as never);
    const wait = (): AbortSignal => AbortSignal.timeout(KEYRING_WAIT);
    return {
      get: async () => (await entry.getPassword(wait())) ?? undefined,
      set: async (secret) => void (await entry.setPassword(secret, wait())),
      delete: async () => void (await entry.deletePassword?.(wait())),
    };
  } catch {
    return undefined;
  }
}

/** Throws `ConfigError` for a file that others can read, unless `insecure`. */
function readFile(env: Env, insecure: boolean): Record<string, string> {
  const file = credentialsFile(env);
  if (!existsSync(file)) return {};
  if (process.platform !== "win32" && !insecure) {
    const mode = statSync(file).mode & 0o777;
    if (mode & 0o077)
      throw new ConfigError(
        `${file} can be read by others (mode ${mode.toString(8)}): run 'chmod 600' on it, or add --insecure.`,
      );
  }
  return (readJson(file) ?? {}) as Record<string, string>;
}

async function writeFile(env: Env, values: Record<string, string>): Promise<void> {
  const file = credentialsFile(env);
  const dir = path.dirname(file);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  if (process.platform !== "win32") chmodSync(dir, 0o700);
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(`${JSON.stringify(values, undefined, 2)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    await rename(temporary, file);
  } catch (error) {
    await unlink(temporary).catch(() => {});
    throw error;
  }
}

/** Saves the secret of a profile and returns where. */
export async function saveSecret(env: Env, profile: string, secret: string): Promise<"keyring" | "file"> {
  const ring = await keyring(env, profile);
  if (ring) {
    try {
      await ring.set(secret);
      if ((await ring.get()) === secret) return "keyring";
    } catch {
      // No keyring answers: use the file.
    }
  }
  await writeFile(env, { ...readFile(env, true), [profile]: secret });
  return "file";
}

/** A token or secret without the white space around it. `from`: where it stands. Throws `ConfigError` if it is more than one word: a header could not hold it. */
export function oneSecret(text: string, from: string): string {
  const secret = text.trim();
  // oxlint-disable-next-line no-control-regex -- exactly what a header refuses
  if (/[\s\u0000-\u001f\u007f]/.test(secret))
    throw new ConfigError(
      `${from} holds ${secret.includes("\n") ? "more than one line" : "more than one word"}: leave only the token or secret itself.`,
    );
  return secret;
}

/** The token or secret in a variable of the environment; undefined for an empty one. Throws like `oneSecret`. */
export const secretIn = (env: Env, name: "PARLEY_TOKEN" | "PARLEY_API_SECRET"): string | undefined =>
  oneSecret(env[name] ?? "", name) || undefined;

/** The secret of a profile, or undefined. Throws `ConfigError` for a file others can read, and like `oneSecret`. */
export async function readSecret(
  env: Env,
  profile: { name: string; store?: "keyring" | "file" },
  insecure = false,
): Promise<string | undefined> {
  const inKeyring = profile.store === "keyring";
  const secret = inKeyring
    ? await (await keyring(env, profile.name))?.get().catch(() => undefined)
    : readFile(env, insecure)[profile.name];
  const place = inKeyring ? "the keyring" : credentialsFile(env);
  return secret === undefined ? undefined : oneSecret(secret, `The entry '${profile.name}' of ${place}`);
}

export async function removeSecret(
  env: Env,
  profile: { name: string; store?: "keyring" | "file" },
): Promise<void> {
  if (profile.store === "keyring") {
    await (await keyring(env, profile.name))?.delete().catch(() => {});
    return;
  }
  const { [profile.name]: secret, ...others } = readFile(env, true);
  if (secret !== undefined) await writeFile(env, others);
}
