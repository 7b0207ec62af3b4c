/** Profiles: address of a provider, the user to be there, and where the secret is kept; stored in the user's config. */
import { readConfigFile, type Env } from "./load.ts";
import { changeConfig } from "./save.ts";
import { ConfigError } from "./settings.ts";
import { isLoopback } from "../model/loopback.ts";

/** How a profile signs in. `local` is the embedded provider. */
export type AuthKind = "local" | "token" | "command" | "secret";
const KINDS: readonly AuthKind[] = ["local", "token", "command", "secret"];

export interface Profile {
  name: string;
  kind: AuthKind;
  /** Base URL; absent for `local`, whose address is found at each attempt. */
  url?: string;
  key?: string;
  user?: string;
  /** `command`: prints a user token; run without a shell when it is a list. */
  command?: string | string[];
  /** The channel meant when none is named. */
  channel?: string;
  /** What `parley mcp` may offer: commands, or `channel *` for all of a noun. */
  tools?: string[];
  /** Writes ask first and name the profile. */
  protected?: boolean;
  /** Where the token or secret lies. */
  store?: "keyring" | "file";
}

/** The hosted profile's base URL unless another is given. */
export const DEFAULT_URL = "https://chat.stream-io-api.com";

const KEYS = new Set(["kind", "url", "key", "user", "command", "channel", "protected", "store", "tools"]);

/** Throws `ConfigError` for a profile that would not work or would send a secret where it does not belong. */
export function checkProfile(profile: Profile): Profile {
  const bad = (why: string): never => {
    throw new ConfigError(`Profile '${profile.name}': ${why}`);
  };
  if (!/^[\w.-]{1,64}$/.test(profile.name)) bad("its name may hold letters, digits, '_', '-' and '.'.");
  if (!KINDS.includes(profile.kind)) bad(`kind must be one of ${KINDS.join(", ")}.`);
  if (profile.kind === "local") return profile;
  const url = URL.parse(profile.url ?? "");
  if (!url || !/^https?:$/.test(url.protocol)) return bad("url must be an http or https address.");
  if (url.username || url.password) bad("url may not hold a user or a password.");
  const loopback = isLoopback(url.hostname);
  if (url.protocol === "http:" && !loopback) bad("url must be https: a token would travel in the open.");
  if (!profile.key) bad("key is missing.");
  // A key of the embedded provider goes nowhere else, and no hosted key goes to loopback by mistake.
  if (profile.key!.startsWith("local_") && !loopback)
    bad("a local_ key belongs to the embedded provider only.");
  if (profile.kind === "command" && !profile.command?.length) bad("command is missing.");
  return profile;
}

function fromFile(name: string, row: Record<string, unknown>): Profile {
  for (const key of Object.keys(row))
    if (!KEYS.has(key)) throw new ConfigError(`Profile '${name}' has an unknown entry '${key}'.`);
  return checkProfile({ name, ...row } as Profile);
}

/** All profiles; `local` is always there. */
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

/** What describes a profile. */
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

export function profileFrom(given: ProfileDescription, kind: AuthKind): Profile {
  const { name, url, key, user, command, channel, tool = [] } = given;
  return {
    name,
    kind,
    url: url || DEFAULT_URL,
    ...(key ? { key } : {}),
    ...(user ? { user } : {}),
    ...(command ? { command } : {}),
    ...(channel ? { channel } : {}),
    ...(tool.length > 0 ? { tools: tool } : {}),
    ...(given.protected ? { protected: true } : {}),
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
    const { [name]: _, ...rest } = file.profiles ?? {};
    file.profiles = rest;
    if (file.settings?.profile === name) delete file.settings.profile;
    if (file.current === name) delete file.current;
  });
}
