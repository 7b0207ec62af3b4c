/** Long polling: open, waiting, one poll at a time, close and expiry (specification/realtime.md §11). */
import { EventEmitter } from "node:events";
import http from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createClock, type ProviderClock } from "../../../src/provider/base/clock.ts";
import { Packet, type ClientLink } from "../../../src/provider/realtime/hub.ts";
import { LongPolls, type PollAnswer } from "../../../src/provider/realtime/longpoll.ts";
import { Harness, type Answer } from "../tiny.ts";

let h: Harness;
let clock: ProviderClock;
beforeEach(async () => {
  clock = createClock();
  h = await Harness.start({ clock });
});
afterEach(() => h.stop());

const get = (query: Record<string, string>, user = "mira"): Promise<Answer> =>
  h.call(user, "GET", "/longpoll", undefined, query);
async function open(user = "mira"): Promise<string> {
  const answer = await get({ json: JSON.stringify({ user_id: user }) }, user);
  expect(answer.status).toBe(200);
  return answer.json.event.connection_id as string;
}
const types = (answer: Answer): string[] => answer.json.events.map((event: { type: string }) => event.type);
/** Waits until a later request is answered, so that the provider has received the earlier poll. */
const settled = (): Promise<unknown> => h.call("mira", "GET", "/app");

test("opening a session is answered at once with the first frame and no events", async () => {
  const answer = await get({ json: JSON.stringify({ user_id: "mira", user_details: { name: "Mira" } }) });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    event: {
      type: "health.check",
      connection_id: expect.any(String),
      me: { id: "mira", name: "Mira", online: true },
    },
    events: [],
    duration: expect.stringMatching(/ms$/),
  });
});

test("a poll waits until an event exists, and a call's events arrive in one answer, oldest first", async () => {
  const id = await open();
  await h.watch("mira", id);
  await get({ connection_id: id });
  const poll = get({ connection_id: id });
  await settled();
  h.provider.transact((emit) => {
    emit.watchers("team:tea", { type: "first" });
    emit.watchers("team:tea", { type: "second" });
  });
  expect(types(await poll)).toEqual(["first", "second"]);
});

test("events between two polls are given to the next poll", async () => {
  const id = await open();
  await h.watch("mira", id);
  await get({ connection_id: id });
  await h.send("otto", "m1");
  await h.send("otto", "m2");
  expect(
    (await get({ connection_id: id })).json.events.map((e: { message_id: string }) => e.message_id),
  ).toEqual(["m1", "m2"]);
});

test("a poll without events is answered after 25 s, not before", async () => {
  const id = await open();
  let answered = false;
  const poll = get({ connection_id: id }).then((answer) => {
    answered = true;
    return answer;
  });
  await settled();
  clock.advance(24_900);
  await settled();
  expect(answered).toBe(false);
  clock.advance(200);
  expect((await poll).json.events).toEqual([]);
});

test("a second poll answers the first with an empty list", async () => {
  const id = await open();
  const first = get({ connection_id: id });
  await settled();
  const second = get({ connection_id: id });
  expect((await first).json.events).toEqual([]);
  h.provider.transact((emit) => emit.user("mira", { type: "ping" }));
  expect(types(await second)).toEqual(["ping"]);
});

test("close=true is answered at once and ends the session, its watches and a waiting poll", async () => {
  const id = await open();
  await h.watch("mira", id);
  await get({ connection_id: id });
  const held = get({ connection_id: id });
  await settled();
  const closed = await get({ connection_id: id, close: "true" });
  expect([closed.status, Object.keys(closed.json)]).toEqual([200, ["duration"]]);
  expect((await held).json.events).toEqual([]);
  expect(h.provider.hub.size).toBe(0);
  expect(h.provider.hub.watchersOf("team:tea").size).toBe(0);
  const after = await get({ connection_id: id });
  expect([after.status, after.json.code]).toEqual([404, 16]);
});

test("a session without a poll for 60 s ends, and a waiting poll keeps it open", async () => {
  const id = await open();
  const held = get({ connection_id: id });
  await settled();
  clock.advance(24_000);
  clock.advance(2000);
  await held;
  clock.advance(58_000);
  expect(h.provider.hub.size).toBe(1);
  clock.advance(1500);
  expect(h.provider.hub.size).toBe(0);
  expect((await get({ connection_id: id })).json.code).toBe(16);
});

