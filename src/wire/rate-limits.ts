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

/** Operation → its numbers, for each platform that was asked for. */
export type RateLimitTable = Partial<Record<Platform, Record<string, RateLimit>>>;
