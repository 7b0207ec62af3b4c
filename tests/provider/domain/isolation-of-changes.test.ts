/** A change leaves unnamed fields as they were, and personal actions (replying, blocking) end the related unread state. */
import { expect, test } from "vitest";
import { room, type TestDomain } from "./support.ts";

const SERVER = { server: true } as const;
const unreadThreads = (b: TestDomain, as: string): unknown =>
  b.call(as, "getUnread").total_unread_threads_count;
const reply = (b: TestDomain, as: string, id: string, more: object = {}): unknown =>
  b.send(as, id, { text: "yes", parent_id: "top", ...more });

test("TH-7: a reply reads the thread for its author", () => {
  const b = room();
  b.send("ada", "room", { id: "top", text: "who comes?" });
  for (let n = 0; n < 3; n++) reply(b, "bob", "room");
  expect(unreadThreads(b, "ada")).toBe(1);
  reply(b, "ada", "room");
  expect([unreadThreads(b, "ada"), unreadThreads(b, "bob")]).toEqual([0, 1]);
});

test("BL-2: a block reads the threads of the direct channel", () => {
  const b = room();
  b.channel("two", "ada", ["ada", "dan"]);
  b.send("ada", "two", { id: "top", text: "yes?" });
  reply(b, "dan", "two");
  expect(unreadThreads(b, "ada")).toBe(1);
  b.call("ada", "blockUser", { body: { blocked_user_id: "dan" } });
  expect(unreadThreads(b, "ada")).toBe(0);
});

test("setting a chat preference leaves the others", () => {
  const b = room();
  const set = (chat_preferences: object, more: object = {}): unknown =>
    (
      b.call("ada", "setPushPreferences", { body: { preferences: [{ chat_preferences, ...more }] } })
        .user_preferences as Record<string, { chat_preferences?: unknown }>
    ).ada!.chat_preferences;
  set({ direct_mentions: "all", here_mentions: "none" });
  expect(set({ here_mentions: "all" })).toEqual({ direct_mentions: "all", here_mentions: "all" });
  expect(set({}, { chat_level: "all" })).toEqual({ direct_mentions: "all", here_mentions: "all" });
});

test("a replaced user keeps the status, which only an explicit change removes", () => {
  const b = room();
  const put = (more: object): Record<string, unknown> =>
    (b.call(SERVER, "upsertUsers", { body: { users: { dan: { id: "dan", ...more } } } }).users as never)[
      "dan"
    ];
  put({ name: "Dan", status: "at lunch", mood: "calm" });
  expect(put({ name: "Daniel" })).toMatchObject({ name: "Daniel", status: "at lunch" });
  expect(put({ name: "Daniel" })).not.toHaveProperty("mood");
  b.call(SERVER, "updateUsersPartial", { body: { users: [{ id: "dan", unset: ["status"] }] } });
  expect(put({ name: "Daniel" })).not.toHaveProperty("status");
});
