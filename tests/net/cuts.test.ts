/** A send, a query, a /sync and a long-poll, cut at each byte of request and reply: everything arrives once and the state is right (D1–D3, D6). */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Core } from "../../src/core/core.ts";
import { TransportError } from "../../src/model/errors.ts";
import { createProvider, type Provider } from "../../src/provider/provider.ts";
import { signToken } from "../../src/wire/token.ts";
import { coreOn } from "../support/core-on.ts";
import { until } from "../support/fake-provider.ts";
import { TEST_PATIENCE } from "../support/patience.ts";
import { createFastClock, createFastRequest } from "../support/fast-clock.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { PROOF, drawnSeed } from "../support/proof.ts";
import { dice } from "../support/seeded.ts";

const SECRET = "a secret that is long enough for a test";
const FAST = 20;
const LANES = 12;
/** The proof cuts at every byte of every kind; otherwise in steps from a random byte on, always including the ends. */
const ALL = PROOF || process.env.PARLEY_CUTS === "all";
const FROM = drawnSeed("cuts");

let folder: string;
let provider: Provider;
let target: number;
const proxies: FaultProxy[] = [];
const cores: Core[] = [];
const token = (id: string): string => signToken({ user_id: id }, SECRET);

function core(url: string, transport: "websocket" | "longpoll" = "websocket"): Core {
  const random = { ...dice(cores.length + 1), float: () => 0 };
  const made = coreOn(
    url,
    { apiKey: provider.apiKey, transport },
    { clock: createFastClock(FAST), request: createFastRequest(createFastClock(FAST / 5)), random },
  );
  cores.push(made);
  return made;
}

interface Lane {
  proxy: FaultProxy;
  core: Core;
  cid: string;
}

async function lane(n: number, kind: string, transport?: "longpoll"): Promise<Lane> {
  const proxy = await new FaultProxy(() => target).listen();
  proxies.push(proxy);
  const made = core(proxy.url, transport);
  const cid = `messaging:${kind}-${n}`;
  made.setUser({ id: "mira" }, token("mira"));
  if (transport) await made.connectUser({ id: "mira" }, token("mira"));
  for (;;)
    try {
      await made.watch(cid, { members: ["mira", "otto"] });
      break;
    } catch (error) {
      // Many lanes start at once on a machine that may be busy.
      if (!(error instanceof TransportError)) throw error;
    }
  return { proxy, core: made, cid };
}

interface Cut {
  direction: "up" | "down";
  at: number;
}

/** All cut positions of a request and its reply, in steps of `step` bytes; the ends are always included. */
function places(up: number, down: number, step: number): Cut[] {
  const each = (direction: "up" | "down", length: number): Cut[] => {
    const all = Array.from({ length: length + 1 }, (_, at) => ({ direction, at }));
    return all.filter(({ at }) => ALL || (at + FROM) % step === 0 || at === length || at === length - 1);
  };
  return [...each("up", up), ...each("down", down)];
}

/** Each lane takes the next cut position as soon as it is free. */
async function onEachLane(
  lanes: readonly Lane[],
  cuts: readonly Cut[],
  work: (lane: Lane, cut: Cut, n: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    lanes.map(async (each) => {
      while (next < cuts.length) {
        const n = next++;
        await work(each, cuts[n]!, n);
      }
    }),
  );
}

const cutAt = ({ direction, at }: Cut) =>
  ({ kind: "cut", direction, at, how: at % 2 ? "reset" : "fin" }) as const;

/** Byte counts of one undisturbed exchange. */
async function measure(
  each: Lane,
  match: RegExp,
  run: () => Promise<unknown>,
): Promise<{ up: number; down: number }> {
  each.proxy.passed.length = 0;
  await run();
  const passed = each.proxy.passed.find(({ line }) => match.test(line));
  if (!passed) throw new Error(`nothing passed that matches ${match}`);
  return { up: passed.up, down: passed.down };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-cuts-"));
  provider = createProvider({ data: folder, secret: SECRET });
  await provider.listen();
  target = Number(new URL(provider.url).port);
  const direct = core(provider.url);
  for (const id of ["mira", "otto"]) {
    await direct.connectUser({ id }, token(id));
    await direct.disconnectUser();
  }
});
afterAll(async () => {
  await Promise.all(cores.splice(0).map((each) => each.close()));
  await Promise.all(proxies.splice(0).map((each) => each.close()));
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

/** The stored messages, oldest first. */
async function stored(cid: string): Promise<{ id: string; text: string }[]> {
  const direct = core(provider.url);
  direct.setUser({ id: "mira" }, token("mira"));
  const [type, id] = cid.split(":") as [string, string];
  const all: { id: string; text: string }[] = [];
  for (;;) {
    const cursor = all[0] ? { id_lt: all[0].id } : {};
    const { messages } = await direct.call("queryChannel", {
      path: { type, id },
      body: { state: true, messages: { limit: 300, ...cursor } },
    });
    all.unshift(...messages.map((message) => ({ id: message.id, text: message.text })));
    if (messages.length < 300) return all;
  }
}

test(
  "a send cut at any byte is stored once and acknowledged (D1, D2)",
  { timeout: ALL ? 900_000 : TEST_PATIENCE },
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n, "send")));
    const match = /^POST \S+\/message/;
    const first = lanes[0]!;
    const { up, down } = await measure(
      first,
      match,
      () => first.core.send({ cid: first.cid }, { text: "whole" }).outcome,
    );
    const sent = new Map<string, { id: string; text: string }[]>(lanes.map(({ cid }) => [cid, []]));
    const cuts = places(up, down, 45);
    await onEachLane(lanes, cuts, async ({ proxy, core: client, cid }, cut, n) => {
      proxy.arm(match, cutAt(cut));
      const text = `cut ${n}`;
      const { id, outcome } = client.send({ cid }, { text });
      expect(await outcome, `${cut.direction} ${cut.at}`).toMatchObject({ state: "received" });
      expect(proxy.armed).toEqual([]);
      sent.get(cid)!.push({ id, text });
    });
    for (const [cid, list] of sent)
      expect((await stored(cid)).filter(({ text }) => text !== "whole")).toEqual(list);
    expect(cuts.length).toBeGreaterThan(ALL ? 1500 : 30);
  },
);

