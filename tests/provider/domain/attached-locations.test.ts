/** Shared locations: validation, updates of live locations, and everything that stops one (specification/locations.md §3–5). */
import { describe, expect, test } from "vitest";
import type { SharedLocation } from "../../../src/wire/entities/location.ts";
import { room, ROOM, type As, type TestDomain } from "./support.ts";

const MINUTE = 60_000;
const HERE = { latitude: 52.37, longitude: 4.89, created_by_device_id: "d" };
const end = (b: TestDomain, minutes: number): string =>
  new Date(b.now / 1000 + minutes * MINUTE).toISOString();

function share(b: TestDomain, id: string, minutes?: number, where = "room", as = "ada"): void {
  const live = minutes === undefined ? {} : { end_at: end(b, minutes) };
  b.send(as, where, { id, shared_location: { ...HERE, ...live } });
  b.events = [];
}
const active = (b: TestDomain, as: As = "ada"): string[] =>
  (b.call(as, "getLiveLocations").active_live_locations as SharedLocation[]).map((one) => one.message_id!);
const inChannel = (b: TestDomain, as = "bob"): string[] =>
  (b.call(as, "queryChannel", { path: ROOM }).active_live_locations as SharedLocation[]).map(
    (one) => one.message_id!,
  );
const move = (b: TestDomain, id: string, body: Record<string, unknown> = { latitude: 53 }, as: As = "ada") =>
  b.call(as, "updateLiveLocation", { body: { message_id: id, ...body } });
const refuseSend = (b: TestDomain, location: unknown, as = "ada") =>
  b.refusalOf(as, "sendMessage", {
    path: ROOM,
    body: { message: { text: "here", shared_location: location } },
  });

describe("L: which locations are valid", () => {
  test.each<[string, unknown, string]>([
    ["no device (L-1)", { ...HERE, created_by_device_id: undefined }, "created_by_device_id"],
    ["a blank device (L-1)", { ...HERE, created_by_device_id: " " }, "created_by_device_id"],
    ["no latitude (L-1)", { ...HERE, latitude: undefined }, "latitude"],
    ["no longitude (L-1)", { ...HERE, longitude: null }, "longitude"],
    ["a latitude off the globe (L-2)", { ...HERE, latitude: 90.1 }, "latitude"],
    ["a longitude off the globe (L-2)", { ...HERE, longitude: -180.1 }, "longitude"],
    ["a string as latitude (L-2)", { ...HERE, latitude: "52" }, "latitude"],
    ["an invalid end", { ...HERE, end_at: "soon" }, "end_at"],
  ])("refuses %s with code 4", (_name, location, field) => {
    const b = room();
    expect(refuseSend(b, location)).toEqual([4, `message.shared_location.${field}`]);
    // L-6: the whole message is refused and not stored
    expect(b.call("ada", "queryChannel", { path: ROOM }).messages).toEqual([]);
  });

  test("refuses a location that is no object with code 4", () => {
    expect(refuseSend(room(), "52,4")).toEqual([4, "message.shared_location"]);
  });

  test("L-3: a live location lasts at least a minute, with five seconds of tolerance, and has no upper bound", () => {
    const b = room();
    expect(refuseSend(b, { ...HERE, end_at: end(b, 54 / 60) })).toEqual([
      4,
      "message.shared_location.end_at",
    ]);
    share(b, "close", 56 / 60);
    share(b, "far", 60 * 24 * 365 * 10);
    expect(active(b)).toEqual(["far"]);
  });

  test("L-5, L-7: without an end a location is static; a message may consist of it alone; its owner is the sender", () => {
    const b = room();
    const sent = b.send("ada", "room", {
      id: "s",
      shared_location: { ...HERE, message_id: "other", channel_cid: "x:y", user_id: "bob" },
    });
    expect(sent.shared_location).toMatchObject({
      message_id: "s",
      channel_cid: "messaging:room",
      user_id: "ada",
    });
    expect(sent.shared_location).not.toHaveProperty("end_at");
    expect([active(b), inChannel(b)]).toEqual([[], []]);
  });
});

