/** Messages: the order of checks when sending, what is stored, which events are sent, and updates and deletions. */
import { describe, expect, test } from "vitest";
import { findTombstone, trimTombstones } from "../../../src/provider/domain/messages/storage/tombstones.ts";
import { TestDomain, room, ROOM, type Message } from "./support.ts";

describe("sending", () => {
  test("the answer has every list, the author and the client's id", () => {
    const b = room();
    const message = b.send("ada", "room", { id: "ada-1", text: "hi", mood: "calm" });
    expect(message).toMatchObject({
      id: "ada-1",
      cid: "messaging:room",
      type: "regular",
      text: "hi",
      mood: "calm",
      user: { id: "ada", name: "ADA" },
      member: { channel_role: "channel_member" },
    });
    for (const key of [
      "attachments",
      "mentioned_users",
      "own_reactions",
      "latest_reactions",
      "thread_participants",
      "restricted_visibility",
    ])
      expect(message[key]).toEqual([]);
    expect(message.reaction_groups).toEqual({});
    expect(message.user).not.toHaveProperty("privacy_settings");
  });

  test("created_at increases strictly even if the clock stands still or goes back", () => {
    const b = room();
    const first = b.send("ada", "room", { text: "1" });
    b.now -= 5_000_000;
    const second = b.send("bob", "room", { text: "2" });
    expect(second.created_at > first.created_at).toBe(true);
  });

  test("watchers get message.new with their counters, connected members who do not watch get the notification, nobody gets both", () => {
    const b = room();
    b.connect("ada", "bob", "cyd");
    for (const id of ["ada", "bob"]) b.call(id, "queryChannel", { path: ROOM, body: { watch: true } });
    b.events = [];
    b.send("ada", "room", { text: "hi" });
    expect(b.events.map(({ to, event, user }) => [to, event.type, user])).toEqual([
      ["W", "message.new", undefined],
      ["N", "notification.message_new", "cyd"],
    ]);
    expect(b.events[0]!.personal).toEqual({
      ada: { total_unread_count: 0, unread_count: 0, unread_channels: 0 },
      bob: { total_unread_count: 1, unread_count: 1, unread_channels: 1 },
    });
    expect(b.events[1]!.event).toMatchObject({ total_unread_count: 1, channel: { cid: "messaging:room" } });
    expect(b.events[1]!.event.channel).not.toHaveProperty("own_capabilities");
  });

  test.each<[string, Record<string, unknown>, number, string | undefined]>([
    ["nothing to send", { text: " " }, 4, "message.text"],
    ["a wrong type of text", { text: 7 }, 4, "message.text"],
    ["a type that clients may not set", { text: "x", type: "reply" }, 4, "message.type"],
    ["an id with a comma", { id: "a,b", text: "x" }, 4, "message.id"],
    ["an id of 256 characters", { id: "m".repeat(256), text: "x" }, 4, "message.id"],
    ["a text over the limit", { text: "x".repeat(5001) }, 20, "message.text"],
    ["31 attachments", { attachments: Array.from({ length: 31 }, () => ({})) }, 4, "message.attachments"],
    [
      "26 mentions",
      { text: "x", mentioned_users: Array.from({ length: 26 }, (_, i) => `u${i}`) },
      4,
      "message.mentioned_users",
    ],
    ["custom data over 5 KiB", { text: "x", blob: "y".repeat(5200) }, 4, "message.custom"],
    ["an unknown parent", { text: "x", parent_id: "nope" }, 4, "message.parent_id"],
    ["an unknown quote", { text: "x", quoted_message_id: "nope" }, 4, "message.quoted_message_id"],
    ["an unknown poll", { poll_id: "nope" }, 4, "message.poll_id"],
    ["a system message of a member", { text: "x", type: "system" }, 17, undefined],
    ["a restricted message of a member", { text: "x", restricted_visibility: ["bob"] }, 17, undefined],
    [
      "half a location",
      { shared_location: { latitude: 1, created_by_device_id: "d" } },
      4,
      "message.shared_location.longitude",
    ],
    [
      "a latitude out of range",
      { shared_location: { latitude: 91, longitude: 1, created_by_device_id: "d" } },
      4,
      "message.shared_location.latitude",
    ],
  ])("refuses %s", (_, message, code, field) => {
    expect(room().refusalOf("bob", "sendMessage", { path: ROOM, body: { message } })).toEqual([code, field]);
  });

  test("an id of 255 characters is accepted, and names the message in every route (specification/wire.md §8)", () => {
    const b = room();
    const id = "m".repeat(255);
    b.send("ada", "room", { id, text: "tea" });
    expect(b.call("bob", "getMessage", { path: { id } }).message).toMatchObject({ id, text: "tea" });
    expect(b.send("bob", "room", { text: "yes", parent_id: id, quoted_message_id: id })).toMatchObject({
      parent_id: id,
      quoted_message_id: id,
    });
  });

  test("a text and attachments of exactly the limit are accepted", () => {
    const b = room();
    expect(b.send("ada", "room", { text: "x".repeat(5000) }).text).toHaveLength(5000);
    expect(
      b.send("ada", "room", { attachments: Array.from({ length: 30 }, () => ({ type: "file" })) })
        .attachments,
    ).toHaveLength(30);
  });

  test("all field errors are collected, and the message names the first", () => {
    const b = room();
    expect(() =>
      b.call("ada", "sendMessage", { path: ROOM, body: { message: { id: 5, text: 7, silent: "maybe" } } }),
    ).toThrow(
      expect.objectContaining({
        code: 4,
        message: "message.id must be a text",
        fields: {
          "message.id": "must be a text",
          "message.text": "must be a text",
          "message.silent": "must be true or false",
        },
      }),
    );
  });

  test("a used id is refused with code 4, so that the sender looks it up", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { id: "m", text: "x" } } }),
    ).toEqual([4, "message.id"]);
  });

  test("empty strings and nulls count as absent", () => {
    const b = room();
    expect(
      b.send("ada", "room", { text: "x", type: "", parent_id: "", quoted_message_id: "", attachments: null })
        .type,
    ).toBe("regular");
  });

  test("a frozen channel, slow mode, a disabled channel and a ban refuse with their own codes", () => {
    const b = room();
    const path = ROOM;
    const body = { message: { text: "x" } };
    b.call({ server: true, user: "ada" }, "updateChannelPartial", { path, body: { set: { cooldown: 10 } } });
    b.call("bob", "sendMessage", { path, body });
    expect(b.refusalOf("bob", "sendMessage", { path, body })).toEqual([60, undefined]);
    b.wait(10_001);
    b.call("bob", "sendMessage", { path, body });
    b.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path,
      body: { set: { frozen: true, cooldown: 0 } },
    });
    expect(b.refusalOf("bob", "sendMessage", { path, body })).toEqual([17, undefined]);
    b.call({ server: true, user: "ada" }, "updateChannelPartial", { path, body: { set: { frozen: false } } });
    b.db.run("UPDATE members SET banned = 1 WHERE user_id = 'bob'");
    expect(b.refusalOf("bob", "sendMessage", { path, body })).toEqual([17, undefined]);
    b.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path,
      body: { set: { disabled: true } },
    });
    expect(b.refusalOf("cyd", "sendMessage", { path, body })).toEqual([17, undefined]);
    expect(b.refusalOf("cyd", "queryChannel", { path })).toEqual([17, undefined]);
  });

  test("a non-member is refused with 17, an unknown channel with 16, an invalid id with the text of R-ID", () => {
    const b = room();
    const body = { message: { text: "x" } };
    expect(b.refusalOf("dan", "sendMessage", { path: ROOM, body })).toEqual([17, undefined]);
    expect(b.refusalOf("ada", "sendMessage", { path: { type: "messaging", id: "void" }, body })).toEqual([
      16,
      undefined,
    ]);
    expect(() => b.call("ada", "sendMessage", { path: { type: "messaging", id: "a:b" }, body })).toThrow(
      "Invalid channel id a:b, it may not contain a colon",
    );
  });

  test("a known slash command is stored with its arguments, any other slash is plain text", () => {
    const b = room();
    b.call({ server: true }, "createCommand", {
      body: { name: "dance", description: "Dance", args: "[how]" },
    });
    b.call({ server: true }, "updateApp", { body: { custom_action_handler_url: "http://127.0.0.1:9" } });
    expect(b.send("ada", "room", { text: "/dance waves at all" })).toMatchObject({
      type: "regular",
      text: "/dance waves at all",
      command: "dance",
      args: "waves at all",
    });
    expect(b.send("ada", "room", { text: "/etc/passwd" })).not.toHaveProperty("command");
  });

  test("restricted messages are sent, listed and counted for their recipients and the author only", () => {
    const b = room();
    b.user("root", {}, "admin");
    b.connect("ada", "bob", "cyd", "root");
    const message = b.send("root", "room", { id: "r", text: "psst", restricted_visibility: ["bob"] });
    expect(message.restricted_visibility).toEqual(["bob"]);
    expect(b.events[0]!.only).toEqual(["bob", "root"]);
    expect(b.events.filter(({ to }) => to === "N").map(({ user }) => user)).toEqual(["bob"]);
    expect([b.unread("messaging:room", "bob"), b.unread("messaging:room", "cyd")]).toEqual([1, 0]);
    const seen = (user: string): unknown[] =>
      (b.call(user, "queryChannel", { path: ROOM }).messages as Message[]).map(({ id }) => id);
    expect(seen("bob")).toEqual(["r"]);
    expect(seen("cyd")).toEqual([]);
    expect(b.refusalOf("cyd", "getMessage", { path: { id: "r" } })).toEqual([16, undefined]);
  });
});

