/** Recovery step by step on the virtual clock: order, batches, missed messages, sync, buffered events, retries (specification/realtime.md §7, D6, D7). */
import { describe, expect, test } from "vitest";
import { PortFailure } from "../../../src/core/base/ports.ts";
import { ApiError } from "../../../src/model/errors.ts";
import { createEventReader } from "../../../src/core/live/attempts.ts";
import { MAX_BUFFERED_EVENTS, Recovery } from "../../../src/core/live/recovery.ts";
import { createStateMachine } from "../../../src/core/state/machine.ts";
import { sharesMessages, findDeleted } from "../../../src/core/live/recover-channels.ts";
import { createMemoryStore } from "../../../src/core/store/memory-store.ts";
import type { ChannelEntry, ClientMessage } from "../../../src/model/state.ts";
import { timelineOf } from "../../support/timeline.ts";
import type { Message } from "../../../src/wire/entities/message.ts";
import { helloFrame } from "../../support/fake-provider.ts";
import { errorReply, fakeLog, jsonReply, type FakeCall } from "../../support/fake-ports.ts";
import { fixedRandom, VirtualClock } from "../../support/virtual-clock.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const time = (n: number): string =>
  `2026-03-04T05:${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000000Z`;
const message = (cid: string, n: number, text = `t${n}`): Partial<Message> => ({
  id: `${cid}-${n}`,
  cid,
  type: "regular",
  text,
  user: { id: "otto" },
  created_at: time(n),
  updated_at: time(n),
});
/** A provider's channel with messages 1…`last`. */
interface FakeChannel {
  last: number;
  /** Messages before this one were deleted for good. */
  first?: number;
  pinned?: boolean;
}
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);

function stateOf(cid: string, fake: FakeChannel, limit: number): Record<string, unknown> {
  const [type, id] = cid.split(":") as [string, string];
  return {
    channel: {
      id,
      type,
      cid,
      created_at: time(0),
      updated_at: time(0),
      last_message_at: time(fake.last),
      frozen: false,
      disabled: false,
    },
    messages: range(Math.max(fake.first ?? 1, fake.last - limit + 1), fake.last).map((n) => message(cid, n)),
    pinned_messages: [],
    members: [],
    read: [],
    ...(fake.pinned && {
      membership: {
        user_id: "mira",
        channel_role: "m",
        created_at: time(0),
        updated_at: time(0),
        pinned_at: time(1),
      },
    }),
  };
}

function recoveryWorld(channels: Record<string, FakeChannel>, store = createMemoryStore("mira")) {
  const on: VirtualCore["on"] = {
    "POST /channels": (call: FakeCall) => {
      const filter = call.body.filter_conditions as { cid?: { $in: string[] } } | undefined;
      const cids = filter?.cid?.$in ?? Object.keys(channels);
      const limit = (call.body.limit as number | undefined) ?? 10;
      const known = cids.filter((cid) => channels[cid]).slice(0, limit);
      return jsonReply({
        channels: known.map((cid) => stateOf(cid, channels[cid]!, call.body.message_limit as number)),
        duration: "",
      });
    },
    "POST /sync": () => jsonReply({ events: [], duration: "" }),
  };
  const at = virtualCore({}, { store }, on);
  for (const cid of Object.keys(channels)) {
    const [type, id] = cid.split(":");
    on[`POST /channels/${type}/${id}/query`] = (call: FakeCall) => {
      const { id_lt: before, limit } = call.body.messages as { id_lt: string; limit: number };
      const end = Number(before.split("-").at(-1)) - 1;
      return jsonReply({
        ...stateOf(cid, channels[cid]!, 1),
        messages: range(Math.max(channels[cid]!.first ?? 1, end - limit + 1), end).map((n) =>
          message(cid, n),
        ),
        duration: "",
      });
    };
  }
  let connection = 0;
  return Object.assign(at, {
    channels,
    store,
    load: (cids: string[]) => at.core.queryChannels({ filter_conditions: { cid: { $in: cids } }, limit: 30 }),
    async open() {
      const done = at.core.connectUser({ id: "mira" }, miraToken());
      await at.clock.settle();
      at.sockets.last.frame({
        ...helloFrame("mira", `c${++connection}`),
        created_at: time(1000 + connection),
      });
      await done;
      await at.clock.settle();
    },
    async drop() {
      at.sockets.last.handlers.close(1006, "");
      await at.clock.settle();
      at.calls.length = 0;
    },
    async reopen(mine: object = {}) {
      at.core.reconnect();
      await at.clock.settle();
      const hello = helloFrame("mira", `c${++connection}`);
      at.sockets.last.frame({
        ...hello,
        me: { ...(hello.me as object), ...mine },
        created_at: time(1000 + connection),
      });
    },
    texts(cid: string): string[] {
      const set = at.core
        .state()
        .channels.get(cid)
        ?.sets.find((s) => s.isCurrent);
      return set ? [...set.messages].map((m) => m.text) : [];
    },
    queriedCids: () =>
      at.calls
        .filter((c) => c.what === "POST /channels")
        .map((c) => (c.body.filter_conditions as { cid?: { $in: string[] } }).cid?.$in),
  });
}

