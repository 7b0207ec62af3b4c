/** Who receives the less common message and thread events: undeletion, ephemeral changes, pending messages, translations, previews, threads. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BARE_THREAD, BROADCAST_CHANNEL, MESSAGE, USER } from "./entities.ts";
import { ENVELOPE, EventRoom, typesOf, type ConnectionName, type ReceivedEvents } from "./event-room.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, type Json, type Room, type Caller } from "./world.ts";

let h: EventRoom;
let room: Room;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.newRoom();
});

const ok = (who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const send = (who: Caller, message: object, options: object = {}): Promise<Json> =>
  ok(who, "POST", `${room.route}/message`, { message, ...options });
const at = (more = ""): string => `/messages/${room.message}${more}`;
const ignoringEvents = async (run: () => Promise<unknown>): Promise<void> => void (await h.eventsDuring(run));
/** Both watchers, on their watching connections. */
const W = (...types: string[]) => ({ ada: types, bob: types });

const COUNTERS: Keys = { total_unread_count: "count", unread_channels: "count", unread_count: "count" };
const MESSAGE_KEYS: Keys = { ...ENVELOPE, user: USER, message: MESSAGE, message_id: "text" };

/** Checks that everybody who received the type got exactly these keys, about this room. */
function expectShape(received: ReceivedEvents, type: string, keys: Keys): Json[] {
  const events = (Object.keys(received) as ConnectionName[]).flatMap((connection) =>
    received[connection].filter((event) => event.type === type),
  );
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) {
    expect(differences(event, keys), type).toEqual([]);
    expect(event.cid).toBe(room.cid);
    expect(event.message?.own_reactions ?? []).toEqual([]);
  }
  return events;
}

test("an undeletion sends message.undeleted with the content to watchers", async () => {
  await ignoringEvents(() => ok("ada", "DELETE", at()));
  const received = await h.eventsDuring(() => ok("server", "POST", at("/undelete"), { undeleted_by: "mod" }));
  expect(typesOf(received)).toEqual(W("message.undeleted"));
  const [event] = expectShape(received, "message.undeleted", MESSAGE_KEYS);
  expect(event).toMatchObject({
    user: { id: "mod" },
    message: { id: room.message, type: "regular", text: "tea?" },
  });
});

test("an ephemeral change sends message.updated to watchers and stores nothing", async () => {
  const received = await h.eventsDuring(() =>
    ok("ada", "PATCH", at("/ephemeral"), { set: { text: "tea…" } }),
  );
  expect(typesOf(received)).toEqual(W("message.updated"));
  const [event] = expectShape(received, "message.updated", { ...MESSAGE_KEYS, message_update: "object" });
  expect(event.message_update).toMatchObject({ old_text: "tea?", change_set: { text: true, custom: false } });
  expect((await ok("bob", "GET", at())).message.text).toBe("tea?");
});

test("a pending message is sent to its author only, and its commit to everybody", async () => {
  const id = `bob-${room.id}`;
  const first = await h.eventsDuring(() => send("bob", { id, text: "later" }, { pending: true }));
  expect(typesOf(first)).toEqual({ bob: ["message.new"] });
  const received = await h.eventsDuring(() => ok("server", "POST", `/messages/${id}/commit`));
  expect(typesOf(received)).toEqual({
    ...W("message.new"),
    ada2: ["notification.message_new"],
    cyd: ["notification.message_new"],
  });
  expectShape(received, "notification.message_new", {
    ...MESSAGE_KEYS,
    channel: BROADCAST_CHANNEL,
    ...COUNTERS,
  });
});

test("the deletion of a pending message is sent to its author only", async () => {
  const id = `bob-gone-${room.id}`;
  await ignoringEvents(() => send("bob", { id, text: "later" }, { pending: true }));
  const hard = { query: { hard: true } };
  const received = await h.eventsDuring(() => h.world.ok("bob", "DELETE", `/messages/${id}`, hard));
  expect(typesOf(received)).toEqual({ bob: ["message.deleted"] });
});

