/** Signs in to a provider: saves a profile, stores its secret, and tests it. */
import { findProfile, profileFrom, removeProfile, saveProfile, type Profile } from "../config/profiles.ts";
import { oneSecret, readSecret, removeSecret, saveSecret } from "../config/secrets.ts";
import type { Host, SignIn, SignedIn } from "./host.ts";
import { NOT_A_TOKEN, readToken } from "../wire/token.ts";
import { commandError } from "./errors.ts";
import type { Env } from "../config/paths.ts";

const signInRefused = (kind: "usage" | "rejected", message: string, hint?: string): Error =>
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
    const startedAt = performance.now();
    await opened.core.call("getApp", { ...options, timeout: settings.timeout, retries: settings.retries });
    if (opened.core.userId !== undefined) await opened.core.call("getUnread", { query: {}, ...options });
    return { user: opened.user.id, ms: Math.round(performance.now() - startedAt) };
  } finally {
    await opened.close();
  }
}

/** Builds the profile and asks for missing values. Throws `CommandError` for invalid ones. */
async function readProfile(env: Env, request: SignIn): Promise<{ profile: Profile; secret?: string }> {
  const { name, kind } = request;
  if (name === "local")
    throw signInRefused("usage", "'local' is the embedded provider; choose another name.");
  const key = request.key || (await request.askKey());
  const word = kind === "secret" ? "secret" : "token";
  const secret = kind === "command" ? undefined : oneSecret(await request.askSecret(), `The ${word}`);
  if (secret === "") throw signInRefused("usage", `The ${word} is empty.`);
  const token = kind === "token" ? readToken(secret!) : undefined;
  if (kind === "token" && !token) throw signInRefused("rejected", NOT_A_TOKEN);
  // A token contains its user, so the user need not be given.
  const tokenUser = token?.claims.user_id;
  const user = kind === "secret" ? request.user : request.user || tokenUser || (await request.askUser());
  if (tokenUser !== undefined && user !== tokenUser)
    throw signInRefused("usage", `The token is for ${tokenUser}, not for ${user}.`, "Leave the user out.");
  // Signing in again keeps the other fields of the profile.
  const { url, channel, tools, protected: isProtected } = findProfile(env, name) ?? {};
  const profile = profileFrom(
    {
      ...request,
      url: request.url || url,
      key,
      user,
      channel: request.channel ?? channel,
      tool: request.tool ?? tools,
      protected: request.protected || isProtected,
    },
    kind,
  );
  return { profile, ...(secret !== undefined && { secret }) };
}

/** Restores the previous profile and secret after a failed sign-in. */
async function restorePrevious(
  env: Env,
  profile: Profile,
  previous: { profile?: Profile | undefined; secret?: string | undefined },
): Promise<void> {
  await removeSecret(env, profile);
  if (!previous.profile) return removeProfile(env, profile.name);
  if (previous.secret !== undefined) await saveSecret(env, profile.name, previous.secret);
  await saveProfile(env, previous.profile);
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
  const oldProfile = findProfile(env, name);
  const previous = {
    profile: oldProfile,
    secret: oldProfile && (await readSecret(env, oldProfile).catch(() => undefined)),
  };
  await saveProfile(env, profile);
  const store = secret === undefined ? undefined : await saveSecret(env, name, secret);
  const saved: Profile = { ...profile, ...(store && { store }) };
  if (store) await saveProfile(env, saved);
  let test: SignedIn["test"];
  try {
    if (!request.skipTest) test = await tryProfile(host, name, request.signal);
  } catch (error) {
    await restorePrevious(env, saved, previous);
    throw error;
  }
  const currentProfile = host.settingsNow().settings.profile;
  await host.saveSetting("profile", name);
  return {
    profile: name,
    ...(store && { store }),
    ...(test && { test }),
    ...(currentProfile !== name && { previousProfile: currentProfile }),
  };
}