describe("settings and permissions", () => {
  const live = (b: TestDomain): object => ({ ...HERE, end_at: end(b, 5) });
  const override = (b: TestDomain, overrides: object): unknown =>
    b.call({ server: true }, "updateChannelPartial", {
      path: ROOM,
      body: { set: { config_overrides: overrides } },
    });

  test("code 19 if the channel type, the channel's override or the app switches locations off", () => {
    const b = room();
    b.call({ server: true }, "updateChannelType", {
      path: { name: "messaging" },
      body: { shared_locations: false },
    });
    expect(refuseSend(b, live(b))).toEqual([19, undefined]);
    override(b, { shared_locations: true });
    share(b, "on", 5);
    expect(active(b)).toEqual(["on"]);
    b.call({ server: true }, "updateApp", { body: { shared_locations_enabled: false } });
    expect(refuseSend(b, live(b))).toEqual([19, undefined]);
    expect(b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "on", latitude: 1 } })).toEqual([
      19,
      undefined,
    ]);
    // The location shared before can still be stopped.
    move(b, "on", { end_at: end(b, -1) });
    expect(active(b)).toEqual([]);
  });

  test("code 17 without the permission to share, before code 19", () => {
    const b = room();
    override(b, { shared_locations: false, grants: { channel_member: ["!share-location"] } });
    expect(refuseSend(b, live(b), "bob")).toEqual([17, undefined]);
    expect(refuseSend(b, { latitude: 99 }, "bob")).toEqual([4, "message.shared_location.latitude"]);
  });
});

describe("LU: updating a live location", () => {
  test("LU-3, LU-5: absent fields stay; the message is updated, its text is not; answer and event contain the same", () => {
    const b = room();
    share(b, "l", 5);
    const before = b.call("ada", "getMessage", { path: { id: "l" } }).message as Record<string, string>;
    b.wait(1000);
    b.events = [];
    const moved = move(b, "l", { longitude: 5, created_by_device_id: "other" });
    expect(moved).toMatchObject({
      latitude: 52.37,
      longitude: 5,
      created_by_device_id: "other",
      message_id: "l",
    });
    expect(b.takeEvents()).toEqual(["W message.updated"]);
    const after = b.call("bob", "getMessage", { path: { id: "l" } }).message as Record<string, unknown>;
    expect(after).toMatchObject({ shared_location: { longitude: 5, end_at: moved.end_at } });
    expect(String(after.updated_at) > before.updated_at!).toBe(true);
    expect(after).not.toHaveProperty("message_text_updated_at");
    expect(moved).toMatchObject({ channel: { cid: "messaging:room" }, message: { id: "l" } });
  });

  test("LU-3: a location moves onto the equator and onto the zero meridian, and stays there when a move does not name them", () => {
    const b = room();
    share(b, "l", 5);
    expect(move(b, "l", { latitude: 0 })).toMatchObject({ latitude: 0, longitude: 4.89 });
    expect(move(b, "l", { longitude: 0 })).toMatchObject({ latitude: 0, longitude: 0 });
    expect(move(b, "l", { end_at: end(b, 9) })).toMatchObject({ latitude: 0, longitude: 0 });
    expect(b.call("bob", "getMessage", { path: { id: "l" } }).message).toMatchObject({
      shared_location: { latitude: 0, longitude: 0 },
    });
  });

  test("LU-4: the end may be moved, also to less than a minute; an end in the past stops the location for good", () => {
    const b = room();
    share(b, "l", 5);
    move(b, "l", { end_at: end(b, 60) });
    b.wait(30 * MINUTE);
    expect(active(b)).toEqual(["l"]);
    move(b, "l", { end_at: end(b, 0.1) });
    expect(active(b)).toEqual(["l"]);
    b.events = [];
    const stopped = move(b, "l", { latitude: 50, end_at: end(b, 0) });
    expect(stopped.latitude).toBe(50);
    expect(b.events[0]!.event).toMatchObject({
      type: "message.updated",
      message: { shared_location: { latitude: 50 } },
    });
    expect(Date.parse(stopped.end_at as string) <= b.now / 1000).toBe(true);
    expect(
      b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "l", end_at: end(b, 60) } }),
    ).toEqual([4, "message_id"]);
  });

  test("LU-1: code 16 is checked before 17, and 17 before 4", () => {
    const b = room();
    share(b, "l", 5);
    const put = (as: As, body: Record<string, unknown>) => b.refusalOf(as, "updateLiveLocation", { body });
    expect(put("ada", {})).toEqual([4, "message_id"]);
    expect(put("ada", { message_id: "void", latitude: 99 })).toEqual([16, undefined]);
    expect(put("bob", { message_id: "l", latitude: 99 })).toEqual([17, undefined]);
    expect(put("ada", { message_id: "l", latitude: 99 })).toEqual([4, "latitude"]);
    expect(put({ server: true }, { message_id: "l" })).toEqual([4, "user_id"]);
    expect(move(b, "l", { latitude: 1, user_id: "ada" }, { server: true }).latitude).toBe(1);
  });

  test("of a restricted message is sent to its recipients only", () => {
    const b = room();
    b.call({ server: true }, "sendMessage", {
      path: ROOM,
      body: {
        message: {
          id: "l",
          user_id: "ada",
          restricted_visibility: ["bob"],
          shared_location: { ...HERE, end_at: end(b, 5) },
        },
      },
    });
    b.events = [];
    move(b, "l");
    expect(b.events).toMatchObject([{ to: "W", only: ["ada", "bob"] }]);
    expect([inChannel(b, "bob"), inChannel(b, "cyd")]).toEqual([["l"], []]);
  });
});

