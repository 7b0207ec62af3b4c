/** Threads: which are listed for whom and in which order, their fields, and how their read state changes (specification/threads.md). */
import { describe, expect, test } from "vitest";
import type { Thread } from "../../../src/wire/entities/thread.ts";
import { room, ROOM, type As, type TestDomain, type Message } from "./support.ts";

const SERVER = { server: true } as const;
const reply = (b: TestDomain, as: string, parent: string, more: Record<string, unknown> = {}): Message =>
  b.send(as, "room", { text: "yes", parent_id: parent, ...more });
const list = (b: TestDomain, as: As, body: Record<string, unknown> = {}) =>
  b.call(as, "queryThreads", { body }) as { threads: Thread[]; next?: string; prev?: string };
const ids = (b: TestDomain, as: As, body: Record<string, unknown> = {}): string[] =>
  list(b, as, body).threads.map(({ parent_message_id: id }) => id);
const threadOf = (b: TestDomain, as: As, id: string, query: Record<string, string> = {}): Thread =>
  b.call(as, "getThread", { path: { message_id: id }, query }).thread as Thread;

/** Three threads: a and b of ada, c of bob; their last replies are by bob, cyd and ada. */
function threeThreads(): TestDomain {
  const b = room();
  for (const [who, id] of [
    ["ada", "a"],
    ["ada", "b"],
    ["bob", "c"],
  ] as const)
    b.send(who, "room", { id, text: `start ${id}` });
  reply(b, "bob", "a", { id: "a1" });
  reply(b, "cyd", "b", { id: "b1" });
  reply(b, "ada", "c", { id: "c1" });
  b.events = [];
  return b;
}

