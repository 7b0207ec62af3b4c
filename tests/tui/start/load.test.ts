/** The channels that a start requests: full state for those not loaded yet, ids only for those the connection's recovery refreshes. */
import { expect, test } from "vitest";
import type { Core } from "../../../src/core/core.ts";
import { decodeReply } from "../../../src/core/http/decode.ts";
import { TransportError } from "../../../src/model/errors.ts";
import type { ReplyOf } from "../../../src/wire/endpoints/index.ts";
import { mapReceived } from "../../../src/wire/reading.ts";
import { loadHiddenOnce } from "../../../src/tui/navigation/channel-pages.ts";
import { loadChannels } from "../../../src/tui/start/load.ts";

type QueryChannelsReply = ReplyOf<"queryChannels">;

interface QueryBody {
  offset?: number;
  limit?: number;
  state?: boolean;
  filter_conditions?: { cid?: { $in: string[] }; hidden?: boolean };
}

/** A user with `count` channels, the first `heldCount` of which are loaded; a page of more than `longest` is never answered. */
function start(count: number, heldCount: number, longest = 30) {
  const all = Array.from({ length: count }, (_, n) => `messaging:c${n}`);
  const requests: QueryBody[] = [];
  const answer = (body: QueryBody): string[] => {
    requests.push(body);
    const { filter_conditions: filter, offset = 0, limit = 10 } = body;
    if (limit > longest) throw new TransportError("ETIMEDOUT", "no answer in time");
    return filter?.cid?.$in ?? all.slice(offset, offset + limit);
  };
  const core = {
    userId: "ada",
    listed: async () => undefined,
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

test("without a cache every page is requested with state, ten channels first, up to the largest offset", async () => {
  const { core, requests } = start(100, 0);
  await loadChannels(core);
  expect(withState(requests).map(({ offset, limit }) => [offset, limit])).toEqual([
    [0, 10],
    [10, 30],
    [40, 30],
    [70, 30],
    [100, 30],
  ]);
  expect(requests).toHaveLength(5);
  const many = start(2000, 0);
  await loadChannels(many.core);
  expect(many.requests.at(-1)).toMatchObject({ offset: 1000, limit: 30 });
});

test("with few cached channels, which are shown already, the first page is a whole one", async () => {
  const { core, requests } = start(29, 3);
  await loadChannels(core);
  expect(requests).toMatchObject([{ offset: 0, limit: 30, state: true }]);
});

test("a page that is not answered in time is asked for again with fewer channels, and none is left out", async () => {
  const few = start(35, 0, 9);
  await loadChannels(few.core);
  expect(few.requests.map(({ offset, limit }) => [offset, limit])).toEqual([
    [0, 10],
    [0, 3],
    [3, 5],
    [8, 5],
    [13, 5],
    [18, 5],
    [23, 5],
    [28, 5],
    [33, 5],
  ]);
  // The list of ids is short, but the state of the channels that are not cached is not.
  const cached = start(50, 33, 10);
  await loadChannels({ ...cached.core, call: start(50, 33).core.call });
  const asked = cached.requests.flatMap(({ filter_conditions: filter, limit = 0 }) =>
    filter?.cid && limit <= 10 ? [filter.cid.$in.length] : [],
  );
  expect(asked).toEqual([7, 10]);
});

test("channels that cannot be read do not end the list", async () => {
  const shown: string[] = [];
  const core = {
    userId: "ada",
    listed: async () => undefined,
    state: () => ({ channels: new Map() }),
    async queryChannels({ offset = 0, limit = 0 }: QueryBody) {
      const channels = Array.from({ length: Math.max(0, Math.min(limit, 25 - offset)) }, (_, n) =>
        n === 4
          ? {}
          : { channel: { id: `c${offset + n}`, type: "messaging", cid: `messaging:c${offset + n}` } },
      );
      const reply = { status: 200, headers: {}, text: JSON.stringify({ channels }) };
      const read = decodeReply("queryChannels", reply, "r", { note: () => {} }) as QueryChannelsReply;
      shown.push(...read.channels.map(({ channel }) => channel.cid));
      return mapReceived(read.channels, ({ channel }) => channel.cid);
    },
  };
  await loadChannels(core as unknown as Core);
  expect(shown).toHaveLength(23);
  expect(shown.at(-1)).toBe("messaging:c24");
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

test("channels that are not cached are requested page by page, each once, in pages that are answered in time", async () => {
  const { core, requests } = start(100, 33, 10);
  await loadChannels({ ...core, call: start(100, 33).core.call });
  const answered = requests.flatMap(({ filter_conditions: filter, limit = 0 }) =>
    filter?.cid && limit <= 10 ? [filter.cid.$in] : [],
  );
  expect(answered.flat()).toEqual(Array.from({ length: 67 }, (_, n) => `messaging:c${n + 33}`));
  expect(Math.max(...answered.map(({ length }) => length))).toBeLessThanOrEqual(10);
});

test("a list of one page is requested once", async () => {
  const { core, requests } = start(9, 500);
  await loadChannels(core);
  expect(requests).toHaveLength(1);
});

test("hidden channels, which no list contains, are loaded page by page without watching them, once", async () => {
  const { core, requests } = start(40, 0);
  await Promise.all([loadHiddenOnce(core), loadHiddenOnce(core)]);
  await loadHiddenOnce(core);
  const filter_conditions = { members: { $in: ["ada"] }, hidden: true };
  expect(requests).toMatchObject([
    { filter_conditions, offset: 0, watch: false },
    { filter_conditions, offset: 30, watch: false },
  ]);
});

test("hidden channels that could not be loaded are asked for again", async () => {
  const { core, requests } = start(9, 0, 0);
  await expect(loadHiddenOnce(core)).rejects.toMatchObject({ code: "ETIMEDOUT" });
  const refused = requests.length;
  await expect(loadHiddenOnce(core)).rejects.toMatchObject({ code: "ETIMEDOUT" });
  expect(requests.length).toBe(2 * refused);
});

test("a start with forty channels asks for the list twice", async () => {
  const { core, requests } = start(39, 0);
  await loadChannels(core);
  expect(requests).toHaveLength(2);
});
