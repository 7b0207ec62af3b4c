/** POST /sync over the event log: which events it returns to whom, and when it refuses (specification/realtime.md §9). */
import { afterEach, beforeEach, expect, test } from "vitest";
import { logEvent, trimLog } from "../../../src/provider/realtime/log.ts";
import type { AnyEvent } from "../../../src/wire/events.ts";
import { timeFromMicros } from "../../../src/wire/time.ts";
import { Harness, type Answer } from "../tiny.ts";

let h: Harness;
beforeEach(async () => {
  h = await Harness.start();
});
afterEach(() => h.stop());

const sync = (body: unknown, query = {}, user: string | undefined = "mira"): Promise<Answer> =>
  h.call(user, "POST", "/sync", body, query);
const since = (): string => timeFromMicros(h.provider.clock.now());
const cids = ["team:tea"];

test("returns the events after the given time, oldest first, as the connection received them", async () => {
  const socket = await h.connect("eye");
  await h.watch("eye", socket.id);
  await h.send("otto", "m0");
  const from = since();
  await h.send("otto", "m1");
  await h.send("otto", "m2");
  await socket.until((self) => self.frames.some((f) => f.message_id === "m2"));
  const answer = await sync({ channel_cids: cids, last_sync_at: from });
  expect(answer.status).toBe(201);
  expect(answer.json.events).toEqual(socket.frames.filter((f) => ["m1", "m2"].includes(f.message_id)));
  expect(answer.json).not.toHaveProperty("inaccessible_cids");
});

test("excludes events of exactly the given time, with microsecond precision", async () => {
  await h.send("otto", "m1");
  await h.send("otto", "m2");
  const all = await sync({ channel_cids: cids, last_sync_at: timeFromMicros(h.provider.clock.now() - 60e6) });
  const [first] = all.json.events;
  const rest = await sync({ channel_cids: cids, last_sync_at: first.created_at });
  expect(rest.json.events.map((e: { message_id: string }) => e.message_id)).toEqual(["m2"]);
});

test("leaves out typing, presence and custom events, other channels and events of other users", async () => {
  const from = since();
  h.provider.transact((emit) => {
    emit.watchers("team:tea", { type: "typing.start" });
    emit.watchers("team:tea", { type: "wave" });
    emit.watchers("team:other", { type: "message.new" });
    emit.user("otto", { type: "channel.hidden" }, { cid: "team:tea" });
    emit.user("mira", { type: "channel.hidden", mine: true }, { cid: "team:tea" });
    emit.user("mira", { type: "notification.mark_read" }, { cid: "team:tea" });
    emit.watchers("team:tea", { type: "message.new", secret: true }, new Set(["otto"]));
    emit.watchers("team:tea", { type: "poll.closed" });
  });
  const answer = await sync({ channel_cids: cids, last_sync_at: from });
  expect(answer.json.events.map((e: { type: string }) => e.type)).toEqual(["channel.hidden", "poll.closed"]);
});

test("a refused call leaves no event in the log", async () => {
  const from = since();
  await h.send("otto", "m1", "refuse");
  expect((await sync({ channel_cids: cids, last_sync_at: from })).json.events).toEqual([]);
});

test("an inaccessible channel gives only the removal of the user, and is listed when requested", async () => {
  const from = since();
  h.provider.transact((emit) => {
    emit.watchers("team:closed", { type: "message.new", secret: true });
    emit.user("mira", { type: "notification.removed_from_channel" }, { cid: "team:closed" });
  });
  const body = { channel_cids: ["team:tea", "team:closed"], last_sync_at: from };
  const answer = await sync({ ...body, with_inaccessible_cids: true });
  expect(answer.json.events.map((e: { type: string }) => e.type)).toEqual([
    "notification.removed_from_channel",
  ]);
  expect(answer.json.inaccessible_cids).toEqual(["team:closed"]);
  expect((await sync(body, { with_inaccessible_cids: "true" })).json.inaccessible_cids).toEqual([
    "team:closed",
  ]);
});

test("of several removals from a channel the newest is returned", async () => {
  const from = since();
  for (const turn of ["first", "second"])
    h.provider.transact((emit) =>
      emit.user("mira", { type: "notification.removed_from_channel", turn }, { cid: "team:closed" }),
    );
  const answer = await sync({ channel_cids: ["team:closed"], last_sync_at: from });
  expect(answer.json.events.map((e: { turn: string }) => e.turn)).toEqual(["second"]);
});

