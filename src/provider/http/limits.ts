/** Counts requests for the rate-limit headers, and refuses only when switched on (specification/errors.md §5). */
import { CALLS_PER_USER } from "../../wire/constants.ts";
import { endpoints, type EndpointRow } from "../../wire/endpoints/index.ts";
import { PLATFORMS, type Platform, type RateLimit, type RateLimitTable } from "../../wire/rate-limits.ts";
import { asFlag } from "../../wire/absent.ts";
import type { Handler } from "../base/handler.ts";
import { invalidField } from "../base/problems.ts";

interface Budget {
  limit: number;
  remaining: number;
  /** Unix seconds at which the window ends. */
  reset: number;
  /** True when the call is over a limit and refusing is on. */
  refused: boolean;
  /** Seconds to wait, for `Retry-After`. */
  retryAfter: number;
}

interface Window {
  minute: number;
  used: number;
  second: number;
  usedInSecond: number;
}

/** Limit per minute by operation; the greater where two routes share an operation. */
const OPERATIONS = new Map<string, number>();
for (const row of Object.values(endpoints) as EndpointRow[])
  OPERATIONS.set(row.op, Math.max(row.perMinute, OPERATIONS.get(row.op) ?? 0));

export function platformOf(client: string | undefined, server: boolean): Platform {
  if (server) return "server_side";
  const found = /android|ios|unity/i.exec(client ?? "")?.[0].toLowerCase();
  return (found as Platform | undefined) ?? "web";
}

export class RateLimits {
  readonly #refusing: boolean;
  readonly #windows = new Map<string, Window>();
  #minute = 0;

  constructor(refusing: boolean) {
    this.#refusing = refusing;
  }

  /** Counts one call, unless it is a dry run; `nowMs` is provider time. Server-side calls have no per-user cap. */
  count(
    row: Pick<EndpointRow, "op" | "perMinute">,
    platform: Platform,
    userId: string | undefined,
    nowMs: number,
    dry = false,
  ): Budget {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.#minute) {
      // Windows are fixed minutes, so all counters of the last minute are obsolete.
      this.#windows.clear();
      this.#minute = minute;
    }
    const app = this.#window(`${row.op}|${platform}`, nowMs);
    const user =
      this.#refusing && userId !== undefined && platform !== "server_side"
        ? this.#window(`${row.op}|${platform}|${userId}`, nowMs)
        : undefined;
    const overSecond = app.usedInSecond >= Math.max(1, Math.ceil(row.perMinute / 30));
    const overMinute = app.used >= row.perMinute || (user?.used ?? 0) >= CALLS_PER_USER;
    const refused = this.#refusing && (overSecond || overMinute);
    if (!refused && !dry) {
      for (const w of [app, user])
        if (w) {
          w.used++;
          w.usedInSecond++;
        }
    }
    const reset = (minute + 1) * 60;
    return {
      limit: row.perMinute,
      remaining: Math.max(0, row.perMinute - app.used),
      reset,
      refused,
      retryAfter: overMinute ? Math.max(1, Math.ceil(reset - nowMs / 1000)) : 1,
    };
  }

  /** The current limits of these operations; reading them counts as no call. */
  table(platforms: readonly Platform[], operations: readonly string[], nowMs: number): RateLimitTable {
    const minute = Math.floor(nowMs / 60_000);
    const limitOf = (platform: Platform, op: string): RateLimit => {
      const limit = OPERATIONS.get(op)!;
      const used = minute === this.#minute ? (this.#windows.get(`${op}|${platform}`)?.used ?? 0) : 0;
      return { limit, remaining: Math.max(0, limit - used), reset: (minute + 1) * 60 };
    };
    return Object.fromEntries(
      platforms.map((platform) => [
        platform,
        Object.fromEntries(operations.map((op) => [op, limitOf(platform, op)])),
      ]),
    );
  }

  #window(key: string, nowMs: number): Window {
    const second = Math.floor(nowMs / 1000);
    let found = this.#windows.get(key);
    if (!found) this.#windows.set(key, (found = { minute: this.#minute, used: 0, second, usedInSecond: 0 }));
    if (found.second !== second) {
      found.second = second;
      found.usedInSecond = 0;
    }
    return found;
  }
}

/** `GET /rate_limits`: the requested platforms, else all; unknown operations are refused (code 4). */
export function rateLimitsRoute(limits: RateLimits): Handler<"getRateLimits"> {
  return ({ query, now }) => {
    const wrong = PLATFORMS.find((platform) => asFlag(query[platform] ?? "") === undefined);
    if (wrong) throw invalidField(wrong, "must be true or false");
    const requested = PLATFORMS.filter((platform) => asFlag(query[platform]));
    const names = (query.endpoints ?? "").split(",").filter(Boolean);
    const unknown = names.find((op) => !OPERATIONS.has(op));
    if (unknown !== undefined)
      throw invalidField(
        "endpoints",
        "names an unknown operation",
        `endpoints names ${unknown.slice(0, 64)}, which is no operation`,
      );
    const operations = names.length > 0 ? names : [...OPERATIONS.keys()].toSorted();
    return { ...limits.table(requested.length > 0 ? requested : PLATFORMS, operations, now() / 1000) };
  };
}
