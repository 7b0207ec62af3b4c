/** Pages, reads and refetches in a complete core: what is requested from the provider, and what is not (R-SET-12…15, R-READ-3, R-ID). */
import { describe, expect, test } from "vitest";
import { helloFrame } from "../../support/fake-provider.ts";
import { errorReply, jsonReply } from "../../support/fake-ports.ts";
import { signToken } from "../../../src/wire/token.ts";
import { miraToken, virtualCore, type VirtualCore } from "../../support/virtual-core.ts";

const time = (n: number): string =>
  `2026-03-04T05:${String(Math.floor(n / 60)).padStart(2, "0")}:${String(n % 60).padStart(2, "0")}.000000Z`;
const message = (n: number, more: object = {}) => ({
  id: `m${n}`,
  cid: "team:a",
  type: "regular",
  text: `t${n}`,
  user: { id: "otto" },
  created_at: time(n),
  updated_at: time(n),
  ...more,
});
const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
const LAST = 60;

function page(call: { body: Record<string, unknown> }): number[] {
  const { limit = 25, ...cursor } = (call.body.messages ?? {}) as Record<string, never> & { limit?: number };
  const [[key, id] = []] = Object.entries(cursor) as [string, string][];
  const n = Number(id?.slice(1));
  if (key === "id_lt") return range(Math.max(1, n - limit), n - 1);
  if (key === "id_gt") return range(n + 1, Math.min(LAST, n + limit));
  if (key === "id_around") return range(Math.max(1, n - 12), Math.min(LAST, n + 12));
  return range(LAST - limit + 1, LAST);
}
const state = (messages: object[]) => ({
  channel: {
    id: "a",
    type: "team",
    cid: "team:a",
    created_at: time(0),
    updated_at: time(0),
    frozen: false,
    disabled: false,
  },
  messages,
  pinned_messages: [],
  members: [],
  read: [{ user: { id: "mira" }, last_read: time(0), unread_messages: 0 }],
});

async function opened(): Promise<VirtualCore & { texts(): string[]; queries(): unknown[] }> {
  const at = virtualCore(
    {},
    {},
    {
      "POST /channels/team/a/query": (call) =>
        jsonReply({ ...state(page(call).map((n) => message(n))), duration: "" }),
      "POST /channels/team/a/read": () => jsonReply({ duration: "" }),
    },
  );
  const done = at.core.connectUser({ id: "mira" }, miraToken());
  await at.clock.settle();
  at.sockets.last.frame(helloFrame("mira"));
  await done;
  await at.core.watch("team:a");
  return Object.assign(at, {
    texts: () =>
      [
        ...at.core
          .state()
          .channels.get("team:a")!
          .sets.find((s) => s.isCurrent)!.messages,
      ].map((m) => m.text),
    queries: () => at.calls.filter((c) => c.what.endsWith("/query")).map((c) => c.body.messages),
  });
}
const place = { cid: "team:a" };

