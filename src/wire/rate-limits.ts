/** Rate limits, as answered by GET /rate_limits (specification/errors.md §5). */

export const PLATFORMS = ["server_side", "android", "ios", "web", "unity"] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface RateLimit {
  /** Calls per minute. */
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  reset: number;
}

/** What a rate-limited answer says about when to retry. */
export interface RateLimited {
  /** From `Retry-After`, ms: a burst ends sooner than its window. */
  retryAfter?: number | undefined;
  rateLimit?: Pick<RateLimit, "reset"> | undefined;
}

/** How long to wait before a retry, ms by the provider's clock; undefined if the answer does not say. */
export const retryWait = ({ retryAfter, rateLimit }: RateLimited, providerNow: number): number | undefined =>
  retryAfter ?? (rateLimit && rateLimit.reset * 1000 - providerNow);

/** Operation → its limits, for each requested platform. */
export type RateLimitTable = Partial<Record<Platform, Record<string, RateLimit>>>;
