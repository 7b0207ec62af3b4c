/** Makes a user token from an app's secret, dated so that it is valid at once and survives earlier revocations. */
import { signToken } from "../wire/token.ts";

/** Tokens are backdated by this much, since clocks differ and a token issued in the future is refused; seconds. */
const CLOCK_SKEW_S = 5;

interface UserToken {
  secret: string;
  user: string;
  /** The provider's time as far as it is known, ms. */
  now: number;
  /** Lifetime in seconds; absent = unlimited. */
  lifetime?: number | undefined;
  /** The provider uses this machine's clock, so the token is not backdated. */
  sameClock?: boolean;
}

/** The token, and its expiry in Unix seconds if it has one. It always has `iat`: without it, any revocation would end it. */
export function userToken({ secret, user, now, lifetime, sameClock = false }: UserToken): {
  token: string;
  exp?: number;
} {
  const seconds = Math.floor(now / 1000);
  const iat = sameClock ? now / 1000 : seconds - CLOCK_SKEW_S;
  const expiry = lifetime === undefined ? {} : { exp: seconds + lifetime };
  return { token: signToken({ user_id: user, iat, ...expiry }, secret), ...expiry };
}