describe("pages", () => {
  test("older pages load until the channel's beginning, then nothing is requested (R-SET-15)", async () => {
    const at = await opened();
    expect(at.texts().length).toBe(25);
    expect(await at.core.loadOlder(place)).toBe(true);
    expect(at.queries().at(-1)).toEqual({ id_lt: "m36", limit: 25 });
    expect(await at.core.loadOlder(place)).toBe(true);
    expect(at.texts()).toEqual(range(1, 60).map((n) => `t${n}`));
    const callsSoFar = at.queries().length;
    expect(await at.core.loadOlder(place)).toBe(false);
    expect(await at.core.loadNewer(place)).toBe(false);
    expect(at.queries().length).toBe(callsSoFar);
  });
  test("a second load of the same side during a running one is refused without a request", async () => {
    const at = await opened();
    const results = await Promise.all([at.core.loadOlder(place), at.core.loadOlder(place)]);
    expect(results).toEqual([true, false]);
    expect(at.queries().length).toBe(2);
  });
  test("a failed load can be repeated", async () => {
    const at = await opened();
    const query = at.on["POST /channels/team/a/query"]!;
    at.on["POST /channels/team/a/query"] = () => errorReply(403, 17);
    await expect(at.core.loadOlder(place)).rejects.toMatchObject({ code: 17 });
    at.on["POST /channels/team/a/query"] = query;
    expect(await at.core.loadOlder(place)).toBe(true);
  });
  test("older pages are requested before the oldest message the provider has, not before an unsent one", async () => {
    const at = await opened();
    at.on["POST /channels/team/a/message"] = () => new Promise(() => {});
    void at.core.send(place, { text: "waits" });
    await at.clock.settle();
    const unsent = at.core.state().channels.get("team:a")!.sets[0]!.messages.at(-1)!;
    const far = (n: number): object => message(n, { created_at: `2027-01-01T00:00:${n}.000000Z` });
    at.on["POST /channels/team/a/query"] = (call) =>
      jsonReply({
        ...state("id_lt" in (call.body.messages as object) ? [] : range(10, 34).map(far)),
        duration: "",
      });
    await at.core.watch("team:a");
    const set = at.core
      .state()
      .channels.get("team:a")!
      .sets.find((confirmation) => confirmation.isLatest)!;
    expect(set.messages.at(0)!.id).toBe(unsent.id);
    await at.core.loadOlder(place);
    expect(at.queries().at(-1)).toEqual({ id_lt: "m10", limit: 25 });
  });
  test("a jump requests only a message that is not loaded, and the latest messages can be shown again (R-SET-12, R-SET-14)", async () => {
    const at = await opened();
    await at.core.jumpTo(place, "m50");
    expect(at.queries().length).toBe(1);
    await at.core.jumpTo(place, "m15");
    expect(at.queries().at(-1)).toEqual({ id_around: "m15", limit: 25 });
    expect(at.texts()).toContain("t15");
    expect(at.texts()).not.toContain("t60");
    await at.core.backToLatest(place);
    expect(at.texts().at(-1)).toBe("t60");
    expect(at.queries().length).toBe(2);
  });
  test("the page around a message is loaded beside what is shown, and a jump there then needs no request (R-SET-12)", async () => {
    const at = await opened();
    const before = at.texts();
    await at.core.loadAround(place, "m15");
    expect(at.queries().at(-1)).toEqual({ id_around: "m15", limit: 25 });
    expect(at.texts()).toEqual(before);
    await at.core.jumpTo(place, "m15");
    expect(at.texts()).toContain("t15");
    expect(at.queries().length).toBe(2);
  });
  test.each([
    ["", "Channel or channel type have to be provided to query a channel"],
    ["team", "Cid must look like type:id"],
    ["team:a:b", "Invalid channel id a:b, it may not contain a colon"],
  ])("cid %j is refused before any request (R-ID)", async (cid, text) => {
    const at = virtualCore();
    at.core.setUser({ id: "mira" }, miraToken());
    await expect(at.core.watch(cid)).rejects.toThrow(text);
    await expect(at.core.openDirect([])).rejects.toThrow(
      "Channel ID or channel members array have to be provided to query a channel",
    );
    expect(at.calls).toEqual([]);
  });
});

describe("read marks (R-READ-3)", () => {
  const arrive = async (at: VirtualCore, n: number): Promise<void> => {
    at.sockets.last.frame({
      type: "message.new",
      cid: "team:a",
      created_at: time(n),
      user: { id: "otto" },
      message: message(n),
    });
    await at.clock.advance(0);
  };
  test("at most one mark per second is sent, the last one delayed, and none without unread messages", async () => {
    const at = await opened();
    at.core.seen("team:a");
    expect(at.count("POST /channels/team/a/read")).toBe(0);
    for (let n = 61; n < 71; n++) {
      await arrive(at, n);
      at.core.seen("team:a");
      expect(at.core.state().channels.get("team:a")!.unread).toBe(0);
    }
    expect(at.count("POST /channels/team/a/read")).toBe(1);
    await at.clock.advance(1000);
    expect(at.count("POST /channels/team/a/read")).toBe(2);
    await at.clock.advance(5000);
    expect(at.count("POST /channels/team/a/read")).toBe(2);
  });
});

test("an event of an unknown channel requests that channel once, by a query that creates nothing", async () => {
  const at = await opened();
  at.on["POST /channels"] = () =>
    jsonReply({
      channels: [{ ...state([]), channel: { ...state([]).channel, id: "new", cid: "team:new" } }],
      duration: "",
    });
  for (let n = 0; n < 3; n++)
    at.sockets.last.frame({
      type: "notification.message_new",
      cid: "team:new",
      channel_type: "team",
      channel_id: "new",
      created_at: time(70 + n),
      message: message(70 + n, { cid: "team:new" }),
    });
  await at.clock.advance(100);
  expect(at.count("POST /channels")).toBe(1);
  expect(at.calls.find((c) => c.what === "POST /channels")!.body.filter_conditions).toEqual({
    cid: { $in: ["team:new"] },
  });
  expect(at.core.state().channels.has("team:new")).toBe(true);
});

