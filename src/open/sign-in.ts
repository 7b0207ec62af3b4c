/** Signs in to a provider: saves a profile, stores its secret, and tests it. */
import { findProfile, profileFrom, removeProfile, saveProfile, type Profile } from "../config/profiles.ts";
import { oneSecret, readSecret, removeSecret, saveSecret } from "../config/secrets.ts";
import type { Host, SignIn, SignedIn, Tried } from "./host.ts";
import type { CallDefaults, Core } from "../core/core.ts";
import { withHint } from "../model/errors.ts";
import { refusedSignIn, signInFault, type SignInFields } from "../model/sign-in-fields.ts";
import { isRouteAbsent, NOT_ALLOWED } from "../wire/errors.ts";
import { receivedLength } from "../wire/reading.ts";
import { readToken } from "../wire/token.ts";
import { commandError } from "./errors.ts";
import type { Env } from "../config/paths.ts";

const signInRefused = (kind: "usage" | "rejected", message: string, hint?: string): Error =>
  Object.assign(commandError(kind, message), hint === undefined ? {} : { hint });

/** A call that the provider lacks, or keeps from this user: neither is about the address, the key or the token. */
const isOfOneCall = (error: unknown): boolean =>
  isRouteAbsent(error) || (error as { code?: unknown }).code === NOT_ALLOWED;

/** Reads the app's settings and, with a user, the unread counts. Throws what refused the sign-in, or the first error when no call was answered. */
async function tryCalls(core: Core, options: CallDefaults): Promise<void> {
  const calls = [
    () => core.call("getApp", options),
    ...(core.userId === undefined ? [] : [() => core.call("getUnread", { query: {}, ...options })]),
  ];
  const failures: unknown[] = [];
  for (const call of calls)
    await call().catch((error: unknown) => {
      if (!isOfOneCall(error)) throw error;
      failures.push(error);
    });
  if (failures.length === calls.length) throw failures[0];
}

/** Tests address, key and token. */
export async function tryProfile(
  { open, settings, now }: Pick<Host, "open" | "settings" | "now">,
  name: string,
  signal?: AbortSignal,
  token?: string,
): Promise<Tried> {
  const opened = await open({ profile: name, inMemory: true });
  const options = signal ? { signal } : {};
  const { core, profile, user } = opened;
  try {
    const startedAt = performance.now();
    await tryCalls(core, { ...options, timeout: settings.timeout, retries: settings.retries });
    const ms = Math.round(performance.now() - startedAt);
    return { user: user.id, ms, ...(await hasChannels(core, options)) };
  } catch (error) {
    const hint = refusedSignIn(error as { code?: number; status?: number }, {
      kind: profile.kind,
      host: URL.parse(profile.url ?? "")?.host ?? name,
      token,
      providerNow: core.providerNow(),
      now: now(),
    });
    throw hint === undefined ? error : withHint(error, hint);
  } finally {
    await opened.close();
  }
}

/** Whether the user is in any channel; nothing where that cannot be told. */
async function hasChannels(core: Core, options: { signal?: AbortSignal }): Promise<Pick<Tried, "inChannel">> {
  const me = core.userId;
  if (me === undefined) return {};
  const body = { filter_conditions: { members: { $in: [me] } }, limit: 1, state: false };
  const found = await core.call("queryChannels", { body, ...options }).catch(() => undefined);
  return found === undefined ? {} : { inChannel: receivedLength(found.channels) > 0 };
}

/** Refuses a field at once, before the next one is asked for. */
function requireRight(field: string, fields: SignInFields): void {
  const fault = signInFault(field, fields);
  if (fault !== undefined) throw signInRefused("rejected", fault);
}

/** Builds the profile and asks for missing values. Throws `CommandError` for invalid ones. */
async function readProfile(env: Env, request: SignIn): Promise<{ profile: Profile; secret?: string }> {
  const { name, kind } = request;
  if (name === "local")
    throw signInRefused("usage", "'local' is the embedded provider; choose another name.");
  const key = request.key || (await request.askKey());
  requireRight("key", { kind: kind as SignInFields["kind"], key });
  const word = kind === "secret" ? "secret" : "token";
  const secret = kind === "command" ? undefined : oneSecret(await request.askSecret(), `The ${word}`);
  if (secret === "") throw signInRefused("usage", `The ${word} is empty.`);
  const token = kind === "token" ? readToken(secret!) : undefined;
  const fields = { kind: kind as SignInFields["kind"], key, [kind]: secret };
  requireRight(kind, fields);
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
  host: Pick<Host, "open" | "settings" | "settingsNow" | "saveSetting" | "now">,
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
    if (!request.skipTest) test = await tryProfile(host, name, request.signal, secret);
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