test("a translation sends message.updated to watchers", async () => {
  const received = await h.eventsDuring(() => ok("cyd", "POST", at("/translate"), { language: "fr" }));
  expect(typesOf(received)).toEqual(W("message.updated"));
  const [event] = expectShape(received, "message.updated", MESSAGE_KEYS);
  expect(event).toMatchObject({ user: { id: "cyd" }, message: { i18n: { fr_text: "tea?" } } });
});

test.skipIf(hosted)(
  "message.new contains the preview; with async_url_enrich_enabled message.updated follows with it",
  async () => {
    const link = { text: "https://tea.example/" };
    const received = await h.eventsDuring(() => send("bob", link));
    expect(received.ada[0].message.attachments).toMatchObject([{ title: "Tea" }]);
    await ok("server", "PATCH", "/app", { async_url_enrich_enabled: true });
    try {
      const { message } = await send("bob", link);
      expect(message.attachments).toEqual([]);
      const line = h.sockets.ada;
      const updated = await line.until(() => line.frames.find(({ type }) => type === "message.updated"));
      expect(differences(updated, MESSAGE_KEYS)).toEqual([]);
      expect(updated).toMatchObject({
        user: { id: "bob" },
        message: { id: message.id, attachments: [{ og_scrape_url: link.text, title: "Tea" }] },
      });
      expect(line.frames.findIndex(({ type }) => type === "message.new")).toBeLessThan(
        line.frames.indexOf(updated),
      );
    } finally {
      await ok("server", "PATCH", "/app", { async_url_enrich_enabled: false });
      await h.eventsDuring(async () => {});
    }
  },
);

test("TH-6: a thread update sends thread.updated to watchers", async () => {
  await ignoringEvents(() => send("bob", { text: "yes", parent_id: room.message }));
  const received = await h.eventsDuring(() =>
    ok("ada", "PATCH", `/threads/${room.message}`, { set: { title: "Tea time", mood: "calm" } }),
  );
  expect(typesOf(received)).toEqual(W("thread.updated"));
  const [event] = expectShape(received, "thread.updated", { ...ENVELOPE, user: USER, thread: BARE_THREAD });
  expect(event.thread).toMatchObject({ parent_message_id: room.message, title: "Tea time", mood: "calm" });
  expect(event.thread.channel).not.toHaveProperty("own_capabilities");
});

test("TH-9: reading a thread sends message.read to watchers and the counters to the reader's connections", async () => {
  await ignoringEvents(() => send("bob", { text: "yes", parent_id: room.message }));
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `${room.route}/read`, { thread_id: room.message }),
  );
  expect(typesOf(received)).toEqual({
    ada: ["message.read", "notification.mark_read"],
    ada2: ["notification.mark_read"],
    bob: ["message.read"],
  });
  expectShape(received, "message.read", {
    ...ENVELOPE,
    user: USER,
    last_read_message_id: "text",
    thread: BARE_THREAD,
  });
  const [own] = expectShape(received, "notification.mark_read", {
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

test("TH-10: marking a thread unread sends an event to the user's own connections only", async () => {
  await ignoringEvents(() => send("bob", { text: "yes", parent_id: room.message }));
  await ignoringEvents(() => ok("ada", "POST", `${room.route}/read`, { thread_id: room.message }));
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `${room.route}/unread`, { thread_id: room.message }),
  );
  expect(typesOf(received)).toEqual({
    ada: ["notification.mark_unread"],
    ada2: ["notification.mark_unread"],
  });
  expectShape(received, "notification.mark_unread", {
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

test("a mentioned reader takes part in the thread and is notified on connections that do not watch", async () => {
  const received = await h.eventsDuring(() =>
    send("bob", { text: "@cyd", parent_id: room.message, mentioned_users: ["cyd"] }),
  );
  expect(typesOf(received)).toEqual({
    ...W("message.new", "message.updated"),
    ada2: ["notification.message_new", "notification.thread_message_new"],
    cyd: ["notification.message_new", "notification.thread_message_new"],
  });
  const notifications = expectShape(received, "notification.thread_message_new", {
    ...MESSAGE_KEYS,
    channel: BROADCAST_CHANNEL,
    thread_id: "text",
    parent_author: "text",
    thread_participants: [USER],
    watcher_count: "count",
    unread_threads: "count",
    unread_thread_messages: "count",
  });
  expect(notifications.every((event) => event.parent_author === "ada")).toBe(true);
});
