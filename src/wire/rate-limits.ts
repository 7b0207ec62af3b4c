/** Rate limits, as answered by GET /rate_limits (specification/errors.md §5). */
import { map, need, object, shape, whole, type Infer } from "./entities/fields.ts";

export const PLATFORMS = ["server_side", "android", "ios", "web", "unity"] as const;
export type Platform = (typeof PLATFORMS)[number];

export const RateLimit = shape(() => ({
  /** Calls per minute. */
  limit: need(whole()),
  remaining: need(whole()),
  /** Unix seconds at which the window ends. */
  reset: whole(),
}));
export interface RateLimit extends Infer<typeof RateLimit> {}

const limits = () => map(object(RateLimit()));
/** Operation → its limits, for each requested platform. */
export const RateLimitTable = shape(() => ({
  server_side: limits(),
  android: limits(),
  ios: limits(),
  web: limits(),
  unity: limits(),
}));
export interface RateLimitTable extends Infer<typeof RateLimitTable> {}

/** What calls may cost, in milliseconds of the provider's work, and how much of it is left. */
export interface CostBudget {
  used: number;
  limit: number;
  remaining: number;
}

/** What a rate-limited answer says about when to retry. */
export interface RateLimited {
  /** From `Retry-After`, ms: a burst ends sooner than its window. */
  retryAfter?: number | undefined;
  rateLimit?: (Pick<RateLimit, "reset"> & Partial<RateLimit>) | undefined;
  budget?: CostBudget | undefined;
}

/** Calls that are left although one was refused. */
export const callsLeft = ({ rateLimit }: RateLimited): number => rateLimit?.remaining ?? 0;

/** Whether the work of the call is what is limited, by a budget, and not the number of calls. */
export const isOverBudget = (refused: RateLimited): boolean =>
  callsLeft(refused) > 0 || (refused.budget !== undefined && refused.budget.remaining <= 0);

/** How long to wait before a retry, ms by the provider's clock; undefined if the answer does not say: a budget has no end of its own. */
export const retryWait = (refused: RateLimited, providerNow: number): number | undefined => {
  const { retryAfter, rateLimit } = refused;
  if (retryAfter !== undefined) return retryAfter;
  return rateLimit?.reset === undefined || isOverBudget(refused)
    ? undefined
    : rateLimit.reset * 1000 - providerNow;
};

/** Added to the end of a limit for differences between clocks, milliseconds. */
export const RATE_MARGIN = 500;
/** Where a refusal names no time: milliseconds. */
const UNNAMED_WAIT = 5000;

/** How long to wait before a refused call is repeated, ms by the provider's clock, also where the answer does not say. */
export const limitedWait = (refused: RateLimited, providerNow: number): number =>
  Math.max(retryWait(refused, providerNow) ?? UNNAMED_WAIT, 0) + RATE_MARGIN;

/** A header as a number; NaN without one. */
function numberIn(headers: Readonly<Record<string, string>>, name: string): number {
  const text = headers[name] ?? "";
  return text.trim() === "" ? Number.NaN : Number(text);
}

/** The three rate-limit headers; undefined unless all are numbers (specification/errors.md §5). */
export function rateLimitOf(headers: Readonly<Record<string, string>>): RateLimit | undefined {
  const limit = numberIn(headers, "x-ratelimit-limit");
  const remaining = numberIn(headers, "x-ratelimit-remaining");
  const reset = numberIn(headers, "x-ratelimit-reset");
  return Number.isFinite(limit + remaining + reset) ? { limit, remaining, reset } : undefined;
}

/** The three headers about the cost of calls; undefined unless all are numbers (specification/errors.md §5). */
export function budgetOf(headers: Readonly<Record<string, string>>): CostBudget | undefined {
  const used = numberIn(headers, "x-budget-used-ms");
  const limit = numberIn(headers, "x-budget-limit-ms");
  const remaining = numberIn(headers, "x-budget-remaining-ms");
  return Number.isFinite(used + limit + remaining) ? { used, limit, remaining } : undefined;
}
