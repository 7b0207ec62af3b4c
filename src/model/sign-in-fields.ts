/** Says of each field of a sign-in what is wrong with it, and of a refused sign-in which field that was (specification/auth.md §3). */
import { wholeDate } from "../text/times.ts";
import { readToken, NOT_A_TOKEN, type TokenClaims } from "../wire/token.ts";

export interface SignInFields {
  name?: string;
  url?: string;
  key?: string;
  kind: "token" | "secret" | "command";
  token?: string;
  secret?: string;
  user?: string;
}
type FieldName = Exclude<keyof SignInFields, "kind"> | "command";

/** How a token of development ends: it is signed by nobody. */
const DEVELOPMENT = /\.devtoken$/;

const isToken = (text: string): boolean => readToken(text) !== undefined;

const CHECKS: Readonly<Record<FieldName, (text: string, fields: SignInFields) => string | undefined>> = {
  name: (text) =>
    text === "local"
      ? "'local' is the embedded provider; choose another name."
      : /^[\w.-]{1,64}$/.test(text)
        ? undefined
        : "The profile's name is yours to choose: letters, digits, '_', '-' and '.'.",
  url: (text) => {
    const url = URL.parse(text);
    if (!url || !/^https?:$/.test(url.protocol))
      return "The address is where the app's region answers: an http or https address, as in its dashboard.";
    return url.username || url.password ? "The address must not contain a user or a password." : undefined;
  },
  key: (text) =>
    isToken(text)
      ? "That is a token: the key is the short name of the app, in its dashboard."
      : /\s/.test(text)
        ? "The key is one word, the name of the app in its dashboard."
        : undefined,
  token: (text, { key }) => {
    if (text === key) return "That is the key: the token is longer, of three parts with dots between.";
    const { claims } = readToken(text) ?? {};
    if (!claims) return NOT_A_TOKEN;
    if (claims.user_id !== undefined) return undefined;
    return String(claims.server) === "true"
      ? "That is a token of the app itself, for its servers: a person signs in with a token of their own."
      : "The token names nobody, because it has no user_id: ask for one that was made for you.";
  },
  secret: (text, { key }) =>
    isToken(text)
      ? "That is a token, not the app's secret: sign in with a token instead."
      : text === key
        ? "That is the key: the secret is beside it in the app's dashboard."
        : undefined,
  command: () => undefined,
  user: (text, { kind, token = "" }) => {
    const owner = kind === "token" ? readToken(token)?.claims.user_id : undefined;
    return owner !== undefined && owner !== text ? `The token is for ${owner}, not for ${text}.` : undefined;
  },
};

/** What is wrong with a field, as far as that can be said without the provider; empty fields are judged elsewhere. */
export function signInFault(field: string, fields: SignInFields): string | undefined {
  const text = (fields as unknown as Record<string, string | undefined>)[field] ?? "";
  return text === "" ? undefined : CHECKS[field as FieldName]?.(text, fields);
}

/** Clocks that differ by less explain nothing, ms. */
const CLOCK_TOLERANCE = 60_000;

interface Refused {
  code?: number | string | undefined;
  status?: number;
}
interface RefusedWith {
  /** With what was signed in. */
  kind: string;
  /** Host of the address. */
  host: string;
  /** The token, if one was given as text. */
  token: string | undefined;
  /** The provider's time and this machine's, ms. */
  providerNow: number;
  now: number;
}

const at = (seconds: number | undefined): string =>
  Number.isFinite(seconds) ? `on ${wholeDate(seconds! * 1000)}` : "at another time";

function clockWords({ providerNow, now }: RefusedWith): string {
  const off = now - providerNow;
  if (Math.abs(off) < CLOCK_TOLERANCE) return "";
  const minutes = Math.round(Math.abs(off) / 60_000);
  return ` The clock of this machine is ${minutes} min ${off > 0 ? "ahead of" : "behind"} the provider's: set it.`;
}

function expiredWords({ exp }: TokenClaims, { providerNow }: RefusedWith): string {
  return exp !== undefined && exp * 1000 <= providerNow
    ? `The token ended ${at(exp)}: ask for another.`
    : "The token was revoked: ask for another.";
}

/** Why a provider refused a sign-in, and what to do; undefined where its own words are all there is to say. */
export function refusedSignIn({ code, status }: Refused, facts: RefusedWith): string | undefined {
  const claims = readToken(facts.token ?? "")?.claims ?? {};
  if (code === 2)
    return `The app is not known at ${facts.host}: compare the key with the app's dashboard; an app in another region has another address, given with --url.`;
  if (code === 5 && claims.user_id !== undefined)
    return `The token is for ${claims.user_id}: that user may be deleted or deactivated, or the token is cut.`;
  if (code === 40) return `${expiredWords(claims, facts)}${clockWords(facts)}`;
  if (code === 41) return `The token begins to be valid ${at(claims.nbf)}.${clockWords(facts)}`;
  if (code === 42)
    return `The token says that it was made ${at(claims.iat)}: the clock of whoever made it is ahead.${clockWords(facts)}`;
  if (code === 43)
    return DEVELOPMENT.test(facts.token ?? "")
      ? "That is a development token: it works only while the app does not check signatures, which its owner switches in the dashboard."
      : facts.kind === "secret"
        ? "The secret is of another app, or is cut: key and secret are beside each other in the app's dashboard."
        : "The token was made with the secret of another app, or is cut: key and token must come from the same app.";
  if (status === 404)
    return `No chat provider answers at ${facts.host}: compare the address with the app's dashboard, where it is without a path.`;
  return undefined;
}