test("D6: an opened thread is reloaded after a reconnect and shows the replies sent meanwhile", async () => {
  const at = recoveryWorld({ "team:a": { last: 3 } });
  await at.open();
  await at.load(["team:a"]);
  let replies = [4, 5];
  at.on["GET /messages/team%3Aa-1/replies"] = () =>
    jsonReply({
      messages: replies.map((n) => ({ ...message("team:a", n), type: "reply", parent_id: "team:a-1" })),
      duration: "",
    });
  await at.core.openThread("team:a", "team:a-1");
  const shown = (): string[] => {
    const { sets, stale } = at.core.state().channels.get("team:a")!.threads.get("team:a-1")!;
    return [...sets.find((set) => set.isCurrent)!.messages].map(({ text }) => (stale ? `${text}?` : text));
  };
  expect(shown()).toEqual(["t4", "t5"]);
  await at.drop();
  expect(shown()).toEqual(["t4?", "t5?"]);
  replies = [4, 5, 6];
  await at.reopen();
  await at.clock.settle();
  expect(shown()).toEqual(["t4", "t5", "t6"]);
});

describe("what is requested", () => {
  test("R-REC-1: all loaded channels are queried by 30: the open one, pinned ones, then by activity, with watch and presence", async () => {
    const channels: Record<string, FakeChannel> = {};
    for (const n of range(1, 70)) channels[`team:c${n}`] = { last: n };
    channels["team:c7"]!.pinned = true;
    const at = recoveryWorld(channels);
    await at.open();
    const cids = Object.keys(channels);
    for (let n = 0; n < cids.length; n += 30) await at.load(cids.slice(n, n + 30));
    at.core.seen("team:c3");
    await at.drop();
    await at.reopen();
    await at.clock.settle();
    const queried = at.queriedCids();
    expect(queried.map((list) => list?.length)).toEqual([30, 30, 10]);
    expect(queried.flat().slice(0, 5)).toEqual(["team:c3", "team:c7", "team:c70", "team:c69", "team:c68"]);
    expect(at.calls.find((c) => c.what === "POST /channels")!.body).toMatchObject({
      watch: true,
      state: true,
      presence: true,
      limit: 30,
    });
    expect(at.story.slice(-3)).toEqual(["offline", "online", "connection.recovered"]);
    expect(at.core.state().link.catchingUp).toBe(false);
  });
  test("the channel list is queried again, so new channels appear, and its channels are not queried twice", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.core.queryChannels({ filter_conditions: { members: { $in: ["mira"] } } });
    await at.drop();
    at.channels["team:new"] = { last: 1 };
    await at.reopen();
    await at.clock.settle();
    expect(at.queriedCids()).toEqual([undefined]);
    expect(at.core.state().channels.has("team:new")).toBe(true);
  });
  test("a page that is not answered in time is asked for again with fewer channels, and all are reloaded", async () => {
    const channels = Object.fromEntries(range(1, 40).map((n) => [`team:c${n}`, { last: n }]));
    const at = recoveryWorld(channels);
    await at.open();
    await at.core.queryChannels({ filter_conditions: { members: { $in: ["mira"] } }, limit: 10 });
    await at.load(range(11, 40).map((n) => `team:c${n}`));
    await at.drop();
    const answer = at.on["POST /channels"]!;
    at.on["POST /channels"] = (call) => {
      if (Number(call.body.limit) > 12) throw new PortFailure("timeout", "no answer in time");
      const { offset = 0, filter_conditions: filter } = call.body as {
        offset?: number;
        filter_conditions: object;
      };
      return "cid" in filter
        ? answer(call)
        : answer({
            ...call,
            body: { ...call.body, filter_conditions: { cid: { $in: Object.keys(channels).slice(offset) } } },
          });
    };
    for (const fake of Object.values(at.channels)) fake.last += 5;
    await at.reopen();
    await at.clock.settle();
    const sizes = at.calls.filter((c) => c.what === "POST /channels").map((c) => c.body.limit);
    // Half of what was too much is the most until ten pages were answered.
    expect(sizes.slice(0, 5)).toEqual([30, 10, 15, 5, 7]);
    expect(new Set(sizes.slice(5))).toEqual(new Set([7, 4]));
    expect(at.story.at(-1)).toBe("connection.recovered");
    for (const n of range(1, 40)) expect(at.texts(`team:c${n}`).at(-1)).toBe(`t${n + 5}`);
  });
  test("after the list query the open channel is loaded backwards first", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 }, "team:b": { last: 10 }, "team:c": { last: 10 } });
    await at.open();
    await at.core.queryChannels({ filter_conditions: { members: { $in: ["mira"] } } });
    at.core.seen("team:b");
    await at.drop();
    for (const fake of Object.values(at.channels)) fake.last = 60;
    await at.reopen();
    await at.clock.settle();
    const queries = at.calls.map((call) => call.what).filter((what) => what.endsWith("/query"));
    expect(queries).toEqual(["b", "a", "c"].map((id) => `POST /channels/team/${id}/query`));
  });
  test("D7: loaded messages missing from the newest page count as hard-deleted, unsent ones do not", () => {
    const held = (n: number): ClientMessage => message("a:b", n) as ClientMessage;
    const deletedIds = (before: ClientMessage[], page: ClientMessage[], limit: number): string[] => {
      const sets = [{ messages: timelineOf(before), isLatest: true }];
      return findDeleted({ sets } as unknown as ChannelEntry, page, limit).map(({ id }) => id);
    };
    const all = range(1, 6).map(held);
    expect(deletedIds(all, [held(1), held(3), held(4), held(5)], 25)).toEqual(["a:b-2", "a:b-6"]);
    // The page has four messages, so there may be older ones.
    expect(deletedIds(all, [held(3), held(4), held(6), held(7)], 4)).toEqual(["a:b-5"]);
    // One of the same time as the oldest of a full page may stand before it.
    const twin = { ...held(3), id: "a:b-3-twin" };
    expect(deletedIds([...all, twin], [held(3), held(4), held(5), held(6)], 4)).toEqual([]);
    expect(deletedIds([...all, twin], [held(3), held(4), held(5), held(6)], 5)).toEqual([
      "a:b-1",
      "a:b-2",
      "a:b-3-twin",
    ]);
    expect(deletedIds(all, [], 25)).toHaveLength(6);
    expect(deletedIds([{ ...held(1), status: "sending" }], [], 25)).toEqual([]);
    expect(findDeleted(undefined, [], 25)).toEqual([]);
    const walked = (page: ClientMessage[], limit: number): string[] =>
      findDeleted(
        { sets: [{ messages: timelineOf(all), isLatest: true }] } as unknown as ChannelEntry,
        page,
        limit,
        held(5) as Message,
      ).map(({ id }) => id);
    expect(walked([held(2), held(4)], 2)).toEqual(["a:b-3"]);
    expect(walked([held(2), held(4)], 3)).toEqual(["a:b-1", "a:b-3"]);
  });
  test("messages deleted for good while away are gone also where the pages only meet the start of the channel", async () => {
    const at = recoveryWorld({ "a:b": { last: 3 } });
    await at.open();
    await at.load(["a:b"]);
    await at.drop();
    at.channels["a:b"] = { first: 4, last: 40 };
    await at.reopen();
    await at.clock.settle();
    const { sets } = at.core.state().channels.get("a:b")!;
    const texts = sets.flatMap(({ messages }) => [...messages]).map(({ text }) => text);
    expect(texts).toEqual(range(4, 40).map((n) => `t${n}`));
  });
  test("channels missing from the answer become unavailable (specification/realtime.md §7.4)", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 }, "team:b": { last: 3 } });
    await at.open();
    await at.load(["team:a", "team:b"]);
    await at.drop();
    delete at.channels["team:b"];
    await at.reopen();
    await at.clock.settle();
    expect(at.core.state().channels.get("team:b")?.unavailable).toBe(true);
    expect(at.core.state().channels.get("team:a")?.unavailable).toBe(false);
  });
  test("channels that are hidden, here or on another device meanwhile, are missing in every answer and stay available", async () => {
    const names = range(1, 70).map((n) => `team:h${n}`);
    const at = recoveryWorld({ "team:a": { last: 3 }, "team:gone": { last: 3 } });
    for (const cid of names) at.channels[cid] = { last: 3 };
    await at.open();
    for (let n = 0; n < names.length; n += 30) await at.load(names.slice(n, n + 30));
    await at.load(["team:a", "team:gone"]);
    const [elsewhere, ...here] = names as [string, ...string[]];
    for (const cid of here)
      at.sockets.last.frame({ type: "channel.hidden", cid, created_at: time(1500), user: { id: "mira" } });
    await at.clock.advance(0);
    const flags = (cid: string) => {
      const { hidden, unavailable } = at.core.state().channels.get(cid)!;
      return { hidden, unavailable };
    };
    expect(flags(here[0]!)).toEqual({ hidden: true, unavailable: false });
    await at.drop();
    for (const cid of [...names, "team:gone"]) delete at.channels[cid];
    for (const _ of ["first", "second"]) {
      await at.reopen({ latest_hidden_channels: [elsewhere, here[0]] });
      await at.clock.settle();
      expect(flags("team:gone").unavailable).toBe(true);
      expect(flags("team:a")).toEqual({ hidden: false, unavailable: false });
      for (const cid of [elsewhere, here[0]!, here.at(-1)!])
        expect([cid, flags(cid)]).toEqual([cid, { hidden: true, unavailable: false }]);
      await at.drop();
    }
  });
  test("a channel hidden on another device meanwhile is shown again by what happens after the first frame, not before", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 }, "team:b": { last: 3 } });
    await at.open();
    await at.load(["team:a", "team:b"]);
    await at.drop();
    delete at.channels["team:a"];
    await at.reopen({ latest_hidden_channels: ["team:a", "team:unknown"] });
    await at.clock.settle();
    const hidden = (): boolean => at.core.state().channels.get("team:a")!.hidden;
    const shown = (seconds: number): Promise<void> => {
      at.sockets.last.frame({ type: "channel.visible", cid: "team:a", created_at: time(seconds) });
      return at.clock.advance(0);
    };
    expect(hidden()).toBe(true);
    // The first frame was of second 1002.
    await shown(1001);
    expect(hidden()).toBe(true);
    await shown(1003);
    expect(hidden()).toBe(false);
    expect(at.core.state().channels.has("team:unknown")).toBe(false);
    await at.drop();
    at.channels["team:a"] = { last: 3 };
    delete at.channels["team:b"];
    await at.reopen({ latest_hidden_channels: ["team:b"] });
    await at.clock.settle();
    expect([hidden(), at.core.state().channels.get("team:b")!.hidden]).toEqual([false, true]);
  });
  test.each([
    ["no list", "team:a"],
    ["nothing", null],
    ["no names", [7, null, {}]],
  ])("a first frame that names %s as hidden channels hides none", async (_, latest_hidden_channels) => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    await at.reopen({ latest_hidden_channels });
    await at.clock.settle();
    expect(at.core.state().channels.get("team:a")).toMatchObject({ hidden: false, unavailable: false });
    expect(at.core.state().link.phase).toBe("open");
  });
  test("a channel that the user left meanwhile becomes unavailable, also if everybody may read it", async () => {
    const at = recoveryWorld({ "team:a": { last: 3, pinned: true }, "team:b": { last: 3 } });
    await at.open();
    await at.load(["team:a", "team:b"]);
    await at.drop();
    at.channels["team:a"] = { last: 3 };
    await at.reopen();
    await at.clock.settle();
    const unavailable = (cid: string) => at.core.state().channels.get(cid)?.unavailable;
    expect([unavailable("team:a"), unavailable("team:b")]).toEqual([true, false]);
  });
  test("a first connection without loaded channels requests only the live locations (specification/locations.md §7)", async () => {
    const at = recoveryWorld({});
    await at.open();
    expect(at.calls.map(({ what }) => what)).toEqual(["GET /users/live_locations"]);
    expect(at.story).toEqual(["online"]);
  });
});