describe("threads", () => {
  test("a reply counts on its parent, is not in the channel, and notifies connected participants who do not watch", () => {
    const b = room();
    b.connect("ada", "bob", "cyd");
    b.send("ada", "room", { id: "p", text: "question" });
    b.events = [];
    b.send("bob", "room", { id: "r1", text: "answer", parent_id: "p", mentioned_users: ["cyd", "nobody"] });
    expect(b.takeEvents()).toEqual([
      "W message.new",
      "N notification.message_new ada",
      "N notification.message_new bob",
      "N notification.message_new cyd",
      "U notification.thread_message_new ada",
      "U notification.thread_message_new cyd",
      "W message.updated",
    ]);
    const state = b.call("ada", "queryChannel", { path: ROOM });
    expect((state.messages as Message[]).map(({ id, reply_count }) => [id, reply_count])).toEqual([["p", 1]]);
    expect((state.messages as Message[])[0]!.thread_participants).toMatchObject([{ id: "bob" }]);
    expect(b.call("ada", "getReplies", { path: { parent_id: "p" } }).messages).toMatchObject([
      { id: "r1", type: "reply", parent_id: "p", mentioned_users: [{ id: "cyd" }] },
    ]);
    expect(b.call("ada", "getUnread")).toMatchObject({
      total_unread_threads_count: 1,
      total_unread_count: 0,
    });
  });

  test("show_in_channel lists the reply in the channel too, where it counts as unread", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "question" });
    b.send("bob", "room", { id: "r", text: "answer", parent_id: "p", show_in_channel: true });
    const ids = (b.call("cyd", "queryChannel", { path: ROOM }).messages as Message[]).map(({ id }) => id);
    expect(ids).toEqual(["p", "r"]);
    expect(b.unread("messaging:room", "ada")).toBe(1);
  });

  test("a reply to a reply is code 21", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "1" });
    b.send("ada", "room", { id: "r", text: "2", parent_id: "p" });
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { text: "3", parent_id: "r" } } }),
    ).toEqual([21, "message.parent_id"]);
  });

  test("marking a thread read or unread changes the thread counts only (TH-9, TH-10)", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "1" });
    b.send("bob", "room", { id: "r", text: "2", parent_id: "p" });
    b.events = [];
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "p" } });
    expect(b.events.at(-1)!.event).toMatchObject({
      type: "notification.mark_read",
      thread_id: "p",
      unread_threads: 0,
      unread_thread_messages: 0,
    });
    b.call("ada", "markUnread", { path: ROOM, body: { thread_id: "p" } });
    expect(b.events.at(-1)!.event).toMatchObject({
      type: "notification.mark_unread",
      thread_id: "p",
      unread_threads: 1,
    });
  });
});

