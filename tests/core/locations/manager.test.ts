/** Locations of the current user: which may be sent, and how live ones move, end and are loaded again (specification/locations.md). */
import { describe, expect, test } from "vitest";
import { ApiError, TransportError } from "../../../src/model/errors.ts";
import { LocationManager } from "../../../src/core/locations/manager.ts";
import { locationProblem, locationPart } from "../../../src/core/locations/validity.ts";
import type { SharedLocation } from "../../../src/wire/entities/location.ts";
import { VirtualClock } from "../../support/virtual-clock.ts";
import { CID, event, msg, silentLog, user } from "../state/world.ts";

const IDS = { device: "dev-1", message: "m1" };
const HERE = { latitude: 52.37, longitude: 4.89 };

describe("R-LOC-1: which locations are valid", () => {
  test("L-1: a location needs a device id, a message id, latitude and longitude", () => {
    expect(locationProblem(HERE, IDS)).toBeUndefined();
    expect(locationProblem(HERE, { ...IDS, device: undefined })).toContain("this device");
    expect(locationProblem(HERE, { ...IDS, device: " " })).toContain("this device");
    expect(locationProblem(HERE, { ...IDS, message: "" })).toContain("its message");
    expect(locationProblem({ latitude: 1 } as never, IDS)).toContain("longitude");
    expect(locationProblem({ longitude: 1 } as never, IDS)).toContain("latitude");
  });
  test.each([
    [90, 180, true],
    [-90, -180, true],
    [90.001, 0, false],
    [0, -180.001, false],
    [Number.NaN, 0, false],
    [0, Number.POSITIVE_INFINITY, false],
  ])("L-2: latitude %d and longitude %d are valid: %s", (latitude, longitude, valid) => {
    expect(locationProblem({ latitude, longitude }, IDS) === undefined).toBe(valid);
  });
  test("L-3: a live location lasts at least 60 seconds, without an upper bound", () => {
    const problemOf = (duration: number) => locationProblem({ ...HERE, duration }, IDS);
    expect(problemOf(59_999)).toContain("60 seconds");
    expect(problemOf(Number.NaN)).toContain("60 seconds");
    expect(problemOf(60_000)).toBeUndefined();
    expect(problemOf(86_400_000 * 365)).toBeUndefined();
  });
  test("L-4, L-5, L-6: the end is counted from the send, static locations have none, invalid ones are dropped", () => {
    const now = Date.UTC(2031, 1, 3, 9);
    expect(locationPart({ ...HERE, duration: 3_600_000 }, IDS, now)).toEqual({
      ...HERE,
      created_by_device_id: "dev-1",
      end_at: "2031-02-03T10:00:00.000Z",
    });
    expect(locationPart(HERE, IDS, now)).toEqual({ ...HERE, created_by_device_id: "dev-1" });
    expect(locationPart({ ...HERE, duration: 1 }, IDS, now)).toBeUndefined();
  });
});

function manager() {
  const clock = new VirtualClock();
  const calls: { name: string; body?: Record<string, unknown> }[] = [];
  const on: { active: SharedLocation[]; put?: (body: Record<string, unknown>) => unknown } = { active: [] };
  const iso = (ms: number): string => new Date(clock.now() + ms).toISOString();
  const locations = new LocationManager({
    call: (async (name: string, args: { body?: Record<string, unknown> } = {}) => {
      calls.push({ name, ...(args.body && { body: args.body }) });
      if (name === "getLiveLocations") return { active_live_locations: on.active, duration: "" };
      const { message_id, ...change } = args.body!;
      return (
        on.put?.(args.body!) ?? {
          message_id,
          ...live(String(message_id)),
          ...change,
          updated_at: iso(0),
          duration: "1ms",
        }
      );
    }) as never,
    clock,
    log: silentLog,
    userId: () => "ada",
    now: () => clock.now(),
    deviceId: () => "dev-1",
  });
  function live(id: string, more: Partial<SharedLocation> = {}): SharedLocation {
    return {
      ...HERE,
      message_id: id,
      channel_cid: CID,
      user_id: "ada",
      created_by_device_id: "dev-1",
      end_at: iso(600_000),
      updated_at: iso(0),
      ...more,
    };
  }
  const receive = (type: string, id: string, location: SharedLocation | undefined, author = "ada"): void =>
    locations.onEvent(
      event(type, 0, {
        message: msg(1, { id, user: user(author), ...(location && { shared_location: location }) }),
      }),
    );
  const puts = (): unknown[] =>
    calls
      .filter(({ name }) => name === "updateLiveLocation")
      .map(({ body }) => [body!.message_id, body!.latitude]);
  const ids = (): { tracked: string[]; elsewhere: string[] } => {
    const { tracked, elsewhere } = locations.state();
    return {
      tracked: tracked.map((each) => each.message_id),
      elsewhere: elsewhere.map((each) => each.message_id),
    };
  };
  return { locations, clock, calls, on, iso, live, receive, puts, ids };
}