describe("gaps (D6)", () => {
  test("older pages are loaded until they meet the loaded messages", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 300;
    await at.reopen();
    await at.clock.settle();
    expect(at.count("POST /channels/team/a/query")).toBe(3);
    expect(at.texts("team:a")).toEqual(range(1, 300).map((n) => `t${n}`));
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(1);
  });
  test("a page requested while offline leaves no gap after the recovery", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 60;
    await at.load(["team:a"]);
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(2);
    at.channels["team:a"]!.last = 70;
    await at.reopen();
    await at.clock.settle();
    expect(at.texts("team:a")).toEqual(range(1, 70).map((n) => `t${n}`));
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(1);
  });
  test("a backward load that failed is repeated by the next run, although its newest page is loaded by then", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 60;
    const answerPage = at.on["POST /channels/team/a/query"]!;
    at.on["POST /channels/team/a/query"] = () => errorReply(500, -1, "broken");
    await at.reopen();
    await at.clock.advance(20_000);
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(2);
    at.on["POST /channels/team/a/query"] = answerPage;
    await at.clock.advance(60_000);
    expect(at.texts("team:a")).toEqual(range(1, 60).map((n) => `t${n}`));
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(1);
  });
  test("a backward load continues by time if the message it starts from was hard-deleted", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 60;
    const answerPage = at.on["POST /channels/team/a/query"]!;
    at.on["POST /channels/team/a/query"] = (call) => {
      const { id_lt, created_at_before } = call.body.messages as Record<string, string>;
      if (id_lt !== undefined) return errorReply(400, 4, "no such message");
      const n = Math.round((Date.parse(created_at_before!) - Date.parse(time(0))) / 1000);
      return answerPage({ ...call, body: { ...call.body, messages: { id_lt: `team:a-${n}`, limit: 100 } } });
    };
    await at.reopen();
    await at.clock.settle();
    expect(at.texts("team:a")).toEqual(range(1, 60).map((n) => `t${n}`));
    expect(at.core.state().channels.get("team:a")!.sets.length).toBe(1);
    expect(at.count("POST /sync")).toBe(1);
  });
  test("a backward load refused by id and by time is incomplete: the next sync starts where the last one did", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 }, "team:b": { last: 3 } });
    await at.open();
    await at.load(["team:a", "team:b"]);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1500) });
    await at.clock.advance(0);
    await at.drop();
    at.channels["team:a"]!.last = 60;
    at.on["POST /channels/team/a/query"] = () => errorReply(400, 4, "no such message");
    await at.reopen();
    await at.clock.settle();
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1700) });
    await at.clock.advance(0);
    await at.drop();
    await at.reopen();
    await at.clock.settle();
    const sync = at.calls.findLast((c) => c.what === "POST /sync")!;
    expect(sync.body.last_sync_at).toBe(time(1500));
  });
  test("a backward load that reaches the channel's beginning leaves no gap, and the channel is synced", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    // The loaded messages were hard deleted: the oldest remaining one is number 200.
    Object.assign(at.channels["team:a"]!, { last: 350 });
    at.on["POST /channels/team/a/query"] = (call) => {
      const { id_lt: before, limit } = call.body.messages as { id_lt: string; limit: number };
      const end = Number(before.split("-").at(-1)) - 1;
      const messages = range(Math.max(200, end - limit + 1), end).map((n) => message("team:a", n));
      return jsonReply({ ...stateOf("team:a", { last: 350 }, 1), messages, duration: "" });
    };
    await at.reopen();
    await at.clock.settle();
    const set = at.core
      .state()
      .channels.get("team:a")!
      .sets.find((one) => one.isCurrent)!;
    expect([at.texts("team:a")[0], set.hasPrev, at.count("POST /channels/team/a/query")]).toEqual([
      "t200",
      false,
      2,
    ]);
    expect(at.count("POST /sync")).toBe(1);
  });
  test("after ten pages the gap stays between two sets, the newest is shown, and the channel is not synced", async () => {
    const at = recoveryWorld({ "team:a": { last: 10 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 3000;
    await at.reopen();
    await at.clock.settle();
    expect(at.count("POST /channels/team/a/query")).toBe(10);
    const { sets } = at.core.state().channels.get("team:a")!;
    expect(sets.length).toBe(2);
    expect(sets.find((s) => s.isCurrent)).toMatchObject({ isLatest: true, hasPrev: true, hasNext: false });
    expect(sets.find((s) => !s.isCurrent)).toMatchObject({ hasNext: true });
    expect(at.count("POST /sync")).toBe(0);
  });
});

describe("sync (D7, specification/realtime.md §9)", () => {
  test("starts at the last seen provider time for channels without gaps, and its events are applied", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1500) });
    await at.clock.advance(0);
    await at.drop();
    at.on["POST /sync"] = () =>
      jsonReply({
        events: [
          {
            type: "message.updated",
            cid: "team:a",
            created_at: time(1600),
            message: { ...message("team:a", 2, "edited"), updated_at: time(1600) },
          },
        ],
        duration: "",
      });
    await at.reopen();
    await at.clock.settle();
    const sync = at.calls.find((c) => c.what === "POST /sync")!;
    expect(sync.body).toEqual({
      channel_cids: ["team:a"],
      last_sync_at: time(1500),
      with_inaccessible_cids: true,
    });
    expect(at.texts("team:a")).toEqual(["t1", "edited", "t3"]);
  });
  test("starts where the previous run stopped, for channels restored from the cache", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1500) });
    await at.clock.advance(300);
    const store = at.store;
    store.close = () => undefined;
    const closed = at.core.close();
    await at.clock.advance(1000);
    await closed;
    const restarted = recoveryWorld({ "team:a": { last: 4 } }, store);
    restarted.core.setUser({ id: "mira" }, miraToken());
    restarted.core.restore();
    expect(restarted.texts("team:a")).toEqual(["t1", "t2", "t3"]);
    await restarted.open();
    expect(restarted.queriedCids()).toEqual([["team:a"]]);
    expect(restarted.calls.find((c) => c.what === "POST /sync")!.body.last_sync_at).toBe(time(1500));
    expect(restarted.texts("team:a")).toEqual(["t1", "t2", "t3", "t4"]);
  });
  test("with too many events halves the batch, and leaves out a channel that is too big alone", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 }, "team:b": { last: 3 }, "team:c": { last: 3 } });
    await at.open();
    await at.load(["team:a", "team:b", "team:c"]);
    await at.drop();
    const syncs: string[][] = [];
    at.on["POST /sync"] = (call) => {
      const cids = call.body.channel_cids as string[];
      syncs.push(cids);
      return cids.includes("team:b")
        ? errorReply(400, 4, 'Sync failed with error: "too many events to sync, reload the channels"')
        : jsonReply({ events: [], duration: "" });
    };
    await at.reopen();
    await at.clock.settle();
    expect(syncs.map((list) => list.map((cid) => cid.slice(-1)).join(""))).toEqual([
      "abc",
      "ab",
      "a",
      "b",
      "c",
    ]);
    expect(at.story.at(-1)).toBe("connection.recovered");
  });
  test("is not moved on by events seen during an unfinished recovery", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1500) });
    await at.clock.advance(0);
    await at.drop();
    const query = at.on["POST /channels"]!;
    at.on["POST /channels"] = () => "never";
    await at.reopen();
    at.sockets.last.frame({ type: "custom.tick", created_at: time(2000) });
    await at.clock.advance(0);
    await at.drop();
    at.on["POST /channels"] = query;
    await at.reopen();
    await at.clock.settle();
    expect(at.calls.find((c) => c.what === "POST /sync")!.body.last_sync_at).toBe(time(1500));
  });
  test("is not moved on by events of a connection that replaced an open one", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(1500) });
    await at.clock.advance(0);
    const query = at.on["POST /channels"]!;
    at.on["POST /channels"] = () => "never";
    // A call refused for its credentials opens a WebSocket beside the connection.
    at.on["GET /unread"] = () => errorReply(401, 5, "wrong token");
    await at.core.call("getUnread").catch(() => undefined);
    await at.clock.settle();
    at.sockets.last.frame({ ...helloFrame("mira", "c2"), created_at: time(1600) });
    await at.clock.settle();
    expect(at.sockets.all[0]!.closed).toBe(1000);
    at.sockets.last.frame({ type: "custom.tick", created_at: time(2000) });
    await at.clock.advance(0);
    await at.drop();
    at.on["POST /channels"] = query;
    await at.reopen();
    await at.clock.settle();
    expect(at.calls.find((c) => c.what === "POST /sync")!.body.last_sync_at).toBe(time(1500));
  });
});

