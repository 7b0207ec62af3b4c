/** Following positions from a pipe: at most one update per window, the newest position wins, an unchanged one is not sent (LU-6). */
import { afterEach, expect, test, vi } from "vitest";
import { followPositions } from "../../src/commands/location/follow.ts";
import { positionOf } from "../../src/commands/location/position.ts";

afterEach(() => vi.useRealTimers());

/** Follows pieces of input that arrive at the given times; returns the sent positions as `latitude@time`. */
async function run(pieces: [number, string][], fails?: "over" | "once") {
  vi.useFakeTimers({ now: 0 });
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
  const sent: string[] = [];
  let failures = 0;
  async function* input(): AsyncIterable<string> {
    for (const [at, text] of pieces) {
      await wait(at - Date.now());
      yield text;
    }
  }
  const result = followPositions({
    input: input(),
    from: { latitude: 0, longitude: 0 },
    now: () => Date.now(),
    wait,
    endsLocation: (error) => (error as Error).message === "the location has ended",
    send: async ({ latitude }) => {
      if (fails === "over") throw new Error("the location has ended");
      if (fails === "once" && failures++ === 0) throw new Error("no network");
      sent.push(`${latitude}@${Date.now()}`);
    },
  });
  result.catch(() => {});
  await vi.runAllTimersAsync();
  return { result: await result, sent };
}

test("the first position is sent at once, then the newest one at the end of each three-second window", async () => {
  const { sent, result } = await run([
    [10, "1,0\n"],
    [20, "2,0\n"],
    [1000, "3,0\n"],
    [5000, "4,0\n"],
  ]);
  expect(sent).toEqual(["1@10", "3@3010", "4@6010"]);
  expect(result).toEqual({ sent: 3, invalid: [] });
});

test("lines can arrive in parts, invalid lines are reported by number, and the last line needs no line end", async () => {
  const { sent, result } = await run([
    [0, "no"],
    [0, "where\n1.5,"],
    [1, "2\n"],
    [4000, "91,0\n7,8"],
  ]);
  expect(sent).toEqual(["1.5@1", "7@4000"]);
  expect(result.invalid).toEqual([1, 3]);
});

test("an unchanged position is not sent", async () => {
  expect(
    (
      await run([
        [0, "0,0\n"],
        [5000, "0,0\n"],
      ])
    ).result,
  ).toEqual({ sent: 0, invalid: [] });
});

test("LU-8: a location that has ended stops following at once, even if no more input arrives", async () => {
  vi.useFakeTimers({ now: 0 });
  async function* input(): AsyncIterable<string> {
    yield "1,0\n";
    await new Promise(() => {});
  }
  const over = followPositions({
    input: input(),
    from: { latitude: 0, longitude: 0 },
    now: () => 0,
    wait: async () => {},
    endsLocation: () => true,
    send: () => Promise.reject(new Error("the location has ended")),
  });
  await expect(over).rejects.toThrow("the location has ended");
  await expect(run([[0, "1,0"]], "over")).rejects.toThrow("the location has ended");
});

test("LU-8: after another failure the next position is sent, even if it is the same", async () => {
  const { sent, result } = await run(
    [
      [0, "1,0\n"],
      [5000, "1,0\n"],
    ],
    "once",
  );
  expect(sent).toEqual(["1@5000"]);
  expect(result).toEqual({ sent: 1, invalid: [] });
});

test.each([
  ["52.37,4.89", { latitude: 52.37, longitude: 4.89 }],
  [" -33.9, 151.2 ", { latitude: -33.9, longitude: 151.2 }],
  ["90;-180", { latitude: 90, longitude: -180 }],
  ["91,0", undefined],
  ["0,180.1", undefined],
  ["52", undefined],
  ["52,4,1", undefined],
  ["1e1,2", undefined],
  ["NaN,0", undefined],
])("%j reads as %j", (text, position) => {
  expect(positionOf(text)).toEqual(position);
});
