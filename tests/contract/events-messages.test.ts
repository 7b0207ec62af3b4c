/** Who receives the less common message and thread events: undeletion, ephemeral changes, pending messages, translations, previews, threads. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BARE_THREAD, BROADCAST_CHANNEL, MESSAGE, USER } from "./entities.ts";
import { ENVELOPE, Hearing, namesOf, type Ear, type Heard } from "./hearing.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, type Json, type Room, type Who } from "./world.ts";

let h: Hearing;
let room: Room;
beforeAll(async () => {
  h = await Hearing.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.enter();
});

const ok = (who: Who, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const send = (who: Who, message: object, options: object = {}): Promise<Json> =>
  ok(who, "POST", `${room.route}/message`, { message, ...options });
const at = (more = ""): string => `/messages/${room.message}${more}`;
const quietly = async (run: () => Promise<unknown>): Promise<void> => void (await h.hear(run));
/** Both watchers, on their watching connections. */
const W = (...types: string[]) => ({ ada: types, bob: types });

const COUNTERS: Keys = { total_unread_count: "count", unread_channels: "count", unread_count: "count" };
const TOLD: Keys = { ...ENVELOPE, user: USER, message: MESSAGE, message_id: "text" };

/** Checks that everybody who received the type got exactly these keys, about this room. */
function shaped(heard: Heard, type: string, keys: Keys): Json[] {
  const events = (Object.keys(heard) as Ear[]).flatMap((ear) =>
    heard[ear].filter((event) => event.type === type),
  );
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    expect(differences(event, keys), type).toEqual([]);
    expect(event.cid).toBe(room.cid);
    expect(event.message?.own_reactions ?? []).toEqual([]);
  }
  return events;
}

test("message.undeleted to watchers, with the content", async () => {
  await quietly(() => ok("ada", "DELETE", at()));
  const heard = await h.hear(() => ok("server", "POST", at("/undelete"), { undeleted_by: "mod" }));
  expect(namesOf(heard)).toEqual(W("message.undeleted"));
  const [event] = shaped(heard, "message.undeleted", TOLD);
  expect(event).toMatchObject({
    user: { id: "mod" },
    message: { id: room.message, type: "regular", text: "tea?" },
  });
});

test("an ephemeral change is message.updated to watchers and leaves nothing behind", async () => {
  const heard = await h.hear(() => ok("ada", "PATCH", at("/ephemeral"), { set: { text: "tea…" } }));
  expect(namesOf(heard)).toEqual(W("message.updated"));
  const [event] = shaped(heard, "message.updated", { ...TOLD, message_update: "object" });
  expect(event.message_update).toMatchObject({ old_text: "tea?", change_set: { text: true, custom: false } });
  expect((await ok("bob", "GET", at())).message.text).toBe("tea?");
});

test("a pending message is heard by its author alone, its commit by everybody", async () => {
  const id = `bob-${room.id}`;
  const first = await h.hear(() => send("bob", { id, text: "later" }, { pending: true }));
  expect(namesOf(first)).toEqual({ bob: ["message.new"] });
  const heard = await h.hear(() => ok("server", "POST", `/messages/${id}/commit`));
  expect(namesOf(heard)).toEqual({
    ...W("message.new"),
    ada2: ["notification.message_new"],
    cyd: ["notification.message_new"],
  });
  shaped(heard, "notification.message_new", { ...TOLD, channel: BROADCAST_CHANNEL, ...COUNTERS });
});

test("a pending message that goes is heard by its author alone", async () => {
  const id = `bob-gone-${room.id}`;
  await quietly(() => send("bob", { id, text: "later" }, { pending: true }));
  const hard = { query: { hard: true } };
  const heard = await h.hear(() => h.world.ok("bob", "DELETE", `/messages/${id}`, hard));
  expect(namesOf(heard)).toEqual({ bob: ["message.deleted"] });
});

test("a translation is message.updated to watchers", async () => {
  const heard = await h.hear(() => ok("cyd", "POST", at("/translate"), { language: "fr" }));
  expect(namesOf(heard)).toEqual(W("message.updated"));
  const [event] = shaped(heard, "message.updated", TOLD);
  expect(event).toMatchObject({ user: { id: "cyd" }, message: { i18n: { fr_text: "tea?" } } });
});

