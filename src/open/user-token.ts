/** Makes a user's token from an app's secret, dated so that the provider takes it at once and a revocation of before does not end it. */
import { signToken } from "../wire/token.ts";

/** The clocks of two machines differ a little, and what is issued in the future is refused: seconds. */
const EARLIER = 5;

interface UserToken {
  secret: string;
  user: string;
  /** Milliseconds, by the provider's clock as far as it is known. */
  now: number;
  /** Seconds; absent = it does not end. */
  lasts?: number | undefined;
  /** The provider goes by the clock of this machine, so the token need not count from a moment ago. */
  sameClock?: boolean;
}

/** The token, and its end in Unix seconds when it has one. A token without its moment would end with every revocation, whenever it was made. */
export function userToken({ secret, user, now, lasts, sameClock = false }: UserToken): {
  token: string;
  exp?: number;
} {
  const seconds = Math.floor(now / 1000);
  const iat = sameClock ? now / 1000 : seconds - EARLIER;
  const ends = lasts === undefined ? {} : { exp: seconds + lasts };
  return { token: signToken({ user_id: user, iat, ...ends }, secret), ...ends };
}