test(
  "a query and a /sync cut at any byte give the whole answer or none",
  { timeout: ALL ? 900_000 : TEST_PATIENCE },
  async () => {
    const lanes = await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n, "ask")));
    const since = new Date(Date.now() - 60_000).toISOString();
    await Promise.all(lanes.map(({ core: client, cid }) => client.send({ cid }, { text: "there" }).outcome));
    const query = ({ core: client, cid }: Lane) => {
      const [type, id] = cid.split(":") as [string, string];
      const body = { state: true, messages: { limit: 5 }, members: { limit: 1 } };
      return client.call("queryChannel", { path: { type, id }, body, retries: 3 });
    };
    const sync = ({ core: client, cid }: Lane) =>
      client.call("sync", { body: { channel_cids: [cid], last_sync_at: since }, retries: 3 });
    const first = lanes[0]!;
    const queried = await measure(first, /^POST \S+\/query/, () => query(first));
    await onEachLane(lanes, places(queried.up, queried.down, 60), async (each, cut) => {
      each.proxy.arm(/^POST \S+\/query/, cutAt(cut));
      const { messages } = await query(each);
      expect(messages.map(({ text }) => text)).toEqual(["there"]);
      expect(each.proxy.armed).toEqual([]);
    });
    const synced = await measure(first, /^POST \/sync/, () => sync(first));
    await onEachLane(lanes, places(synced.up, synced.down, 60), async (each, cut) => {
      each.proxy.arm(/^POST \/sync/, cutAt(cut));
      const { events } = await sync(each);
      expect(events.filter(({ type }) => type === "message.new")).toHaveLength(1);
      expect(each.proxy.armed).toEqual([]);
    });
  },
);

test(
  "a long poll cut at any byte misses no event and shows none twice (D3, D6)",
  { timeout: ALL ? 900_000 : TEST_PATIENCE },
  async () => {
    const lanes = await Promise.all(Array.from({ length: 8 }, (_, n) => lane(n, "poll", "longpoll")));
    const otto = core(provider.url);
    otto.setUser({ id: "otto" }, token("otto"));
    const texts = ({ core: client, cid }: Lane): string[] =>
      [
        ...(client
          .state()
          .channels.get(cid)
          ?.sets.find((set) => set.isLatest)?.messages ?? []),
      ].map(({ text }) => text);
    const match = /^GET \/longpoll\S*connection_id/;
    const sentTexts = new Map<string, string[]>(lanes.map(({ cid }) => [cid, []]));
    const say = async (each: Lane, text: string): Promise<void> => {
      sentTexts.get(each.cid)!.push(text);
      await otto.send({ cid: each.cid }, { text }).outcome;
      await until(`${each.cid} shows ${text}`, () => texts(each).at(-1) === text);
    };
    const first = lanes[0]!;
    const polled = await measure(first, match, async () => {
      await say(first, "whole 1");
      await say(first, "whole 2");
    });
    await onEachLane(lanes, places(polled.up, polled.down, 120), async (each, cut, n) => {
      each.proxy.arm(match, cutAt(cut));
      // The first message ends the pending poll; the next poll is cut while it delivers the second message.
      await say(each, `a ${n}`);
      await say(each, `b ${n}`);
    });
    for (const each of lanes) {
      each.proxy.armed.length = 0;
      await until(`${each.cid} is open again`, () => each.core.state().link.phase === "open");
      const sets = each.core.state().channels.get(each.cid)!.sets;
      const all = sentTexts.get(each.cid)!;
      const held = texts(each);
      expect(held).toEqual(all.slice(all.length - held.length));
      expect(held.length === all.length || sets.some((set) => set.hasPrev)).toBe(true);
    }
  },
);