describe("LE: how a live location ends", () => {
  test("LE-1, LE-2: at its end it disappears from every read without an event, and the message keeps the last position", () => {
    const b = room();
    share(b, "l", 5);
    move(b, "l");
    b.events = [];
    b.wait(5 * MINUTE - 1000);
    expect([active(b), inChannel(b)]).toEqual([["l"], ["l"]]);
    b.wait(2000);
    expect([active(b), inChannel(b)]).toEqual([[], []]);
    const listed = b.call("bob", "queryChannels", { body: { filter_conditions: { cid: "messaging:room" } } });
    expect((listed.channels as { active_live_locations: unknown[] }[])[0]!.active_live_locations).toEqual([]);
    const { message } = b.call("bob", "getMessage", { path: { id: "l" } }) as {
      message: { shared_location: SharedLocation };
    };
    expect(message.shared_location.latitude).toBe(53);
    expect(Date.parse(message.shared_location.end_at!) < b.now / 1000).toBe(true);
    expect(b.events).toEqual([]);
  });

  test.each([false, true])("LE-3: it ends with its message (hard: %s)", (hard) => {
    const b = room();
    share(b, "l", 5);
    b.call("ada", "deleteMessage", { path: { id: "l" }, query: hard ? { hard: "true" } : {} });
    expect([active(b), inChannel(b)]).toEqual([[], []]);
  });

  test("LE-3: it ends when its owner leaves, and the other members get an event", () => {
    const b = room();
    share(b, "l", 5, "room", "bob");
    b.call("bob", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect([active(b, "bob"), inChannel(b, "ada")]).toEqual([[], []]);
    const [first] = b.events.filter(({ event }) => event.type === "message.updated");
    expect(first).toMatchObject({
      to: "W",
      event: { message: { id: "l", shared_location: { user_id: "bob" } } },
    });
  });

  test.each([false, true])("LE-3: it ends with its channel (hard: %s)", (hard) => {
    const b = room();
    share(b, "l", 5);
    b.call("ada", "deleteChannel", { path: ROOM, query: hard ? { hard_delete: "true" } : {} });
    expect(active(b)).toEqual([]);
    expect(b.refusalOf("ada", "updateLiveLocation", { body: { message_id: "l", latitude: 1 } })).toEqual([
      16,
      undefined,
    ]);
  });

  test("LE-3: it ends by a truncation", () => {
    const b = room();
    share(b, "l", 5);
    b.call("ada", "truncateChannel", { path: ROOM });
    expect([active(b), inChannel(b)]).toEqual([[], []]);
  });

  test("LE-4: a second live location in the same channel ends the first with an event, one in another channel stays", () => {
    const b = room();
    b.channel("garden", "ada", ["ada", "bob"]);
    share(b, "there", 5, "garden");
    share(b, "one", 5);
    share(b, "bobs", 5, "room", "bob");
    b.send("ada", "room", { id: "two", shared_location: { ...HERE, end_at: end(b, 5) } });
    const events = b.events
      .filter(({ to }) => to === "W")
      .map(({ event }) => `${event.type} ${String(event.message_id)}`);
    expect(events).toEqual(["message.updated one", "message.new two"]);
    expect(active(b)).toEqual(["there", "two"]);
    expect(inChannel(b).toSorted()).toEqual(["bobs", "two"]);
    share(b, "static");
    expect(active(b)).toEqual(["there", "two"]);
  });

  test("a refused second location leaves the first", () => {
    const b = room();
    share(b, "one", 5);
    expect(refuseSend(b, { ...HERE, end_at: end(b, 0.5) })).toEqual([4, "message.shared_location.end_at"]);
    expect(active(b)).toEqual(["one"]);
  });
});
