/** Further message routes: undeletion, ephemeral changes, pending messages, history, translations, previews, queried reactions. */
import { describe, expect, test } from "vitest";
import { changesOf } from "../../../src/provider/domain/messages/rules/change-set.ts";
import { findMessage } from "../../../src/provider/domain/messages/storage/rows.ts";
import { room, ROOM, type TestDomain, type Message } from "./support.ts";

const SERVER = { server: true } as const;
const at = (id: string) => ({ path: { id } });
const get = (b: TestDomain, as: Parameters<TestDomain["call"]>[0], id: string, query = {}): Message =>
  b.call(as, "getMessage", { ...at(id), query }).message as Message;

describe("undeletion (specification/messages.md §7)", () => {
  test("restores type, text, attachments and custom fields, and sends the event to the watchers", () => {
    const b = room();
    b.send("ada", "room", {
      id: "m",
      text: "tea",
      mood: "calm",
      attachments: [{ type: "file", title: "a" }],
    });
    b.call("ada", "deleteMessage", at("m"));
    expect(get(b, "bob", "m")).toMatchObject({ type: "deleted", text: "", attachments: [] });
    b.events = [];
    const { message } = b.call(SERVER, "undeleteMessage", { ...at("m"), body: { undeleted_by: "bob" } });
    expect(message).toMatchObject({
      type: "regular",
      text: "tea",
      mood: "calm",
      attachments: [{ title: "a" }],
    });
    expect(message).not.toHaveProperty("deleted_at");
    expect(b.takeEvents()).toEqual(["W message.undeleted"]);
    expect(b.refusalOf(SERVER, "undeleteMessage", { ...at("m"), body: { undeleted_by: "bob" } })).toEqual([
      4,
      "id",
    ]);
  });

  test("of a system message keeps its type, and the pin stays removed", () => {
    const b = room();
    b.call(SERVER, "sendMessage", {
      path: ROOM,
      body: { message: { id: "s", text: "x", type: "system", user_id: "ada", pinned: true } },
    });
    b.call(SERVER, "deleteMessage", at("s"));
    const { message } = b.call(SERVER, "undeleteMessage", { ...at("s"), body: { undeleted_by: "ada" } });
    expect(message).toMatchObject({ type: "system", pinned: false });
  });

  test("of a reply counts it in its thread again, with an event for the parent", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "tea?" });
    b.send("bob", "room", { id: "r", text: "yes", parent_id: "p" });
    b.call("bob", "deleteMessage", at("r"));
    expect(get(b, "ada", "p")).toMatchObject({ reply_count: 0, deleted_reply_count: 1 });
    b.events = [];
    b.call(SERVER, "undeleteMessage", { ...at("r"), body: { undeleted_by: "ada" } });
    expect(b.takeEvents()).toEqual(["W message.undeleted", "W message.updated"]);
    expect(get(b, "ada", "p")).toMatchObject({
      reply_count: 1,
      deleted_reply_count: 0,
      thread_participants: [{ id: "bob" }],
    });
    expect(get(b, "ada", "r")).toMatchObject({ type: "reply", text: "yes" });
  });

  test("changes no unread count", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    expect(b.unread("messaging:room", "bob")).toBe(1);
    b.call("ada", "deleteMessage", at("m"));
    b.call(SERVER, "undeleteMessage", { ...at("m"), body: { undeleted_by: "ada" } });
    expect(b.unread("messaging:room", "bob")).toBe(0);
  });
});

