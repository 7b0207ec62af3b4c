/** The pace of patient calls: a service that counts them by minute, second and user refuses none (specification/errors.md §5). */
import { describe, expect, test } from "vitest";
import { RatePace } from "../../../src/core/http/rate-pace.ts";
import { dice } from "../../support/seeded.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const MINUTE = 60_000;

interface Service {
  perMinute: number;
  perUser: number;
  /** Whether its answers tell the limit. */
  tells?: boolean;
  /** Calls that others have used up of the first minute. */
  usedBefore?: number;
}

/** A service with fixed minutes; counts what it has to refuse. */
function service(clock: VirtualClock, { perMinute, perUser, tells = true, usedBefore = 0 }: Service) {
  const counts = new Map<string, number>();
  const more = (key: string): number => {
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts.get(key)!;
  };
  const begun = Math.floor(clock.now() / MINUTE);
  let refused = 0;
  return {
    refused: () => refused,
    answer() {
      const minute = Math.floor(clock.now() / MINUTE);
      const used = more(`minute ${minute}`) + (minute === begun ? usedBefore : 0);
      const inSecond = more(`second ${Math.floor(clock.now() / 1000)}`);
      if (used > Math.min(perMinute, perUser) || inSecond > Math.ceil(perMinute / 30)) refused += 1;
      const limit = { limit: perMinute, remaining: Math.max(0, perMinute - used), reset: (minute + 1) * 60 };
      return tells ? limit : undefined;
    },
  };
}

/** Makes calls, `width` at once, with answers that take up to a second; returns how many were refused, and the time it took. */
async function play(calls: number, width: number, options: Service & { seed?: number }) {
  const clock = new VirtualClock();
  const random = dice(options.seed ?? 1);
  const { refused, answer } = service(clock, options);
  const pace = new RatePace();
  const sleep = (ms: number) => new Promise<void>((done) => void clock.setTimeout(done, ms));
  let left = calls;
  const begun = clock.now();
  const turn = { of: "QueryChannels", perUser: options.perUser, now: () => clock.now(), pause: sleep };
  const worker = async (): Promise<void> => {
    while (left-- > 0)
      await pace.run(turn, async () => {
        await sleep(random.below(60));
        const limit = answer();
        await sleep(random.below(900));
        if (limit) pace.note(turn.of, limit);
      });
  };
  const state = { ended: false };
  const run = Promise.all(Array.from({ length: width }, worker)).finally(() => (state.ended = true));
  while (!state.ended) await clock.advance(1000);
  await run;
  return { refused: refused(), seconds: (clock.now() - begun) / 1000 };
}

describe("calls in their pace (specification/errors.md §5)", () => {
  test.each([1, 4, 16])(
    "a service with sixty calls a minute refuses none of 200, %i at once",
    async (width) => {
      for (const seed of [1, 2, 3]) {
        const { refused, seconds } = await play(200, width, { perMinute: 60, perUser: Infinity, seed });
        expect(refused).toBe(0);
        expect(seconds).toBeLessThan(5 * 60);
      }
    },
  );
  test("what one user has in a minute is kept although no answer tells it, and needs no spreading", async () => {
    const told = await play(130, 8, { perMinute: 10_000, perUser: 60 });
    expect(told.refused).toBe(0);
    expect(told.seconds).toBeGreaterThan(120);
    expect((await play(130, 8, { perMinute: 10_000, perUser: 60, tells: false })).refused).toBe(0);
    expect((await play(59, 8, { perMinute: 10_000, perUser: 60 })).seconds).toBeLessThan(15);
  });
  test("calls that others have made of this minute are not there any more", async () => {
    const { refused } = await play(100, 1, { perMinute: 300, perUser: Infinity, usedBefore: 290 });
    expect(refused).toBe(0);
  });
  test("a limit that nobody reaches costs no wait", async () => {
    const alone = await play(100, 4, { perMinute: 10_000, perUser: Infinity });
    const untold = await play(100, 4, { perMinute: 10_000, perUser: Infinity, tells: false });
    expect(alone.seconds - untold.seconds).toBeLessThanOrEqual(2);
  });
  test("a call that fails gives its turn back, and operations do not wait for each other", async () => {
    const clock = new VirtualClock();
    const pace = new RatePace();
    const waits: number[] = [];
    const turn = (of: string) => ({
      of,
      perUser: 2,
      now: () => clock.now(),
      pause: async (ms: number) => void waits.push(ms),
    });
    await expect(pace.run(turn("a"), () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    await pace.run(turn("a"), async () => {});
    await pace.run(turn("b"), async () => {});
    expect(waits).toEqual([]);
    await pace.run(turn("a"), async () => {});
    expect(waits).toEqual([60_500]);
  });
});
