/** Profiles: a provider's address, the user to sign in as, and where the secret is stored; saved in the user's config. */
import { readConfigFile } from "./load.ts";
import { changeConfig } from "./save.ts";
import { ConfigError } from "./settings.ts";
import { isLoopback, LOCAL_KEY_PREFIX } from "../model/loopback.ts";
import type { Env } from "./paths.ts";

/** How a profile signs in. `local` is the embedded provider. */
export type AuthKind = "local" | "token" | "command" | "secret";
const KINDS: readonly AuthKind[] = ["local", "token", "command", "secret"];

export interface Profile {
  name: string;
  kind: AuthKind;
  /** Base URL; absent for `local`, whose address is looked up at each attempt. */
  url?: string;
  key?: string;
  user?: string;
  /** For `command`: prints a user token; a list is run without a shell. */
  command?: string | string[];
  /** Default channel of commands. */
  channel?: string;
  /** Commands that `parley mcp` offers; `channel *` stands for all channel commands. */
  tools?: string[];
  /** Writes ask for confirmation first, naming the profile. */
  protected?: boolean;
  /** Where the token or secret is stored. */
  store?: "keyring" | "file";
}

/** Base URL of hosted profiles without one. */
export const DEFAULT_URL = "https://chat.stream-io-api.com";

const KEYS = new Set(["kind", "url", "key", "user", "command", "channel", "protected", "store", "tools"]);

/** Throws `ConfigError` for a profile that cannot work or would send a secret to the wrong place. */
export function checkProfile(profile: Profile): Profile {
  const refuse = (reason: string): never => {
    throw new ConfigError(`Profile '${profile.name}': ${reason}`);
  };
  if (!/^[\w.-]{1,64}$/.test(profile.name))
    refuse("its name may contain letters, digits, '_', '-' and '.', 64 at most.");
  if (!KINDS.includes(profile.kind)) refuse(`kind must be one of ${KINDS.join(", ")}.`);
  if (profile.kind === "local") return profile;
  const url = URL.parse(profile.url ?? "");
  if (!url || !/^https?:$/.test(url.protocol)) return refuse("url must be an http or https address.");
  if (url.username || url.password) refuse("url must not contain a user or a password.");
  const loopback = isLoopback(url.hostname);
  if (url.protocol === "http:" && !loopback) refuse("url must be https: a token would be sent unencrypted.");
  if (!profile.key) refuse("key is missing.");
  // A key of the embedded provider must not leave this machine.
  if (profile.key!.startsWith(LOCAL_KEY_PREFIX) && !loopback)
    refuse("a local_ key belongs to the embedded provider only.");
  if (profile.kind === "command" && !profile.command?.length) refuse("command is missing.");
  return profile;
}

function fromFile(name: string, row: Record<string, unknown>): Profile {
  for (const key of Object.keys(row))
    if (!KEYS.has(key)) throw new ConfigError(`Profile '${name}' has an unknown entry '${key}'.`);
  return checkProfile({ name, ...row } as Profile);
}

/** All profiles; `local` is always among them. */
export function listProfiles(env: Env): Profile[] {
  const rows = readConfigFile(env).profiles ?? {};
  const found = Object.entries(rows).map(([name, row]) => fromFile(name, row));
  return found.some((profile) => profile.name === "local")
    ? found
    : [{ name: "local", kind: "local" }, ...found];
}

export function findProfile(env: Env, name: string): Profile | undefined {
  const row = readConfigFile(env).profiles?.[name];
  if (row) return fromFile(name, row);
  return name === "local" ? { name: "local", kind: "local" } : undefined;
}

/** The answers or flags a profile is made from. */
export interface ProfileDescription {
  name: string;
  url?: string | undefined;
  key?: string | undefined;
  user?: string | undefined;
  command?: string | undefined;
  channel?: string | undefined;
  tool?: string[] | undefined;
  protected?: boolean | undefined;
}

/** Throws `ConfigError` for a command that would never run. */
export function profileFrom(description: ProfileDescription, kind: AuthKind): Profile {
  const { name, url, key, user, command, channel, tool = [] } = description;
  if (command && kind !== "command")
    throw new ConfigError(`Profile '${name}': a command is for kind command, not ${kind}.`);
  return {
    name,
    kind,
    url: url || DEFAULT_URL,
    ...(key ? { key } : {}),
    ...(user ? { user } : {}),
    ...(command ? { command } : {}),
    ...(channel ? { channel } : {}),
    ...(tool.length > 0 ? { tools: tool } : {}),
    ...(description.protected ? { protected: true } : {}),
  };
}

export async function saveProfile(env: Env, profile: Profile): Promise<void> {
  const { name, ...row } = checkProfile(profile);
  await changeConfig(env, (file) => {
    file.profiles = { ...file.profiles, [name]: row };
  });
}

export async function removeProfile(env: Env, name: string): Promise<void> {
  await changeConfig(env, (file) => {
    const { [name]: _, ...others } = file.profiles ?? {};
    file.profiles = others;
    if (file.settings?.profile === name) delete file.settings.profile;
    if (file.current === name) delete file.current;
  });
}
