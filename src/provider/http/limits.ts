/** Counts requests for the rate-limit headers, and refuses only when switched on (errors.md §5). */
import type { EndpointRow } from "../../wire/endpoints.ts";

export type Platform = "server_side" | "web" | "android" | "ios" | "unity";

export interface Budget {
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

const PER_USER = 60;

export function platformOf(client: string | undefined, server: boolean): Platform {
  if (server) return "server_side";
  const found = /android|ios|unity/i.exec(client ?? "")?.[0].toLowerCase();
  return (found as Platform | undefined) ?? "web";
}

export class RateLimits {
  private readonly refusing: boolean;
  private readonly windows = new Map<string, Window>();
  private minute = 0;

  constructor(refusing: boolean) {
    this.refusing = refusing;
  }

  /** Counts one call; `nowMs` is provider time. Server-side calls have no per-user cap. */
  count(
    row: Pick<EndpointRow, "op" | "perMinute">,
    platform: Platform,
    userId: string | undefined,
    nowMs: number,
  ): Budget {
    const minute = Math.floor(nowMs / 60_000);
    if (minute !== this.minute) {
      // Fixed windows of one minute: all of the last one are worthless now.
      this.windows.clear();
      this.minute = minute;
    }
    const app = this.window(`${row.op}|${platform}`, nowMs);
    const user =
      this.refusing && userId !== undefined && platform !== "server_side"
        ? this.window(`${row.op}|${platform}|${userId}`, nowMs)
        : undefined;
    const overSecond = app.usedInSecond >= Math.max(1, Math.ceil(row.perMinute / 30));
    const overMinute = app.used >= row.perMinute || (user?.used ?? 0) >= PER_USER;
    const refused = this.refusing && (overSecond || overMinute);
    if (!refused) {
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

  private window(key: string, nowMs: number): Window {
    const second = Math.floor(nowMs / 1000);
    let found = this.windows.get(key);
    if (!found) this.windows.set(key, (found = { minute: this.minute, used: 0, second, usedInSecond: 0 }));
    if (found.second !== second) {
      found.second = second;
      found.usedInSecond = 0;
    }
    return found;
  }
}