describe("the list", () => {
  test("contains threads the user started, replied in or is mentioned in, unread ones first, then the newest", () => {
    const b = threeThreads();
    // Threads a and b are unread for ada; c ends with her own reply
    expect(ids(b, "ada")).toEqual(["b", "a", "c"]);
    expect(ids(b, "bob")).toEqual(["c", "a"]);
    expect(ids(b, "cyd")).toEqual(["b"]);
    expect(ids(b, "dan")).toEqual([]);
    reply(b, "ada", "a", { mentioned_users: ["cyd"] });
    expect(ids(b, "cyd")).toEqual(["a", "b"]);
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "b" } });
    expect(ids(b, "ada")).toEqual(["a", "c", "b"]);
  });

  test("has no thread in which somebody was mentioned who was no member, who may have joined since", () => {
    const b = threeThreads();
    reply(b, "bob", "a", { mentioned_users: ["dan", "cyd"] });
    b.call(SERVER, "updateChannel", { path: ROOM, body: { add_members: ["dan"] } });
    expect(ids(b, "dan")).toEqual([]);
    expect(
      threadOf(b, "dan", "a")
        .thread_participants!.map(({ user_id: id }) => id)
        .toSorted(),
    ).toEqual(["ada", "bob", "cyd"]);
  });

  test("the reply that mentions somebody is the first one they have not read, until it is deleted", () => {
    const b = threeThreads();
    reply(b, "bob", "a", { id: "a2", mentioned_users: ["cyd"] });
    const cyd = (): { unread_messages?: number; last_read: string } | undefined =>
      threadOf(b, "cyd", "a").read!.find(({ user }) => user.id === "cyd");
    const { created_at: before } = threadOf(b, "ada", "a").latest_replies!.find(({ id }) => id === "a1")!;
    const { created_at: at } = threadOf(b, "ada", "a").latest_replies!.find(({ id }) => id === "a2")!;
    expect(cyd()!.unread_messages).toBe(1);
    expect([before <= cyd()!.last_read, cyd()!.last_read < at]).toEqual([true, true]);
    b.call("bob", "deleteMessage", { path: { id: "a2" } });
    expect(cyd()!.unread_messages).toBe(0);
  });

  test("is paged in both directions, and each cursor is bound to its query", () => {
    const b = threeThreads();
    const first = list(b, "ada", { limit: 2 });
    expect(first.threads.map((t) => t.parent_message_id)).toEqual(["b", "a"]);
    const second = list(b, "ada", { limit: 2, next: first.next });
    expect(second.threads.map((t) => t.parent_message_id)).toEqual(["c"]);
    expect(second.next).toBeUndefined();
    expect(ids(b, "ada", { limit: 2, prev: second.prev })).toEqual(["b", "a"]);
    expect(b.refusalOf("bob", "queryThreads", { body: { next: first.next } })).toEqual([4, "next"]);
    expect(
      b.refusalOf("ada", "queryThreads", { body: { next: first.next, filter: { channel_cid: "x:y" } } }),
    ).toEqual([4, "next"]);
  });

  test("can be filtered by every documented field", () => {
    const b = threeThreads();
    const { created_at, last_message_at } = threadOf(b, "ada", "b");
    b.call("ada", "updateThreadPartial", {
      path: { message_id: "a" },
      body: { set: { mood: "calm", title: "T" } },
    });
    const filtered = (filter: Record<string, unknown>): string[] => ids(b, "ada", { filter }).toSorted();
    expect(filtered({ channel_cid: "messaging:room" })).toEqual(["a", "b", "c"]);
    expect(filtered({ channel_cid: { $in: ["messaging:none"] } })).toEqual([]);
    expect(filtered({ parent_message_id: { $in: ["a", "c"] } })).toEqual(["a", "c"]);
    expect(filtered({ created_by_user_id: "ada" })).toEqual(["c"]);
    expect(filtered({ created_at: { $gt: created_at } })).toEqual(["c"]);
    expect(filtered({ last_message_at: { $lte: last_message_at } })).toEqual(["a", "b"]);
    expect(filtered({ mood: "calm" })).toEqual(["a"]);
    expect(filtered({ mood: { $in: ["wild", "calm"] }, title: "T" })).toEqual(["a"]);
    expect(filtered({ "channel.disabled": false })).toEqual(["a", "b", "c"]);
    expect(filtered({ "channel.disabled": true })).toEqual([]);
    expect(filtered({ "channel.team": "red" })).toEqual([]);
  });

  test("can be sorted by every documented field, and null means no sort", () => {
    const b = threeThreads();
    reply(b, "ada", "b");
    reply(b, "bob", "b");
    const sorted = (field: string, direction: 1 | -1): string[] =>
      ids(b, "ada", { sort: [{ field, direction }, { field: "parent_message_id" }] });
    expect(sorted("reply_count", -1)).toEqual(["b", "a", "c"]);
    expect(sorted("participant_count", -1)).toEqual(["b", "a", "c"]);
    expect(sorted("active_participant_count", 1)).toEqual(["a", "c", "b"]);
    expect(sorted("created_at", -1)).toEqual(["c", "b", "a"]);
    expect(sorted("last_message_at", 1)).toEqual(["a", "c", "b"]);
    expect(sorted("updated_at", -1)).toEqual(["b", "c", "a"]);
    expect(sorted("has_unread", -1)).toEqual(["a", "b", "c"]);
    expect(sorted("parent_message_id", -1)).toEqual(["c", "b", "a"]);
    expect(ids(b, "ada", { sort: null, filter: null })).toHaveLength(3);
  });

  test("limits replies and participants of each thread, with the newest replies oldest first", () => {
    const b = room();
    b.send("ada", "room", { id: "p", text: "?" });
    for (let i = 0; i < 5; i++) reply(b, i % 2 ? "cyd" : "bob", "p", { id: `r${i}` });
    const [thread] = list(b, "ada", { reply_limit: 3, participant_limit: 2, member_limit: 1 }).threads;
    expect(thread!.latest_replies!.map(({ id }) => id)).toEqual(["r2", "r3", "r4"]);
    expect(thread!.thread_participants).toHaveLength(2);
    expect(thread!.participant_count).toBe(3);
    expect(thread!.channel!.members).toHaveLength(1);
    expect(list(b, "ada").threads[0]!.latest_replies).toHaveLength(2);
  });

  test("watches the channels of its threads by default, if there is a connection", () => {
    const b = threeThreads();
    b.connect("ada", "bob");
    list(b, "ada", { filter: { channel_cid: "none:none" } });
    expect(b.watched.get("messaging:room")?.has("ada") ?? false).toBe(false);
    list(b, "bob", { watch: false });
    expect(b.watched.get("messaging:room")?.has("bob") ?? false).toBe(false);
    list(b, "ada");
    expect(b.watched.get("messaging:room")?.has("ada")).toBe(true);
    expect(b.refusalOf("cyd", "queryThreads", { body: { watch: true } })).toEqual([4, "watch"]);
    expect(ids(b, "cyd", {})).toEqual(["b"]);
  });

  test("has no threads of channels that are unreadable, deleted or cleared for the user", () => {
    const b = threeThreads();
    b.call(SERVER, "updateChannel", { path: ROOM, body: { remove_members: ["bob"], user_id: "ada" } });
    expect(ids(b, "bob")).toEqual([]);
    b.call("ada", "hideChannel", { path: ROOM, body: { clear_history: true } });
    expect(ids(b, "ada")).toEqual([]);
    b.call(SERVER, "deleteChannel", { path: ROOM });
    expect(ids(b, { server: true, user: "cyd" })).toEqual([]);
  });
});