test("an unsent message does not make pages meet (D6)", async () => {
  const at = recoveryWorld({ "team:a": { last: 3 } });
  await at.open();
  await at.load(["team:a"]);
  const page = [{ ...message("team:a", 3) }, { ...message("team:a", 4) }] as Message[];
  expect(sharesMessages(at.core.state().channels.get("team:a"), page)).toBe(true);
  at.on["POST /channels/team/a/message"] = () => "never";
  const { id } = at.core.send({ cid: "team:a" }, { text: "mine" });
  await at.clock.settle();
  expect(at.texts("team:a").at(-1)).toBe("mine");
  expect(sharesMessages(at.core.state().channels.get("team:a"), [{ ...page[1]!, id }])).toBe(false);
  expect(sharesMessages(undefined, page)).toBe(false);
});

describe("during a recovery", () => {
  test("live events wait for the answers and follow them in order, and the state says catching up", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    const query = at.on["POST /channels"]!;
    const gate = Promise.withResolvers<void>();
    at.on["POST /channels"] = async (call) => {
      await gate.promise;
      return query(call);
    };
    await at.reopen();
    at.sockets.last.frame({
      type: "message.new",
      cid: "team:a",
      created_at: time(9),
      message: message("team:a", 9, "live"),
    });
    await at.clock.advance(10);
    expect(at.core.state().link.catchingUp).toBe(true);
    expect(at.texts("team:a")).toEqual(["t1", "t2", "t3"]);
    at.channels["team:a"]!.last = 5;
    gate.resolve();
    await at.clock.settle();
    expect(at.texts("team:a")).toEqual(["t1", "t2", "t3", "t4", "t5", "live"]);
    expect(at.core.state().link.catchingUp).toBe(false);
    expect(at.story.slice(-2)).toEqual(["message.new", "connection.recovered"]);
  });
  test("a failing step is repeated by itself, and the connection stays open", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    const query = at.on["POST /channels"]!;
    let failures = 2;
    at.on["POST /channels"] = (call) => (failures-- > 0 ? errorReply(500, -1) : query(call));
    await at.reopen();
    await at.clock.advance(6000);
    expect(at.queriedCids().length).toBe(3);
    expect(at.core.state().link).toMatchObject({ phase: "open", catchingUp: false });
    expect(at.story.at(-1)).toBe("connection.recovered");
  });
  test("D6: a recovery whose steps failed runs again on the open connection until it is complete", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 5;
    const query = at.on["POST /channels"]!;
    let working = false;
    at.on["POST /channels"] = (call) => (working ? query(call) : errorReply(500, -1));
    await at.reopen();
    await at.clock.advance(18_000);
    const tries = at.queriedCids().length;
    expect(at.core.state().link).toMatchObject({ phase: "open" });
    // More than the tries of one run, and never at once.
    expect(tries).toBeGreaterThan(3);
    expect(tries).toBeLessThan(40);
    expect(at.texts("team:a")).toEqual(["t1", "t2", "t3"]);
    working = true;
    await at.clock.advance(15_000);
    expect(at.texts("team:a")).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    const after = at.queriedCids().length;
    await at.clock.advance(15_000);
    expect(at.queriedCids().length).toBe(after);
  });
  test("D6: channel queries refused because of the old connection are repeated, lasting refusals a few times", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.channels["team:a"]!.last = 5;
    const query = at.on["POST /channels"]!;
    let refusals = 2;
    at.on["POST /channels"] = (call) => (refusals-- > 0 ? errorReply(400, 4) : query(call));
    await at.reopen();
    await at.clock.advance(15_000);
    expect(at.texts("team:a")).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    await at.drop();
    at.on["POST /channels"] = () => errorReply(400, 4);
    await at.reopen();
    await at.clock.advance(33_000);
    expect(at.queriedCids().length).toBeGreaterThan(2);
    expect(at.queriedCids().length).toBeLessThanOrEqual(12);
    expect(at.core.state().link).toMatchObject({ phase: "open", catchingUp: false });
  });
  test("a connection lost during it releases the waiting events and ends the recovery", async () => {
    const at = recoveryWorld({ "team:a": { last: 3 } });
    await at.open();
    await at.load(["team:a"]);
    await at.drop();
    at.on["POST /channels"] = () => "never";
    await at.reopen();
    at.sockets.last.frame({
      type: "message.new",
      cid: "team:a",
      created_at: time(9),
      message: message("team:a", 9, "live"),
    });
    await at.clock.advance(0);
    await at.drop();
    expect(at.story).toContain("message.new");
    expect(at.story).not.toContain("connection.recovered");
    expect(at.core.state().link.catchingUp).toBe(false);
  });
});