test("a session that never polls ends", async () => {
  await open();
  clock.advance(60_500);
  expect(h.provider.hub.size).toBe(0);
});

test("a session can only be used by its user", async () => {
  const id = await open();
  expect((await get({ connection_id: id }, "otto")).json.code).toBe(16);
  expect((await get({ connection_id: id, close: "true" }, "otto")).json.code).toBe(16);
  expect(h.provider.hub.size).toBe(1);
});

test("a poll that begins late in the time of a session keeps the session as long as it waits", async () => {
  const id = await open();
  await h.watch("mira", id);
  await get({ connection_id: id });
  for (const late of [50_000, 59_000]) {
    clock.advance(late);
    const poll = get({ connection_id: id });
    await settled();
    clock.advance(20_000);
    await settled();
    expect(h.provider.hub.size).toBe(1);
    await h.send("otto", `late-${late}`);
    expect(types(await poll)).toContain("message.new");
  }
});

test("an expired token, an unknown session, a bad payload and another user's id are HTTP errors", async () => {
  const expired = await h.call(
    "mira",
    "GET",
    "/longpoll",
    undefined,
    { json: "{}" },
    {
      Authorization: h.token("mira", { exp: 1 }),
    },
  );
  expect([expired.status, expired.json.code]).toEqual([401, 40]);
  expect((await get({ connection_id: "none" })).status).toBe(404);
  expect((await get({ json: "{" })).json.code).toBe(4);
  expect((await get({ json: '{"user_id":"otto"}' })).json.code).toBe(5);
  expect(h.provider.hub.size).toBe(0);
});

test("credentials may travel in the query like those of a WebSocket", async () => {
  const { httpRequest: raw } = await import("../tiny.ts");
  const answer = await raw(
    h.url("/longpoll", { json: "{}", authorization: h.token("mira"), "stream-auth-type": "jwt" }),
  );
  expect(answer.status).toBe(200);
});

test("events after a client disconnects during a poll are given to its next poll", async () => {
  const id = await open();
  const request = http.get(h.url("/longpoll", { connection_id: id }), {
    headers: { Authorization: h.token("mira") },
    agent: false,
  });
  request.on("error", () => {});
  await settled();
  const gone = new Promise((resolve) => request.once("close", resolve));
  request.destroy();
  await gone;
  await settled();
  h.provider.transact((emit) => emit.user("mira", { type: "kept" }));
  expect(types(await get({ connection_id: id }))).toEqual(["kept"]);
});

test("more than 1000 waiting events end the session", async () => {
  const id = await open();
  const fill = (count: number): void =>
    h.provider.transact((emit) => {
      for (let n = 0; n < count; n++) emit.user("mira", { type: "flood", n });
    });
  fill(1000);
  expect((await get({ connection_id: id })).json.events).toHaveLength(1000);
  fill(1001);
  expect((await get({ connection_id: id })).json.code).toBe(16);
  expect(h.provider.hub.size).toBe(0);
});

const emitToMira = (type: string): unknown => h.provider.transact((emit) => emit.user("mira", { type }));

test("a poll with the number of the last received event gets lost events again and no event twice", async () => {
  const id = await open();
  emitToMira("first");
  const lost = await get({ connection_id: id, after: "0" });
  expect([types(lost), lost.json.last]).toEqual([["first"], 1]);
  emitToMira("second");
  const again = await get({ connection_id: id, after: "0" });
  expect([types(again), again.json.last]).toEqual([["first", "second"], 2]);
  emitToMira("third");
  expect(types(await get({ connection_id: id, after: "2" }))).toEqual(["third"]);
});

test("a poll that arrives late does not lose an event for the poll after it", async () => {
  const id = await open();
  const waiting = get({ connection_id: id, after: "0" });
  await settled();
  const late = get({ connection_id: id, after: "0" });
  expect((await waiting).json).toMatchObject({ events: [], last: 0 });
  await settled();
  emitToMira("ping");
  expect(types(await late)).toEqual(["ping"]);
  expect(types(await get({ connection_id: id, after: "0" }))).toEqual(["ping"]);
});

