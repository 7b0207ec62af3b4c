/** WebSocket connections: handshake, first frame, error frames, pings, silence, watching and presence (specification/realtime.md §1–5). */
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { FRAMES_PER_MINUTE } from "../../../src/wire/constants.ts";
import { writeApp } from "../../../src/provider/store/app-settings.ts";
import { createClock, type ProviderClock } from "../../../src/provider/base/clock.ts";
import { Harness, Socket } from "../tiny.ts";

let h: Harness;
let clock: ProviderClock;
const warnings: string[] = [];
beforeEach(async () => {
  warnings.length = 0;
  clock = createClock();
  h = await Harness.start({ clock, warn: (text) => warnings.push(text) });
});
afterEach(async () => {
  await h.stop();
  expect(warnings).toEqual([]);
});

/** Waits until the provider has processed the test's action: no event tells a client that its own close arrived. */
async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe("a flood of frames", () => {
  const floods: [string, (ws: WebSocket) => void][] = [
    ["empty frames", (ws) => ws.send("")],
    ["pings of the protocol", (ws) => ws.ping()],
    ["unasked pongs", (ws) => ws.pong()],
    ["health checks", (ws) => ws.send('[{"type":"health.check"}]')],
    ["empty parts of one frame", (ws) => ws.send("", { fin: false })],
  ];
  test.each(floods)("of %s ends the connection with 1008 after 1,000", async (_, one) => {
    const socket = await h.connect("mira");
    const other = await h.connect("noor");
    const closed = once(socket.ws, "close");
    for (let n = 0; n < FRAMES_PER_MINUTE + 1; n++) one(socket.ws);
    expect((await closed)[0]).toBe(1008);
    expect(other.ws.readyState).toBe(WebSocket.OPEN);
  });
  test("is counted by the minute: 1,000 frames in each of two are accepted", async () => {
    const socket = await h.connect("mira");
    const flood = async (): Promise<void> => {
      const before = socket.frames.length;
      for (let n = 0; n < FRAMES_PER_MINUTE - 1; n++) socket.ws.send("");
      socket.ws.send('[{"type":"health.check"}]');
      await socket.until((self) => self.frames.length > before);
    };
    await flood();
    clock.advance(60_000);
    await flood();
    expect(socket.ws.readyState).toBe(WebSocket.OPEN);
  });
});