describe("quoting", () => {
  test("the quoted message is one level deep and shows its deletion", () => {
    const b = room();
    b.send("ada", "room", { id: "a", text: "one" });
    b.send("ada", "room", { id: "b", text: "two", quoted_message_id: "a" });
    const c = b.send("bob", "room", { id: "c", text: "three", quoted_message_id: "b" });
    expect(c.quoted_message).toMatchObject({ id: "b", text: "two", quoted_message_id: "a" });
    expect(c.quoted_message).not.toHaveProperty("quoted_message");
    b.call("ada", "deleteMessage", { path: { id: "b" } });
    expect(b.call("bob", "getMessage", { path: { id: "c" } }).message).toMatchObject({
      quoted_message: { type: "deleted", text: "" },
    });
    b.call("ada", "deleteMessage", { path: { id: "b" }, query: { hard: "true" } });
    expect(b.call("bob", "getMessage", { path: { id: "c" } }).message).toMatchObject({
      quoted_message_id: "b",
      quoted_message: null,
    });
  });
});

describe("updating", () => {
  test("a full update removes omitted fields, a partial one keeps them", () => {
    const b = room();
    b.send("ada", "room", {
      id: "m",
      text: "one",
      mood: { now: "calm", was: "odd" },
      mentioned_users: ["bob"],
    });
    const partial = b.call("ada", "updateMessagePartial", {
      path: { id: "m" },
      body: { set: { text: "two", "mood.now": "wild" }, unset: ["mood.was"] },
    }).message as Message;
    expect(partial).toMatchObject({ text: "two", mood: { now: "wild" }, mentioned_users: [{ id: "bob" }] });
    expect(partial.mood).toEqual({ now: "wild" });
    expect(partial).toHaveProperty("message_text_updated_at");
    b.events = [];
    const full = b.call("ada", "updateMessage", { path: { id: "m" }, body: { message: { text: "three" } } })
      .message as Message;
    expect(full).toMatchObject({ text: "three", mentioned_users: [] });
    expect(full).not.toHaveProperty("mood");
    expect(b.events[0]!.event).toMatchObject({
      type: "message.updated",
      message_update: { old_text: "two" },
    });
  });

  test("other users cannot change a message, a moderator can", () => {
    const b = room();
    b.user("mod", {}, "moderator");
    b.send("ada", "room", { id: "m", text: "one" });
    const input = { path: { id: "m" }, body: { set: { text: "x" } } };
    expect(b.refusalOf("bob", "updateMessagePartial", input)).toEqual([17, undefined]);
    expect(b.call("mod", "updateMessagePartial", input).message).toMatchObject({ text: "x" });
  });

  test.each<[string, Record<string, unknown>, number, string]>([
    ["nothing", {}, 4, "set"],
    ["a fixed key", { set: { created_at: "x" } }, 4, "set.created_at"],
    ["overlapping paths", { set: { "a.b": 1 }, unset: ["a"] }, 4, "unset.a"],
    [
      "a past pin_expires",
      { set: { pinned: true, pin_expires: "2001-01-01T00:00:00Z" } },
      4,
      "set.pin_expires",
    ],
  ])("a partial update refuses %s", (_, body, code, field) => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "one" });
    expect(b.refusalOf("ada", "updateMessagePartial", { path: { id: "m" }, body })).toEqual([code, field]);
  });

  test("a pin names its user, is listed newest first, and reads as unpinned after its expiry", () => {
    const b = room();
    for (const id of ["x", "y"]) b.send("ada", "room", { id, text: id });
    b.call("bob", "updateMessagePartial", { path: { id: "x" }, body: { set: { pinned: true } } });
    const soon = new Date((b.now + 60_000_000) / 1000).toISOString();
    const y = b.call("bob", "updateMessagePartial", {
      path: { id: "y" },
      body: { set: { pinned: true, pin_expires: soon } },
    }).message;
    expect(y).toMatchObject({ pinned: true, pinned_by: { id: "bob" } });
    const pins = (): string[] =>
      (b.call("cyd", "getPinnedMessages", { path: ROOM }).messages as Message[]).map(({ id }) => id);
    expect(pins()).toEqual(["y", "x"]);
    b.wait(61_000);
    expect(pins()).toEqual(["x"]);
    expect(b.call("cyd", "getMessage", { path: { id: "y" } }).message).toMatchObject({
      pinned: false,
      pinned_by: null,
    });
    b.call("bob", "updateMessagePartial", { path: { id: "x" }, body: { set: { pinned: false } } });
    expect(pins()).toEqual([]);
  });
});

