/** Deleting, deactivating and restoring users: what is deleted, and who owns the rest (specification/users.md §5, specification/messages.md §7.1). */
import { describe, expect, test } from "vitest";
import { due } from "../../../src/provider/domain/due.ts";
import { placeholderUserId } from "../../../src/provider/domain/accounts/rules/erase.ts";
import { USER_EXPORT_LIMIT } from "../../../src/wire/constants.ts";
import { room, ROOM, type TestDomain, type Message } from "./support.ts";

const server = { server: true } as const;

/** Processes due work step by step, as the provider's scheduler does. */
function runDue(b: TestDomain): void {
  for (let steps = 0; steps < 1000; steps++) {
    const work = due.find((one) => (one.next(b.db) ?? Infinity) <= b.now);
    if (!work) return;
    work.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => `step-${b.tick()}` });
  }
  throw new Error("the work never ends");
}

function remove(b: TestDomain, options: Record<string, unknown>, ids = ["bob"]): Record<string, unknown> {
  const { task_id } = b.call(server, "deleteUsers", { body: { user_ids: ids, ...options } });
  runDue(b);
  return b.call(server, "getTask", { path: { id: task_id as string } });
}

const messages = (b: TestDomain, as = "ada"): Message[] =>
  (b.call(as, "queryChannel", { path: ROOM, body: {} }) as { messages: Message[] }).messages;
const message = (b: TestDomain, id: string): Record<string, unknown> | undefined =>
  b.db.get("SELECT * FROM messages WHERE id = ?", id);
const isListed = (b: TestDomain, id: string): boolean =>
  (
    b.call(server, "queryUsers", {
      body: { filter_conditions: { id }, include_deactivated_users: true },
    }) as { users: unknown[] }
  ).users.length > 0;
const exists = (b: TestDomain, cid: string): boolean =>
  b.db.get("SELECT 1 FROM channels WHERE cid = ? AND deleted_at IS NULL", cid) !== undefined;

/** Bob has written, replied, reacted and voted in the room, and also has a direct channel with ada. */
function filledRoom(): TestDomain {
  const b = room();
  b.send("ada", "room", { id: "a1", text: "tea?" });
  b.send("bob", "room", { id: "b1", text: "yes", favourite: "mint" });
  b.send("bob", "room", { id: "b2", text: "in the thread", parent_id: "a1" });
  b.send("cyd", "room", { id: "c1", text: "under bob", parent_id: "b1" });
  b.call("bob", "sendReaction", { path: { id: "a1" }, body: { reaction: { type: "love" } } });
  b.call("cyd", "sendReaction", { path: { id: "b1" }, body: { reaction: { type: "love" } } });
  b.channel("pair", "ada", ["ada", "bob"]);
  b.send("bob", "pair", { id: "p1", text: "just us" });
  b.events = [];
  return b;
}