test("a poll that arrives late does not lower the number that a newer poll acknowledged", async () => {
  const id = await open();
  emitToMira("first");
  await get({ connection_id: id, after: "0" });
  const newer = get({ connection_id: id, after: "1" });
  await settled();
  const late = get({ connection_id: id, after: "0" });
  expect((await newer).json).toMatchObject({ events: [], last: 1 });
  await settled();
  emitToMira("second");
  expect((await late).json).toMatchObject({ events: [{ type: "second" }], last: 2 });
  const again = await get({ connection_id: id, after: "1" });
  expect([types(again), again.json.last]).toEqual([["second"], 2]);
});

test("an event at the moment in which a poll is replaced goes to the new poll", async () => {
  let link!: ClientLink;
  const sessions = {
    open: async (
      _caller: unknown,
      _payload: unknown,
      session: ClientLink,
      first: (connection: object, frame: object) => void,
    ) => {
      link = session;
      first({ id: "c", userId: "mira", begin() {} }, { text: "{}" });
    },
    renewToken() {},
    onClosed() {},
  };
  const polls = new LongPolls(sessions as never, clock);
  const poll = (connection_id = "c"): Promise<PollAnswer> =>
    polls.handle({ userId: "mira" } as never, { connection_id }, () => ({}), new EventEmitter() as never);
  await poll("");
  const replaced = poll();
  link.send(new Packet("1"));
  const held = poll();
  expect([await replaced, await held]).toEqual([{ events: [] }, { events: ["1"] }]);
  await polls.handle(
    { userId: "mira" } as never,
    { connection_id: "c", close: "true" },
    () => ({}),
    new EventEmitter() as never,
  );
});

test("a poll without a number acknowledges the previous answer and gets no number", async () => {
  const id = await open();
  emitToMira("first");
  const answer = await get({ connection_id: id });
  expect(Object.keys(answer.json).toSorted()).toEqual(["duration", "events"]);
  emitToMira("second");
  expect(types(await get({ connection_id: id, after: "x" }))).toEqual(["second"]);
});

test("a session ends with its token, and a poll with a newer token extends it", async () => {
  const exp = Math.ceil(clock.now() / 1e6) + 20;
  const as = (claims: Record<string, unknown>, query: Record<string, string>): Promise<Answer> => {
    const headers = { Authorization: h.token("mira", claims) };
    return h.call(undefined, "GET", "/longpoll", undefined, { ...query, user_id: "mira" }, headers);
  };
  const begin = async (): Promise<string> =>
    (await as({ exp }, { json: "{}" })).json.event.connection_id as string;
  const [lapsed, renewed] = [await begin(), await begin()];
  const newer = { exp: exp + 600 };
  let answered = false;
  const held = as(newer, { connection_id: renewed });
  void held.then(() => (answered = true));
  const lost = as({ exp }, { connection_id: lapsed });
  await settled();
  clock.advance(21_000);
  expect(await lost).toMatchObject({ status: 200, json: { events: [] } });
  expect(await as({ exp }, { connection_id: lapsed })).toMatchObject({ status: 401, json: { code: 40 } });
  expect((await as(newer, { connection_id: lapsed })).status).toBe(404);
  expect(answered).toBe(false);
  clock.advance(5000);
  expect((await held).status).toBe(200);
  const alive = as(newer, { connection_id: renewed });
  await settled();
  clock.advance(25_000);
  expect((await alive).status).toBe(200);
});

test("a session polled with a newer token outlives the revocation of its first one, another session of the user does not", async () => {
  const now = Math.floor(clock.now() / 1e6);
  const as = (iat: number, query: Record<string, string>): Promise<Answer> => {
    const headers = { Authorization: h.token("mira", { iat }) };
    return h.call(undefined, "GET", "/longpoll", undefined, { ...query, user_id: "mira" }, headers);
  };
  const begin = async (): Promise<string> =>
    (await as(now - 100, { json: "{}" })).json.event.connection_id as string;
  const [kept, renewed] = [await begin(), await begin()];
  const polls = [as(now - 100, { connection_id: kept }), as(now - 10, { connection_id: renewed })];
  await settled();
  const before = { userId: "mira", issuedBefore: (now - 50) * 1_000_000 };
  h.provider.transact((emit) => emit.disconnect(before, 40, "revoked"));
  await polls[0];
  expect((await as(now - 10, { connection_id: kept })).status).toBe(404);
  h.provider.transact((emit) => emit.user("mira", { type: "still.here" }));
  expect(types(await polls[1]!)).toEqual(["still.here"]);
});