describe("a single thread", () => {
  test("shows participants with their times, read states, and is visible to other members", () => {
    const b = threeThreads();
    const thread = threadOf(b, "cyd", "a");
    expect(thread).toMatchObject({
      parent_message_id: "a",
      channel_cid: "messaging:room",
      title: "start a",
      created_by_user_id: "bob",
      created_by: { id: "bob" },
      reply_count: 1,
      participant_count: 2,
      active_participant_count: 2,
      read: [
        { user: { id: "ada" }, unread_messages: 1 },
        { user: { id: "bob" }, unread_messages: 0, last_read_message_id: "a1" },
      ],
    });
    const [ada, bob] = thread.thread_participants!;
    expect(ada).not.toHaveProperty("last_thread_message_at");
    expect(bob).toMatchObject({
      user_id: "bob",
      thread_id: "a",
      last_thread_message_at: thread.latest_replies![0]!.created_at,
    });
    expect(thread.created_at).toBe(thread.latest_replies![0]!.created_at);
    expect(thread.last_message_at).toBe(thread.created_at);
  });

  test("exists while it has any reply, deleted ones included", () => {
    const b = threeThreads();
    b.call("bob", "deleteMessage", { path: { id: "a1" } });
    const thread = threadOf(b, "ada", "a");
    expect(thread.reply_count).toBe(0);
    expect(thread).not.toHaveProperty("last_message_at");
    b.call(SERVER, "deleteMessage", { path: { id: "a1" }, query: { hard: "true" } });
    expect(b.refusalOf("ada", "getThread", { path: { message_id: "a" } })).toEqual([16, undefined]);
    expect(ids(b, "ada")).toEqual(["b", "c"]);
    expect(b.db.all("SELECT 1 FROM threads WHERE parent_id = 'a'")).toEqual([]);
  });

  test("has deleted_at after a soft delete of its parent, and is removed by a hard delete", () => {
    const b = threeThreads();
    b.call("ada", "deleteMessage", { path: { id: "a" } });
    expect(threadOf(b, "bob", "a")).toMatchObject({
      deleted_at: expect.any(String),
      parent_message: { type: "deleted" },
    });
    b.call(SERVER, "deleteMessage", { path: { id: "a" }, query: { hard: "true" } });
    expect(ids(b, "bob")).toEqual(["c"]);
    expect(b.db.all("SELECT 1 FROM thread_heads WHERE parent_id = 'a'")).toEqual([]);
  });

  test("marks a former member with left_thread_at, who gets no events until joining again", () => {
    const b = threeThreads();
    b.connect("ada", "bob", "cyd");
    b.call(SERVER, "updateChannel", { path: ROOM, body: { remove_members: ["ada"], user_id: "ada" } });
    const thread = threadOf(b, SERVER, "a");
    expect(thread).toMatchObject({ participant_count: 2, active_participant_count: 1 });
    expect(
      thread.thread_participants!.map(({ user_id, left_thread_at }) => [
        user_id,
        left_thread_at !== undefined,
      ]),
    ).toEqual([
      ["bob", false],
      ["ada", true],
    ]);
    b.events = [];
    reply(b, "bob", "a");
    expect(b.takeEvents()).not.toContain("U notification.thread_message_new ada");
    expect(b.call("ada", "getUnread").total_unread_threads_count).toBe(0);
    b.call(SERVER, "updateChannel", { path: ROOM, body: { add_members: ["ada"], user_id: "ada" } });
    expect(threadOf(b, "ada", "a").active_participant_count).toBe(2);
    reply(b, "bob", "a");
    expect(b.call("ada", "getUnread").total_unread_threads_count).toBe(1);
  });

  test("a truncation for one member reads that member's hidden threads and nobody else's", () => {
    const b = threeThreads();
    reply(b, "cyd", "a");
    reply(b, "cyd", "c");
    const unread = (who: string) => b.call(who, "getUnread").total_unread_threads_count;
    expect([unread("ada"), unread("bob")]).toEqual([3, 2]);
    b.call("ada", "truncateChannel", { path: ROOM, body: { member_ids: ["bob"] } });
    expect([unread("ada"), unread("bob")]).toEqual([3, 0]);
  });

  test("a reply of a shadow-banned author creates no thread and changes none", () => {
    const b = threeThreads();
    b.call(SERVER, "ban", { body: { target_user_id: "cyd", banned_by_id: "ada", shadow: true } });
    b.send("bob", "room", { id: "d", text: "start d" });
    const before = threadOf(b, "ada", "a");
    reply(b, "cyd", "a", { id: "unseen" });
    reply(b, "cyd", "d");
    expect(threadOf(b, "ada", "a")).toEqual(before);
    expect(b.refusalOf("ada", "getThread", { path: { message_id: "d" } })[0]).toBe(16);
    b.call("cyd", "deleteMessage", { path: { id: "unseen" } });
    b.call(SERVER, "undeleteMessage", { path: { id: "unseen" }, body: { undeleted_by: "ada" } });
    expect(threadOf(b, "ada", "a").reply_count).toBe(1);
  });

  test("hides the read state of a user without read receipts from everybody but that user and servers", () => {
    const b = threeThreads();
    b.call(SERVER, "updateUsersPartial", {
      body: { users: [{ id: "bob", set: { privacy_settings: { read_receipts: { enabled: false } } } }] },
    });
    const readers = (as: As): string[] => threadOf(b, as, "a").read!.map(({ user }) => user.id);
    expect(readers("ada")).toEqual(["ada"]);
    expect(readers("bob")).toEqual(["ada", "bob"]);
    expect(readers(SERVER)).toEqual(["ada", "bob"]);
    const shownIn = (thread: unknown): string[] =>
      (thread as Thread)
        .thread_participants!.filter(({ last_read_at: at }) => at !== undefined)
        .map(({ user_id: id }) => id);
    expect(shownIn(threadOf(b, "ada", "a"))).toEqual(["ada"]);
    // An event reaches everybody, whoever has caused it.
    for (const [as, name, call] of [
      [
        SERVER,
        "updateThreadPartial",
        { path: { message_id: "a" }, body: { set: { title: "Tea" }, user_id: "ada" } },
      ],
      ["bob", "updateThreadPartial", { path: { message_id: "a" }, body: { set: { title: "Rum" } } }],
      [SERVER, "markRead", { path: ROOM, body: { thread_id: "a", user_id: "ada" } }],
    ] as const) {
      b.events = [];
      b.call(as, name, call);
      const told = b.events.filter(({ to }) => to === "W").map(({ event }) => shownIn(event.thread));
      expect(told, `${name} of ${String(as)}`).toEqual([["ada"]]);
    }
  });

  test("is part of the channel state for its participants, not of channel lists", () => {
    const b = threeThreads();
    const state = b.call("cyd", "queryChannel", { path: ROOM, body: { state: true } }) as {
      threads: Thread[];
    };
    expect(state.threads.map(({ parent_message_id: id }) => id)).toEqual(["b"]);
    const { channels } = b.call("cyd", "queryChannels", {
      body: { filter_conditions: { cid: "messaging:room" } },
    });
    expect((channels as { threads: Thread[] }[])[0]!.threads).toEqual([]);
  });
});