describe("POST /users/delete", () => {
  test("user soft: hidden from queries and shown as deleted; messages stay, and the task reports ok", () => {
    const b = filledRoom();
    const unread = b.unread("messaging:room", "ada");
    expect(remove(b, { user: "soft" })).toMatchObject({
      status: "completed",
      result: { bob: { status: "ok" } },
    });
    expect(isListed(b, "bob")).toBe(false);
    const [, mine] = messages(b);
    expect(mine).toMatchObject({
      id: "b1",
      text: "yes",
      user: { id: "bob", deleted_at: expect.any(String) },
    });
    expect(b.unread("messaging:room", "ada")).toBe(unread);
    expect(exists(b, "messaging:pair")).toBe(true);
  });

  test("messages soft: of type deleted and not counted, the parent's count follows, the content stays stored", () => {
    const b = filledRoom();
    expect(b.unread("messaging:room", "ada")).toBe(1);
    expect(b.unread("messaging:room", "cyd")).toBe(2);
    remove(b, { messages: "soft" });
    expect(isListed(b, "bob")).toBe(true);
    expect(messages(b)).toMatchObject([
      { id: "a1", reply_count: 0, deleted_reply_count: 1, reaction_counts: { love: 1 } },
      { id: "b1", type: "deleted", text: "" },
    ]);
    expect(message(b, "b1")).toMatchObject({ text: "yes" });
    expect([b.unread("messaging:room", "ada"), b.unread("messaging:room", "cyd")]).toEqual([0, 1]);
    const unread = b.call("ada", "getUnread", {}) as { total_unread_count: number };
    expect(unread.total_unread_count).toBe(0);
  });

  test("messages pruning: only author and position are left", () => {
    const b = filledRoom();
    remove(b, { messages: "pruning" });
    expect(message(b, "b1")).toMatchObject({ type: "deleted", text: "", data: "{}", reactions: null });
    expect(b.db.get("SELECT 1 FROM reactions WHERE message_id = 'b1'")).toBeUndefined();
  });

  test("pending messages of the user are deleted, those of others stay", () => {
    const b = filledRoom();
    for (const who of ["bob", "cyd"])
      b.send(who, "room", { id: `${who}s`, text: "later" }, "messaging", { pending: true });
    remove(b, { user: "soft", messages: "soft" });
    b.call(server, "restoreUsers", { body: { user_ids: ["bob"] } });
    expect(b.refusalOf(server, "commitMessage", { path: { id: "bobs" } })[0]).toBe(16);
    expect(b.call(server, "commitMessage", { path: { id: "cyds" } })).toMatchObject({
      message: { id: "cyds" },
    });
  });

  test.each(["soft", "pruning", "hard"] as const)(
    "%s, with a ban in one channel: pending messages of that channel are deleted, those of another stay",
    (mode) => {
      const b = filledRoom();
      for (const place of ["room", "pair"])
        b.send("bob", place, { id: `later-${place}`, text: "later" }, "messaging", { pending: true });
      b.call(server, "ban", {
        body: { ...ROOM, target_user_id: "bob", banned_by_id: "ada", delete_messages: mode },
      });
      expect(b.refusalOf(server, "commitMessage", { path: { id: "later-room" } })[0]).toBe(16);
      expect(b.call(server, "commitMessage", { path: { id: "later-pair" } })).toMatchObject({
        message: { id: "later-pair" },
      });
    },
  );

  test.each(["soft", "pruning", "hard"] as const)(
    "user %s: their push devices go, those of others stay",
    (user) => {
      const b = filledRoom();
      for (const id of ["bob", "cyd"])
        b.call(id, "createDevice", { body: { id: `phone of ${id}`, push_provider: "firebase" } });
      remove(b, user === "hard" ? { user, messages: "hard", conversations: "hard" } : { user });
      expect(b.db.column("SELECT user_id FROM devices")).toEqual(["cyd"]);
    },
  );

  test("user pruning: the profile is emptied at once", () => {
    const b = filledRoom();
    b.call(server, "deleteUsers", { body: { user_ids: ["bob"], user: "pruning" } });
    expect(b.db.get("SELECT name, data FROM users WHERE id = 'bob'")).toEqual({ name: null, data: "{}" });
  });

  test("conversations: channels of exactly two members are deleted, others stay", () => {
    const b = filledRoom();
    remove(b, { user: "soft", conversations: "soft" });
    expect([exists(b, "messaging:pair"), exists(b, "messaging:room")]).toEqual([false, true]);
    expect(b.db.get("SELECT 1 FROM messages WHERE cid = 'messaging:pair'")).toBeDefined();
    const hard = filledRoom();
    remove(hard, { user: "soft", conversations: "hard" });
    expect(hard.db.get("SELECT 1 FROM messages WHERE cid = 'messaging:pair'")).toBeUndefined();
  });

  test("conversations: a channel where the user is alone stays", () => {
    const b = filledRoom();
    b.channel("notes", "bob", ["bob"]);
    remove(b, { user: "soft", conversations: "soft" });
    expect([exists(b, "messaging:pair"), exists(b, "messaging:notes")]).toEqual([false, true]);
  });

  test("hard: no row of the user is left, and its channels get the new owner", () => {
    const b = filledRoom();
    b.channel("bobs", "bob", ["bob", "ada", "cyd"]);
    b.call("cyd", "muteUser", { body: { target_id: "bob" } });
    b.call("cyd", "blockUser", { body: { blocked_user_id: "bob" } });
    b.call("bob", "createDevice", { body: { id: "tok", push_provider: "apn" } });
    remove(b, { user: "hard", messages: "hard", conversations: "hard", new_channel_owner_id: "cyd" });
    for (const { name } of b.db.all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'message_words%'",
    ))
      for (const column of b.db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${name}')`))
        if (/^(?:user_id|target_id|blocked_id|created_by|pinned_by|truncated_by)$/.test(column.name))
          expect(
            b.db.get(`SELECT count(*) AS n FROM ${name} WHERE ${column.name} = 'bob'`),
            `${name}.${column.name}`,
          ).toEqual({ n: 0 });
    expect(b.db.get("SELECT 1 FROM users WHERE id = 'bob'")).toBeUndefined();
    expect(b.db.get("SELECT created_by FROM channels WHERE cid = 'messaging:bobs'")).toEqual({
      created_by: "cyd",
    });
    // The replies of a hard-deleted message are deleted with it.
    expect(messages(b)).toMatchObject([{ id: "a1", reply_count: 0, reaction_counts: {} }]);
    expect(
      (b.call("ada", "queryChannel", { path: ROOM, body: {} }) as { members: unknown[] }).members,
    ).toHaveLength(2);
    expect(b.refusalOf(server, "restoreUsers", { body: { user_ids: ["bob"] } })[0]).toBe(16);
  });

  test("hard without messages (DELETE /users/{id}): the messages stay under a placeholder user", () => {
    const b = filledRoom();
    b.channel("bobs", "bob", ["bob", "ada", "cyd"]);
    b.call(server, "deleteUser", { path: { id: "bob" }, query: { hard_delete: "true" } });
    const ghost = placeholderUserId("bob");
    expect(ghost).toMatch(/^delete-user-[\da-f]{16}$/);
    expect(messages(b)[1]).toMatchObject({ id: "b1", text: "yes", user: { id: ghost } });
    expect(b.db.get("SELECT created_by FROM channels WHERE cid = 'messaging:bobs'")).toEqual({
      created_by: ghost,
    });
    expect(isListed(b, ghost)).toBe(false);
    expect(b.refusalOf(server, "restoreUsers", { body: { user_ids: [ghost] } })[0]).toBe(16);
  });

  test("a hard-deleted user's reactions and votes are taken back by events that name nothing else of theirs, in steps when there are many", () => {
    const b = filledRoom();
    const { poll } = b.call("ada", "createPoll", {
      body: { name: "Tea?", options: [{ text: "yes" }], allow_answers: true },
    }) as { poll: { id: string; options: { id: string }[] } };
    b.send("ada", "room", { id: "a2", poll_id: poll.id });
    const path = { message_id: "a2", poll_id: poll.id };
    b.call("bob", "castPollVote", { path, body: { vote: { option_id: poll.options[0]!.id } } });
    b.call("bob", "castPollVote", { path, body: { vote: { answer_text: "peppermint" } } });
    const reaction = { type: "wow", note: "lemongrass" };
    b.call("bob", "sendReaction", { path: { id: "a1" }, body: { reaction } });
    for (let n = 0; n < 210; n++) {
      b.send("ada", "room", { id: `more${n}`, text: "tea" });
      b.call("bob", "sendReaction", { path: { id: `more${n}` }, body: { reaction } });
    }
    b.events = [];
    b.call(server, "deleteUser", { path: { user_id: "bob", id: "bob" }, query: { hard_delete: "true" } });
    runDue(b);
    const counts = Map.groupBy(b.events, ({ event }) => event.type);
    expect([counts.get("reaction.deleted")?.length, counts.get("poll.vote_removed")?.length]).toEqual([
      212, 2,
    ]);
    const shown = messages(b).find(({ id }) => id === "more209");
    expect(shown).toMatchObject({ reaction_counts: {}, latest_reactions: [] });
    expect(JSON.stringify(b.events)).not.toMatch(/lemongrass|peppermint/);
    expect(
      b.db.all("SELECT 1 FROM reactions WHERE user_id = 'bob' UNION ALL SELECT 1 FROM poll_votes"),
    ).toEqual([]);
  });

  test.each<[string, (b: TestDomain) => unknown]>([
    ["hard", (b) => remove(b, { user: "hard", messages: "hard", conversations: "hard" })],
    [
      "hard with many messages",
      (b) => {
        for (let n = 0; n < 410; n++) b.send("bob", "room", { text: "more" });
        b.events = [];
        return remove(b, { user: "hard", messages: "hard" });
      },
    ],
    ["by pruning", (b) => remove(b, { user: "pruning", messages: "pruning" })],
    [
      "hard in one call",
      (b) => {
        const query = { hard_delete: "true", mark_messages_deleted: "true" };
        b.call(server, "deleteUser", { path: { id: "bob" }, query });
        runDue(b);
      },
    ],
  ])("no event of deleting a user %s has the user's name", (_, deleteBob) => {
    const b = filledRoom();
    b.connect("ada", "bob");
    deleteBob(b);
    const types = b.events.map(({ event }) => event.type);
    expect(types).toEqual(expect.arrayContaining(["user.deleted", "user.messages.deleted"]));
    expect(b.events.filter((each) => JSON.stringify(each).includes("BOB"))).toEqual([]);
  });

  test("a soft-deleted user cannot be soft-deleted again, but can be hard-deleted", () => {
    const b = filledRoom();
    const request = { path: { id: "bob" } };
    b.call(server, "deleteUser", request);
    b.events = [];
    expect(b.refusalOf(server, "deleteUser", request)[0]).toBe(16);
    expect(b.takeEvents()).toEqual([]);
    b.call(server, "deleteUser", { ...request, query: { hard_delete: "true" } });
    expect(b.refusalOf(server, "restoreUsers", { body: { user_ids: ["bob"] } })[0]).toBe(16);
  });

  test("a deleted user's reaction is removed from its message's groups", () => {
    const b = filledRoom();
    b.call("cyd", "sendReaction", { path: { id: "a1" }, body: { reaction: { type: "love" } } });
    b.call(server, "deleteUser", { path: { id: "bob" }, query: { hard_delete: "true" } });
    expect(messages(b)[0]).toMatchObject({ reaction_counts: { love: 1 } });
  });

  test("several users are deleted one per step; an unknown id refuses the call before anything changes", () => {
    const b = filledRoom();
    expect(
      b.refusalOf(server, "deleteUsers", { body: { user_ids: ["bob", "nobody"], user: "soft" } })[0],
    ).toBe(16);
    expect(isListed(b, "bob")).toBe(true);
    expect(remove(b, { user: "soft", messages: "soft" }, ["bob", "cyd"])).toMatchObject({
      result: { bob: { status: "ok" }, cyd: { status: "ok" } },
    });
    expect(messages(b).map(({ type }) => type)).toEqual(["regular", "deleted"]);
  });

  test("restoring brings the profile back, not the messages", () => {
    const b = filledRoom();
    remove(b, { user: "soft", messages: "soft" });
    b.events = [];
    b.call(server, "restoreUsers", { body: { user_ids: ["bob", "ada"] } });
    expect(b.takeEvents()).toEqual(["P user.updated bob"]);
    expect(isListed(b, "bob")).toBe(true);
    expect(messages(b)[1]).toMatchObject({ type: "deleted", user: { id: "bob", name: "BOB" } });
  });
});

