/** Signs in to a provider: saves a profile, stores its secret, and tests it. */
import type { Env } from "../config/load.ts";
import { findProfile, profileFrom, removeProfile, saveProfile, type Profile } from "../config/profiles.ts";
import { readSecret, removeSecret, saveSecret } from "../config/secrets.ts";
import type { Host, SignIn, SignedIn } from "./host.ts";
import { NOT_A_TOKEN, readToken } from "../wire/token.ts";
import { commandError } from "./fault.ts";

const refused = (kind: "usage" | "rejected", message: string, hint?: string): Error =>
  Object.assign(commandError(kind, message), hint === undefined ? {} : { hint });

/** Tests address, key and token by reading the app's settings and, with a user, the unread counts. */
export async function tryProfile(
  { open, settings }: Pick<Host, "open" | "settings">,
  name: string,
  signal?: AbortSignal,
): Promise<{ user: string; ms: number }> {
  const opened = await open({ profile: name, inMemory: true });
  const options = signal ? { signal } : {};
  try {
    const began = performance.now();
    await opened.core.call("getApp", { ...options, timeout: settings.timeout, retries: settings.retries });
    if (opened.core.userId !== undefined) await opened.core.call("getUnread", { query: {}, ...options });
    return { user: opened.user.id, ms: Math.round(performance.now() - began) };
  } finally {
    await opened.close();
  }
}

/** Builds the profile and asks for missing values. Throws `CommandError` for invalid ones. */
async function readProfile(env: Env, request: SignIn): Promise<{ profile: Profile; secret?: string }> {
  const { name, kind } = request;
  if (name === "local") throw refused("usage", "'local' is the embedded provider; choose another name.");
  const key = request.key || (await request.askKey());
  const secret = kind === "command" ? undefined : (await request.askSecret()).trim();
  if (secret === "") throw refused("usage", `The ${kind === "secret" ? "secret" : "token"} is empty.`);
  const token = kind === "token" ? readToken(secret!) : undefined;
  if (kind === "token" && !token) throw refused("rejected", NOT_A_TOKEN);
  // A token contains its user, so the user need not be given.
  const claimed = token?.claims.user_id;
  const user = kind === "secret" ? request.user : request.user || claimed || (await request.askUser());
  if (claimed !== undefined && user !== claimed)
    throw refused("usage", `The token is for ${claimed}, not for ${user}.`, "Leave the user out.");
  // Signing in again keeps the other fields of the profile.
  const { url, channel, tools, protected: guarded } = findProfile(env, name) ?? {};
  const profile = profileFrom(
    {
      ...request,
      url: request.url || url,
      key,
      user,
      channel: request.channel ?? channel,
      tool: request.tool ?? tools,
      protected: request.protected || guarded,
    },
    kind,
  );
  return { profile, ...(secret !== undefined && { secret }) };
}

/** Restores the previous profile and secret after a failed sign-in. */
async function undo(
  env: Env,
  profile: Profile,
  before: { profile?: Profile | undefined; secret?: string | undefined },
): Promise<void> {
  await removeSecret(env, profile);
  if (!before.profile) return removeProfile(env, profile.name);
  if (before.secret !== undefined) await saveSecret(env, profile.name, before.secret);
  await saveProfile(env, before.profile);
}

/**
 * Saves a profile and its secret, tests it, and makes it the current one; a failure restores the previous state. Throws
 * `CommandError` for invalid values, and errors of the provider.
 */
export async function signInTo(
  host: Pick<Host, "open" | "settings" | "settingsNow" | "saveSetting">,
  env: Env,
  request: SignIn,
): Promise<SignedIn> {
  const { profile, secret } = await readProfile(env, request);
  const { name } = profile;
  const previous = findProfile(env, name);
  const before = {
    profile: previous,
    secret: previous && (await readSecret(env, previous).catch(() => undefined)),
  };
  await saveProfile(env, profile);
  const store = secret === undefined ? undefined : await saveSecret(env, name, secret);
  const saved: Profile = { ...profile, ...(store && { store }) };
  if (store) await saveProfile(env, saved);
  let tried: SignedIn["tried"];
  try {
    if (!request.skipTest) tried = await tryProfile(host, name, request.signal);
  } catch (error) {
    await undo(env, saved, before);
    throw error;
  }
  const used = host.settingsNow().settings.profile;
  await host.saveSetting("profile", name);
  return {
    profile: name,
    ...(store && { store }),
    ...(tried && { tried }),
    ...(used !== name && { before: used }),
  };
}