test("watch also watches the readable channels, and requires a connection", async () => {
  const socket = await h.connect("mira");
  const body = { channel_cids: ["team:tea", "team:closed"], last_sync_at: since(), watch: true };
  expect((await sync(body)).json.code).toBe(4);
  expect((await sync(body, { connection_id: socket.id })).status).toBe(201);
  expect([...h.provider.hub.get(socket.id)!.watched]).toEqual(["team:tea"]);
});

test.each([
  ["no cids", { last_sync_at: "2026-01-01T00:00:00Z" }, "channel_cids"],
  ["an empty list", { channel_cids: [], last_sync_at: "2026-01-01T00:00:00Z" }, "channel_cids"],
  [
    "256 cids",
    { channel_cids: Array.from({ length: 256 }, (_, n) => `a:${n}`), last_sync_at: "2026-01-01T00:00:00Z" },
    "channel_cids",
  ],
  ["a cid without a colon", { channel_cids: ["tea"], last_sync_at: "2026-01-01T00:00:00Z" }, "channel_cids"],
  ["a number", { channel_cids: [7], last_sync_at: "2026-01-01T00:00:00Z" }, "channel_cids"],
  ["no date", { channel_cids: cids }, "last_sync_at"],
  ["a blank date", { channel_cids: cids, last_sync_at: " " }, "last_sync_at"],
  ["no RFC 3339 date", { channel_cids: cids, last_sync_at: "yesterday" }, "last_sync_at"],
])("%s is refused with code 4 and the field", async (_name, body, field) => {
  const answer = await sync(body);
  expect([answer.status, answer.json.code]).toEqual([400, 4]);
  expect(Object.keys(answer.json.exception_fields)).toContain(field);
});

const reload = 'Sync failed with error: "too many events to sync, reload the channels"';
const at = (): number => h.provider.clock.now();

test("a time older than 30 days, or more than 1000 events, is refused with the request to reload", async () => {
  const day = 86_400e6;
  const old = await sync({ channel_cids: cids, last_sync_at: timeFromMicros(at() - 30 * day - 1e6) });
  expect([old.json.code, old.json.message]).toEqual([4, reload]);
  expect(
    (await sync({ channel_cids: cids, last_sync_at: timeFromMicros(at() - 30 * day + 60e6) })).status,
  ).toBe(201);
  const from = since();
  const fill = (count: number): void =>
    h.provider.transact((_emit, db) => {
      for (let n = 0; n < count; n++)
        logEvent(db, "team:tea", undefined, at(), { type: "message.new" } as AnyEvent, "{}");
    });
  fill(1000);
  expect((await sync({ channel_cids: cids, last_sync_at: from })).json.events).toHaveLength(1000);
  fill(1);
  expect((await sync({ channel_cids: cids, last_sync_at: from })).json.message).toBe(reload);
});

test("the log keeps 30 days and 100,000 events, and sync refuses a time before its first event", async () => {
  const now = at();
  const count = h.provider.transact((_emit, db) => {
    const day = 86_400e6;
    logEvent(db, "team:old", undefined, now - 31 * day, { type: "message.new" } as AnyEvent, "{}");
    const insert = db.prepare(
      "INSERT INTO event_log (cid, at, type, json) VALUES ('team:x', ?, 'message.new', '{}')",
    );
    for (let n = 0; n < 100_050; n++) insert.run(now - 200_000 + n);
    trimLog(db, now);
    return db.get<{ n: number }>("SELECT count(*) AS n FROM event_log")!.n;
  });
  expect(count).toBe(100_000);
  // That a channel has no logged events proves nothing about the time before the log begins.
  const since = (micros: number) =>
    sync({ channel_cids: ["team:quiet"], last_sync_at: timeFromMicros(now + micros) });
  expect((await since(-300_000)).json.message).toBe(reload);
  expect((await since(-190_000)).json.events).toEqual([]);
});

test("a short log is trimmed by age only, to the microsecond", async () => {
  const now = at();
  const age = 30 * 86_400e6;
  const times = h.provider.transact((_emit, db) => {
    db.run("DELETE FROM event_log");
    for (const moment of [now - age - 1, now - age, now - 1])
      logEvent(db, "team:tea", undefined, moment, { type: "message.new" } as AnyEvent, "{}");
    trimLog(db, now);
    return db.all<{ at: number }>("SELECT at FROM event_log ORDER BY seq").map((row) => row.at);
  });
  expect(times).toEqual([now - age, now - 1]);
});

test("a server names the user in the body", async () => {
  await h.send("otto", "m1");
  const body = { channel_cids: cids, last_sync_at: timeFromMicros(at() - 60e6) };
  expect((await sync(body, {}, undefined)).status).toBe(201);
});