describe("R-LOC-2, LU-6: at most one update in 3000 ms", () => {
  test("the first position is sent at once, then the latest at the end of the window", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    for (let n = 1; n <= 5; n++) {
      m.locations.position(n, 4);
      await m.clock.advance(500);
    }
    expect(m.puts()).toEqual([["m1", 1]]);
    await m.clock.advance(500);
    expect(m.puts()).toEqual([
      ["m1", 1],
      ["m1", 5],
    ]);
    await m.clock.advance(10_000);
    expect(m.puts()).toHaveLength(2);
    m.locations.position(6, 4);
    expect(m.puts()).toHaveLength(3);
    m.locations.reset();
    expect(m.clock.timers).toEqual([]);
  });
  test("an unchanged position is not sent, at once or at the end of a window", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.locations.position(HERE.latitude, HERE.longitude);
    expect(m.puts()).toEqual([]);
    m.locations.position(1, 1);
    await m.clock.advance(100);
    m.locations.position(2, 2);
    m.locations.position(1, 1);
    await m.clock.advance(5000);
    expect(m.puts()).toEqual([["m1", 1]]);
    m.locations.reset();
  });
  test("a move by a command keeps the window, and resolves with the location or not at all when it is there already", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    await expect(m.locations.move("m1", HERE)).resolves.toBeUndefined();
    await expect(m.locations.move("m1", { latitude: 1, longitude: 4 })).resolves.toMatchObject({
      latitude: 1,
    });
    const later = [2, 3].map((latitude) => m.locations.move("m1", { latitude, longitude: 4 }));
    const longer = m.locations.move("m1", { latitude: 3, longitude: 4, end_at: m.iso(900_000) });
    await m.clock.advance(2999);
    expect(m.puts()).toEqual([["m1", 1]]);
    await m.clock.advance(1);
    for (const moved of await Promise.all([...later, longer])) expect(moved).toMatchObject({ latitude: 3 });
    expect(m.calls.at(-1)!.body).toMatchObject({ latitude: 3, end_at: expect.any(String) });
    expect(m.puts()).toHaveLength(2);
    // A new end stays when a position without one follows it before the window ends.
    const end_at = m.iso(1_200_000);
    const both = [
      m.locations.move("m1", { latitude: 4, longitude: 4, end_at }),
      m.locations.move("m1", { latitude: 6, longitude: 4 }),
    ];
    await m.clock.advance(3000);
    await Promise.all(both);
    expect(m.calls.at(-1)!.body).toMatchObject({ latitude: 6, end_at });
    const dropped = m.locations.move("m1", { latitude: 5, longitude: 4 });
    m.locations.reset();
    await expect(dropped).resolves.toBeUndefined();
  });
  test("a refused move is reported to the command that made it (LU-8)", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.on.put = () => {
      throw new ApiError("no", { status: 400, code: 4 });
    };
    await expect(m.locations.move("m1", { latitude: 1, longitude: 4 })).rejects.toThrow("no");
    m.locations.reset();
  });
  test("an invalid position is refused and sends nothing (L-2)", () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    expect(() => m.locations.position(91, 0)).toThrow("latitude from -90 to 90");
    expect(m.puts()).toEqual([]);
    m.locations.reset();
  });
});

test("R-LOC-4, LU-7: a position updates every live location of this device and none of another", async () => {
  const m = manager();
  m.receive("message.new", "m1", m.live("m1"));
  m.receive("message.new", "m2", m.live("m2", { channel_cid: "messaging:other" }));
  m.receive(
    "message.new",
    "m3",
    m.live("m3", { channel_cid: "messaging:third", created_by_device_id: "phone" }),
  );
  m.receive("message.new", "b1", m.live("b1", { user_id: "bob" }), "bob");
  expect(m.ids()).toEqual({ tracked: ["m1", "m2"], elsewhere: ["m3"] });
  m.locations.position(9, 9);
  await m.clock.settle();
  expect(m.puts()).toEqual([
    ["m1", 9],
    ["m2", 9],
  ]);
  m.locations.reset();
});

