/** Authenticates the caller: the check order of specification/auth.md §3, the first failure wins. */
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { isUserId } from "../../wire/ids.ts";
import { timeToMicros } from "../../wire/time.ts";
import { readToken, verifyToken, type TokenClaims } from "../../wire/token.ts";
import { ApiProblem, type Caller } from "../base/handler.ts";
import type { Account } from "../base/ports.ts";
import { suspension } from "../store/app-settings.ts";
import { hasDuplicateKeys } from "../base/json.ts";
import { TOKEN_IS_EXPIRED } from "../base/errors.ts";
import type { AppSettings } from "../../wire/entities/app.ts";

/** Longer tokens are refused unread: ours are below 300 characters. */
const TOKEN_LIMIT = 8192;
const SKEW_SECONDS = 60;
const FORM = /^[\w-]+\.[\w-]+\.[\w-]*$/;
const REMEMBERED = 1000;

interface Credentials {
  apiKey: string | undefined;
  authType: string | undefined;
  token: string | undefined;
  /** `user_id` of the query. */
  userId: string | undefined;
  /** A server does this to an app that is suspended too: or nobody could ever lift it. */
  administers?: boolean;
  /** The route makes guests: anybody may ask without a token, even while anonymous sessions are off (specification/auth.md §5). */
  makesGuest?: boolean;
}

interface AuthContext {
  apiKey: string;
  secret: string;
  app(): AppSettings;
  account(userId: string): Account | undefined;
  /** Whole microseconds. */
  now(): number;
}

interface Checked {
  claims: TokenClaims;
  signed: boolean;
  /** The header asks for something that must be understood (RFC 7515 §4.1.11): nothing of the kind is. */
  critical: boolean;
}

export interface Authenticator {
  /**
   * The caller, without an acting user for a server token. Throws an `ApiProblem` of code 2, 5, 17, 40–43 or 99.
   */
  (given: Credentials): Caller & { banned: boolean; stored: boolean };
}

/** Reads tokens. Reading and signature depend on text and secret alone, so what was good is remembered. */
class Tokens {
  readonly #secret: string;
  readonly #remembered = new Map<string, Checked>();

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** Undefined for what is no token; the times of a token are not looked at here. */
  check(token: string): Checked | undefined {
    const found = this.#remembered.get(token);
    if (found) return found;
    if (token.length > TOKEN_LIMIT || !FORM.test(token)) return undefined;
    const read = readToken(token);
    if (!read || isAmbiguous(token)) return undefined;
    const signature = token.slice(token.lastIndexOf(".") + 1);
    // One spelling only: a lenient base64 reader would accept several texts for one signature.
    const canonical = Buffer.from(signature, "base64url").toString("base64url") === signature;
    const checked = {
      claims: read.claims,
      signed: canonical && verifyToken(token, this.#secret),
      critical: Object.hasOwn(read.header, "crit"),
    };
    if (checked.signed) {
      if (this.#remembered.size >= REMEMBERED) this.#remembered.clear();
      this.#remembered.set(token, checked);
    }
    return checked;
  }
}

export function createAuthenticator(context: AuthContext): Authenticator {
  const tokens = new Tokens(context.secret);
  return (given) => {
    const app = context.app();
    if (given.apiKey !== context.apiKey)
      throw ApiProblem.accessKey(given.apiKey ? "api_key is not valid" : "api_key is missing");
    const suspended = app.suspended ? ApiProblem.suspended(suspension(app)) : undefined;
    if (suspended && !given.administers) throw suspended;
    if (given.authType === "anonymous") {
      if (suspended) throw suspended;
      if (!app.anonymous_users_enabled && !given.makesGuest)
        throw ApiProblem.notAllowed("anonymous users are not enabled for this app");
      return { kind: "anonymous", userId: "!anon", role: "anonymous", banned: false, stored: false };
    }
    if (!given.token) throw ApiProblem.authentication("token is missing");
    const checked = tokens.check(given.token);
    if (!checked) throw ApiProblem.authentication("token is malformed");
    if (checked.critical)
      throw ApiProblem.authentication("token names a critical header that is not known here");
    if (!checked.signed && !(app.disable_auth_checks && isDeveloperForm(given.token)))
      throw ApiProblem.tokenSignature("token signature is invalid");
    checkTimes(checked.claims, context.now());
    if (checked.claims.user_id === undefined) return serverOf(checked);
    if (suspended) throw suspended;
    return userOf(context, app, checked.claims, given.userId);
  };
}

type Authenticated = ReturnType<Authenticator>;

function serverOf({ claims, signed }: Checked): Authenticated {
  // Without a signature anybody could write a server token: switched-off checks are for users only.
  if (!signed) throw ApiProblem.tokenSignature("token signature is invalid");
  // Something else that was signed with the same secret is nobody's key to the whole app.
  if (claims.server !== true && claims.server !== "true")
    throw ApiProblem.authentication("token holds neither a user_id nor server: true");
  return { kind: "server", userId: undefined, role: "server", banned: false, stored: false };
}

/** `named`: whom the query says the call comes from. */
function userOf(
  context: AuthContext,
  app: AppSettings,
  claims: Checked["claims"],
  named: string | undefined,
): Authenticated {
  if (typeof claims.user_id !== "string" || !isUserId(claims.user_id))
    throw ApiProblem.authentication("token holds no valid user_id");
  const account = context.account(claims.user_id);
  checkRevocation(claims, app, account);
  if (named !== undefined && named !== claims.user_id)
    throw ApiProblem.authentication("user_id does not match the token");
  if (account?.deleted) throw ApiProblem.authentication(`user ${claims.user_id} was deleted`);
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

/** Two values under one key, in header or claims: refused, whichever of them a reader would have picked. */
function isAmbiguous(token: string): boolean {
  return token
    .split(".")
    .slice(0, 2)
    .some((part) => hasDuplicateKeys(Buffer.from(part, "base64url").toString("utf8")));
}

/** Switched-off checks skip the signature, not the algorithm (specification/auth.md §7). */
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

/** The app's date catches tokens issued before it, the user's also those that do not say when (specification/auth.md §9). */
function checkRevocation(claims: TokenClaims, app: AppSettings, account: Account | undefined): void {
  const issued = claims.iat === undefined ? undefined : claims.iat * 1e6;
  const appDate = app.revoke_tokens_issued_before && timeToMicros(app.revoke_tokens_issued_before);
  for (const before of [appDate, account?.revokedBefore])
    if (before && (issued === undefined || issued < before))
      throw ApiProblem.tokenExpired("token was revoked");
}

/** They read a channel that is there; making one is refused where its maker is named. */
const OPENING: ReadonlySet<EndpointName> = new Set(["queryChannel", "queryDistinctChannel"]);

/** Who is banned from the app, and anonymous users, may read, but write nothing (specification/auth.md §3, §6): code 17. */
export function requireWrite({ kind, banned }: Caller & { banned: boolean }, name: EndpointName): void {
  if (OPENING.has(name)) return;
  if (banned) throw ApiProblem.notAllowed("you are banned from this app");
  if (kind === "anonymous" && name !== "createGuest")
    throw ApiProblem.notAllowed("anonymous users may only read");
}