test("a block of a soft-deleted user stays, and can be removed", () => {
  const b = filledRoom();
  b.call("ada", "blockUser", { body: { blocked_user_id: "bob" } });
  remove(b, { user: "soft" });
  const blocks = () =>
    (b.call("ada", "getBlockedUsers", {}) as { blocks: { blocked_user: object }[] }).blocks;
  expect(blocks()).toMatchObject([{ blocked_user: { id: "bob", deleted_at: expect.any(String) } }]);
  expect(b.refusalOf("ada", "blockUser", { body: { blocked_user_id: "bob" } })[0]).toBe(16);
  b.call("ada", "unblockUser", { body: { blocked_user_id: "bob" } });
  expect(blocks()).toEqual([]);
});

test("messages are deleted in bounded steps, and one event per channel is sent at the end", () => {
  const b = filledRoom();
  b.db.raw
    .exec(`INSERT INTO message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
    SELECT 'x' || i, 'messaging:room', i, i, 'bob', 'regular', 1, 1, 'x', '{}' FROM n`);
  const { task_id } = b.call(server, "deleteUsers", { body: { user_ids: ["bob"], messages: "soft" } });
  const remaining = (): number =>
    b.db.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE user_id = 'bob' AND type <> 'deleted'")!
      .n;
  const before = remaining();
  b.events = [];
  const work = due.find((one) => one.name === "tasks")!;
  const step = () => work.run({ db: b.db, emit: b.emit, now: () => b.tick(), uuid: () => "x" });
  step();
  expect(remaining()).toBe(before - 200);
  expect(b.events.filter(({ event }) => event.type === "user.messages.deleted")).toEqual([]);
  runDue(b);
  expect(remaining()).toBe(0);
  expect(
    b.events.filter(({ event }) => event.type === "user.messages.deleted").map(({ to, cid }) => [to, cid]),
  ).toEqual([
    ["W", "messaging:room"],
    ["W", "messaging:pair"],
    ["U", undefined],
  ]);
  expect(b.call(server, "getTask", { path: { id: task_id as string } })).toMatchObject({
    status: "completed",
  });
});