describe("LU-8: a failed update", () => {
  test("is followed by the next position", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.on.put = () => {
      throw new TransportError("ERR_NETWORK", "no");
    };
    m.locations.position(1, 1);
    await m.clock.advance(20_000);
    expect(m.puts()).toHaveLength(1);
    delete m.on.put;
    m.locations.position(1, 1);
    expect(m.puts()).toHaveLength(2);
    m.locations.reset();
  });
  test.each([16, 4])("with code %i ends that location locally", async (code) => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.on.put = () => {
      throw new ApiError("no", { status: 400, code });
    };
    m.locations.position(1, 1);
    await m.clock.settle();
    expect(m.ids().tracked).toEqual([]);
    m.locations.reset();
  });
});

describe("R-LOC-3: how a live location ends", () => {
  test("LE-1, LE-2: at end_at, when read and by a check every 500 ms", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1", { end_at: m.iso(1200) }));
    let notified = 0;
    m.locations.subscribe(() => notified++);
    await m.clock.advance(1199);
    expect(m.ids().tracked).toEqual(["m1"]);
    await m.clock.advance(1);
    expect(m.ids().tracked).toEqual([]);
    m.receive("message.new", "m2", m.live("m2", { end_at: m.iso(700) }));
    await m.clock.settle();
    notified = 0;
    await m.clock.advance(1000);
    expect(notified).toBe(1);
    expect(m.clock.timers).toEqual([]);
    m.locations.position(1, 1);
    expect(m.puts()).toEqual([]);
  });
  test("LE-3, LE-4: by a deleted message, a lost channel, an early stop or a second location in the channel", async () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.receive("message.deleted", "m1", undefined);
    expect(m.ids().tracked).toEqual([]);
    m.receive("message.new", "m2", m.live("m2"));
    m.receive("message.new", "m3", m.live("m3"));
    expect(m.ids().tracked).toEqual(["m3"]);
    m.locations.onEvent(event("notification.removed_from_channel", 0));
    expect(m.ids().tracked).toEqual([]);
    m.receive("message.new", "m4", m.live("m4"));
    await m.locations.stop("m4");
    expect(m.calls.at(-1)).toEqual({
      name: "updateLiveLocation",
      body: { message_id: "m4", end_at: m.iso(0) },
    });
    expect(m.ids().tracked).toEqual([]);
    await expect(m.locations.stop(" ")).rejects.toThrow("a message id is required for an update");
  });
  test("by message.updated with an end in the past", () => {
    const m = manager();
    m.receive("message.new", "m1", m.live("m1"));
    m.receive("message.updated", "m1", m.live("m1", { end_at: m.iso(-1), updated_at: m.iso(-1000) }));
    expect(m.ids().tracked).toEqual(["m1"]);
    m.receive("message.updated", "m1", m.live("m1", { end_at: m.iso(-1), updated_at: m.iso(5) }));
    expect(m.ids().tracked).toEqual([]);
    m.receive("message.updated", "m1", m.live("m1", { updated_at: m.iso(3) }));
    expect(m.ids().tracked).toEqual([]);
  });
  test("the event of an early stop does not restart it when the provider's clock is behind", async () => {
    const m = manager();
    const trackingChanges: boolean[] = [];
    m.locations.onTracking((run) => trackingChanges.push(run));
    m.receive("message.new", "m1", m.live("m1"));
    const { updated_at } = await m.locations.stop("m1");
    m.receive("message.updated", "m1", m.live("m1", { end_at: m.iso(20), updated_at: updated_at! }));
    expect(m.ids().tracked).toEqual([]);
    expect(trackingChanges).toEqual([true, false]);
  });
});

test("message.updated with a newer updated_at replaces a location, an older one is ignored (specification/locations.md §7)", () => {
  const m = manager();
  m.receive("message.new", "m1", m.live("m1"));
  m.receive("message.updated", "m1", m.live("m1", { latitude: 7, updated_at: m.iso(10) }));
  m.receive("message.updated", "m1", m.live("m1", { latitude: 3, updated_at: m.iso(5) }));
  expect(m.locations.state().tracked[0]!.latitude).toBe(7);
  m.locations.reset();
});