test("D6: too many waiting events are released at once, and the recovery starts again after them", async () => {
  const clock = new VirtualClock();
  const machine = createStateMachine({ clock, random: fixedRandom(), log: fakeLog(), userId: () => "mira" });
  const requests: { name: string; signal: AbortSignal; answer(reply: unknown): void }[] = [];
  const recovery = new Recovery({
    call: ((name: string, { signal }: { signal: AbortSignal }) =>
      new Promise((answer) => requests.push({ name, signal, answer }))) as never,
    machine,
    clock,
    random: fixedRandom(),
    log: fakeLog(),
    reader: createEventReader({ clock, log: fakeLog() }),
    openCid: () => undefined,
    listQuery: () => ({ filter_conditions: {} }),
    local: (type) => ({ type, created_at: time(1) }) as never,
  });
  const emitted: string[] = [];
  machine.on("all", ({ type }) => emitted.push(type));
  const flood = Array.from({ length: MAX_BUFFERED_EVENTS }, () => ({
    type: "user.updated",
    created_at: time(2),
  }));
  void recovery.run();
  recovery.onEvents(flood as never);
  await clock.advance(10);
  expect(emitted).toEqual([]);
  recovery.onEvents([{ type: "user.deleted", created_at: time(3) }] as never);
  await clock.advance(10);
  expect(emitted).toHaveLength(MAX_BUFFERED_EVENTS + 1);
  expect(emitted.at(-1)).toBe("user.deleted");
  expect(requests.map(({ name }) => name)).toEqual(["queryChannels", "queryChannels"]);
  expect(requests[0]!.signal.aborted).toBe(true);
  requests[1]!.answer({ channels: [] });
  await clock.advance(10);
  requests[2]!.answer({ total_unread_count: 4, channels: [], threads: [] });
  await clock.advance(10);
  expect(machine.state().totals?.unread).toBe(4);
  expect(emitted.at(-1)).toBe("connection.recovered");
  expect(recovery.checkpoint()).toBe(time(3));
});

test("D6: a recovery whose connection was lost during the totals request does not run again by itself", async () => {
  const clock = new VirtualClock();
  const machine = createStateMachine({ clock, random: fixedRandom(), log: fakeLog(), userId: () => "mira" });
  const requests: string[] = [];
  let answerTotals = (): void => undefined;
  const call = (name: string): Promise<unknown> => {
    requests.push(name);
    if (name === "getUnread")
      return new Promise((resolve) => {
        answerTotals = () => resolve({ total_unread_count: 0, channels: [], threads: [] });
      });
    return Promise.reject(new ApiError("refused", { status: 400, code: 4 }));
  };
  const recovery = new Recovery({
    call: call as never,
    machine,
    clock,
    random: fixedRandom(),
    log: fakeLog(),
    reader: createEventReader({ clock, log: fakeLog() }),
    openCid: () => undefined,
    listQuery: () => ({ filter_conditions: {} }),
    local: (type) => ({ type, created_at: time(1) }) as never,
  });
  void recovery.run(true);
  await clock.advance(10);
  expect(requests).toEqual(["queryChannels", "getUnread"]);
  recovery.stop();
  answerTotals();
  await clock.advance(600_000);
  expect(requests.filter((name) => name === "queryChannels")).toHaveLength(1);
});