describe("updates (specification/messages.md §6)", () => {
  test("message_text_updated_at changes with the text only", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { mood: "calm" } } });
    expect(get(b, "ada", "m")).not.toHaveProperty("message_text_updated_at");
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { text: "milk" } } });
    const after = get(b, "ada", "m");
    expect(after.message_text_updated_at).toBe(after.updated_at);
    b.call("ada", "updateMessage", { ...at("m"), body: { message: { text: "milk", mood: "wild" } } });
    expect(get(b, "ada", "m").message_text_updated_at).toBe(after.message_text_updated_at);
  });

  test("message.updated names what changed, and the old text if the text changed", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    b.events = [];
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { text: "milk", mood: "calm" } } });
    const none = {
      attachments: false,
      html: false,
      mentioned_user_ids: false,
      mml: false,
      pin: false,
      quoted_message_id: false,
      silent: false,
    };
    expect(b.events[0]!.event.message_update).toEqual({
      old_text: "tea",
      change_set: { ...none, text: true, custom: true },
    });
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { pinned: true } } });
    expect(b.events[1]!.event.message_update).toEqual({
      change_set: { ...none, text: false, custom: false, pin: true },
    });
    const row = findMessage(b.db, "m")!;
    expect(Object.values(changesOf(row, row).change_set).every((changed) => !changed)).toBe(true);
  });

  test("an expired pin reads as unpinned, is not listed, and can be set again by another user", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    const until = new Date(b.now / 1000 + 60_000).toISOString();
    b.call("ada", "updateMessagePartial", {
      ...at("m"),
      body: { set: { pinned: true, pin_expires: until } },
    });
    expect(get(b, "bob", "m")).toMatchObject({ pinned: true, pinned_by: { id: "ada" } });
    b.wait(61_000);
    expect(get(b, "bob", "m")).toMatchObject({
      pinned: false,
      pinned_at: null,
      pinned_by: null,
      pin_expires: null,
    });
    expect(b.call("bob", "getPinnedMessages", { path: ROOM }).messages).toEqual([]);
    b.call("bob", "updateMessagePartial", { ...at("m"), body: { set: { pinned: true } } });
    expect(get(b, "ada", "m")).toMatchObject({ pinned: true, pinned_by: { id: "bob" }, pin_expires: null });
  });

  test("pinning a pinned message again keeps its end, and a new end keeps who pinned it", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    const inMinutes = (minutes: number): string => new Date(b.now / 1000 + minutes * 60_000).toISOString();
    const pin = (who: string, set: object): void =>
      void b.call(who, "updateMessagePartial", { ...at("m"), body: { set } });
    const pinOf = () => {
      const { pinned_by, pin_expires } = get(b, "ada", "m") as unknown as {
        pinned_by: { id: string };
        pin_expires: string;
      };
      return [pinned_by.id, Date.parse(pin_expires)];
    };
    const [first, second] = [inMinutes(1), inMinutes(2)];
    pin("ada", { pinned: true, pin_expires: first });
    pin("bob", { pinned: true });
    expect(pinOf()).toEqual(["ada", Date.parse(first)]);
    pin("bob", { pin_expires: second });
    expect(pinOf()).toEqual(["ada", Date.parse(second)]);
  });

  test("the end of a pin is changed, removed and set only with the right to pin, and an edit that repeats the pin needs none", () => {
    const b = room();
    b.user("mod", {}, "moderator");
    const path = { type: "gaming", id: "game" };
    b.call(SERVER, "queryChannel", {
      path,
      body: { data: { members: ["ada", "bob"], created_by_id: "ada" } },
    });
    b.send("bob", "game", { id: "m", text: "good game" }, "gaming");
    const inMinutes = (minutes: number): string => new Date(b.now / 1000 + minutes * 60_000).toISOString();
    const until = inMinutes(10);
    b.call("mod", "updateMessagePartial", {
      ...at("m"),
      body: { set: { pinned: true, pin_expires: until } },
    });
    for (const change of [
      { pin_expires: inMinutes(20) },
      { pin_expires: inMinutes(5) },
      { pin_expires: null },
      { pinned: true, pin_expires: inMinutes(20) },
      { pinned: false },
    ]) {
      const message = { text: "good game", pinned: true, ...change };
      for (const set of [change, message])
        expect(b.refusalOf("bob", "updateMessagePartial", { ...at("m"), body: { set } })).toEqual([
          17,
          undefined,
        ]);
      expect(b.refusalOf("bob", "updateMessage", { ...at("m"), body: { message } })).toEqual([17, undefined]);
    }
    const pin = { pinned: true, pin_expires: until };
    for (const same of [{}, { pinned: true }, pin]) {
      const edit = { text: "well played", ...same };
      b.call("bob", "updateMessagePartial", { ...at("m"), body: { set: edit } });
      b.call("bob", "updateMessage", { ...at("m"), body: { message: edit } });
    }
    const { pinned_by, pin_expires } = get(b, "ada", "m") as unknown as {
      pinned_by: object;
      pin_expires: string;
    };
    expect([pinned_by, Date.parse(pin_expires)]).toMatchObject([{ id: "mod" }, Date.parse(until)]);
  });

  test("the custom fields of the member are part of the member's messages", () => {
    const b = room();
    b.call(SERVER, "updateMemberPartial", {
      path: { ...ROOM, user_id: "ada" },
      body: { set: { badge: "gold" } },
    });
    expect(b.send("ada", "room", { text: "x" }).member).toEqual({
      channel_role: "channel_member",
      badge: "gold",
    });
  });
});