test("an event from before an early stop does not restart the location (specification/locations.md §7)", async () => {
  const m = manager();
  const moved = m.live("m1");
  m.receive("message.new", "m1", moved);
  await m.clock.advance(10);
  await m.locations.stop("m1");
  m.receive("message.updated", "m1", moved);
  expect(m.ids().tracked).toEqual([]);
  m.receive("message.updated", "m1", m.live("m1", { updated_at: m.iso(1) }));
  expect(m.ids().tracked).toEqual(["m1"]);
});

test("stopOnceShared ends a location as soon as its message arrives, only that one, and reports the provider's answer", async () => {
  const m = manager();
  const ended: unknown[] = [];
  const refused: unknown[] = [];
  m.on.put = (body) => {
    if (body.message_id === "m3") throw new Error("no");
    return { ...m.live(String(body.message_id)), ...body, updated_at: m.iso(0) };
  };
  void m.locations.stopOnceShared("m1").then((location) => ended.push(location.end_at));
  m.locations.stopOnceShared("m3").catch((error: Error) => refused.push(error.message));
  await m.clock.advance(10);
  expect(m.puts()).toEqual([]);
  m.receive("message.new", "m2", m.live("m2", { channel_cid: "messaging:other" }));
  m.receive("message.new", "m1", m.live("m1"));
  await m.clock.advance(10);
  expect([ended, m.ids().tracked]).toEqual([[m.iso(-10)], ["m2"]]);
  m.receive("message.new", "m3", m.live("m3", { channel_cid: "messaging:third" }));
  await m.clock.advance(10);
  expect([refused, m.ids().tracked]).toEqual([["no"], ["m2", "m3"]]);
  m.locations.reset();
});

test("R-LOC-5, LE-5: tracking runs while this device has a live location", async () => {
  const m = manager();
  const trackingChanges: boolean[] = [];
  m.locations.onTracking((run) => trackingChanges.push(run));
  m.receive("message.new", "m3", m.live("m3", { created_by_device_id: "phone", channel_cid: "messaging:x" }));
  expect(trackingChanges).toEqual([]);
  m.receive("message.new", "m1", m.live("m1"));
  m.receive("message.new", "m2", m.live("m2", { channel_cid: "messaging:other", end_at: m.iso(900_000) }));
  const late: boolean[] = [];
  m.locations.onTracking((run) => late.push(run));
  expect(late).toEqual([true]);
  await m.clock.advance(600_000);
  expect(trackingChanges).toEqual([true]);
  await m.clock.advance(300_000);
  expect(trackingChanges).toEqual([true, false]);
  m.locations.reset();
});

test("after a reconnect the provider's list counts, with events received during the request (specification/locations.md §7)", async () => {
  const m = manager();
  m.receive("message.new", "gone", m.live("gone"));
  m.on.active = [
    m.live("m1", { channel_cid: "messaging:a" }),
    m.live("m2", { created_by_device_id: "phone" }),
    m.live("old", { end_at: m.iso(-5) }),
  ];
  const loading = m.locations.load();
  m.receive("message.new", "fresh", m.live("fresh", { channel_cid: "messaging:b" }));
  await loading;
  expect(m.ids()).toEqual({ tracked: ["fresh", "m1"], elsewhere: ["m2"] });
  m.locations.reset();
});

test("a location whose message or channel was deleted during the request is not restored by its answer", async () => {
  const m = manager();
  m.on.active = [
    m.live("m1", { channel_cid: "messaging:a" }),
    m.live("m2", { channel_cid: "messaging:b" }),
    m.live("m3", { channel_cid: "messaging:c" }),
  ];
  m.receive("message.new", "m2", m.on.active[1]);
  const loading = m.locations.load();
  m.receive("message.deleted", "m1", undefined);
  m.receive("message.deleted", "m2", undefined);
  m.locations.onEvent({ ...event("notification.removed_from_channel", 0), cid: "messaging:c" });
  await loading;
  expect(m.ids()).toEqual({ tracked: [], elsewhere: [] });
  await m.locations.load();
  expect(m.ids().tracked).toEqual(["m1", "m2", "m3"]);
  m.locations.reset();
});
