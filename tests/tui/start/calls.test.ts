/** How often a start from a cache asks for the channels: recovery and list share their calls, also after a refusal and on a slow line. */
import { expect, test } from "vitest";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import { expectChannels, loadChannels } from "../../../src/tui/start/load.ts";
import { channel } from "../../core/state/world.ts";
import { errorReply, jsonReply, type FakeAnswer, type FakeCall } from "../../support/fake-ports.ts";
import { helloFrame } from "../../support/fake-provider.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1) - n * 1000).toISOString();
const idOf = (n: number): string => `c${String(n).padStart(3, "0")}`;

/** The first channels of a list, or named ones. */
function listOf(count: number) {
  const all = Array.from({ length: count }, (_, n) =>
    channel([], { id: idOf(n), cid: `messaging:${idOf(n)}`, last_message_at: timeOf(n) } as never),
  );
  return ({ body }: FakeCall): FakeAnswer => {
    const {
      filter_conditions: filter = {},
      offset = 0,
      limit = 10,
    } = body as {
      filter_conditions?: { cid?: { $in: string[] } };
      offset?: number;
      limit?: number;
    };
    const named = filter.cid?.$in;
    const found = named ? all.filter((one) => named.includes(one.channel.cid)) : all.slice(offset);
    return jsonReply({ channels: found.slice(0, limit), duration: "" });
  };
}

async function connect(at: VirtualCore): Promise<void> {
  const connected = at.core.connectUser({ id: "mira" }, miraToken());
  at.core.restore();
  expectChannels(at.core);
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await connected;
}

/** Starts with `cached` channels of `count`; `first` are answers in place of the first ones. */
async function start(cached: number, count: number, first: readonly FakeAnswer[] = []) {
  const store = createMemoryStore();
  const before = virtualCore({}, { store, unchecked: undefined as never });
  before.on["POST /channels"] = listOf(cached);
  await connect(before);
  const filled = loadChannels(before.core);
  await before.clock.advance(5000);
  await filled;
  store.close = () => undefined;
  const closed = before.core.close();
  await before.clock.advance(5000);
  await closed;

  const at = virtualCore({}, { store, unchecked: undefined as never });
  const answers = [...first];
  const list = listOf(count);
  at.on["POST /channels"] = (call) => answers.shift() ?? list(call);
  await connect(at);
  expect(at.core.state().channels.size).toBeGreaterThanOrEqual(cached);
  const loaded = loadChannels(at.core);
  loaded.catch(() => undefined);
  for (let n = 0; n < 60; n++) {
    await at.clock.advance(2000);
    at.sockets.last.frame({ type: "health.check", connection_id: "c1", created_at: timeOf(-n) });
  }
  await loaded;
  const channels = [...at.core.state().channels.values()];
  return {
    calls: at.count("POST /channels"),
    watched: channels.filter(({ watched, stale, unavailable }) => watched && !stale && !unavailable).length,
  };
}

test.each([
  [0, 0, 1],
  [29, 29, 1],
  [30, 30, 2],
  [60, 60, 3],
  [200, 200, 7],
  [29, 70, 3],
  [60, 100, 4],
])("with %i of %i channels in the cache each is asked for once: %i calls", async (cached, count, calls) => {
  expect(await start(cached, count)).toEqual({ calls, watched: count });
});

const limited = errorReply(429, 9);

test.each<[string, number, readonly FakeAnswer[], number]>([
  ["refused for the rate", 29, [limited], 2],
  ["refused for the rate", 60, [limited], 4],
  ["refused for the rate", 200, [limited], 8],
  ["an error of the provider", 60, [errorReply(500, -1)], 4],
])("when the first call is %s, with %i channels, it is one more", async (_, cached, first, calls) => {
  expect(await start(cached, cached, first)).toEqual({ calls, watched: cached });
});

test("when the first call is not answered in time, smaller pages bring all", async () => {
  const { calls, watched } = await start(60, 60, ["never"]);
  expect([watched, calls < 10]).toEqual([60, true]);
});

test("a channel that is no longer in the list is asked for by name, and is then unavailable", async () => {
  expect(await start(40, 35)).toEqual({ calls: 3, watched: 35 });
});
