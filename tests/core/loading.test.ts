/** Loading channels and pages: the exact calls, how answers change the state, and what follows the connection (R-SET-12…15). */
import { describe, expect, test } from "vitest";
import { createBus } from "../../src/core/base/bus.ts";
import { createUserLists } from "../../src/core/features/user-lists.ts";
import { createDeviceId } from "../../src/core/locations/device-id.ts";
import { createDebouncedRequest } from "../../src/core/base/debounced-request.ts";
import { createPages } from "../../src/core/features/pages.ts";
import { withVotes } from "../../src/core/features/polls.ts";
import { createMemoryStore } from "../../src/core/store/memory-store.ts";
import type { SharedLocation } from "../../src/wire/entities/location.ts";
import { fixedRandom, VirtualClock } from "../support/virtual-clock.ts";
import { channel, CID, event, member, msg, msgs, silentLog, subject, user } from "./state/world.ts";

const place = { cid: CID };
const path = { type: "messaging", id: "kitchen" };
const watching = { state: true, watch: true, presence: true, messages: { limit: 25 } };

/** Pages over a machine that holds messages 10 to 34, with older and newer ones elsewhere; each call is answered with `answer`. */
function pagesWith(answer: Record<string, unknown> = {}, me: string | null = "ada") {
  const s = subject(channel(msgs(10, 34)));
  const calls: unknown[][] = [];
  const applied: unknown[] = [];
  const pages = createPages({
    call: (async (name: string, args: unknown) => {
      calls.push([name, args]);
      return answer;
    }) as never,
    machine: {
      state: s.machine.state,
      revision: () => 7,
      apply: (change) => {
        applied.push(change);
        s.machine.apply(change);
      },
    },
    userId: () => me ?? undefined,
  });
  return { ...s, pages, calls, applied };
}

describe("a channel", () => {
  test("is watched with its full state, and with data if given", async () => {
    const b = pagesWith(channel([]) as never);
    await b.pages.watch(CID);
    await b.pages.watch(CID, { name: "Tea" } as never);
    expect(b.calls).toStrictEqual([
      ["queryChannel", { path, body: watching, retries: 1 }],
      ["queryChannel", { path, body: { ...watching, data: { name: "Tea" } }, retries: 1 }],
    ]);
    expect(b.applied[0]).toStrictEqual({
      kind: "channels",
      states: [channel([])],
      messageLimit: 25,
      watched: true,
      since: 7,
    });
  });
  test("is no longer watched, at the provider and in the state, and is dropped if the user is no member of it", async () => {
    const joined = pagesWith();
    const states = [channel([], { members: [member("ada")] })];
    joined.machine.apply({ kind: "channels", states, messageLimit: 25, watched: true });
    const visited = pagesWith();
    for (const [{ pages, calls, applied }, change] of [
      [joined, { kind: "unwatched", cid: CID }],
      [visited, { kind: "unavailable", cids: [CID] }],
    ] as const) {
      await pages.stopWatching(CID);
      expect(calls).toStrictEqual([["stopWatching", { path, body: {} }]]);
      expect(applied).toStrictEqual([change]);
    }
  });
  test("with given members is queried by the members, the current user first and each once", async () => {
    const b = pagesWith(channel([]) as never);
    expect(await b.pages.openDirect(["bob", "ada", "bob"])).toBe(CID);
    expect(b.calls).toStrictEqual([
      [
        "queryDistinctChannel",
        { path: { type: "messaging" }, body: { ...watching, data: { members: ["ada", "bob"] } }, retries: 1 },
      ],
    ]);
    expect(b.applied).toStrictEqual([
      { kind: "channels", states: [channel([])], messageLimit: 25, watched: true, since: 7 },
    ]);
    const withoutUser = pagesWith(channel([]) as never, null);
    await withoutUser.pages.openDirect(["bob"], "team");
    expect(withoutUser.calls[0]![1]).toMatchObject({
      path: { type: "team" },
      body: { data: { members: ["bob"] } },
    });
    await expect(b.pages.openDirect([])).rejects.toThrow();
    await expect(b.pages.openDirect(["bob"], "a b")).rejects.toThrow();
    expect(b.calls).toHaveLength(1);
  });
});

