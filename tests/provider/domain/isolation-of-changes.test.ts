/** A change leaves unnamed fields as they were, and personal actions (replying, blocking) end the related unread state. */
import { expect, test } from "vitest";
import { room, ROOM, type TestDomain } from "./support.ts";

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

test("an edited reply that was also shown in the channel stays there", () => {
  const b = room();
  b.send("ada", "room", { id: "top", text: "who comes?" });
  reply(b, "bob", "room", { id: "r", show_in_channel: true });
  b.call("bob", "updateMessage", { path: { id: "r" }, body: { message: { text: "yes!" } } });
  b.call("bob", "updateMessagePartial", { path: { id: "r" }, body: { set: { text: "yes!!" } } });
  const { messages } = b.call("ada", "queryChannel", { path: ROOM, body: { state: true } });
  expect((messages as { id: string; show_in_channel?: boolean }[]).at(-1)).toMatchObject({
    id: "r",
    text: "yes!!",
    show_in_channel: true,
  });
});

test("an edit does not make a reply count for a participant who has muted its author", () => {
  const b = room();
  b.send("ada", "room", { id: "top", text: "who comes?" });
  b.call("ada", "muteUser", { body: { target_id: "bob" } });
  reply(b, "cyd", "room", { id: "counted" });
  reply(b, "bob", "room", { id: "quiet" });
  b.call("bob", "updateMessage", { path: { id: "quiet" }, body: { message: { text: "maybe" } } });
  b.call("bob", "deleteMessage", { path: { id: "quiet" } });
  expect(unreadThreads(b, "ada")).toBe(1);
  b.call("cyd", "deleteMessage", { path: { id: "counted" } });
  expect(unreadThreads(b, "ada")).toBe(0);
});

test("pinning a channel takes it out of the archive and the reverse; doing either again keeps the first time", () => {
  const b = room();
  const set = (flags: object): Record<string, unknown> =>
    b.call("ada", "updateMemberPartial", { path: { ...ROOM, user_id: "ada" }, body: { set: flags } })
      .channel_member as Record<string, unknown>;
  const archived = set({ archived: true });
  b.wait(1000);
  expect(set({ archived: true }).archived_at).toBe(archived.archived_at);
  const pinned = set({ pinned: true });
  expect(pinned.archived_at ?? undefined).toBe(undefined);
  b.wait(1000);
  expect(set({ pinned: true }).pinned_at).toBe(pinned.pinned_at);
  expect(set({ archived: true }).pinned_at ?? undefined).toBe(undefined);
});

test("a member can neither give nor take away a channel role, not even the own one", () => {
  const b = room();
  const path = { ...ROOM, user_id: "ada" };
  for (const body of [{ set: { channel_role: "channel_moderator" } }, { unset: ["channel_role"] }])
    expect(b.refusalOf("ada", "updateMemberPartial", { path, body })[0]).toBe(17);
});

test("a change of a channel that names no team keeps its team", () => {
  const b = room();
  b.call(SERVER, "updateChannel", { path: ROOM, body: { data: { name: "Room", team: "" } } });
  b.db.run("UPDATE channels SET team = 'blue' WHERE id = 'room'");
  const { channel } = b.call(SERVER, "updateChannel", { path: ROOM, body: { data: { name: "Blue room" } } });
  expect(channel).toMatchObject({ name: "Blue room", team: "blue" });
});

test("a unique reaction removes the others of the user, also when it was there before", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "lunch?" });
  const react = (type: string, more: object = {}): Record<string, unknown> =>
    b.call("bob", "sendReaction", { path: { id: "m" }, body: { reaction: { type }, ...more } })
      .message as Record<string, unknown>;
  react("like");
  react("love");
  expect(react("like", { enforce_unique: true }).reaction_counts).toEqual({ like: 1 });
});

test("messages are fetched by id only from the channel that is named", () => {
  const b = room();
  b.channel("other", "ada", ["ada", "bob"]);
  b.send("ada", "room", { id: "here", text: "a" });
  b.send("ada", "other", { id: "there", text: "b" });
  const { messages } = b.call("ada", "getManyMessages", { path: ROOM, query: { ids: "there,here" } });
  expect((messages as { id: string }[]).map(({ id }) => id)).toEqual(["here"]);
});

test("a page of pins from a message on includes it with id_gte and id_lte, and excludes it with id_gt and id_lt", () => {
  const b = room();
  for (const id of ["p1", "p2", "p3"]) {
    b.send("ada", "room", { id, text: id });
    b.call("ada", "updateMessagePartial", { path: { id }, body: { set: { pinned: true } } });
  }
  const pins = (option: string): string[] =>
    (
      b.call("ada", "getPinnedMessages", { path: ROOM, body: { limit: 10, [option]: "p2" } }).messages as {
        id: string;
      }[]
    ).map(({ id }) => id);
  expect([pins("id_gte"), pins("id_gt"), pins("id_lte"), pins("id_lt")]).toEqual([
    ["p3", "p2"],
    ["p3"],
    ["p2", "p1"],
    ["p1"],
  ]);
});

test("a thread marked unread is read up to before its latest reply", () => {
  const b = room();
  b.send("ada", "room", { id: "top", text: "who comes?" });
  reply(b, "bob", "room", { id: "r1" });
  const { created_at } = reply(b, "bob", "room", { id: "r2" }) as { created_at: string };
  b.call("ada", "markRead", { path: ROOM, body: { thread_id: "top" } });
  b.call("ada", "markUnread", { path: ROOM, body: { thread_id: "top" } });
  const { thread } = b.call("ada", "getThread", { path: { message_id: "top" } }) as {
    thread: { read: { user: { id: string }; last_read: string; unread_messages: number }[] };
  };
  const own = thread.read.find(({ user }) => user.id === "ada")!;
  expect(own.unread_messages).toBe(1);
  expect(own.last_read < created_at).toBe(true);
});