describe("ephemeral changes", () => {
  test("are sent to the watchers and stored nowhere", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "thinking" });
    b.events = [];
    const { message } = b.call("ada", "updateMessageEphemeral", {
      ...at("m"),
      body: { set: { text: "thinking…", step: 2 } },
    });
    expect(message).toMatchObject({ text: "thinking…", step: 2 });
    expect(b.events.map(({ to, event }) => [to, event.type, (event.message as Message).text])).toEqual([
      ["W", "message.updated", "thinking…"],
    ]);
    expect(get(b, "ada", "m")).toMatchObject({ text: "thinking" });
    expect(get(b, "ada", "m")).not.toHaveProperty("step");
    expect(
      b.call(SERVER, "queryMessageHistory", { body: { filter: { message_id: "m" } } }).message_history,
    ).toEqual([]);
  });
});

describe("pending messages (specification/messages.md §4)", () => {
  const sendPending = (b: TestDomain, message: Record<string, unknown> = {}): Message =>
    b.send("bob", "room", { id: "w", text: "later", ...message }, "messaging", { pending: true });

  test("only the author finds one: it is not in lists, counters, replies or by id, and cannot be a parent or quote", () => {
    const b = room();
    b.connect("ada", "bob", "cyd");
    sendPending(b);
    expect(b.events.map(({ to, event, only }) => [to, event.type, only])).toEqual([
      ["W", "message.new", ["bob"]],
      ["S", "message.pending", undefined],
    ]);
    expect(b.unread("messaging:room", "ada")).toBe(0);
    for (const [as, pending] of [
      ["bob", ["w"]],
      ["ada", []],
    ] as const) {
      const state = b.call(as, "queryChannel", { path: ROOM, body: { state: true } });
      expect(state.messages).toEqual([]);
      expect((state.pending_messages as { message: Message }[]).map(({ message }) => message.id)).toEqual(
        pending,
      );
    }
    expect(get(b, "bob", "w")).toMatchObject({ text: "later" });
    expect(b.refusalOf("ada", "getMessage", at("w"))[0]).toBe(16);
    expect(b.call("ada", "getManyMessages", { path: ROOM, query: { ids: "w" } }).messages).toEqual([]);
    expect(b.call("bob", "getManyMessages", { path: ROOM, query: { ids: "w" } }).messages).toHaveLength(1);
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { text: "x", parent_id: "w" } } }),
    ).toEqual([4, "message.parent_id"]);
    expect(
      b.refusalOf("ada", "sendMessage", {
        path: ROOM,
        body: { message: { text: "x", quoted_message_id: "w" } },
      }),
    ).toEqual([4, "message.quoted_message_id"]);
  });

  test("its id is taken, and it cannot be changed, reacted to or soft-deleted", () => {
    const b = room();
    sendPending(b);
    expect(
      b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { id: "w", text: "x" } } }),
    ).toEqual([4, "message.id"]);
    for (const [name, body] of [
      ["updateMessage", { message: { text: "x" } }],
      ["updateMessagePartial", { set: { text: "x" } }],
      ["sendReaction", { reaction: { type: "love" } }],
      ["translateMessage", { language: "fr" }],
    ] as const)
      expect(b.refusalOf("bob", name, { ...at("w"), body })).toEqual([4, "id"]);
    expect(b.refusalOf("ada", "sendReaction", { ...at("w"), body: { reaction: { type: "love" } } })[0]).toBe(
      16,
    );
    expect(b.refusalOf("bob", "deleteMessage", at("w"))).toEqual([4, "hard"]);
    b.call("bob", "deleteMessage", { ...at("w"), query: { hard: "true" } });
    expect(b.refusalOf("bob", "getMessage", at("w"))[0]).toBe(16);
  });

  test("a commit makes it an ordinary message of that time, with events and counts; a second commit fails", () => {
    const b = room();
    b.connect("ada", "bob", "cyd");
    const before = sendPending(b, { mentioned_users: ["ada"], mood: "calm" });
    b.events = [];
    const { message } = b.call(SERVER, "commitMessage", at("w")) as { message: Message };
    expect(message).toMatchObject({
      id: "w",
      text: "later",
      mood: "calm",
      user: { id: "bob" },
      mentioned_users: [{ id: "ada" }],
    });
    expect(message.created_at > before.created_at).toBe(true);
    expect(b.takeEvents()).toEqual([
      "W message.new",
      "N notification.message_new ada",
      "N notification.message_new bob",
      "N notification.message_new cyd",
    ]);
    expect(b.unread("messaging:room", "ada")).toBe(1);
    expect(b.unread("messaging:room", "bob")).toBe(0);
    expect(b.refusalOf(SERVER, "commitMessage", at("w"))).toEqual([4, "id"]);
    expect(b.call("bob", "queryChannel", { path: ROOM, body: { state: true } }).pending_messages).toEqual([]);
  });

  test("a pending reply becomes a reply on commit, unless its parent is gone", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "tea?" });
    sendPending(b, { parent_id: "p" });
    expect(get(b, "bob", "w")).toMatchObject({ type: "reply", parent_id: "p" });
    expect(get(b, "ada", "p").reply_count).toBe(0);
    b.call(SERVER, "commitMessage", at("w"));
    expect(get(b, "ada", "p").reply_count).toBe(1);
    b.send("bob", "room", { id: "w2", text: "more", parent_id: "p" }, "messaging", { pending: true });
    b.call("ada", "deleteMessage", { ...at("p"), query: { hard: "true" } });
    expect(b.refusalOf(SERVER, "commitMessage", at("w2"))).toEqual([4, "parent_id"]);
  });

  test("mark_messages_pending makes every message pending unless the send says otherwise", () => {
    const b = room();
    b.call(SERVER, "updateChannelType", {
      path: { name: "messaging" },
      body: { mark_messages_pending: true },
    });
    b.send("bob", "room", { id: "w", text: "later" });
    b.send("bob", "room", { id: "now", text: "now" }, "messaging", { pending: false });
    const state = b.call("ada", "queryChannel", { path: ROOM, body: { state: true } });
    expect((state.messages as Message[]).map(({ id }) => id)).toEqual(["now"]);
  });

  test("deleting the channel deletes its pending messages", () => {
    const b = room();
    sendPending(b);
    b.call(SERVER, "deleteChannel", { path: ROOM });
    expect(b.db.all("SELECT 1 FROM pending_messages")).toEqual([]);
  });
});