describe("a channel list", () => {
  test("is queried with defaults under the given query, and applied with the options of the query", async () => {
    const b = pagesWith({ channels: [channel([])] });
    expect(await b.pages.queryChannels({ filter_conditions: { type: "messaging" } })).toEqual([CID]);
    await b.pages.queryChannels({ watch: false, presence: false, message_limit: 2 });
    expect(b.calls).toStrictEqual([
      [
        "queryChannels",
        {
          body: {
            state: true,
            watch: true,
            presence: true,
            message_limit: 25,
            filter_conditions: { type: "messaging" },
          },
          retries: 1,
        },
      ],
      [
        "queryChannels",
        { body: { state: true, watch: false, presence: false, message_limit: 2 }, retries: 1 },
      ],
    ]);
    expect(b.applied).toStrictEqual([
      { kind: "channels", states: [channel([])], messageLimit: 25, watched: true, since: 7 },
      { kind: "channels", states: [channel([])], messageLimit: 2, watched: false, since: 7 },
    ]);
    expect(await pagesWith({}).pages.queryChannels({})).toEqual([]);
  });
  test("is repeated by recovery if it is watched, starts at the beginning and names no single channel; reset forgets it", async () => {
    const b = pagesWith({ channels: [] });
    const first = { filter_conditions: { type: "messaging" }, offset: 0 };
    await b.pages.queryChannels(first);
    for (const other of [
      { offset: 30 },
      { watch: false },
      { filter_conditions: { cid: { $in: [CID] } } },
    ] as never[])
      await b.pages.queryChannels(other);
    expect(b.pages.listQuery()).toBe(first);
    const second = {};
    await b.pages.queryChannels(second);
    expect(b.pages.listQuery()).toBe(second);
    b.pages.reset();
    expect(b.pages.listQuery()).toBeUndefined();
  });
});

describe("a page", () => {
  const lean = { state: true, members: { limit: 1 }, watchers: { limit: 1 } };
  const page = (pagination: object, more: object = {}) => ({
    kind: "page",
    cid: CID,
    messages: [],
    pagination,
    since: 7,
    ...more,
  });
  const loading = (side?: "prev" | "next") => ({ kind: "loading", cid: CID, loading: side });
  test("of older messages starts at the oldest message of the provider, and the state says loading", async () => {
    const b = pagesWith({ messages: [] });
    expect(await b.pages.loadOlder(place)).toBe(true);
    const messages = { id_lt: "m10", limit: 25 };
    expect(b.calls).toStrictEqual([["queryChannel", { path, body: { ...lean, messages }, retries: 1 }]]);
    expect(b.applied).toStrictEqual([loading("prev"), page(messages), loading()]);
    // The answer was empty: there is nothing older.
    expect(await b.pages.loadOlder(place)).toBe(false);
    expect(await b.pages.loadNewer(place)).toBe(false);
    expect(await b.pages.loadOlder({ cid: "messaging:none" })).toBe(false);
    expect(b.calls).toHaveLength(1);
  });
  test("of newer messages starts at the newest of the current set", async () => {
    const b = pagesWith({ messages: [] });
    b.machine.apply({
      kind: "page",
      cid: CID,
      messages: [msg(1), msg(2)],
      pagination: { id_around: "m2", limit: 2 },
      current: true,
    });
    expect(await b.pages.loadNewer(place)).toBe(true);
    expect(b.applied).toStrictEqual([loading("next"), page({ id_gt: "m2", limit: 25 }), loading()]);
  });
  test("that fails ends the loading state", async () => {
    const b = pagesWith();
    const broken = createPages({
      call: (() => Promise.reject(new Error("no answer"))) as never,
      machine: b.machine,
      userId: () => "ada",
    });
    await expect(broken.loadOlder(place)).rejects.toThrow("no answer");
    expect(b.sets()[0]!.loading).toBeUndefined();
  });
  test("around a message is requested only if it is not loaded", async () => {
    const b = pagesWith({ messages: [msg(2)] });
    await b.pages.jumpTo(place, "m10");
    await b.pages.jumpTo(place, "m2");
    expect(b.calls).toStrictEqual([
      ["queryChannel", { path, body: { ...lean, messages: { id_around: "m2", limit: 25 } }, retries: 1 }],
    ]);
    expect(b.applied).toStrictEqual([
      { kind: "current", cid: CID, messageId: "m10" },
      page({ id_around: "m2", limit: 25 }, { messages: [msg(2)], current: true }),
    ]);
  });
  test("of the newest messages is requested only if it is not loaded, in a channel and in a thread", async () => {
    const b = pagesWith({ messages: [] });
    await b.pages.backToLatest(place);
    await b.pages.backToLatest({ cid: CID, parentId: "m12" });
    await b.pages.openThread(CID, "m13");
    const replies = (parent_id: string) => [
      "getReplies",
      { path: { parent_id }, query: { limit: 25 }, retries: 1 },
    ];
    expect(b.calls).toStrictEqual([replies("m12"), replies("m13")]);
    expect(b.applied).toStrictEqual([
      { kind: "current", cid: CID },
      page({ limit: 25 }, { parentId: "m12", current: true }),
      page({ limit: 25 }, { parentId: "m13", current: true }),
    ]);
  });
});