describe("an update (specification/threads.md §4)", () => {
  const change = (b: TestDomain, as: As, body: Record<string, unknown>): Thread =>
    b.call(as, "updateThreadPartial", { path: { message_id: "a" }, body }).thread as Thread;

  test("TH-1, TH-6: sets title and custom data by paths; answer and event have no replies and read state", () => {
    const b = threeThreads();
    const thread = change(b, "ada", { set: { title: "Tea", details: { cups: 1 } } });
    expect(thread).toMatchObject({ title: "Tea", details: { cups: 1 } });
    for (const key of ["read", "latest_replies", "draft"]) expect(thread).not.toHaveProperty(key);
    expect(b.events.map(({ to, cid, event }) => [to, cid, event.type])).toEqual([
      ["W", "messaging:room", "thread.updated"],
    ]);
    expect(b.events[0]!.event.thread).toMatchObject({ title: "Tea", parent_message: { own_reactions: [] } });
    change(b, "ada", { set: { "details.kind": "oolong", title: null }, unset: ["details.cups"] });
    expect(threadOf(b, "bob", "a")).toMatchObject({ title: "start a", details: { kind: "oolong" } });
    expect(threadOf(b, "bob", "a")).toHaveProperty("details", { kind: "oolong" });
  });

  test("TH-5: is allowed to the parent's author without the permission", () => {
    const b = threeThreads();
    b.call(SERVER, "updateChannelType", {
      path: { name: "messaging" },
      body: { grants: { channel_member: ["read-channel"] } },
    });
    expect(
      b.refusalOf("bob", "updateThreadPartial", { path: { message_id: "a" }, body: { set: { title: "x" } } }),
    ).toEqual([17, undefined]);
    expect(change(b, "ada", { set: { title: "mine" } }).title).toBe("mine");
  });

  test("that is refused changes nothing", () => {
    const b = threeThreads();
    expect(
      b.refusalOf("ada", "updateThreadPartial", {
        path: { message_id: "a" },
        body: { set: { title: "x", "read.0": 1 } },
      }),
    ).toEqual([4, "set.read.0"]);
    expect(threadOf(b, "ada", "a").title).toBe("start a");
    expect(b.events).toEqual([]);
  });
});