describe("history (specification/messages.md §8)", () => {
  const history = (b: TestDomain, body: Record<string, unknown>) =>
    b.call(SERVER, "queryMessageHistory", { body }) as { message_history: Message[]; next?: string };

  test("n updates give n entries, newest first, each with the content before the update", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "1", mood: "calm" });
    for (const text of ["2", "3"])
      b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { text } } });
    b.call(SERVER, "updateMessage", { ...at("m"), body: { message: { text: "4", user_id: "bob" } } });
    const { message_history: entries } = history(b, { filter: { message_id: "m" } });
    expect(entries.map(({ text, mood, message_updated_by_id: by }) => [text, mood, by])).toEqual([
      ["3", "calm", "ada"],
      ["2", "calm", "ada"],
      ["1", "calm", "ada"],
    ]);
    const first = history(b, { filter: { message_id: "m" }, limit: 2 });
    const second = history(b, { filter: { message_id: "m" }, limit: 2, next: first.next });
    expect(second.message_history.map(({ text }) => text)).toEqual(["1"]);
    expect(
      b.refusalOf(SERVER, "queryMessageHistory", { body: { filter: { message_id: "x" }, next: first.next } }),
    ).toEqual([4, "next"]);
  });

  test("a pin adds no entry, a soft delete shows, and a hard delete removes the history", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "1" });
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { text: "2" } } });
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { pinned: true } } });
    expect(history(b, { filter: { message_id: "m" } }).message_history).toMatchObject([
      { is_deleted: false },
    ]);
    b.call("ada", "deleteMessage", at("m"));
    expect(history(b, { filter: { message_updated_by_id: "ada" } }).message_history).toMatchObject([
      { is_deleted: true },
    ]);
    b.call(SERVER, "deleteMessage", { ...at("m"), query: { hard: "true" } });
    expect(b.db.all("SELECT 1 FROM message_history")).toEqual([]);
  });
});

