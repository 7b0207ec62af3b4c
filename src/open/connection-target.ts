/** Resolves a profile to what a client connects with: address, key, user and token. */
import type { Env } from "../config/load.ts";
import { isLoopback } from "../model/loopback.ts";
import type { Profile } from "../config/profiles.ts";
import { proxyRoute, type Proxy } from "../config/proxy.ts";
import { readSecret } from "../config/secrets.ts";
import type { Settings } from "../config/settings.ts";
import type { TokenSource } from "../core/core.ts";
import { REPLACED, isReplaced } from "../model/obstacles.ts";
import { TransportError } from "../model/transport.ts";
import type { HostOptions, Local, LocalProvider, OpenOptions } from "./host.ts";
import { readToken } from "../wire/token.ts";
import { notAllowed, signIn } from "./fault.ts";
import { userToken } from "./user-token.ts";
import { osUser } from "./user.ts";
import type { CoreOptions } from "../core/client.ts";

/** Of a token that a profile with a secret makes for a user, seconds; core asks for another before it ends. */
const TOKEN_LIFETIME = 86_400;

/** What a core needs to know of a profile. */
export interface ConnectionTarget extends Pick<
  CoreOptions,
  "apiKey" | "secret" | "tokenIsStored" | "clockOffset" | "prepare" | "ensureReachable"
> {
  baseUrl(): string;
  user: { id: string; name?: string };
  token?: TokenSource;
  loopback: boolean;
  /** What requests go through. */
  proxy?: Proxy;
}

/** One that ended between being found and being entered is looked for, or started, once more. */
async function entered(
  local: Local,
  user: ConnectionTarget["user"],
  found: LocalProvider,
): Promise<LocalProvider> {
  try {
    await local.enter(user, found);
    return found;
  } catch (error) {
    if (!(error instanceof TransportError) || error.kind !== "network") throw error;
    const again = await local.start(false);
    await local.enter(user, again);
    return again;
  }
}

/** Who speaks to the embedded provider: the user of the token that was given, else the person at this machine. */
export function localPerson(env: Env): ConnectionTarget["user"] {
  if (!env.PARLEY_TOKEN) return osUser(env);
  const claimed = userOfToken(env);
  if (claimed === undefined) throw signIn("PARLEY_TOKEN holds no user's token.");
  return { id: claimed };
}

/** Whom the token that was given for this run names, if it does. */
function userOfToken({ PARLEY_TOKEN: given }: Env): string | undefined {
  const claimed = given ? readToken(given)?.claims.user_id : undefined;
  return typeof claimed === "string" && claimed !== "" ? claimed : undefined;
}

/** Who speaks by a hosted profile where nobody else is asked for: a token given for this run stands in for the profile's own. */
export const hostedPerson = ({ kind, user }: Profile, env: Env): string | undefined =>
  (kind === "secret" ? undefined : userOfToken(env)) ?? user;

/** The embedded provider: its address is looked up again before each connection attempt, because it may have moved. */
export async function localTarget(
  local: Local,
  asked: string | undefined,
  env: Env,
  when: { after?: Promise<void>; until?: number; queue: boolean },
): Promise<ConnectionTarget> {
  const given = env.PARLEY_TOKEN || undefined;
  const user = asked === undefined ? localPerson(env) : { id: asked };
  // Who the folder is does not change from start to start; where it listens may.
  const { after, until, queue } = when;
  const early = after !== undefined || queue;
  const known = early
    ? (await import("../provider/lifecycle/identity.ts")).knownIdentity(local.folder)
    : undefined;
  let current: LocalProvider | undefined;
  const prepare = async (within?: number): Promise<LocalProvider> => {
    const found = await local.start(false, within);
    if (found.url === current?.url && found.pid === current.pid) return found;
    return (current = await entered(local, user, found));
  };
  const { secret, apiKey } = known ?? (await prepare(until));
  return {
    baseUrl: () => current?.url ?? `http://127.0.0.1:${known?.port || 1}`,
    apiKey,
    secret,
    user,
    // Whoever owns the folder can always make another: one that was revoked is followed by a younger one.
    token: given ?? ((now) => userToken({ secret, user: user.id, now, sameClock: true }).token),
    loopback: true,
    clockOffset: local.ahead(),
    ...(queue && known
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
      await after;
      await prepare().catch((error: unknown) => {
        if (!isReplaced(error)) throw error;
        throw new TransportError("ERR_NETWORK", REPLACED.says, undefined, true, undefined, REPLACED);
      });
    },
  };
}

export async function hostedTarget(
  profile: Profile,
  asked: string | undefined,
  options: HostOptions,
  settings: Settings,
  { signedOut }: OpenOptions = {},
): Promise<ConnectionTarget> {
  const { env, insecure } = options;
  const { proxy } = await proxyRoute(profile.url!, settings, env);
  const base = {
    baseUrl: () => profile.url!,
    apiKey: profile.key!,
    loopback: isLoopback(new URL(profile.url!).hostname),
    ...(proxy && { proxy }),
  };
  const person = hostedPerson(profile, env);
  const userId = asked ?? person;
  if (profile.kind === "secret") {
    const secret = env.PARLEY_API_SECRET || (await readSecret(env, profile, insecure));
    if (!secret) throw signIn(`Profile '${profile.name}' has no secret.`);
    if (userId === undefined) return { ...base, secret, user: { id: "" } };
    return {
      ...base,
      secret,
      user: { id: userId },
      token: (now) => userToken({ secret, user: userId, now, lasts: TOKEN_LIFETIME }).token,
    };
  }
  if (asked !== undefined && asked !== person)
    throw Object.assign(
      notAllowed(`Profile '${profile.name}' holds no secret, so it cannot speak as ${asked}.`),
      { hint: "Leave out --as and PARLEY_USER, or take a profile with a secret: parley help ops." },
    );
  if (userId === undefined) throw signIn(`Profile '${profile.name}' names no user.`);
  const user = { id: userId };
  const given = env.PARLEY_TOKEN;
  if (given) return { ...base, user, token: given };
  if (profile.kind === "command") {
    const { runTokenCommand } = await import("../config/token-command.ts");
    return { ...base, user, token: () => runTokenCommand(profile.command!, env) };
  }
  const stored = async (): Promise<string> => (await readSecret(env, profile, insecure)) ?? "";
  if (!signedOut && (await stored()) === "") throw signIn(`Profile '${profile.name}' has no token.`);
  return { ...base, user, token: stored, tokenIsStored: true };
}
