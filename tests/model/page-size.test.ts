/** Page sizes: a time-out makes pages smaller, an answer larger again, and nothing else changes them. */
import { expect, test } from "vitest";
import { ApiError, TransportError } from "../../src/model/errors.ts";
import { PageSize } from "../../src/model/page-size.ts";

const late = (): Error => new TransportError("ETIMEDOUT", "no answer in time");
const refusal = (status: number): Error => new ApiError("no", { status });

/** Asks for pages; `longest` is the largest page that is answered. Returns the sizes that were asked for. */
async function sizes(
  size: PageSize,
  pages: number,
  { longest = Infinity, error = late(), needed = Infinity, least = 1 } = {},
): Promise<number[]> {
  const asked: number[] = [];
  for (let n = 0; n < pages; n++)
    await size.ask(
      async (limit) => {
        asked.push(limit);
        if (limit > longest) throw error;
      },
      { needed, least },
    );
  return asked;
}

test("pages grow to the largest, and no page is larger than what is needed", async () => {
  const size = new PageSize(30, 10);
  expect(await sizes(size, 3)).toEqual([10, 30, 30]);
  expect(await sizes(size, 1, { needed: 7 })).toEqual([7]);
  // A small last page makes no later one smaller.
  expect(await sizes(size, 1)).toEqual([30]);
  expect(await sizes(new PageSize(300), 2)).toEqual([300, 300]);
});

test("a page without an answer in time is asked for again with a third, and later ones grow", async () => {
  const size = new PageSize(300);
  expect(await sizes(size, 2, { longest: 60 })).toEqual([300, 100, 33, 50]);
  expect(await sizes(new PageSize(300), 1, { longest: 100, error: refusal(504) })).toEqual([300, 100]);
});

test("pages stay below half of one that was too much, and every tenth answer doubles that bound", async () => {
  const size = new PageSize(300);
  await sizes(size, 1, { longest: 60 });
  expect(await sizes(size, 12, { longest: 60 })).toEqual([...Array(9).fill(50), 100, 33, 50, 50]);
  const better = new PageSize(300);
  await sizes(better, 1, { longest: 60 });
  expect(new Set(await sizes(better, 40))).toEqual(new Set([50, 100, 200, 300]));
});

test("a page of the least size that is not answered fails, and so does every other failure at once", async () => {
  const failing = async (size: PageSize, error: Error, least = 1): Promise<number[]> => {
    const asked: number[] = [];
    const ask = size.ask(
      async (limit) => {
        asked.push(limit);
        throw error;
      },
      { least },
    );
    await expect(ask).rejects.toBe(error);
    return asked;
  };
  expect(await failing(new PageSize(10), late())).toEqual([10, 3, 1]);
  expect(await failing(new PageSize(10), late(), 2)).toEqual([10, 3, 2]);
  for (const error of [
    refusal(429),
    refusal(500),
    new TransportError("ERR_NETWORK", "reset"),
    new TransportError("ETIMEDOUT", "never connected", undefined, true),
  ])
    expect(await failing(new PageSize(10), error)).toEqual([10]);
});
