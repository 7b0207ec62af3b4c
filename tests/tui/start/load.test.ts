/** The channels that a start requests: full state for those not loaded yet, ids only for those the connection's recovery refreshes. */
import { expect, test } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { loadAllChannels, loadChannels, loadHiddenChannels } from "../../../src/tui/start/load.ts";

interface QueryBody {
  offset?: number;
  state?: boolean;
  filter_conditions?: { cid?: { $in: string[] }; hidden?: boolean };
}

/** A user with `count` channels, the first `heldCount` of which are loaded. */
function start(count: number, heldCount: number) {
  const all = Array.from({ length: count }, (_, n) => `messaging:c${n}`);
  const requests: QueryBody[] = [];
  const answer = (body: QueryBody): string[] => {
    requests.push(body);
    const { filter_conditions: filter, offset = 0 } = body;
    return filter?.cid?.$in ?? all.slice(offset, offset + 30);
  };
  const core = {
    userId: "ada",
    state: () => ({ channels: new Map(all.slice(0, heldCount).map((cid) => [cid, {}])) }),
    queryChannels: async (body: QueryBody) => answer(body),
    call: async (_name: string, { body }: { body: QueryBody }) => ({
      channels: answer(body).map((cid) => ({ channel: { cid } })),
    }),
  };
  return { core: core as unknown as Core, requests };
}
const withState = (requests: readonly QueryBody[]): QueryBody[] =>
  requests.filter(({ state }) => state === true);

test("with few cached channels every page is requested with state, up to the largest offset", async () => {
  const { core, requests } = start(100, 3);
  await loadChannels(core);
  expect(withState(requests).map(({ offset }) => offset)).toEqual([0, 30, 60, 90]);
  expect(requests).toHaveLength(4);
  const many = start(2000, 0);
  await loadChannels(many.core);
  expect(many.requests.at(-1)).toMatchObject({ offset: 960 });
});

test("with many cached channels only ids are requested, and state for those not cached", async () => {
  const { core, requests } = start(100, 95);
  await loadChannels(core);
  expect(withState(requests)).toMatchObject([
    { offset: 0 },
    {
      filter_conditions: {
        cid: { $in: ["messaging:c95", "messaging:c96", "messaging:c97", "messaging:c98", "messaging:c99"] },
      },
    },
  ]);
  expect(requests.filter(({ state }) => state === false).map(({ offset }) => offset)).toEqual([30, 60, 90]);
});

test("a list of one page is requested once", async () => {
  const { core, requests } = start(12, 500);
  await loadChannels(core);
  expect(requests).toHaveLength(1);
});

test("hidden channels, which no list contains, are loaded page by page without watching them", async () => {
  const { core, requests } = start(40, 0);
  await loadHiddenChannels(core);
  const filter_conditions = { members: { $in: ["ada"] }, hidden: true };
  expect(requests).toMatchObject([
    { filter_conditions, offset: 0, watch: false },
    { filter_conditions, offset: 30, watch: false },
  ]);
});

test("plain mode loads the listed channels and then the hidden ones", async () => {
  const { core, requests } = start(12, 0);
  await loadAllChannels(core);
  expect(requests.map(({ filter_conditions: filter }) => filter?.hidden)).toEqual([undefined, true]);
});
