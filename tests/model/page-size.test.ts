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

test("pages stay below half of one that was too much; a larger one is tried after eight answers, and after twice as many each time it fails", async () => {
  const size = new PageSize(300);
  await sizes(size, 1, { longest: 60 });
  const asked = await sizes(size, 300, { longest: 60 });
  expect(asked.slice(0, 11)).toEqual([...Array(7).fill(50), 100, 33, 50, 50]);
  const failed = asked.flatMap((limit, at) => (limit > 60 ? at : []));
  expect(failed.slice(1).map((at, n) => at - failed[n]!)).toEqual([17, 33, 65, 65, 65]);
});

test("once a larger page is answered, pages are soon as large as ever", async () => {
  const size = new PageSize(300);
  await sizes(size, 1, { longest: 3 });
  const asked = await sizes(size, 25);
  expect(asked.indexOf(300)).toBeLessThan(20);
  // It counts slowly again where the line is slow again.
  await sizes(size, 1, { longest: 60 });
  expect(Math.max(...(await sizes(size, 7, { longest: 60 })))).toBeLessThanOrEqual(60);
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