describe("translations", () => {
  test("keep the source and every requested language, and send an event to the watchers", () => {
    const b = room();
    b.user("eve", { language: "de" });
    b.call(SERVER, "updateChannel", { path: ROOM, body: { add_members: ["eve"], user_id: "ada" } });
    b.send("eve", "room", { id: "m", text: "Tee?" });
    b.events = [];
    b.call("ada", "translateMessage", { ...at("m"), body: { language: "fr" } });
    b.call("ada", "translateMessage", { ...at("m"), body: { language: "en" } });
    expect(get(b, "ada", "m").i18n).toEqual({
      language: "de",
      de_text: "Tee?",
      fr_text: "Tee?",
      en_text: "Tee?",
    });
    expect(b.takeEvents()).toEqual(["W message.updated", "W message.updated"]);
    b.call("eve", "deleteMessage", at("m"));
    expect(get(b, "ada", "m")).not.toHaveProperty("i18n");
  });

  test("of a text that is too long or missing are refused", () => {
    const b = room();
    b.call(SERVER, "updateChannelType", { path: { name: "messaging" }, body: { max_message_length: 6000 } });
    b.send("ada", "room", { id: "long", text: "x".repeat(5001) });
    b.send("ada", "room", { id: "none", attachments: [{ type: "file" }] });
    for (const id of ["long", "none"])
      expect(b.refusalOf("ada", "translateMessage", { ...at(id), body: { language: "fr" } })).toEqual([
        4,
        "id",
      ]);
  });
});

describe("queried reactions (specification/messages.md §9.2)", () => {
  test("are found by type, user and time, and paged in both directions", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "tea" });
    for (const [who, type] of [
      ["ada", "love"],
      ["bob", "love"],
      ["cyd", "like"],
      ["bob", "like"],
    ] as const)
      b.call(who, "sendReaction", { ...at("m"), body: { reaction: { type } } });
    type Page = { reactions: { user_id: string; type: string }[]; next?: string; prev?: string };
    const query = (body: Record<string, unknown>): Page =>
      b.call("ada", "queryReactions", { ...at("m"), body }) as unknown as Page;
    const names = (page: Page): string[] => page.reactions.map(({ user_id, type }) => `${user_id} ${type}`);
    expect(names(query({}))).toEqual(["bob like", "cyd like", "bob love", "ada love"]);
    expect(names(query({ filter: { type: "love" }, sort: [{ field: "created_at", direction: 1 }] }))).toEqual(
      ["ada love", "bob love"],
    );
    expect(names(query({ filter: { user_id: { $in: ["bob"] }, type: { $in: ["like"] } } }))).toEqual([
      "bob like",
    ]);
    const first = query({ limit: 3 });
    const second = query({ limit: 3, next: first.next });
    expect(names(second)).toEqual(["ada love"]);
    expect(second.next).toBeUndefined();
    expect(names(query({ limit: 3, prev: second.prev }))).toEqual(names(first));
    expect(
      b.refusalOf("ada", "queryReactions", {
        ...at("m"),
        body: { filter: { type: "love" }, next: first.next },
      }),
    ).toEqual([4, "next"]);
  });
});