describe("the handshake", () => {
  test("the first frame is health.check with a connection id and the current user", async () => {
    const socket = await h.connect("mira", { name: "Mira" });
    expect(socket.frames[0]).toMatchObject({
      type: "health.check",
      connection_id: expect.stringMatching(/^[\da-f-]{36}$/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      me: { id: "mira", name: "Mira", online: true },
    });
  });

  test("token and auth type are read from the upgrade headers, or the token from the payload", async () => {
    const json = JSON.stringify({ user_id: "mira" });
    const byHeader = new Socket(h.socketUrl({ json }), {
      headers: { Authorization: h.token("mira"), "stream-auth-type": "jwt" },
    });
    await byHeader.event("health.check");
    const inside = JSON.stringify({ user_id: "mira", user_token: h.token("mira") });
    await new Socket(h.socketUrl({ json: inside })).event("health.check");
  });

  const refused: [string, number, number, (h: Harness) => Record<string, string>][] = [
    ["a wrong key", 2, 1008, (h) => ({ api_key: "x", json: "{}", authorization: h.token("a") })],
    ["no token", 5, 1008, () => ({ json: "{}" })],
    [
      "a wrong signature",
      43,
      1008,
      (h) => ({ json: "{}", authorization: `${h.token("a").slice(0, -6)}AAAAAA` }),
    ],
    ["an expired token", 40, 1008, (h) => ({ json: "{}", authorization: h.token("a", { exp: 1 }) })],
    ["no payload", 4, 1008, (h) => ({ authorization: h.token("a") })],
    ["a payload that is no JSON", 4, 1008, (h) => ({ json: "{", authorization: h.token("a") })],
    ["another user's id", 5, 1008, (h) => ({ json: '{"user_id":"b"}', authorization: h.token("a") })],
    [
      "another user's details",
      5,
      1008,
      (h) => ({ json: '{"user_id":"a","user_details":{"id":"b"}}', authorization: h.token("a") }),
    ],
    [
      "details that are a list",
      4,
      1008,
      (h) => ({ json: '{"user_id":"a","user_details":[1]}', authorization: h.token("a") }),
    ],
    ["a server token", 17, 1008, (h) => ({ json: "{}", authorization: h.serverToken })],
    [
      "an anonymous user while they are off",
      17,
      1008,
      () => ({ json: "{}", "stream-auth-type": "anonymous" }),
    ],
    [
      "details the domain refuses",
      4,
      1008,
      (h) => ({ json: '{"user_id":"a","user_details":{"name":"refused"}}', authorization: h.token("a") }),
    ],
  ];
  test.each(refused)(
    "%s is answered with an error frame with code %i and close %i",
    async (_name, code, close, query) => {
      const socket = new Socket(h.socketUrl(query(h)));
      await socket.until((self) => self.closed);
      expect(socket.frames).toHaveLength(1);
      expect(socket.frames[0].error).toMatchObject({ code, StatusCode: expect.any(Number) });
      expect(socket.frames[0].error.message).toMatch(/^Connect failed with error: "/);
      expect(socket.closed!.code).toBe(close);
      expect(h.provider.hub.size).toBe(0);
    },
  );

  test("a refused connect stores nothing", async () => {
    const socket = h.dial("mira", { name: "refused" });
    await socket.until((self) => self.closed);
    expect(h.provider.transact((_emit, db) => db.all("SELECT * FROM person"))).toEqual([]);
  });

  test("an anonymous user gets a fixed user object and is never stored (specification/auth.md §6)", async () => {
    h.provider.transact((_emit, db) => writeApp(db, { anonymous_users_enabled: true }));
    const socket = new Socket(h.socketUrl({ json: "{}", "stream-auth-type": "anonymous" }));
    const first = await socket.event("health.check");
    expect(first.me).toMatchObject({ id: "!anon", role: "anonymous", created_at: "0001-01-01T00:00:00Z" });
    const answer = await h.call(
      "ann",
      "POST",
      "/channels/live/x/query",
      { watch: true },
      {
        connection_id: first.connection_id as string,
      },
    );
    expect(answer.json.code).toBe(4);
    expect(h.provider.transact((_emit, db) => db.all("SELECT * FROM person"))).toEqual([]);
  });

  test("the 51st connection of a user is refused with 429, code 9 and close 1013", async () => {
    const open = await Promise.all(Array.from({ length: 50 }, () => h.connect("mira")));
    const over = h.dial("mira");
    await over.until((self) => self.closed);
    expect(over.frames[0].error).toMatchObject({ code: 9, StatusCode: 429 });
    expect(over.closed!.code).toBe(1013);
    await h.connect("otto");
    await open[0]!.end();
    await eventually(() => h.provider.hub.connectionsOf("mira").size === 49);
    await h.connect("mira");
  });

  test("the connection id is valid immediately after the first frame (specification/wire.md §12)", async () => {
    for (let n = 0; n < 20; n++) {
      const socket = h.dial(`u${n}`);
      const answer = await new Promise<number>((resolve) => {
        socket.ws.once("message", (data: Buffer) => {
          const { connection_id } = JSON.parse(data.toString()) as { connection_id: string };
          void h.watch(`u${n}`, connection_id).then((a) => resolve(a.status));
        });
      });
      expect(answer).toBe(201);
    }
  });
});

describe("the connection", () => {
  test("every form of ping is answered, and any other text only counts as activity", async () => {
    const socket = await h.connect("mira");
    const pings = () => socket.frames.filter((frame) => frame.type === "health.check" && !frame.me).length;
    socket.ws.send('[{"type":"health.check","client_id":"mira--1"}]');
    await socket.until(() => pings() === 1);
    expect(socket.frames.at(-1).connection_id).toBe(socket.id);
    for (const text of ["hello", "[", "{}", "[]", "null", '{"type":"message.new"}']) socket.ws.send(text);
    socket.ws.send(Buffer.from([1, 2, 3]));
    socket.ws.send('{"type":"health.check"}');
    await socket.until(() => pings() === 2);
    expect(socket.frames).toHaveLength(3);
  });

  test("health.check is sent every 30 s, and 90 s of silence close the connection with 1001", async () => {
    const socket = await h.connect("mira");
    clock.advance(30_000);
    await socket.until((self) => self.frames.length === 2);
    expect(socket.frames[1]).not.toHaveProperty("me");
    clock.advance(30_000);
    await socket.until((self) => self.frames.length === 3);
    clock.advance(15_000);
    clock.advance(15_000);
    await socket.until((self) => self.closed);
    expect(socket.closed!.code).toBe(1001);
  });

  test("any frame and any protocol ping counts as activity", async () => {
    const socket = await h.connect("mira");
    for (let n = 0; n < 8; n++) {
      clock.advance(15_000);
      if (n % 2) socket.ws.ping();
      else socket.ws.send("still here");
      const before = socket.frames.length;
      socket.ws.send('[{"type":"health.check"}]');
      await socket.until((self) => self.frames.length > before);
    }
    expect(socket.closed).toBeUndefined();
  });

  test("a client frame over 64 KiB closes the connection with 1009, and one of 64 KiB is accepted", async () => {
    const socket = await h.connect("mira");
    socket.ws.send("x".repeat(64 * 1024));
    socket.ws.send('[{"type":"health.check"}]');
    await socket.until((self) => self.frames.length === 2);
    socket.ws.send("x".repeat(64 * 1024 + 1));
    await socket.until((self) => self.closed);
    expect(socket.closed!.code).toBe(1009);
  });

  test("a client that does not read is closed with 1008, and the others get every event", async () => {
    const slow = await h.connect("slow");
    const quick = await h.connect("quick");
    await h.watch("slow", slow.id);
    await h.watch("quick", quick.id);
    slow.ws.pause();
    const text = "x".repeat(30_000);
    let sent = 0;
    for (;;) {
      if (h.provider.hub.connectionsOf("slow").size === 0 || sent >= 3000) break;
      h.provider.transact((emit) => {
        for (let n = 0; n < 50; n++) emit.watchers("team:tea", { type: "custom.flood", n: sent++, text });
      });
      await quick.until((self) => self.frames.findLast((f) => f.type === "custom.flood")?.n === sent - 1);
    }
    expect(sent).toBeGreaterThan(1000);
    expect(sent).toBeLessThan(3000);
    expect(quick.frames.filter((frame) => frame.type === "custom.flood").map((frame) => frame.n)).toEqual(
      Array.from({ length: sent }, (_, n) => n),
    );
    slow.ws.terminate();
  });

  test("a revocation sends an error frame with code 40 and closes with 1008 (specification/auth.md §9)", async () => {
    const mira = await h.connect("mira");
    const otto = await h.connect("otto");
    h.provider.transact((emit) => emit.disconnect({ userId: "mira" }, 40, "token was revoked"));
    await mira.until((self) => self.closed);
    expect(mira.frames.at(-1).error).toMatchObject({ code: 40, StatusCode: 401 });
    expect(mira.closed!.code).toBe(1008);
    expect(otto.closed).toBeUndefined();
  });

  test("closing the provider closes every socket with 1001", async () => {
    const sockets = await Promise.all(["a", "b", "c"].map((user) => h.connect(user)));
    await h.provider.close();
    for (const socket of sockets) await socket.until((self) => self.closed);
    expect(sockets.map((socket) => socket.closed!.code)).toEqual([1001, 1001, 1001]);
  });
});

describe("events", () => {
  test("W and N: of two connections of a member the watching one gets message.new, the other the notification (specification/events.md §2)", async () => {
    const [watching, away] = [await h.connect("mira"), await h.connect("mira")];
    h.join("team:tea", "mira", "otto", "gone");
    await h.watch("mira", watching.id);
    const stranger = await h.connect("stranger");
    await h.send("otto", "m1");
    await h.send("otto", "m2");
    await watching.until((self) => self.frames.some((f) => f.message_id === "m2"));
    await away.until((self) => self.frames.some((f) => f.message?.id === "m2"));
    const types = (socket: Socket) =>
      socket.frames.map((f) => f.type as string).filter((t) => /message/.test(t));
    expect(types(watching)).toEqual(["message.new", "message.new"]);
    expect(types(away)).toEqual(["notification.message_new", "notification.message_new"]);
    expect(types(stranger)).toEqual([]);
    const event = watching.frames.find((f) => f.type === "message.new");
    expect(event).toMatchObject({
      cid: "team:tea",
      channel_type: "team",
      channel_id: "tea",
      unread_count: 1,
    });
  });

  test("personal fields are sent to members only", async () => {
    const member = await h.connect("member");
    const guest = await h.connect("guest");
    h.join("team:tea", "member");
    await h.watch("member", member.id);
    await h.watch("guest", guest.id);
    await h.send("otto", "m1");
    expect(await member.event("message.new")).toHaveProperty("unread_count", 1);
    expect(await guest.event("message.new")).not.toHaveProperty("unread_count");
  });

  test("`only` limits the watchers, and a personal field may replace a shared one", async () => {
    const [a, b] = [await h.connect("a"), await h.connect("b")];
    await h.watch("a", a.id);
    await h.watch("b", b.id);
    h.provider.transact((emit) => {
      emit.watchers("team:tea", { type: "secret" }, new Set(["a"]));
      emit.watchers("team:tea", { type: "shown", n: 1 }, undefined, (userId) => ({ n: userId }));
    });
    expect((await b.event("shown")).n).toBe("b");
    expect((await a.event("shown")).n).toBe("a");
    expect(a.frames.map((f) => f.type)).toContain("secret");
    expect(b.frames.map((f) => f.type)).not.toContain("secret");
  });

  test("created_at is strictly increasing in commit order", async () => {
    const socket = await h.connect("mira");
    await h.watch("mira", socket.id);
    await Promise.all(Array.from({ length: 50 }, (_, n) => h.send("otto", `m${n}`)));
    await socket.until((self) => self.frames.filter((f) => f.type === "message.new").length === 50);
    const dates = socket.frames.filter((f) => f.type === "message.new").map((f) => f.created_at as string);
    expect(dates).toEqual([...new Set(dates)].toSorted());
  });

  test("endWatch stops a channel for one user after the events before it", async () => {
    const [a, b] = [await h.connect("a"), await h.connect("b")];
    await h.watch("a", a.id);
    await h.watch("b", b.id);
    h.provider.transact((emit) => {
      emit.watchers("team:tea", { type: "member.removed" });
      emit.endWatch("team:tea", "a");
      emit.watchers("team:tea", { type: "after" });
    });
    await b.event("after");
    h.provider.transact((emit) => emit.user("a", { type: "last" }));
    await a.event("last");
    expect(a.frames.map((f) => f.type)).toEqual(expect.arrayContaining(["member.removed", "last"]));
    expect(a.frames.map((f) => f.type)).not.toContain("after");
  });

  test("emit.watch is true only for the first watch of a user", async () => {
    const [first, second] = [await h.connect("mira"), await h.connect("mira")];
    const watch = (id: string): boolean => h.provider.transact((emit) => emit.watch(id, "team:tea"));
    expect([first.id, first.id, second.id, "none"].map(watch)).toEqual([true, false, false, false]);
    // A refused call leaves an existing watch in place.
    const again = (): never =>
      h.provider.transact((emit) => {
        emit.watch(first.id, "team:tea");
        throw new Error("no");
      });
    expect(again).toThrow("no");
    expect([...h.provider.hub.watchersOf("team:tea")].map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("a refused call undoes its watch", async () => {
    const socket = await h.connect("mira");
    expect(() =>
      h.provider.transact((emit) => {
        emit.watch(socket.id, "team:tea");
        emit.subscribePresence(socket.id, ["otto"]);
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(h.provider.hub.watchersOf("team:tea").size).toBe(0);
    expect(h.provider.hub.observersOf("otto").size).toBe(0);
  });
});

describe("watching", () => {
  test("requires an open connection of the same user (specification/realtime.md §8)", async () => {
    const otto = await h.connect("otto");
    for (const id of ["", "none", otto.id]) {
      const answer = await h.watch("mira", id);
      expect([answer.status, answer.json.code]).toEqual([400, 4]);
    }
  });

  test("user.watching.stop is sent once, when the last connection of a user closes", async () => {
    const watcher = await h.connect("eye");
    await h.watch("eye", watcher.id);
    const [one, two] = [await h.connect("mira"), await h.connect("mira")];
    await h.watch("mira", one.id);
    await h.watch("mira", two.id);
    await one.end();
    await eventually(() => h.provider.hub.watchersOf("team:tea").size === 2);
    await two.end();
    const stop = await watcher.event("user.watching.stop");
    expect(stop).toMatchObject({ cid: "team:tea", user: { id: "mira" }, watcher_count: 1 });
    expect(watcher.frames.filter((f) => f.type === "user.watching.stop")).toHaveLength(1);
  });

  test("a user who watches with two connections counts once", async () => {
    const watcher = await h.connect("eye");
    await h.watch("eye", watcher.id);
    const [one, two] = [await h.connect("mira"), await h.connect("mira")];
    expect((await h.watch("mira", one.id)).json.watching).toMatchObject({ count: 2 });
    const again = await h.watch("mira", two.id);
    expect(again.json.watching).toEqual({ userIds: ["eye", "mira"], count: 2 });
  });

  test("stop-watching ends one watch and sends user.watching.stop", async () => {
    const [watcher, mira] = [await h.connect("eye"), await h.connect("mira")];
    await h.watch("eye", watcher.id);
    await h.watch("mira", mira.id);
    const stop = (id: string) =>
      h.call("mira", "POST", "/channels/team/tea/stop-watching", {}, { connection_id: id });
    expect((await stop(mira.id)).status).toBe(201);
    expect((await watcher.event("user.watching.stop")).user.id).toBe("mira");
    expect((await stop(mira.id)).status).toBe(201);
    expect((await stop("gone")).json.code).toBe(4);
    await h.send("otto", "m1");
    await watcher.event("message.new");
    expect(mira.frames.map((f) => f.type)).not.toContain("message.new");
  });
});

describe("presence", () => {
  test("a user goes online with the first connection and offline 5 s after the last (specification/realtime.md §4)", async () => {
    const watcher = await h.connect("eye");
    await h.watch("eye", watcher.id, "team/tea", ["mira"]);
    const changes = () =>
      watcher.frames
        .filter((f) => f.type === "user.presence.changed" && f.user.id === "mira")
        .map((f) => f.user.online);
    const one = await h.connect("mira");
    await watcher.until(() => changes().length === 1);
    const two = await h.connect("mira");
    await one.end();
    await two.end();
    await eventually(() => h.provider.hub.connectionsOf("mira").size === 0);
    expect(h.provider.hub.online("mira")).toBe(true);
    clock.advance(4900);
    expect(h.provider.hub.online("mira")).toBe(true);
    clock.advance(200);
    await watcher.until(() => changes().length === 2);
    expect(changes()).toEqual([true, false]);
    expect(h.provider.hub.online("mira")).toBe(false);
  });

  test("a reconnect within 5 s sends no presence event", async () => {
    const watcher = await h.connect("eye");
    await h.watch("eye", watcher.id, "team/tea", ["mira"]);
    const mira = await h.connect("mira");
    await mira.end();
    await eventually(() => h.provider.hub.connectionsOf("mira").size === 0);
    clock.advance(4000);
    await h.connect("mira");
    clock.advance(10_000);
    h.provider.transact((emit) => emit.user("eye", { type: "last" }));
    await watcher.event("last");
    expect(
      watcher.frames.filter((f) => f.type === "user.presence.changed" && f.user.id === "mira"),
    ).toHaveLength(1);
  });

  test("an invisible user sends no event when connecting or disconnecting", async () => {
    h.provider.transact((_emit, db) => db.run("INSERT INTO person (id, invisible) VALUES ('mira', 1)"));
    const watcher = await h.connect("eye");
    await h.watch("eye", watcher.id, "team/tea", ["mira"]);
    const mira = await h.connect("mira");
    await mira.end();
    await eventually(() => h.provider.hub.connectionsOf("mira").size === 0);
    clock.advance(6000);
    h.provider.transact((emit) => emit.user("eye", { type: "last" }));
    await watcher.event("last");
    expect(watcher.frames.filter((f) => f.user?.id === "mira")).toEqual([]);
  });

  test("last_active changes at the connect, every 15 minutes, and at the disconnect", async () => {
    const active = (): number =>
      h.provider.transact(
        (_emit, db) => db.get<{ last_active: number }>("SELECT * FROM person")!.last_active,
      );
    const poll = await h.call("mira", "GET", "/longpoll", undefined, { json: "{}" });
    const id = poll.json.event.connection_id as string;
    const connected = active();
    for (let n = 0; n < 16; n++) {
      const held = h.call("mira", "GET", "/longpoll", undefined, { connection_id: id });
      await h.call("mira", "GET", "/app");
      clock.advance(58_000);
      await held;
    }
    await eventually(() => active() > connected);
    const lastActive = active();
    await h.call("mira", "GET", "/longpoll", undefined, { connection_id: id, close: "true" });
    clock.advance(6000);
    await eventually(() => active() > lastActive);
  });
});

describe("a token that expires", () => {
  const dial = (claims: Record<string, unknown>): Socket =>
    new Socket(
      h.socketUrl({ json: "{}", authorization: h.token("mira", claims), "stream-auth-type": "jwt" }),
    );
  const seconds = (): number => Math.ceil(clock.now() / 1e6);

  test("closes its connections at that moment with an error frame of code 40 and 1008, and no others", async () => {
    const exp = seconds() + 60;
    const [short, long, ever] = [dial({ exp }), dial({ exp: exp + 600 }), dial({})];
    for (const socket of [short, long, ever]) await socket.event("health.check");
    clock.advance((exp - seconds()) * 1000 - 2000);
    await h.call("mira", "GET", "/app");
    expect(short.closed).toBeUndefined();
    clock.advance(3000);
    expect(await short.until((self) => self.closed)).toEqual({ code: 1008 });
    expect(short.frames.at(-1)).toMatchObject({ error: { code: 40, StatusCode: 401 } });
    expect(long.closed).toBeUndefined();
    h.provider.advance(600_000);
    expect(await long.until((self) => self.closed)).toEqual({ code: 1008 });
    expect(ever.closed).toBeUndefined();
  });
  test("a clock moved past the expiry closes them too, and the next token expires at its own time", async () => {
    const exp = seconds() + 3600;
    const [short, long] = [dial({ exp }), dial({ exp: exp + 3600 })];
    for (const socket of [short, long]) await socket.event("health.check");
    h.provider.advance(3_601_000);
    expect(await short.until((self) => self.closed)).toEqual({ code: 1008 });
    expect(short.frames.at(-1)).toMatchObject({ error: { code: 40 } });
    expect(long.closed).toBeUndefined();
    h.provider.advance(3_600_000);
    expect(await long.until((self) => self.closed)).toEqual({ code: 1008 });
  });
});