describe("R-READ-11: delivery confirmations", () => {
  const DELIVERED = "POST /channels/delivered";
  const confirming = async (more: { delivery?: boolean; read?: object; own?: boolean; me?: object } = {}) => {
    const at = virtualCore(
      {},
      {},
      {
        "POST /channels/team/a/query": () =>
          jsonReply({
            ...state([
              message(1),
              message(2),
              message(3, more.own === false ? {} : { user: { id: "mira" } }),
            ]),
            channel: { ...state([]).channel, config: { delivery_events: more.delivery !== false } },
            read: [{ user: { id: "mira" }, last_read: time(0), unread_messages: 2, ...more.read }],
            duration: "",
          }),
        [DELIVERED]: () => jsonReply({ duration: "" }),
      },
    );
    const done = at.core.connectUser({ id: "mira" }, miraToken());
    await at.clock.settle();
    const hello = helloFrame("mira");
    at.sockets.last.frame({ ...hello, me: { ...(hello.me as object), privacy_settings: more.me } });
    await done;
    await at.core.watch("team:a");
    const confirmed = () =>
      at.calls.filter((c) => c.what === DELIVERED).map((c) => c.body.latest_delivered_messages);
    const arrive = (n: number, more: object = {}) =>
      at.sockets.last.frame({
        type: "message.new",
        cid: "team:a",
        channel_type: "team",
        channel_id: "a",
        created_at: time(n),
        message: message(n, more),
      });
    return { ...at, confirmed, arrive };
  };
  const confirmation = (n: number) => [{ cid: "team:a", id: `m${n}` }];

  test("a query confirms the newest message of others once", async () => {
    const at = await confirming();
    expect(at.confirmed()).toEqual([]);
    await at.clock.advance(1000);
    expect(at.confirmed()).toEqual([confirmation(2)]);
    await at.core.watch("team:a");
    await at.clock.advance(5000);
    expect(at.confirmed()).toEqual([confirmation(2)]);
  });

  test("new messages are confirmed at most once a second, the newest only, never own ones", async () => {
    const at = await confirming();
    await at.clock.advance(1000);
    for (const n of [61, 62, 63]) at.arrive(n);
    at.arrive(64, { user: { id: "mira" } });
    await at.clock.advance(999);
    expect(at.confirmed()).toEqual([confirmation(2)]);
    await at.clock.advance(1);
    expect(at.confirmed()).toEqual([confirmation(2), confirmation(63)]);
    at.arrive(63);
    await at.clock.advance(5000);
    expect(at.confirmed()).toHaveLength(2);
  });

  test("the next user confirms the same message too, and what the one before had not confirmed yet is not confirmed any more", async () => {
    const at = await confirming({ own: false });
    await at.clock.advance(1000);
    at.arrive(61);
    const signingOut = at.core.disconnectUser();
    await at.clock.advance(3000);
    await signingOut;
    const again = at.core.connectUser({ id: "noor" }, signToken({ user_id: "noor" }, "s"));
    await at.clock.settle();
    at.sockets.last.frame(helloFrame("noor"));
    await again;
    await at.clock.advance(5000);
    expect(at.confirmed()).toEqual([confirmation(3)]);
    await at.core.watch("team:a");
    await at.clock.advance(1000);
    expect(at.confirmed()).toEqual([confirmation(3), confirmation(3)]);
  });

  test.each([
    ["the type has no delivery events", { delivery: false }],
    ["it was confirmed by another device", { read: { last_delivered_at: time(2) } }],
    ["it was read before", { read: { last_read: time(3) } }],
    ["the user has turned delivery receipts off", { me: { delivery_receipts: { enabled: false } } }],
  ])("nothing is confirmed when %s", async (_name, more) => {
    const at = await confirming(more);
    await at.clock.advance(5000);
    expect(at.confirmed()).toEqual([]);
  });
});

test("opening an existing channel never creates it: an unknown or deleted one is requested first", async () => {
  const at = await opened();
  const callsSoFar = (): string[] => at.calls.splice(0).map(({ what }) => what);
  callsSoFar();
  await at.core.watchExisting("team:a");
  expect(callsSoFar()).toEqual(["POST /channels/team/a/query"]);
  at.on["POST /channels"] = () => jsonReply({ channels: [], duration: "" });
  await expect(at.core.watchExisting("team:gone")).rejects.toThrow(
    "team:gone does not exist, or you may not read it",
  );
  expect(callsSoFar()).toEqual(["POST /channels", "POST /channels"]);
  const deleteEvent = {
    type: "channel.deleted",
    cid: "team:a",
    created_at: time(90),
    channel: state([]).channel,
  };
  at.sockets.last.frame(deleteEvent);
  await at.clock.advance(50);
  at.on["POST /channels"] = () => jsonReply({ channels: [state([])], duration: "" });
  await at.core.watchExisting("team:a");
  expect(callsSoFar()).toEqual(["POST /channels", "POST /channels/team/a/query"]);
});
