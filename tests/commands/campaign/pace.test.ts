/** The pace of a campaign: the rate and time left shown while it runs, and the throttling of sends. */
import { expect, test } from "vitest";
import { Throttle } from "../../../src/commands/campaign/flow/throttle.ts";
import { messageIdFor } from "../../../src/commands/campaign/flow/send-one.ts";
import { PaceMeter } from "../../../src/commands/campaign/pace.ts";

test("there is no rate and no time left before the second sample", () => {
  const meter = new PaceMeter();
  expect(meter.sample(0, 0, 0)).toEqual({ stalled: false });
  expect(meter.sample(1000, 100, 0.1)).toEqual({ rate: 100, eta: 9, stalled: false });
});

test("the rate is an average in which older samples count less", () => {
  const meter = new PaceMeter();
  meter.sample(0, 0, 0);
  meter.sample(1000, 100, 0.1);
  expect(meter.sample(6000, 100, 0.1)).toEqual({ rate: 50, eta: 18, stalled: false });
});

test("half a minute without progress counts as stalled, until the next progress", () => {
  const meter = new PaceMeter();
  meter.sample(0, 10, 0.1);
  expect(meter.sample(29_999, 10, 0.1).stalled).toBe(false);
  expect(meter.sample(30_000, 10, 0.1).stalled).toBe(true);
  expect(meter.sample(31_000, 11, 0.1).stalled).toBe(false);
});

test("sends are spaced evenly; a rate limit delays all of them, and the pace recovers slowly", () => {
  const throttle = new Throttle(10);
  expect([throttle.reserve(0), throttle.reserve(0), throttle.reserve(0)]).toEqual([0, 100, 200]);
  throttle.slowDown(300, 5000);
  expect([throttle.reserve(300), throttle.reserve(300)]).toEqual([5000, 5200]);
  for (let n = 0; n < 20; n++) throttle.speedUp();
  const first = throttle.reserve(10_000);
  expect(throttle.reserve(10_000) - first).toBe(100);
});

test("of two rate limits at once the longer wait counts, and no number of them slows sends below one in ten seconds", () => {
  const throttle = new Throttle(10);
  throttle.slowDown(0, 60_000);
  throttle.slowDown(10, 1000);
  expect(throttle.reserve(20)).toBe(59_980);
  for (let n = 0; n < 20; n++) throttle.slowDown(70_000, 0);
  const first = throttle.reserve(100_000);
  expect(throttle.reserve(100_000) - first).toBe(10_000);
});

test("the id of a campaign message depends on the campaign and the user only", async () => {
  const id = await messageIdFor("spring", "bo");
  expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5/);
  expect(await messageIdFor("spring", "bo")).toBe(id);
  expect(new Set([id, await messageIdFor("spring", "bob"), await messageIdFor("summer", "bo")]).size).toBe(3);
});