describe("deactivation", () => {
  const deactivate = (b: TestDomain, body: Record<string, unknown> = {}) =>
    b.call(server, "deactivateUser", { path: { id: "bob" }, body });
  const reactivate = (b: TestDomain, body: Record<string, unknown> = {}) =>
    b.call(server, "reactivateUser", { path: { id: "bob" }, body });

  test("closes the connections, sends an event to servers, and is refused the second time", () => {
    const b = filledRoom();
    expect(deactivate(b)).toMatchObject({ user: { id: "bob", deactivated_at: expect.any(String) } });
    expect(b.takeEvents()).toEqual(["X expelled 5 bob", "S user.deactivated"]);
    expect(b.refusalOf(server, "deactivateUser", { path: { id: "bob" }, body: {} })).toEqual([4, "id"]);
    expect(messages(b)[1]).toMatchObject({ text: "yes", user: { deactivated_at: expect.any(String) } });
  });

  test("is undone with restore_messages for exactly the messages it deleted", () => {
    const b = filledRoom();
    b.send("bob", "room", { id: "b3", text: "taken back" });
    b.call("bob", "deleteMessage", { path: { id: "b3" } });
    deactivate(b, { mark_messages_deleted: true });
    expect(messages(b).map(({ type }) => type)).toEqual(["regular", "deleted", "deleted"]);
    b.events = [];
    expect(reactivate(b, { restore_messages: true, name: "Bob again" })).toMatchObject({
      user: { name: "Bob again" },
    });
    expect(messages(b)).toMatchObject([
      { id: "a1", reply_count: 1 },
      { id: "b1", type: "regular", text: "yes", favourite: "mint" },
      { id: "b3", type: "deleted" },
    ]);
    expect(message(b, "b2")).toMatchObject({ type: "reply" });
    expect(b.events.filter(({ event }) => event.type === "message.undeleted")).toHaveLength(3);
  });

  test.each([{}, { name: "Bob again" }])("is undone with %j, and all other data of the user stay", (body) => {
    const b = filledRoom();
    b.call(server, "updateUsersPartial", {
      body: {
        users: [{ id: "bob", set: { pet: "cat", image: "b.png", teams: ["red"], role: "moderator" } }],
      },
    });
    const { user: before } = deactivate(b);
    const { user: after } = reactivate(b, body);
    const stays = ({ deactivated_at: _gone, updated_at: _at, ...rest }: Record<string, unknown>): object =>
      rest;
    expect(stays(after as never)).toEqual({ ...stays(before as never), ...body });
    expect(after).toMatchObject({ pet: "cat", image: "b.png", teams: ["red"], role: "moderator" });
  });

  test("without restore_messages leaves them deleted; an active user cannot be reactivated", () => {
    const b = filledRoom();
    deactivate(b, { mark_messages_deleted: true });
    reactivate(b);
    expect(messages(b)[1]).toMatchObject({ type: "deleted" });
    expect(b.refusalOf(server, "reactivateUser", { path: { id: "bob" }, body: {} })).toEqual([4, "id"]);
  });

  test("of several users includes their channels, and can be undone", () => {
    const b = filledRoom();
    b.channel("bobs", "bob", ["bob", "ada", "cyd"]);
    b.call(server, "deactivateUsers", {
      body: { user_ids: ["bob"], mark_messages_deleted: true, mark_channels_deleted: true },
    });
    runDue(b);
    expect([exists(b, "messaging:bobs"), exists(b, "messaging:room")]).toEqual([false, true]);
    expect(messages(b)[1]).toMatchObject({ type: "deleted" });
    b.call(server, "reactivateUsers", {
      body: { user_ids: ["bob"], restore_messages: true, restore_channels: true },
    });
    runDue(b);
    expect(exists(b, "messaging:bobs")).toBe(true);
    expect(messages(b)[1]).toMatchObject({ type: "regular", text: "yes" });
  });

  test.each([
    ["deactivateUsers", { mark_messages_deleted: true }],
    ["deleteUsers", { user: "soft", messages: "soft" }],
    ["deleteUsers", { user: "hard", messages: "hard", conversations: "hard" }],
  ] as const)(
    "%s with %j tells the channels of all steps, each once, and every user's own",
    (name, options) => {
      const b = filledRoom();
      b.channel("old", "ada", ["ada", "bob", "cyd"]);
      for (const id of ["old", "room"]) b.send("cyd", id, { text: "hi" });
      // More than two steps in the room alone; in the pair and in "old" there are messages of the first step only.
      for (let n = 0; n < 450; n++) b.send("bob", "room", { text: "x" });
      b.events = [];
      b.call(server, name, { body: { user_ids: ["bob", "cyd"], ...options } });
      runDue(b);
      const told = b.events
        .filter(({ event }) => event.type === "user.messages.deleted")
        .map(({ to, cid, user, event }) => [to, cid ?? user, (event.user as { id: string }).id].join(" "));
      expect(told.toSorted()).toEqual([
        "U bob bob",
        "U cyd cyd",
        "W messaging:old cyd",
        "W messaging:pair bob",
        "W messaging:room bob",
        "W messaging:room cyd",
      ]);
    },
  );

  test("of several users is refused if one is deactivated already", () => {
    const b = filledRoom();
    deactivate(b);
    expect(b.refusalOf(server, "deactivateUsers", { body: { user_ids: ["cyd", "bob"] } })).toEqual([
      4,
      "user_ids",
    ]);
    expect(b.db.get("SELECT deactivated_at FROM users WHERE id = 'cyd'")).toEqual({ deactivated_at: null });
  });
});