test("the poll in the answer of castPollVote and removePollVote is applied, not that of other calls (specification/polls.md §5)", async () => {
  const applied: unknown[] = [];
  const poll = { id: "p" };
  let answer: object = { poll };
  const call = withVotes((async () => answer) as never, {
    revision: () => 7,
    apply: (change) => void applied.push(change),
  });
  for (const name of ["castPollVote", "getPoll", "removePollVote"] as const)
    expect(await call(name, {} as never)).toBe(answer);
  expect(applied).toStrictEqual([
    { kind: "poll", poll, since: 7 },
    { kind: "poll", poll, since: 7 },
  ]);
  answer = {};
  expect(await call("castPollVote", {} as never)).toBe(answer);
  expect(applied).toHaveLength(2);
});

test("R-CMD-4: a newer request cancels a waiting and a running one; without a wait it starts at once", async () => {
  const clock = new VirtualClock();
  const latest = createDebouncedRequest(clock);
  const ran: [string, AbortSignal, () => boolean][] = [];
  const schedule = (name: string, wait: number): void =>
    latest.schedule(wait, (signal, current) => void ran.push([name, signal, current]));
  schedule("a", 100);
  await clock.advance(99);
  schedule("b", 1);
  await clock.advance(1);
  expect(ran.map(([name]) => name)).toEqual(["b"]);
  schedule("c", 0);
  expect(ran.map(([name, signal, current]) => [name, signal.aborted, current()])).toEqual([
    ["b", true, false],
    ["c", false, true],
  ]);
  schedule("d", 5);
  latest.cancel();
  await clock.advance(10);
  expect(ran).toHaveLength(2);
  expect([ran[1]![1].aborted, ran[1]![2](), clock.timers]).toEqual([true, false, []]);
});

describe("lists of the current user", () => {
  function ownLists(locations = true, store = createMemoryStore("ada"), active?: SharedLocation[]) {
    const { machine, clock } = subject();
    const calls: string[] = [];
    const bus = createBus();
    const lists = createUserLists({
      bus,
      call: (async (name: string) => {
        calls.push(name);
        if (active) return { active_live_locations: active };
        throw new Error("refused");
      }) as never,
      clock,
      log: silentLog,
      deviceId: createDeviceId({ random: fixedRandom(), log: silentLog, store }),
      state: machine.state,
      userId: () => "ada",
      now: () => clock.now(),
      follows: { locations, drafts: false },
      notify: () => {},
    });
    return { lists, bus, calls, clock, store };
  }
  test("the live locations are requested with each connection, unless locations are off", async () => {
    for (const [on, expected] of [
      [true, 2],
      [false, 0],
    ] as const) {
      const { bus, calls, clock } = ownLists(on);
      for (const _ of ["first", "second"]) {
        bus.emit("onConnected");
        bus.emit("onEvent", event("user.updated", 1, { user: user("x") }));
      }
      await clock.advance(1);
      expect(calls).toEqual(Array.from({ length: expected }, () => "getLiveLocations"));
    }
  });
  test.each([
    [true, ["m2"]],
    [false, ["m1", "m2"]],
  ])(
    "with locations %s, a deleted message leaves the live locations %j, and a reset none",
    async (on, left) => {
      const shared = (id: string): SharedLocation => ({
        message_id: id,
        channel_cid: CID,
        user_id: "ada",
        latitude: 1,
        longitude: 2,
        created_by_device_id: "other",
        created_at: "2000-01-01T00:00:00Z",
        updated_at: "2000-01-01T00:00:00Z",
        end_at: "2999-01-01T00:00:00Z",
      });
      const { lists, bus, clock } = ownLists(on, undefined, [shared("m1"), shared("m2")]);
      const held = () => lists.locations.state().elsewhere.map(({ message_id }) => message_id);
      await lists.locations.load();
      bus.emit("onEvent", event("message.deleted", 1, { message: msg(1, { id: "m1" }) }));
      expect(held()).toEqual(left);
      bus.emit("reset");
      expect([held(), clock.timers]).toEqual([[], []]);
    },
  );
  test("L-1: the device id is created once and stored; without a disk it lasts as long as the process", () => {
    const { lists, store } = ownLists();
    const id = lists.locations.deviceId();
    expect(lists.locations.deviceId()).toBe(id);
    expect(ownLists(true, store).lists.locations.deviceId()).toBe(id);
    const failingStore = createMemoryStore("ada");
    failingStore.set = () => {
      throw new Error("the disk is full");
    };
    const without = ownLists(true, failingStore).lists.locations;
    expect(without.deviceId()).toBe(without.deviceId());
  });
});
