/** Writes to the cache: collected, handed over in order, and bounded in a flood. */
import { expect, test } from "vitest";
import { createCacheWriter } from "../../../src/core/store/cache-writer.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { jsonReply } from "../../support/fake-ports.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore } from "../../support/virtual-core.ts";
import { at, channel, me } from "../state/world.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const event = (n: number): AnyEvent =>
  ({ type: "message.new", cid: "messaging:a", created_at: "", message: { id: `m${n}` } }) as AnyEvent;

function stage() {
  const clock = new VirtualClock();
  const store = createMemoryStore();
  const noted: string[][] = [];
  const order: string[] = [];
  store.cache.note = (events) => {
    noted.push(events.map((e) => (e.message as Message).id));
    order.push("events");
  };
  store.cache.saveMessages = () => void order.push("page");
  const behind = new Set<string>();
  store.cache.saveChannels = (states) => void order.push(...states.map(({ channel: { cid } }) => cid));
  const isBehind = (cid: string): boolean => behind.has(cid);
  const writer = createCacheWriter({ store, clock, log: quiet, isBehind, storage: () => {} });
  return { clock, noted, order, writer, behind };
}

test("D6: a page of a channel that is behind is not kept, because what comes later would seem to follow on it", async () => {
  const { clock, order, writer, behind } = stage();
  behind.add("messaging:b");
  const states = ["messaging:a", "messaging:b"].map((cid) => channel([], { cid }));
  writer.change({ kind: "channels", states, messageLimit: 25, watched: true });
  await clock.advance(200);
  expect(order).toEqual(["messaging:a"]);
});

test("single events gather for 200 ms", async () => {
  const { clock, noted, writer } = stage();
  for (let n = 0; n < 5; n++) writer.events([event(n)]);
  expect(noted).toEqual([]);
  expect(clock.timers).toEqual([200]);
  await clock.advance(200);
  expect(noted.flat()).toEqual(["m0", "m1", "m2", "m3", "m4"]);
});

test("a flood hands over what waits instead of holding 200 ms of it, and loses nothing of the order", async () => {
  const { clock, noted, order, writer } = stage();
  let held = 0;
  let most = 0;
  for (let n = 0; n < 2000; n += 20) {
    writer.events(Array.from({ length: 20 }, (_, i) => event(n + i)));
    held = n + 20 - noted.flat().length;
    most = Math.max(most, held);
    if (n === 1000) writer.change({ kind: "page", messages: [{ id: "p" } as Message] } as never);
  }
  expect(most).toBeLessThanOrEqual(300);
  await clock.advance(200);
  expect(noted.flat()).toEqual(Array.from({ length: 2000 }, (_, n) => `m${n}`));
  expect(order.indexOf("page")).toBe(51);
  expect(clock.timers).toEqual([]);
});

test("a disk that refuses is told once with its reason, and once that it works again", async () => {
  const clock = new VirtualClock();
  const store = createMemoryStore();
  const told: (string | undefined)[] = [];
  let full = true;
  store.cache.note = () => {
    if (full) throw new Error("the disk is full");
  };
  const writer = createCacheWriter({
    store,
    clock,
    log: quiet,
    isBehind: () => false,
    storage: (fault) => told.push(fault),
  });
  const note = async (n: number): Promise<typeof told> => {
    writer.events([event(n)]);
    await clock.advance(200);
    return told.splice(0);
  };
  expect([await note(1), await note(2)]).toEqual([["the disk is full"], []]);
  full = false;
  expect([await note(3), await note(4)]).toEqual([[undefined], []]);
  full = true;
  expect(await note(5)).toEqual(["the disk is full"]);
});

test("D6: with the first channels it is kept since when they are known, for a process that is killed", async () => {
  const store = createMemoryStore("mira");
  const v = virtualCore(
    {},
    { store },
    {
      "POST /channels": () => jsonReply({ channels: [channel()], duration: "" }, 201),
    },
  );
  const connecting = v.core.connectUser({ id: "mira" }, miraToken());
  await v.clock.settle();
  v.sockets.last.frame({
    type: "health.check",
    connection_id: "c1",
    created_at: at(5),
    me: { ...me(), id: "mira" },
  });
  await connecting;
  await v.clock.settle();
  expect(store.get("sync.checkpoint")).toBeUndefined();
  await v.core.queryChannels({ filter_conditions: { members: { $in: ["mira"] } } });
  await v.clock.advance(250);
  expect(store.get("sync.checkpoint")).toBe(at(5));
  const closing = v.core.close();
  await v.clock.advance(2000);
  await closing;
});
