/** The channels that a start requests: full state for those not loaded yet, ids only for those the connection's recovery refreshes. */
import { expect, test } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { loadChannels } from "../../../src/tui/start/load.ts";

interface Asked {
  offset?: number;
  state?: boolean;
  filter_conditions?: { cid?: { $in: string[] } };
}

/** A user with `count` channels, the first `heldCount` of which are loaded. */
function start(count: number, heldCount: number) {
  const all = Array.from({ length: count }, (_, n) => `messaging:c${n}`);
  const asked: Asked[] = [];
  const answer = (body: Asked): string[] => {
    asked.push(body);
    const { filter_conditions: filter, offset = 0 } = body;
    return filter?.cid?.$in ?? all.slice(offset, offset + 30);
  };
  const core = {
    userId: "ada",
    state: () => ({ channels: new Map(all.slice(0, heldCount).map((cid) => [cid, {}])) }),
    queryChannels: async (body: Asked) => answer(body),
    call: async (_name: string, { body }: { body: Asked }) => ({
      channels: answer(body).map((cid) => ({ channel: { cid } })),
    }),
  };
  return { core: core as unknown as Core, asked };
}
const whole = (asked: readonly Asked[]): Asked[] => asked.filter(({ state }) => state === true);

test("where little is held, every page of the list is asked for whole, up to the last offset there is", async () => {
  const { core, asked } = start(100, 3);
  await loadChannels(core);
  expect(whole(asked).map(({ offset }) => offset)).toEqual([0, 30, 60, 90]);
  expect(asked).toHaveLength(4);
  const many = start(2000, 0);
  await loadChannels(many.core);
  expect(many.asked.at(-1)).toMatchObject({ offset: 960 });
});

test("of channels that are held the names are asked for, and whole only those that are not", async () => {
  const { core, asked } = start(100, 95);
  await loadChannels(core);
  expect(whole(asked)).toMatchObject([
    { offset: 0 },
    {
      filter_conditions: {
        cid: { $in: ["messaging:c95", "messaging:c96", "messaging:c97", "messaging:c98", "messaging:c99"] },
      },
    },
  ]);
  expect(asked.filter(({ state }) => state === false).map(({ offset }) => offset)).toEqual([30, 60, 90]);
});

test("a list that ends with its first page is asked for no further", async () => {
  const { core, asked } = start(12, 500);
  await loadChannels(core);
  expect(asked).toHaveLength(1);
});
