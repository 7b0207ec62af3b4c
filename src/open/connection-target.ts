/** Resolves a profile to a connection target: address, key, user and token. */
import { isLoopback } from "../model/loopback.ts";
import { findProfile, type Profile } from "../config/profiles.ts";
import { proxyRoute, type Proxy } from "../config/proxy.ts";
import { readSecret, secretIn } from "../config/secrets.ts";
import type { Settings } from "../config/settings.ts";
import type { TokenSource } from "../core/core.ts";
import { ERASED, REPLACED, isReplaced, type Obstacle } from "../model/obstacles.ts";
import { TransportError } from "../model/transport.ts";
import type { HostOptions, Local, LocalProvider, OpenOptions } from "./host.ts";
import { readToken } from "../wire/token.ts";
import { notAllowed, signInError } from "./errors.ts";
import { userToken } from "./user-token.ts";
import { osUser } from "./user.ts";
import type { CoreOptions, CorePorts } from "../core/client.ts";
import type { Env } from "../config/paths.ts";

/** Lifetime of a user token made from a profile's secret, seconds; core renews it before it expires. */
const TOKEN_LIFETIME_S = 86_400;

export interface ConnectionTarget extends Pick<
  CoreOptions,
  "apiKey" | "secret" | "tokenIsStored" | "clockOffset" | "prepare" | "ensureReachable"
> {
  baseUrl(): string;
  user: { id: string; name?: string };
  token?: TokenSource;
  loopback: boolean;
  proxy?: Proxy;
  /** What answers in this process, instead of a provider. */
  ports?: Pick<CorePorts, "request" | "socket">;
}

/** Registers the user; a provider that ended after it was found is started once more. */
async function enterProvider(
  local: Local,
  user: ConnectionTarget["user"],
  provider: LocalProvider,
): Promise<LocalProvider> {
  try {
    await local.enter(user, provider);
    return provider;
  } catch (error) {
    if (!(error instanceof TransportError) || error.kind !== "network") throw error;
    const restarted = await local.start(false);
    await local.enter(user, restarted);
    return restarted;
  }
}

const blocked = (obstacle: Obstacle): TransportError =>
  new TransportError("ERR_NETWORK", obstacle.reason, undefined, true, undefined, obstacle);

/** The user for the embedded provider: that of `PARLEY_TOKEN`, else the user of this machine. */
export function localUserOf(env: Env): ConnectionTarget["user"] {
  if (secretIn(env, "PARLEY_TOKEN") === undefined) return osUser(env);
  const userId = userOfToken(env);
  if (userId === undefined) throw signInError("PARLEY_TOKEN is not a user token.");
  return { id: userId };
}

function userOfToken(env: Env): string | undefined {
  const token = secretIn(env, "PARLEY_TOKEN");
  const userId = token ? readToken(token)?.claims.user_id : undefined;
  return typeof userId === "string" && userId !== "" ? userId : undefined;
}

/** The default user of a hosted profile; `PARLEY_TOKEN` takes precedence, except with a secret. */
export const hostedUserOf = ({ kind, user }: Profile, env: Env): string | undefined =>
  (kind === "secret" ? undefined : userOfToken(env)) ?? user;

/** The target of the embedded provider; its address is looked up before each connection attempt, because it may change. */
export async function localTarget(
  local: Local,
  requestedUser: string | undefined,
  env: Env,
  { startAfter, until, queue }: { startAfter?: Promise<void>; until?: number; queue: boolean },
): Promise<ConnectionTarget> {
  const envToken = secretIn(env, "PARLEY_TOKEN");
  const user = requestedUser === undefined ? localUserOf(env) : { id: requestedUser };
  // The secret and the key of a folder change only when it is erased; otherwise only the address does.
  const startsLater = startAfter !== undefined || queue;
  const identity = startsLater
    ? (await import("../provider/lifecycle/identity.ts")).storedIdentity(local.folder)
    : undefined;
  let current: LocalProvider | undefined;
  const prepare = async (within?: number): Promise<LocalProvider> => {
    const provider = await local.start(false, within);
    if (provider.url === current?.url && provider.pid === current.pid) return provider;
    return (current = await enterProvider(local, user, provider));
  };
  const { secret, apiKey } = identity ?? (await prepare(until));
  const same = (provider: LocalProvider): void => {
    if (provider.secret !== secret) throw blocked(ERASED);
  };
  return {
    baseUrl: () => current?.url ?? `http://127.0.0.1:${identity?.port || 1}`,
    apiKey,
    secret,
    user,
    // The owner of the folder can always make a new token, so a revoked one is simply replaced.
    token: envToken ?? ((now) => userToken({ secret, user: user.id, now, sameClock: true }).token),
    loopback: true,
    clockOffset: local.clockAhead(),
    ...(queue && identity
      ? {
          async ensureReachable() {
            if (!current)
              await prepare(until).catch((error: unknown) => {
                throw new TransportError("ERR_NETWORK", (error as Error).message, undefined, true);
              });
          },
        }
      : {}),
    async prepare() {
      await startAfter;
      same(
        await prepare().catch((error: unknown) => {
          throw isReplaced(error) ? blocked(REPLACED) : error;
        }),
      );
    },
  };
}

export async function hostedTarget(
  profile: Profile,
  requestedUser: string | undefined,
  options: HostOptions,
  settings: Settings,
  { allowSignedOut }: OpenOptions = {},
): Promise<ConnectionTarget> {
  const { env, insecure } = options;
  const { proxy } = await proxyRoute(profile.url!, settings, env);
  const base = {
    baseUrl: () => profile.url!,
    apiKey: profile.key!,
    loopback: isLoopback(new URL(profile.url!).hostname),
    ...(proxy && { proxy }),
  };
  const defaultUser = hostedUserOf(profile, env);
  const userId = requestedUser ?? defaultUser;
  if (profile.kind === "secret") {
    const secret = secretIn(env, "PARLEY_API_SECRET") ?? (await readSecret(env, profile, insecure));
    if (!secret) throw signInError(`Profile '${profile.name}' has no secret.`);
    if (userId === undefined) return { ...base, secret, user: { id: "" } };
    return {
      ...base,
      secret,
      user: { id: userId },
      token: (now) => userToken({ secret, user: userId, now, lifetime: TOKEN_LIFETIME_S }).token,
    };
  }
  if (requestedUser !== undefined && requestedUser !== defaultUser)
    throw Object.assign(
      notAllowed(`Profile '${profile.name}' has no secret, so it cannot act as ${requestedUser}.`),
      { hint: "Leave out --as and PARLEY_USER, or use a profile with a secret: parley help ops." },
    );
  if (userId === undefined) throw signInError(`Profile '${profile.name}' has no user.`);
  const user = { id: userId };
  const envToken = secretIn(env, "PARLEY_TOKEN");
  if (envToken !== undefined) return { ...base, user, token: envToken };
  if (profile.kind === "command") {
    const { runTokenCommand } = await import("../config/token-command.ts");
    return { ...base, user, token: () => runTokenCommand(profile.command!, env) };
  }
  const stored = async (): Promise<string> => {
    // Whoever signs in to another app meanwhile stores its token under the same name.
    const current = findProfile(env, profile.name) ?? profile;
    if (current.url !== profile.url || current.key !== profile.key) return "";
    return (await readSecret(env, current, insecure)) ?? "";
  };
  if (!allowSignedOut && (await stored()) === "")
    throw signInError(`Profile '${profile.name}' has no token.`);
  return { ...base, user, token: stored, tokenIsStored: true };
}
