/** How long a row waits for its next try: doubled by each failure, up to half a minute, and randomly halved at most. */
import { expect, test } from "vitest";
import { RetryClock } from "../../../src/core/outbox/retry-clock.ts";
import type { OutboxRow } from "../../../src/core/base/outbox-row.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";

const row = (): OutboxRow => ({ state: "unknown", action: { kind: "send" } }) as OutboxRow;

/** The wait after each of so many failures, milliseconds. */
function waits(randomValue: number, count: number): { ms: number[]; retry: RetryClock; of: OutboxRow } {
  const of = row();
  const clock = new VirtualClock();
  const retry = new RetryClock({ clock, random: { float: () => randomValue, uuid: () => "" } });
  return { ms: Array.from({ length: count }, () => retry.backOff(of) - clock.now()), retry, of };
}

test("the wait doubles from half a second to 30 seconds, and is halved at random", () => {
  expect(waits(1, 9).ms).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
  expect(waits(0, 9).ms).toEqual([250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
});

test("a thousand failures wait no longer than 30 seconds", () => {
  expect(waits(1, 2000).ms.at(-1)).toBe(30_000);
});

test("a reset row starts again and may be tried at once; another row has its own count", () => {
  const { retry, of } = waits(1, 3);
  const begin = new VirtualClock().now();
  of.notBefore = begin + 5000;
  retry.set(of);
  expect(retry.readyAt(of, 0)).toBeGreaterThan(0);
  expect(retry.backOff(row()) - begin).toBe(500);
  retry.reset(of);
  expect([retry.readyAt(of, 0), retry.backOff(of) - begin]).toEqual([0, 500]);
});

test("a rate limit holds the rows of its kind only, until its end and ten minutes at most, also when its end is past", () => {
  const clock = new VirtualClock();
  const retry = new RetryClock({ clock, random: { float: () => 1, uuid: () => "" } });
  const now = clock.monotonic();
  const edit = { ...row(), action: { kind: "edit" } } as OutboxRow;
  const waited = [-5000, 20_000, 600_000, 600_001, 86_400_000].map((ms) => {
    retry.limit("send", clock.now() + ms);
    expect(retry.readyAt(edit, now)).toBe(now);
    return retry.readyAt(row(), now) - now;
  });
  expect(waited).toEqual([0, 20_000, 600_000, 600_000, 600_000]);
  retry.unlimit("send");
  expect(retry.readyAt(row(), now)).toBe(now);
});

test.each<[OutboxRow["state"], number]>([
  ["parked", 600_000],
  ["unknown", 30_000],
  ["queued", 30_000],
])(
  "a %s row waits for its stored time, and at most %i ms when the clock was set back since",
  (state, longest) => {
    const clock = new VirtualClock();
    const retry = new RetryClock({ clock, random: { float: () => 1, uuid: () => "" } });
    const ready = (ms: number): number => {
      const of = { ...row(), state, notBefore: clock.now() + ms } as OutboxRow;
      retry.set(of);
      return retry.readyAt(of, 0);
    };
    const waited = [-3_600_000, 0, 20_000, longest - 1, longest, longest + 1, 3_600_000].map(ready);
    expect(waited).toEqual([0, 0, 20_000, longest - 1, longest, longest, longest]);
  },
);
