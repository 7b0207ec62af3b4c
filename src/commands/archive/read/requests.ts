/** Requests of an archive: repeated after a rate limit, and which refusals concern one channel alone. */
import type { Core } from "../../../core/core.ts";
import { askedWait, type Limited } from "../../../wire/rate-limits.ts";
import { sleep } from "../../base/poll-task.ts";

/** What reading channels needs of a call. */
export interface ReadContext {
  core: Core;
  signal: AbortSignal;
  now(): number;
  /** Something that people should know while it goes on. */
  told(text: string): void;
}

/** Of a refusal without a time of its own; milliseconds. */
const USUAL_WAIT = 5000;
/** The clocks may differ by so much. */
const MARGIN = 500;

interface Refused extends Limited {
  name?: string;
  status?: number;
}

/** Asks until the limit of calls lets it through; everything else is thrown as it is. */
export async function retryRateLimited<T>(context: ReadContext, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const refused = error as Refused;
      if (refused.name !== "ApiError" || refused.status !== 429) throw error;
      const left = askedWait(refused, context.core.providerNow()) ?? USUAL_WAIT;
      const ms = Math.min(Math.max(left, 0), 60_000) + MARGIN;
      context.told(`the provider limits calls: waiting ${Math.ceil(ms / 1000)} s`);
      await sleep(ms, context.signal);
    }
  }
}

/** The provider answers and gives this one thing not: the rest of the archive goes on. */
export function isRefusedHere(error: unknown): boolean {
  const { name, status = 0 } = error as Refused;
  return name === "ApiError" && ![401, 408, 429].includes(status);
}

/** So many at once, in their order; the first that throws ends all, when those under way are done. */
export async function inParallel<T>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let over = false;
  const worker = async (): Promise<void> => {
    while (!over) {
      try {
        const step = await source.next();
        if (step.done) return;
        await work(step.value);
      } catch (error) {
        over = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: width }, worker));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}