describe("GET /users/{id}/export", () => {
  test("contains all own messages, also deleted and hidden ones, and all own reactions", () => {
    const b = filledRoom();
    const all = b.call(server, "exportUser", { path: { id: "bob" } }) as {
      messages: Message[];
      reactions: { message_id: string }[];
    };
    expect(all.messages.map(({ id }) => id)).toEqual(["b1", "b2", "p1"]);
    expect(all.messages[0]).toMatchObject({ text: "yes", favourite: "mint" });
    expect(all.reactions).toMatchObject([{ message_id: "a1", type: "love", user: { id: "bob" } }]);
  });

  test.each([
    [
      "messages",
      9997,
      `message_rows (id, cid, created_at, updated_at, user_id, type, listed, counts, text, data)
      SELECT 'x' || i, 'messaging:room', i, i, 'bob', 'regular', 1, 1, 'x', '{}' FROM n`,
    ],
    [
      "reactions",
      9999,
      `reactions (message_id, user_id, type, score, created_at, updated_at)
      SELECT 'a1', 'bob', 'x' || i, 1, i, i FROM n`,
    ],
  ] as const)("contains 10,000 %s and refuses one more", (kind, more, values) => {
    const b = filledRoom();
    const insert = (from: number, to: number): void =>
      b.db.raw.exec(
        `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to}) INSERT INTO ${values}`,
      );
    insert(1, more);
    const all = b.call(server, "exportUser", { path: { id: "bob" } });
    expect(all[kind]).toHaveLength(USER_EXPORT_LIMIT);
    insert(more + 1, more + 1);
    expect(b.refusalOf(server, "exportUser", { path: { id: "bob" } })).toEqual([4, "id"]);
  });
});