test.skipIf(hosted)(
  "a preview is part of message.new; with async_url_enrich_enabled it comes by message.updated",
  async () => {
    const link = { text: "https://tea.example/" };
    const heard = await h.hear(() => send("bob", link));
    expect(heard.ada[0].message.attachments).toMatchObject([{ title: "Tea" }]);
    await ok("server", "PATCH", "/app", { async_url_enrich_enabled: true });
    try {
      const { message } = await send("bob", link);
      expect(message.attachments).toEqual([]);
      const line = h.lines.ada;
      const updated = await line.until(() => line.frames.find(({ type }) => type === "message.updated"));
      expect(differences(updated, TOLD)).toEqual([]);
      expect(updated).toMatchObject({
        user: { id: "bob" },
        message: { id: message.id, attachments: [{ og_scrape_url: link.text, title: "Tea" }] },
      });
      expect(line.frames.findIndex(({ type }) => type === "message.new")).toBeLessThan(
        line.frames.indexOf(updated),
      );
    } finally {
      await ok("server", "PATCH", "/app", { async_url_enrich_enabled: false });
      await h.hear(async () => {});
    }
  },
);

test("TH-6: thread.updated to watchers", async () => {
  await quietly(() => send("bob", { text: "yes", parent_id: room.message }));
  const heard = await h.hear(() =>
    ok("ada", "PATCH", `/threads/${room.message}`, { set: { title: "Tea time", mood: "calm" } }),
  );
  expect(namesOf(heard)).toEqual(W("thread.updated"));
  const [event] = shaped(heard, "thread.updated", { ...ENVELOPE, user: USER, thread: BARE_THREAD });
  expect(event.thread).toMatchObject({ parent_message_id: room.message, title: "Tea time", mood: "calm" });
  expect(event.thread.channel).not.toHaveProperty("own_capabilities");
});

test("TH-9: reading a thread: message.read with the thread to watchers, the counters to the reader's connections", async () => {
  await quietly(() => send("bob", { text: "yes", parent_id: room.message }));
  const heard = await h.hear(() => ok("ada", "POST", `${room.route}/read`, { thread_id: room.message }));
  expect(namesOf(heard)).toEqual({
    ada: ["message.read", "notification.mark_read"],
    ada2: ["notification.mark_read"],
    bob: ["message.read"],
  });
  shaped(heard, "message.read", {
    ...ENVELOPE,
    user: USER,
    last_read_message_id: "text",
    thread: BARE_THREAD,
  });
  const [own] = shaped(heard, "notification.mark_read", {
    ...ENVELOPE,
    ...COUNTERS,
    user: USER,
    channel: BROADCAST_CHANNEL,
    thread_id: "text",
    last_read_at: "date",
    last_read_message_id: "text",
    unread_threads: "count",
    unread_thread_messages: "count",
  });
  expect(own.thread_id).toBe(room.message);
});

test("TH-10: making a thread unread: to the own connections only", async () => {
  await quietly(() => send("bob", { text: "yes", parent_id: room.message }));
  await quietly(() => ok("ada", "POST", `${room.route}/read`, { thread_id: room.message }));
  const heard = await h.hear(() => ok("ada", "POST", `${room.route}/unread`, { thread_id: room.message }));
  expect(namesOf(heard)).toEqual({ ada: ["notification.mark_unread"], ada2: ["notification.mark_unread"] });
  shaped(heard, "notification.mark_unread", {
    ...ENVELOPE,
    ...COUNTERS,
    user: USER,
    channel: BROADCAST_CHANNEL,
    thread_id: "text",
    first_unread_message_id: "text",
    "last_read_message_id?": "text",
    last_read_at: "date",
    unread_messages: "count",
    unread_threads: "count",
    unread_thread_messages: "count",
  });
});

test("a mentioned reader takes part: news on the connections that do not watch, none to others", async () => {
  const heard = await h.hear(() =>
    send("bob", { text: "@cyd", parent_id: room.message, mentioned_users: ["cyd"] }),
  );
  expect(namesOf(heard)).toEqual({
    ...W("message.new", "message.updated"),
    ada2: ["notification.message_new", "notification.thread_message_new"],
    cyd: ["notification.message_new", "notification.thread_message_new"],
  });
  const news = shaped(heard, "notification.thread_message_new", {
    ...TOLD,
    channel: BROADCAST_CHANNEL,
    thread_id: "text",
    parent_author: "text",
    thread_participants: [USER],
    watcher_count: "count",
    unread_threads: "count",
    unread_thread_messages: "count",
  });
  expect(news.every((event) => event.parent_author === "ada")).toBe(true);
});
