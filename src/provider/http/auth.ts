/** Authenticates callers in the check order of specification/auth.md §3; the first failure wins. */
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { isUserId } from "../../wire/ids.ts";
import { timeToMicros } from "../../wire/time.ts";
import { readToken, verifyToken, type TokenClaims } from "../../wire/token.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import type { Account } from "../base/ports.ts";
import { suspensionMessage } from "../store/app-settings.ts";
import { hasDuplicateKeys } from "../base/json.ts";
import { TOKEN_IS_EXPIRED } from "../base/errors.ts";
import type { AppSettings } from "../../wire/entities/app.ts";

/** Longer tokens are refused unread; the program's own have fewer than 300 characters. */
const TOKEN_LIMIT = 8192;
const SKEW_SECONDS = 60;
const TOKEN_PATTERN = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const CACHED_TOKENS = 1000;

interface Credentials {
  apiKey: string | undefined;
  authType: string | undefined;
  token: string | undefined;
  /** `user_id` of the query. */
  userId: string | undefined;
  /** The route also works in a suspended app, for servers: otherwise a suspension could never be lifted. */
  worksWhileSuspended?: boolean;
  /** The route creates guests: it needs no token, even while anonymous sessions are off (specification/auth.md §5). */
  createsGuest?: boolean;
}

interface AuthContext {
  apiKey: string;
  secret: string;
  app(): AppSettings;
  account(userId: string): Account | undefined;
  /** When an account that no longer exists was erased, whole microseconds. */
  erasedAt(userId: string): number | undefined;
  /** Whole microseconds. */
  now(): number;
}

interface CheckedToken {
  claims: TokenClaims;
  signed: boolean;
  /** The header has `crit`, extensions that must be understood (RFC 7515 §4.1.11); none is supported. */
  critical: boolean;
}

export interface Authenticator {
  /** The caller, without an acting user for a server token. Throws an `ApiProblem` of code 2, 5, 17, 40–43 or 99. */
  (credentials: Credentials): Caller & { banned: boolean; stored: boolean };
}

