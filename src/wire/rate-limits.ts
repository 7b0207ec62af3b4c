/** Rate limits as GET /rate_limits tells them (specification/errors.md §5). */

export const PLATFORMS = ["server_side", "android", "ios", "web", "unity"] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface RateLimit {
  /** Calls a minute. */
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  reset: number;
}

/** What a refusal tells of the time until it no longer holds. */
export interface Limited {
  /** Milliseconds, as `Retry-After` says: a burst is over sooner than its window. */
  retryAfter?: number | undefined;
  rateLimit?: Pick<RateLimit, "reset"> | undefined;
}

/** How long such a refusal asks to wait, milliseconds by the provider's clock; undefined where it does not say. */
export const askedWait = ({ retryAfter, rateLimit }: Limited, providerNow: number): number | undefined =>
  retryAfter ?? (rateLimit && rateLimit.reset * 1000 - providerNow);

/** Operation → its numbers, for each platform that was asked for. */
export type RateLimitTable = Partial<Record<Platform, Record<string, RateLimit>>>;
