/** Writes to the cache: collected, handed over in order, and bounded in a flood. */
import { expect, test } from "vitest";
import { createCacheWriter } from "../../../src/core/store/cache-writer.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { jsonReply } from "../../support/fake-ports.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore } from "../../support/virtual-core.ts";
import { at, channel, CID, me, msg } from "../state/world.ts";

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const event = (n: number): AnyEvent =>
  ({ type: "message.new", cid: "messaging:a", created_at: "", message: { id: `m${n}` } }) as AnyEvent;

function writerWith() {
  const clock = new VirtualClock();
  const store = createMemoryStore();
  const written: string[][] = [];
  const order: string[] = [];
  store.cache.note = (events) => {
    written.push(events.map((e) => (e.message as Message).id));
    order.push("events");
  };
  store.cache.saveMessages = () => void order.push("page");
  const behind = new Set<string>();
  store.cache.saveChannels = (states) => void order.push(...states.map(({ channel: { cid } }) => cid));
  const isBehind = (cid: string): boolean => behind.has(cid);
  const writer = createCacheWriter({ store, clock, log: quiet, isBehind, storage: () => {} });
  return { clock, written, order, writer, behind };
}

test("D6: a page of a stale channel is not stored, because later messages would seem to follow it", async () => {
  const { clock, order, writer, behind } = writerWith();
  behind.add("messaging:b");
  const states = ["messaging:a", "messaging:b"].map((cid) => channel([], { cid }));
  writer.change({ kind: "channels", states, messageLimit: 25, watched: true });
  await clock.advance(200);
  expect(order).toEqual(["messaging:a"]);
});

test("a hidden channel is not stored, because the recovery could not tell whether it still exists", async () => {
  const { clock, order, writer } = writerWith();
  const states = [channel([], { cid: "messaging:a", hidden: true }), channel([], { cid: "messaging:b" })];
  writer.change({ kind: "channels", states, messageLimit: 1, watched: false });
  await clock.advance(200);
  expect(order).toEqual(["messaging:b"]);
});

test("nothing older stays before a page with fewer messages than were asked for; before a full one it does", async () => {
  const clock = new VirtualClock();
  const store = createMemoryStore();
  const writer = createCacheWriter({ store, clock, log: quiet, isBehind: () => false, storage: () => {} });
  const answer = async (limit: number, ...numbers: number[]): Promise<unknown> => {
    const states = [channel(numbers.map((n) => msg(n)))];
    writer.change({ kind: "channels", states, messageLimit: limit, watched: true });
    await clock.advance(200);
    return store.cache.channels(10)[0]!.messages.map(({ id }) => id);
  };
  expect(await answer(3, 1, 2, 3)).toEqual(["m1", "m2", "m3"]);
  expect(await answer(2, 2, 3)).toEqual(["m1", "m2", "m3"]);
  expect(await answer(3, 2, 3)).toEqual(["m2", "m3"]);
  expect(await answer(3)).toEqual([]);
});

test.each([
  ["at once with what makes the copies", false],
  ["later", true],
])(
  "R-MSG-3: edits, reactions and votes that come %s change the stored quotes, pins and polls",
  (_, later) => {
    const { cache } = createMemoryStore();
    const caused = (type: string, more: object): AnyEvent =>
      ({ type, cid: CID, created_at: at(30), ...more }) as AnyEvent;
    const poll = (name: string) => ({ id: "p", name, updated_at: at(1), own_votes: [], options: [] });
    const asked = msg(2, { poll: poll("Tea?") as never });
    const quoting = (n: number, quoted: Message) =>
      msg(n, { quoted_message_id: quoted.id, quoted_message: quoted });
    const pin = msg(5, { pinned: true });
    cache.saveChannels([channel([msg(1)], { pinned_messages: [pin] })]);
    // So that what has copies was looked for before the copies come.
    cache.note([caused("reaction.new", { message: msg(9), reaction: { type: "wow" } })]);
    if (later) cache.channels(1);
    for (const message of [asked, quoting(3, msg(1)), quoting(4, asked)])
      cache.note([caused("message.new", { message })]);
    if (later) cache.channels(1);
    for (const message of [msg(1), pin]) {
      const edited = { ...message, text: "new", updated_at: at(9) };
      const reacted = { ...message, latest_reactions: [{ type: "love" }] };
      cache.note([
        caused("message.updated", { message: edited }),
        caused("reaction.new", { message: reacted, reaction: { type: "love", user_id: "x" } }),
      ]);
    }
    cache.note([caused("poll.vote_casted", { poll: poll("Tea? 1"), poll_vote: { id: "v", user_id: "x" } })]);
    const [stored] = cache.channels(10);
    const copies = [...stored!.messages, ...stored!.pinned_messages].flatMap((each) =>
      [each, each.quoted_message ?? []].flat(),
    );
    const changed = copies.filter(({ id }) => id === "m1" || id === "m5");
    expect(changed.map(({ id, text, latest_reactions: [love] }) => [id, text, love?.type])).toEqual(
      ["m1", "m1", "m5"].map((id) => [id, "new", "love"]),
    );
    expect(copies.flatMap((each) => each.poll?.name ?? [])).toEqual(["Tea? 1", "Tea? 1"]);
  },
);

test("single events are collected for 200 ms", async () => {
  const { clock, written, writer } = writerWith();
  for (let n = 0; n < 5; n++) writer.events([event(n)]);
  expect(written).toEqual([]);
  expect(clock.timers).toEqual([200]);
  await clock.advance(200);
  expect(written.flat()).toEqual(["m0", "m1", "m2", "m3", "m4"]);
});

test("a flood is written early, so that at most 300 events wait, and keeps its order", async () => {
  const { clock, written, order, writer } = writerWith();
  let held = 0;
  let most = 0;
  for (let n = 0; n < 2000; n += 20) {
    writer.events(Array.from({ length: 20 }, (_, i) => event(n + i)));
    held = n + 20 - written.flat().length;
    most = Math.max(most, held);
    if (n === 1000) writer.change({ kind: "page", messages: [{ id: "p" } as Message] } as never);
  }
  expect(most).toBeLessThanOrEqual(300);
  await clock.advance(200);
  expect(written.flat()).toEqual(Array.from({ length: 2000 }, (_, n) => `m${n}`));
  expect(order.indexOf("page")).toBe(51);
  expect(clock.timers).toEqual([]);
});

test("a failing disk is reported once with its reason, and once when it works again", async () => {
  const clock = new VirtualClock();
  const store = createMemoryStore();
  const faults: (string | undefined)[] = [];
  let full = true;
  store.cache.note = () => {
    if (full) throw new Error("the disk is full");
  };
  const writer = createCacheWriter({
    store,
    clock,
    log: quiet,
    isBehind: () => false,
    storage: (fault) => faults.push(fault),
  });
  const note = async (n: number): Promise<typeof faults> => {
    writer.events([event(n)]);
    await clock.advance(200);
    return faults.splice(0);
  };
  expect([await note(1), await note(2)]).toEqual([["the disk is full"], []]);
  full = false;
  expect([await note(3), await note(4)]).toEqual([[undefined], []]);
  full = true;
  expect(await note(5)).toEqual(["the disk is full"]);
});

test("D6: the checkpoint is stored with the first channels, so that it survives a kill", async () => {
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