test("reactions of a deleted message are read by servers, by no user, and by all again after its undeletion (specification/messages.md §7)", () => {
  const b = room();
  b.send("ada", "room", { id: "m", text: "tea" });
  for (const who of ["ada", "bob"])
    b.call(who, "sendReaction", { ...at("m"), body: { reaction: { type: "love" } } });
  const read = (as: Parameters<TestDomain["call"]>[0]): string[][] =>
    (["getReactions", "queryReactions"] as const).map((route) =>
      (b.call(as, route, at("m")).reactions as { user_id: string }[]).map(({ user_id }) => user_id),
    );
  const both = [
    ["bob", "ada"],
    ["bob", "ada"],
  ];
  const callers = ["ada", "bob", "cyd", SERVER];
  expect(callers.map(read)).toEqual([both, both, both, both]);
  b.call("ada", "deleteMessage", at("m"));
  expect(callers.map(read)).toEqual([[[], []], [[], []], [[], []], both]);
  b.call(SERVER, "undeleteMessage", { ...at("m"), body: { undeleted_by: "bob" } });
  expect(callers.map(read)).toEqual([both, both, both, both]);
});

describe("system messages", () => {
  test("do not change last_message_at if the type says so, also after a later message was hard-deleted", () => {
    const b = room();
    b.call(SERVER, "updateChannelType", {
      path: { name: "messaging" },
      body: { skip_last_msg_update_for_system_msgs: true },
    });
    const first = b.send("ada", "room", { text: "1" });
    b.call(SERVER, "sendMessage", {
      path: ROOM,
      body: { message: { text: "s", type: "system", user_id: "ada" } },
    });
    const later = b.send("ada", "room", { text: "2" });
    b.call(SERVER, "deleteMessage", { ...at(later.id), query: { hard: "true" } });
    const { channel } = b.call("ada", "queryChannel", { path: ROOM, body: { state: true } }) as {
      channel: { last_message_at: string };
    };
    expect(channel.last_message_at).toBe(first.created_at);
  });
});

describe("counted messages", () => {
  test("the channel and its events have the message count if the type counts messages, else not", () => {
    const b = room();
    b.send("ada", "room", { text: "1" });
    expect(b.events[0]!.event).not.toHaveProperty("channel_message_count");
    b.call(SERVER, "updateChannelType", { path: { name: "messaging" }, body: { count_messages: true } });
    b.events = [];
    const { id } = b.send("ada", "room", { text: "2" });
    expect(b.events[0]!.event.channel_message_count).toBe(2);
    const count = (): unknown =>
      (b.call("bob", "queryChannel", { path: ROOM, body: {} }) as { channel: Record<string, unknown> })
        .channel.message_count;
    expect(count()).toBe(2);
    b.call(SERVER, "deleteMessage", { ...at(id), query: { hard: "true" } });
    expect(count()).toBe(1);
  });
});

describe("restricted messages", () => {
  test("reach their recipients, the author and users who may read all of them", () => {
    const b = room();
    b.user("root", {}, "admin");
    b.call(SERVER, "updateChannel", { path: ROOM, body: { add_members: ["root"], user_id: "ada" } });
    b.events = [];
    b.call(SERVER, "sendMessage", {
      path: ROOM,
      body: { message: { id: "m", text: "psst", user_id: "ada", restricted_visibility: ["bob"] } },
    });
    expect(b.events.find(({ event }) => event.type === "message.new")!.only).toEqual(["ada", "bob", "root"]);
    expect(get(b, "root", "m").text).toBe("psst");
    expect(b.refusalOf("cyd", "getMessage", at("m"))[0]).toBe(16);
  });
});
