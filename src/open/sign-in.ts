/** Signs in to a provider for both faces: makes a profile, stores its secret, and tests it. */
import type { Env } from "../config/load.ts";
import { findProfile, profileFrom, removeProfile, saveProfile, type Profile } from "../config/profiles.ts";
import { readSecret, removeSecret, saveSecret } from "../config/secrets.ts";
import type { Host, SignIn, SignedIn } from "./host.ts";
import { NOT_A_TOKEN, readToken } from "../wire/token.ts";
import { commandError } from "./fault.ts";

const refused = (kind: "usage" | "rejected", message: string, hint?: string): Error =>
  Object.assign(commandError(kind, message), hint === undefined ? {} : { hint });

/** Reads the app's settings and, with a user, the unread counts: address, key and token are good when both answer. */
export async function tryProfile(
  { open, settings }: Pick<Host, "open" | "settings">,
  name: string,
  signal?: AbortSignal,
): Promise<{ user: string; ms: number }> {
  const opened = await open({ profile: name, forgetful: true });
  const ends = signal ? { signal } : {};
  try {
    const began = performance.now();
    await opened.core.call("getApp", { ...ends, timeout: settings.timeout, retries: settings.retries });
    if (opened.core.userId !== undefined) await opened.core.call("getUnread", { query: {}, ...ends });
    return { user: opened.user.id, ms: Math.round(performance.now() - began) };
  } finally {
    await opened.close();
  }
}

/** The profile with its secret, as far as it was given or asked for. Throws `CommandError` for what cannot be. */
async function described(env: Env, request: SignIn): Promise<{ profile: Profile; secret?: string }> {
  const { name, kind } = request;
  if (name === "local") throw refused("usage", "'local' is the embedded provider; choose another name.");
  const key = request.key || (await request.askKey());
  const secret = kind === "command" ? undefined : (await request.askSecret()).trim();
  if (secret === "") throw refused("usage", `The ${kind === "secret" ? "secret" : "token"} is empty.`);
  const token = kind === "token" ? readToken(secret!) : undefined;
  if (kind === "token" && !token) throw refused("rejected", NOT_A_TOKEN);
  // A token names its user: nobody has to type it twice.
  const claimed = token?.claims.user_id;
  const user = kind === "secret" ? request.user : request.user || claimed || (await request.askUser());
  if (claimed !== undefined && user !== claimed)
    throw refused("usage", `The token is for ${claimed}, not for ${user}.`, "Leave the user out.");
  // Signing in again keeps what else was said of a profile.
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

/** Puts back what was there before a sign-in that came to nothing. */
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
 * Keeps a profile and its secret, tries it, and uses it from then on; a sign-in that is refused leaves everything as it
 * was. Throws `CommandError` for what cannot be, and what the provider says.
 */
export async function signInTo(
  host: Pick<Host, "open" | "settings" | "settingsNow" | "saveSetting">,
  env: Env,
  request: SignIn,
): Promise<SignedIn> {
  const { profile, secret } = await described(env, request);
  const { name } = profile;
  const known = findProfile(env, name);
  const before = { profile: known, secret: known && (await readSecret(env, known).catch(() => undefined)) };
  await saveProfile(env, profile);
  const kept = secret === undefined ? undefined : await saveSecret(env, name, secret);
  const saved: Profile = { ...profile, ...(kept && { store: kept }) };
  if (kept) await saveProfile(env, saved);
  let tried: SignedIn["tried"];
  try {
    if (!request.untried) tried = await tryProfile(host, name, request.signal);
  } catch (error) {
    await undo(env, saved, before);
    throw error;
  }
  const used = host.settingsNow().settings.profile;
  await host.saveSetting("profile", name);
  return {
    profile: name,
    ...(kept && { store: kept }),
    ...(tried && { tried }),
    ...(used !== name && { before: used }),
  };
}