test("pins are paged by id, time and offset, in both orders", () => {
  const b = room();
  for (const id of ["one", "two", "three"]) b.send("ada", "room", { id, text: id });
  for (const id of ["two", "three", "one"])
    b.call("bob", "updateMessagePartial", { path: { id }, body: { set: { pinned: true } } });
  const pins = (body: object): string[] =>
    (b.call("cyd", "getPinnedMessages", { path: ROOM, body: { ...body } }).messages as Message[]).map(
      ({ id }) => id,
    );
  expect(pins({})).toEqual(["one", "three", "two"]);
  expect(pins({ id_lt: "one" })).toEqual(["three", "two"]);
  expect(pins({ id_gte: "three" })).toEqual(["one", "three"]);
  expect(pins({ limit: 1, offset: 1 })).toEqual(["three"]);
  expect(pins({ sort: [{ field: "pinned_at", direction: 1 }] })).toEqual(["two", "three", "one"]);
  const two = b.call("cyd", "getMessage", { path: { id: "two" } }).message as Message;
  expect(pins({ created_at_after: two.created_at })).toEqual(["three"]);
  expect(b.refusalOf("cyd", "getPinnedMessages", { path: ROOM, body: { id_lt: "nope" } })).toEqual([
    4,
    "id_lt",
  ]);
});

