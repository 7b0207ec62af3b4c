/** Request helpers for archives: rate limits, refusals, parallel work. */
import type { UnreadKind } from "../../../jobs/archive/counts.ts";
import type { Core } from "../../../core/core.ts";
import { limitedWait, RATE_MARGIN, type RateLimited } from "../../../wire/rate-limits.ts";
import { sleep } from "../../base/poll-task.ts";

export interface ReadContext {
  core: Core;
  signal: AbortSignal;
  now(): number;
  showProgress(text: string): void;
  /** Receives items that could not be read as a whole, as they came. */
  onUnread?(cid: string, kind: UnreadKind, items: readonly unknown[], message?: string): void;
}

/** A limit is one of a minute: a provider that names more is asked again. Milliseconds. */
const LONGEST_WAIT = 60_000 + RATE_MARGIN;

interface Refused extends RateLimited {
  name?: string;
  status?: number;
  code?: number | string;
  obstacle?: unknown;
}

/** Repeats a request while it is rate limited; other errors are thrown. */
export async function retryRateLimited<T>(context: ReadContext, request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const refused = error as Refused;
      if (refused.name !== "ApiError" || refused.status !== 429) throw error;
      const ms = Math.min(limitedWait(refused, context.core.providerNow()), LONGEST_WAIT);
      context.showProgress(`the provider limits calls: waiting ${Math.ceil(ms / 1000)} s`);
      await sleep(ms, context.signal);
    }
  }
}

/** Whether the error concerns only this part, so that the archive can continue: a refusal, or an answer that cannot be understood. */
export function concernsPartOnly(error: unknown): boolean {
  const { name, status = 0, code, obstacle } = error as Refused;
  if (code === "ERR_BAD_RESPONSE") return obstacle === undefined;
  return name === "ApiError" && ![401, 408, 429].includes(status);
}

/** Runs `work` on up to `width` items at once. After an error no new item is started; throws it when the running ones have ended. */
export async function inParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let stopped = false;
  const worker = async (): Promise<void> => {
    while (!stopped) {
      try {
        const step = await source.next();
        if (step.done) return;
        await work(step.value);
      } catch (error) {
        stopped = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: width }, worker));
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