describe("reading (specification/threads.md §5)", () => {
  const unread = (b: TestDomain, as: string): number[] => {
    const { total_unread_threads_count: threads } = b.call(as, "getUnread") as Record<string, number>;
    const sum = b.db.get<{ n: number }>(
      "SELECT coalesce(sum(unread), 0) AS n FROM threads WHERE user_id = ?",
      as,
    )!.n;
    return [threads!, sum];
  };

  test("in a channel type without read events threads can be read and marked unread, channels cannot", () => {
    const b = threeThreads();
    b.call(SERVER, "updateChannelType", { path: { name: "messaging" }, body: { read_events: false } });
    reply(b, "bob", "a", { id: "late" });
    expect(unread(b, "ada")[0]).toBe(2);
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    expect(unread(b, "ada")[0]).toBe(1);
    b.call("ada", "markUnread", { path: ROOM, body: { thread_id: "a" } });
    expect(unread(b, "ada")[0]).toBe(2);
    expect(b.refusalOf("ada", "markRead", { path: ROOM, body: {} })[0]).toBe(19);
    expect(b.refusalOf("ada", "markUnread", { path: ROOM, body: { message_id: "a" } })[0]).toBe(19);
    expect(
      b.refusalOf("ada", "markChannelsRead", { body: { read_by_channel: { "messaging:room": null } } })[0],
    ).toBe(19);
  });

  test("TH-8: replies of muted and blocked authors raise no count, and deleting them lowers none", () => {
    const b = threeThreads();
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "b" } });
    expect(unread(b, "ada")).toEqual([0, 0]);
    b.call("ada", "muteUser", { body: { target_id: "bob" } });
    reply(b, "bob", "a", { id: "muted" });
    expect(unread(b, "ada")).toEqual([0, 0]);
    reply(b, "cyd", "a", { id: "heard" });
    expect(unread(b, "ada")).toEqual([1, 1]);
    // Bob's own thread c has an unread reply, too.
    expect(unread(b, "bob")).toEqual([2, 2]);
    b.call("bob", "deleteMessage", { path: { id: "muted" } });
    expect(unread(b, "ada")).toEqual([1, 1]);
    b.call("cyd", "deleteMessage", { path: { id: "heard" } });
    expect(unread(b, "ada")).toEqual([0, 0]);
  });

  test("a silent reply raises no count, and deleting it lowers none", () => {
    const b = threeThreads();
    reply(b, "cyd", "a", { id: "heard" });
    const before = ["ada", "bob"].map((who) => unread(b, who));
    reply(b, "cyd", "a", { id: "hush", silent: true });
    expect(["ada", "bob"].map((who) => unread(b, who))).toEqual(before);
    b.call("cyd", "deleteMessage", { path: { id: "hush" } });
    expect(["ada", "bob"].map((who) => unread(b, who))).toEqual(before);
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    expect(unread(b, "ada")).not.toEqual(before[0]);
  });

  test("deleting a read reply lowers no count of unread ones", () => {
    const b = threeThreads();
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "b" } });
    reply(b, "cyd", "a", { id: "unread" });
    b.call("bob", "deleteMessage", { path: { id: "a1" } });
    expect(unread(b, "ada")).toEqual([1, 1]);
    b.call("cyd", "deleteMessage", { path: { id: "unread" } });
    expect(unread(b, "ada")).toEqual([0, 0]);
  });

  test("blocking reads the threads of the direct channel and leaves others", () => {
    const b = threeThreads();
    b.channel("pair", "ada", ["ada", "bob"]);
    b.send("ada", "pair", { id: "p", text: "just us" });
    b.send("bob", "pair", { text: "yes", parent_id: "p" });
    expect(unread(b, "ada")).toEqual([3, 3]);
    b.call("ada", "blockUser", { body: { blocked_user_id: "bob" } });
    expect(unread(b, "ada")).toEqual([2, 2]);
  });

  test("a reply stored by an older version as not notified lowers no count when deleted", () => {
    const b = threeThreads();
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "b" } });
    b.call("ada", "muteUser", { body: { target_id: "bob" } });
    reply(b, "bob", "a", { id: "muted" });
    reply(b, "cyd", "a", { id: "heard" });
    const renamed =
      "UPDATE message_rows SET data = replace(data, 'not_notified', 'undisturbed') WHERE id = 'muted'";
    b.db.run(renamed);
    expect(b.db.get<{ data: string }>("SELECT data FROM messages WHERE id = 'muted'")!.data).toContain(
      '"undisturbed"',
    );
    b.call("bob", "updateMessage", { path: { id: "muted" }, body: { message: { text: "changed" } } });
    b.call("bob", "deleteMessage", { path: { id: "muted" } });
    expect(unread(b, "ada")).toEqual([1, 1]);
  });

  test("TH-9: message.read has the thread, the own event the thread counts, and the channel's count stays", () => {
    const b = threeThreads();
    b.connect("ada");
    const before = b.unread("messaging:room", "ada");
    const { event } = b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } }) as {
      event: Record<string, unknown>;
    };
    expect(b.events.map(({ to, event: sent }) => [to, sent.type])).toEqual([
      ["W", "message.read"],
      ["U", "notification.mark_read"],
    ]);
    expect(b.events[0]!.event).toMatchObject({
      last_read_message_id: "a1",
      created_at: event.created_at,
      thread: { parent_message_id: "a", reply_count: 1 },
    });
    expect(b.events[0]!.event.thread).not.toHaveProperty("read");
    expect(b.events[1]!.event).toMatchObject({
      thread_id: "a",
      unread_threads: 1,
      unread_thread_messages: 1,
    });
    expect(b.unread("messaging:room", "ada")).toBe(before);
    expect(threadOf(b, "bob", "a").read![0]).toMatchObject({
      user: { id: "ada" },
      last_read: event.created_at,
      unread_messages: 0,
    });
  });

  test("TH-9: who gives no read receipts reads a thread unseen by others, whatever else they keep private", () => {
    const b = threeThreads();
    const watchersTold = (privacy_settings: object): (string[] | undefined)[] => {
      b.call(SERVER, "updateUsersPartial", { body: { users: [{ id: "bob", set: { privacy_settings } }] } });
      b.events = [];
      b.call("bob", "markRead", { path: ROOM, body: { thread_id: "a" } });
      return b.events.filter(({ to }) => to === "W").map(({ only }) => only);
    };
    const [on, off] = [{ enabled: true }, { enabled: false }];
    expect(watchersTold({ read_receipts: off, typing_indicators: on })).toEqual([["bob"]]);
    expect(watchersTold({ read_receipts: on, typing_indicators: off })).toEqual([undefined]);
  });

  test("TH-10: marking unread starts at the latest reply", () => {
    const b = threeThreads();
    reply(b, "cyd", "a", { id: "a2" });
    b.call("ada", "markRead", { path: ROOM, body: { thread_id: "a" } });
    b.events = [];
    b.call("ada", "markUnread", { path: ROOM, body: { thread_id: "a" } });
    expect(b.events).toMatchObject([
      {
        to: "U",
        user: "ada",
        event: {
          type: "notification.mark_unread",
          thread_id: "a",
          first_unread_message_id: "a2",
          last_read_message_id: "a1",
          unread_threads: 2,
          unread_thread_messages: 2,
        },
      },
    ]);
    expect(threadOf(b, "ada", "a").read![0]).toMatchObject({
      unread_messages: 1,
      last_read_message_id: "a1",
    });
  });

  test("TH-10: a thread with more unread replies than the latest keeps its count", () => {
    const b = threeThreads();
    reply(b, "cyd", "a", { id: "a2" });
    expect(threadOf(b, "ada", "a").read![0]).toMatchObject({ user: { id: "ada" }, unread_messages: 2 });
    b.call("ada", "markUnread", { path: ROOM, body: { thread_id: "a" } });
    expect(threadOf(b, "ada", "a").read![0]).toMatchObject({ user: { id: "ada" }, unread_messages: 2 });
  });

  test("TH-13: marking read changes nothing for a user who does not take part", () => {
    const b = threeThreads();
    expect(b.call("cyd", "markRead", { path: ROOM, body: { thread_id: "a" } })).toEqual({});
    expect(b.events).toEqual([]);
  });
});