describe("deleting", () => {
  test("a soft delete removes the text and keeps author and position, and a second one sends no event", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "secret", attachments: [{ type: "file" }] });
    b.events = [];
    const message = b.call("ada", "deleteMessage", { path: { id: "m" } }).message;
    expect(message).toMatchObject({ type: "deleted", text: "", attachments: [], user: { id: "ada" } });
    expect(b.events[0]!.event).toMatchObject({ type: "message.deleted", hard_delete: false });
    expect(JSON.stringify(b.events)).not.toContain("secret");
    b.events = [];
    b.call("ada", "deleteMessage", { path: { id: "m" } });
    expect(b.events).toEqual([]);
    expect(
      b.refusalOf("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { text: "x" } } }),
    ).toEqual([4, "id"]);
  });

  test("a hard delete removes the message with its replies for everybody, and the event says only which one", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "one" });
    b.send("bob", "room", { id: "r", text: "two", parent_id: "m" });
    b.events = [];
    b.call("ada", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    expect(b.events[0]!.event).toMatchObject({
      hard_delete: true,
      message: { id: "m", type: "deleted", text: "" },
    });
    for (const id of ["m", "r"])
      expect(b.refusalOf("ada", "getMessage", { path: { id } })).toEqual([16, undefined]);
  });

  test("D2: the id of a hard-deleted message stays taken, so a late copy of its send stores nothing", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "one" });
    b.send("bob", "room", { id: "r", text: "two", parent_id: "m" });
    b.call("ada", "deleteMessage", { path: { id: "m" }, query: { hard: "true" } });
    for (const id of ["m", "r"]) {
      expect(
        b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { id, text: "one" } } }),
      ).toEqual([4, "message.id"]);
      expect(b.refusalOf("ada", "getMessage", { path: { id } })).toEqual([16, undefined]);
    }
    b.send("ada", "room", { id: "n", text: "three" });
    b.call({ server: true, user: "ada" }, "truncateChannel", { path: ROOM, body: {} });
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { id: "n", text: "three" } } }),
    ).toEqual([4, "message.id"]);
  });

  test("D8: a read mark up to a hard-deleted message counts up to its time", () => {
    const b = room();
    b.send("bob", "room", { id: "a", text: "one" });
    const { created_at } = b.send("bob", "room", { id: "b", text: "two" });
    b.send("bob", "room", { id: "c", text: "three" });
    b.call("bob", "deleteMessage", { path: { id: "b" }, query: { hard: "true" } });
    const { event } = b.call("ada", "markRead", { path: ROOM, body: { message_id: "b" } });
    expect(event).toMatchObject({ created_at, last_read_message_id: "a" });
    expect(b.refusalOf("ada", "markRead", { path: ROOM, body: { message_id: "never" } })[0]).toBe(4);
  });

  test("tombstones are removed after 30 days, and beyond the newest 100,000", () => {
    const b = room();
    for (const id of ["m", "n"]) {
      b.send("ada", "room", { id, text: id });
      b.call("ada", "deleteMessage", { path: { id }, query: { hard: "true" } });
      b.wait(20 * 86_400_000);
    }
    expect([findTombstone(b.db, "m")?.cid, findTombstone(b.db, "n")?.cid]).toEqual([
      "messaging:room",
      "messaging:room",
    ]);
    trimTombstones(b.db, b.now);
    expect([findTombstone(b.db, "m"), findTombstone(b.db, "n")?.id]).toEqual([undefined, "n"]);
    b.db.run(
      "INSERT INTO tombstones (seq, id, cid, created_at, deleted_at) VALUES (200000, 'o', 'c', ?1, ?1)",
      b.now,
    );
    trimTombstones(b.db, b.now);
    expect([findTombstone(b.db, "n"), findTombstone(b.db, "o")?.id]).toEqual([undefined, "o"]);
  });

  test("delete_for_me shows the message as deleted to the caller only", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "one" });
    b.events = [];
    const input = { path: { id: "m" }, query: { delete_for_me: "true" } };
    expect(b.call("bob", "deleteMessage", input).message).toMatchObject({
      type: "deleted",
      deleted_for_me: true,
      text: "",
    });
    expect(b.takeEvents()).toEqual(["U message.deleted bob"]);
    const text = (user: string): string =>
      (b.call(user, "queryChannel", { path: ROOM }).messages as Message[])[0]!.text;
    expect([text("bob"), text("cyd")]).toEqual(["", "one"]);
    expect(
      b.refusalOf("bob", "deleteMessage", { ...input, query: { hard: "true", delete_for_me: "true" } }),
    ).toEqual([4, "delete_for_me"]);
  });

  test("deleting a reply changes its parent's counters", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "1" });
    for (const id of ["r1", "r2"]) b.send("bob", "room", { id, text: id, parent_id: "p" });
    const counts = (): unknown[] => {
      const m = b.call("ada", "getMessage", { path: { id: "p" } }).message as Message;
      return [m.reply_count, m.deleted_reply_count];
    };
    b.call("bob", "deleteMessage", { path: { id: "r1" } });
    expect(counts()).toEqual([1, 1]);
    b.call("bob", "deleteMessage", { path: { id: "r2" }, query: { hard: "true" } });
    expect(counts()).toEqual([0, 1]);
    b.call("bob", "deleteMessage", { path: { id: "r1" }, query: { hard: "true" } });
    expect(counts()).toEqual([0, 0]);
  });

  test("the parent's new counters are told as the doing of who deleted the reply, else of its author", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "1" });
    for (const id of ["r1", "r2"]) b.send("bob", "room", { id, text: id, parent_id: "p" });
    const doer = (as: Parameters<TestDomain["call"]>[0], id: string, query = {}): unknown => {
      b.events = [];
      b.call(as, "deleteMessage", { path: { id }, query });
      const told = b.events.find(({ event }) => event.type === "message.updated")!;
      return (told.event.user as { id: string }).id;
    };
    b.user("root", {}, "admin");
    expect(doer("root", "r1")).toBe("root");
    expect(doer({ server: true }, "r2", { hard: "true" })).toBe("bob");
  });

  test("deleting another user's message needs the permission", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "one" });
    expect(b.refusalOf("bob", "deleteMessage", { path: { id: "m" } })).toEqual([17, undefined]);
  });
});

test("getManyMessages returns the messages in the requested order, without unknown ones", () => {
  const b = new TestDomain();
  b.user("ada");
  b.channel("room", "ada", ["ada"]);
  for (const id of ["x", "y"]) b.send("ada", "room", { id, text: id });
  expect(
    (b.call("ada", "getManyMessages", { path: ROOM, query: { ids: "y,nope,x" } }).messages as Message[]).map(
      ({ id }) => id,
    ),
  ).toEqual(["y", "x"]);
  expect(b.refusalOf("ada", "getManyMessages", { path: ROOM })).toEqual([4, "ids"]);
  const request = (n: number) => ({ path: ROOM, query: { ids: `x${",nope".repeat(n - 1)}` } });
  expect(b.call("ada", "getManyMessages", request(100)).messages).toMatchObject([{ id: "x" }]);
  expect(b.refusalOf("ada", "getManyMessages", request(101))).toEqual([4, "ids"]);
});