/** Reads tokens and checks their signatures; both depend on text and secret alone, so valid tokens are cached. */
class Tokens {
  readonly #secret: string;
  readonly #cache = new Map<string, CheckedToken>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Undefined for a malformed token. The token's times are not checked here. */
  check(token: string): CheckedToken | undefined {
    const cached = this.#cache.get(token);
    if (cached) return cached;
    if (token.length > TOKEN_LIMIT || !TOKEN_PATTERN.test(token)) return undefined;
    const read = readToken(token);
    if (!read || isAmbiguous(token)) return undefined;
    const signature = token.slice(token.lastIndexOf(".") + 1);
    // Only the canonical spelling: a lenient base64 decoder accepts several texts for one signature.
    const canonical = Buffer.from(signature, "base64url").toString("base64url") === signature;
    const checked = {
      claims: read.claims,
      signed: canonical && verifyToken(token, this.#secret),
      critical: Object.hasOwn(read.header, "crit"),
    };
    if (checked.signed) {
      if (this.#cache.size >= CACHED_TOKENS) this.#cache.clear();
      this.#cache.set(token, checked);
    }
    return checked;
  }
}

export function createAuthenticator(context: AuthContext): Authenticator {
  const tokens = new Tokens(context.secret);
  return (credentials) => {
    const app = context.app();
    if (credentials.apiKey !== context.apiKey)
      throw ApiProblem.accessKey(credentials.apiKey ? "api_key is not valid" : "api_key is missing");
    const suspended = app.suspended ? ApiProblem.suspended(suspensionMessage(app)) : undefined;
    if (suspended && !credentials.worksWhileSuspended) throw suspended;
    if (credentials.authType === "anonymous") {
      if (suspended) throw suspended;
      if (!app.anonymous_users_enabled && !credentials.createsGuest)
        throw ApiProblem.notAllowed("anonymous users are not enabled for this app");
      return { kind: "anonymous", userId: "!anon", role: "anonymous", banned: false, stored: false };
    }
    if (!credentials.token) throw ApiProblem.authentication("token is missing");
    const checked = tokens.check(credentials.token);
    if (!checked) throw ApiProblem.authentication("token is malformed");
    if (checked.critical)
      throw ApiProblem.authentication("token names a critical header that is not known here");
    if (!checked.signed && !(app.disable_auth_checks && isDeveloperForm(credentials.token)))
      throw ApiProblem.tokenSignature("token signature is invalid");
    checkTimes(checked.claims, context.now());
    if (checked.claims.user_id === undefined) return serverCaller(checked);
    if (suspended) throw suspended;
    return userCaller(context, app, checked.claims, credentials.userId);
  };
}

export type Authenticated = ReturnType<Authenticator>;

function serverCaller({ claims, signed }: CheckedToken): Authenticated {
  // Switched-off checks are for users only: without a signature anybody could write a server token.
  if (!signed) throw ApiProblem.tokenSignature("token signature is invalid");
  // Another kind of token signed with the same secret must not become a key to the whole app.
  if (claims.server !== true && claims.server !== "true")
    throw ApiProblem.authentication("token holds neither a user_id nor server: true");
  return { kind: "server", userId: undefined, role: "server", banned: false, stored: false };
}

function userCaller(
  context: AuthContext,
  app: AppSettings,
  claims: CheckedToken["claims"],
  queryUserId: string | undefined,
): Authenticated {
  if (typeof claims.user_id !== "string" || !isUserId(claims.user_id))
    throw ApiProblem.authentication("token holds no valid user_id");
  const account = context.account(claims.user_id);
  checkRevocation(claims, app, account);
  if (queryUserId !== undefined && queryUserId !== claims.user_id)
    throw ApiProblem.authentication("user_id does not match the token");
  const erasedAt = account ? undefined : context.erasedAt(claims.user_id);
  if (account?.deleted || (erasedAt !== undefined && isBefore(claims, erasedAt)))
    throw ApiProblem.authentication(`user ${claims.user_id} was deleted`);
  if (account?.deactivated) throw ApiProblem.authentication(`user ${claims.user_id} is deactivated`);
  return {
    kind: "user",
    userId: claims.user_id,
    role: account?.role ?? "user",
    banned: account?.banned === true && (account.banExpires ?? Infinity) > context.now(),
    stored: account !== undefined,
    ...(claims.iat === undefined ? {} : { issuedAt: claims.iat * 1e6 }),
    ...(claims.exp === undefined ? {} : { endsAt: claims.exp * 1e6 }),
  };
}

/** Whether header or claims have a duplicate key: parsers could then disagree about the value. */
function isAmbiguous(token: string): boolean {
  return token
    .split(".")
    .slice(0, 2)
    .some((part) => hasDuplicateKeys(Buffer.from(part, "base64url").toString("utf8")));
}

/** With auth checks off, the signature is skipped but not the algorithm (specification/auth.md §7). */
function isDeveloperForm(token: string): boolean {
  return readToken(token)?.header.alg === "HS256";
}

function seconds(claims: TokenClaims, name: "exp" | "nbf" | "iat"): number | undefined {
  const value: unknown = claims[name];
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isFinite(value))
    throw ApiProblem.authentication(`token holds no valid ${name}`);
  return value;
}

function checkTimes(claims: TokenClaims, nowMicros: number): void {
  const now = nowMicros / 1e6;
  const [nbf, iat, exp] = [seconds(claims, "nbf"), seconds(claims, "iat"), seconds(claims, "exp")];
  if (nbf !== undefined && nbf > now) throw ApiProblem.tokenNotYetValid("token is not valid yet");
  if (iat !== undefined && iat > now + SKEW_SECONDS)
    throw ApiProblem.tokenBeforeIssued("token was issued in the future; check the clock");
  if (exp !== undefined && exp <= now) throw ApiProblem.tokenExpired(TOKEN_IS_EXPIRED);
}

/** The revocation dates of app and user refuse tokens issued before them or without an issue time (specification/auth.md §9). */
function checkRevocation(claims: TokenClaims, app: AppSettings, account: Account | undefined): void {
  const appDate = app.revoke_tokens_issued_before && timeToMicros(app.revoke_tokens_issued_before);
  for (const before of [appDate, account?.revokedBefore])
    if (before && isBefore(claims, before)) throw ApiProblem.tokenExpired("token was revoked");
}

/** Whether the token was issued before this moment (whole microseconds) or does not say when. */
const isBefore = ({ iat }: CheckedToken["claims"], moment: number): boolean =>
  iat === undefined || iat * 1e6 < moment;

/** Writes by their row, but for an existing channel they only read; creating one is refused where its creator is named. */
const CHANNEL_QUERIES: ReadonlySet<EndpointName> = new Set(["queryChannel", "queryDistinctChannel"]);

/** Throws code 17 when a banned or anonymous user writes: they may only read (specification/auth.md §3, §6). */
export function requireWrite({ kind, banned }: Caller & { banned: boolean }, name: EndpointName): void {
  if (CHANNEL_QUERIES.has(name)) return;
  if (banned) throw ApiProblem.notAllowed("you are banned from this app");
  if (kind === "anonymous" && name !== "createGuest")
    throw ApiProblem.notAllowed("anonymous users may only read");
}
