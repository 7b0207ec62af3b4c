/** Answers and defaults that clients of other makers rely on, as their own tests assert them. */
import { describe, expect, test } from "vitest";
import { room, ROOM, type TestDomain, type Message } from "./support.ts";

const SERVER = { server: true } as const;
const at = (id: string) => ({ path: { id } });
const get = (b: TestDomain, as: Parameters<TestDomain["call"]>[0], id: string): Message =>
  b.call(as, "getMessage", at(id)).message as Message;
const memberOf = (b: TestDomain, user: string): Record<string, unknown> | undefined =>
  b.db.get("SELECT * FROM members WHERE cid = 'messaging:room' AND user_id = ?", user);

describe("names", () => {
  test("of commands, roles, permissions and blocklists may have capitals, and such a command works", () => {
    const b = room();
    b.call(SERVER, "createCommand", { body: { name: "DeployNow", description: "x" } });
    b.call(SERVER, "updateApp", { body: { custom_action_handler_url: "http://127.0.0.1:9" } });
    b.call(SERVER, "createRole", { body: { name: "HeadCook" } });
    b.call(SERVER, "createPermission", { body: { id: "Cook-All", name: "Cook", action: "SendPoll" } });
    b.call(SERVER, "createBlocklist", { body: { name: "BadWords", words: ["soup"] } });
    expect(b.send("ada", "room", { id: "m", text: "/DeployNow friday" })).toMatchObject({
      command: "DeployNow",
      args: "friday",
    });
    expect(b.refusalOf(SERVER, "createRole", { body: { name: "Head Cook" } })).toEqual([4, "name"]);
  });
});

describe("users", () => {
  test("a message that a server sends for an unknown user creates that user", () => {
    const b = room();
    const body = { message: { id: "m", text: "hi", user_id: "newcomer" } };
    b.call(SERVER, "sendMessage", { path: ROOM, body });
    expect(get(b, "ada", "m").user).toMatchObject({ id: "newcomer", role: "user" });
    expect(
      b.refusalOf(SERVER, "saveDraft", { path: ROOM, body: { message: { text: "x", user_id: "nobody" } } }),
    ).toEqual([16, undefined]);
  });

  test("making or unmaking a moderator makes the user a member", () => {
    const b = room();
    b.user("eve");
    b.events = [];
    b.call(SERVER, "updateChannel", {
      path: ROOM,
      body: { add_moderators: ["dan", "bob"], demote_moderators: ["eve"] },
    });
    expect(memberOf(b, "dan")).toMatchObject({ channel_role: "channel_moderator" });
    expect(memberOf(b, "bob")).toMatchObject({ channel_role: "channel_moderator" });
    expect(memberOf(b, "eve")).toMatchObject({ channel_role: "channel_member" });
    expect(b.takeEvents().filter((line) => line === "W member.added")).toHaveLength(2);
    const nobody = {
      path: ROOM,
      body: { assign_roles: [{ user_id: "zed", channel_role: "channel_moderator" }] },
    };
    expect(b.refusalOf(SERVER, "updateChannel", nobody)).toEqual([4, "assign_roles"]);
  });

  test("a user among both members and invites is invited, and can accept", () => {
    const b = room();
    const data = { members: ["ada", "bob", "dan"], invites: ["dan"], created_by_id: "ada" };
    b.call(SERVER, "queryChannel", { path: { type: "messaging", id: "new" }, body: { data } });
    const invited = (): unknown =>
      b.db.get(
        "SELECT invited, invite_accepted_at IS NOT NULL AS accepted FROM members WHERE cid = 'messaging:new' AND user_id = 'dan'",
      );
    expect(invited()).toMatchObject({ invited: 1, accepted: 0 });
    b.call("dan", "updateChannel", { path: { type: "messaging", id: "new" }, body: { accept_invite: true } });
    expect(invited()).toMatchObject({ invited: 1, accepted: 1 });
    b.call(SERVER, "updateChannel", { path: ROOM, body: { add_members: ["dan"], invites: ["dan"] } });
    expect(memberOf(b, "dan")).toMatchObject({ invited: 1, invite_accepted_at: null });
  });

  test("invite filters channels by whether the user has answered, and how", () => {
    const b = room();
    for (const id of ["open", "taken", "refused"])
      b.call(SERVER, "queryChannel", {
        path: { type: "messaging", id },
        body: { data: { members: ["ada"], invites: ["dan"], created_by_id: "ada" } },
      });
    const answer = (id: string, body: Record<string, unknown>): unknown =>
      b.call("dan", "updateChannel", { path: { type: "messaging", id }, body });
    answer("taken", { accept_invite: true });
    answer("refused", { reject_invite: true });
    const channels = (invite: string): string[] =>
      (
        b.call("dan", "queryChannels", { body: { filter_conditions: { invite } } }).channels as {
          channel: { id: string };
        }[]
      ).map(({ channel }) => channel.id);
    expect(["pending", "accepted", "rejected"].map(channels)).toEqual([["open"], ["taken"], ["refused"]]);
  });

  test("only the privacy settings that are set show, and a partial update keeps the others", () => {
    const b = room();
    const users = (set: Record<string, unknown>): Record<string, { privacy_settings?: unknown }> =>
      b.call("ada", "updateUsersPartial", { body: { users: [{ id: "ada", set }] } }).users as never;
    const settings = (): unknown => users({ tea: "green" }).ada!.privacy_settings;
    const set = (privacy_settings: unknown): unknown => users({ privacy_settings });
    expect(settings()).toBeUndefined();
    set({ typing_indicators: { enabled: false } });
    expect(settings()).toEqual({ typing_indicators: { enabled: false } });
    set({ read_receipts: { enabled: false } });
    expect(settings()).toEqual({ typing_indicators: { enabled: false }, read_receipts: { enabled: false } });
    set(null);
    expect(settings()).toBeUndefined();
  });

  test("a server hides and shows a channel for a user who is no member, such a user cannot", () => {
    const b = room();
    for (const name of ["hideChannel", "showChannel"] as const) {
      expect(b.call(SERVER, name, { path: ROOM, body: { user_id: "dan" } })).toEqual({});
      expect(b.refusalOf("dan", name, { path: ROOM })[0]).toBe(17);
    }
    b.call(SERVER, "hideChannel", { path: ROOM, body: { user_id: "bob" } });
    expect(memberOf(b, "bob")?.hidden_at).not.toBeNull();
  });
});

describe("messages", () => {
  test("contain their text as safe HTML", () => {
    const b = room();
    const html = (text: string): unknown => b.send("ada", "room", { text }).html;
    expect(html("tea at noon")).toBe("<p>tea at noon</p>\n");
    expect(html("**now** <script>alert(1)</script>")).toBe(
      "<p><strong>now</strong> &lt;script&gt;alert(1)&lt;/script&gt;</p>\n",
    );
    expect(html('[x](javascript:alert(1)) [y](https://a.example/"onload=1)')).not.toMatch(
      /<a [^>]*(?:javascript|onload=)/,
    );
    b.send("ada", "room", { id: "m", text: "a *b*" });
    b.call("ada", "updateMessagePartial", { ...at("m"), body: { set: { text: "only c" } } });
    expect(get(b, "bob", "m").html).toBe("<p>only c</p>\n");
    b.call("ada", "deleteMessage", at("m"));
    expect(get(b, "bob", "m").html).toBe("");
  });

  test("a hard delete returns a message of type deleted", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    const { message } = b.call("ada", "deleteMessage", { ...at("m"), query: { hard: "true" } });
    expect(message).toMatchObject({ id: "m", type: "deleted" });
  });

  test("delete_for_me with deleted_by is checked for that user", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    b.call(SERVER, "sendMessage", {
      path: ROOM,
      body: { message: { id: "secret", text: "y", restricted_visibility: ["cyd"], user_id: "ada" } },
    });
    const deleteForMe = (id: string, deleted_by: string) => ({
      ...at(id),
      query: { delete_for_me: "true", deleted_by },
    });
    b.call(SERVER, "deleteMessage", deleteForMe("m", "bob"));
    expect(get(b, "bob", "m").type).toBe("deleted");
    expect(get(b, "cyd", "m").type).toBe("regular");
    expect(b.refusalOf(SERVER, "deleteMessage", deleteForMe("m", "dan"))[0]).toBe(17);
    expect(b.refusalOf(SERVER, "deleteMessage", deleteForMe("secret", "bob"))[0]).toBe(16);
  });

  test("a history entry names the author of that version", () => {
    const b = room();
    b.send("bob", "room", { id: "m", text: "one" });
    const edit = (user_id: string, text: string): void =>
      void b.call(SERVER, "updateMessagePartial", { ...at("m"), body: { set: { text }, user_id } });
    edit("ada", "two");
    b.call(SERVER, "updateMessagePartial", { ...at("m"), body: { set: { pinned: true }, user_id: "cyd" } });
    edit("bob", "three");
    edit("cyd", "four");
    const versions = b.call(SERVER, "queryMessageHistory", {
      body: { filter: { message_id: "m" }, sort: [{ field: "message_updated_at", direction: 1 }] },
    }).message_history as Record<string, unknown>[];
    expect(versions.map((one) => [one.text, one.message_updated_by_id])).toEqual([
      ["one", "bob"],
      ["two", "ada"],
      ["three", "bob"],
    ]);
  });

  test("status is a custom field, and silent can be unset", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x", silent: true });
    const { message } = b.call("ada", "updateMessagePartial", {
      ...at("m"),
      body: { set: { status: "verified" }, unset: ["silent"] },
    });
    expect(message).toMatchObject({ status: "verified", silent: false });
    expect(get(b, "bob", "m")).toMatchObject({ status: "verified", silent: false });
    expect(
      b.refusalOf("ada", "updateMessagePartial", { ...at("m"), body: { set: { silent: true } } }),
    ).toEqual([4, "set.silent"]);
  });

  test("a server flags a message for any user, also for its author", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    const flag = (user_id: string) => ({ body: { target_message_id: "m", user_id } });
    expect(b.call(SERVER, "flag", flag("ada")).flag).toMatchObject({ target_message_id: "m" });
    expect(b.call(SERVER, "flag", flag("dan")).flag).toMatchObject({ target_message_id: "m" });
    expect(b.refusalOf("ada", "flag", { body: { target_message_id: "m" } })).toEqual([
      4,
      "target_message_id",
    ]);
  });
});

describe("threads", () => {
  const threads = (): TestDomain => {
    const b = room();
    for (const n of [1, 2, 3]) {
      b.send("ada", "room", { id: `p${n}`, text: `question ${n}` });
      b.send("bob", "room", { id: `r${n}`, text: "answer", parent_id: `p${n}` });
    }
    return b;
  };
  test("have their parent's text as title until they get one, and are created by the first to reply", () => {
    const b = threads();
    const thread = (): unknown => b.call("ada", "getThread", { path: { message_id: "p1" } }).thread;
    expect(thread()).toMatchObject({
      title: "question 1",
      created_by_user_id: "bob",
      created_by: { id: "bob" },
    });
    b.call("ada", "updateThreadPartial", { path: { message_id: "p1" }, body: { set: { title: "tea" } } });
    expect(thread()).toMatchObject({ title: "tea" });
    b.call("ada", "deleteMessage", at("p2"));
    expect(b.call(SERVER, "getThread", { path: { message_id: "p2" } }).thread).toMatchObject({ title: "" });
  });

  test("markUnread on a thread sends no event to a user who does not take part", () => {
    const b = threads();
    const unread = { path: ROOM, body: { thread_id: "p1" } };
    expect(b.call("cyd", "markUnread", unread)).toEqual({});
    expect(b.takeEvents().some((line) => line.startsWith("U notification.mark_unread"))).toBe(false);
    b.call("bob", "markUnread", unread);
    expect(b.takeEvents()).toContain("U notification.mark_unread bob");
  });

  test.each([
    "last_message_at",
    "created_at",
    "updated_at",
    "reply_count",
    "participant_count",
    "active_participant_count",
    "has_unread",
    "parent_message_id",
  ])("are paged by %s in both directions, and back", (field) => {
    const b = threads();
    for (const direction of [1, -1]) {
      const page = (more: object) =>
        b.call("ada", "queryThreads", { body: { limit: 2, sort: [{ field, direction }], ...more } }) as {
          threads: { parent_message_id: string }[];
          next?: string;
          prev?: string;
        };
      const ids = (one: ReturnType<typeof page>): string[] => one.threads.map((t) => t.parent_message_id);
      const first = page({});
      const second = page({ next: first.next });
      expect([...ids(first), ...ids(second)].toSorted()).toEqual(["p1", "p2", "p3"]);
      expect(second.next).toBeUndefined();
      expect(ids(page({ prev: second.prev }))).toEqual(ids(first));
    }
  });
});

test("the second page may reverse the sort and continues from the same place", () => {
  const b = room();
  for (const n of [1, 2, 3, 4]) {
    b.send("ada", "room", { id: `p${n}`, text: "?" });
    b.send("bob", "room", { id: `r${n}`, text: "!", parent_id: `p${n}` });
  }
  const page = (direction: number, next?: string) =>
    b.call("ada", "queryThreads", {
      body: { limit: 2, sort: [{ field: "created_at", direction }], ...(next ? { next } : {}) },
    }) as { threads: { parent_message_id: string }[]; next: string };
  const ids = (one: ReturnType<typeof page>): string[] => one.threads.map((t) => t.parent_message_id);
  const first = page(1);
  expect(ids(first)).toEqual(["p1", "p2"]);
  expect(ids(page(-1, first.next))).toEqual(["p1"]);
  expect(
    b.refusalOf("ada", "queryThreads", { body: { sort: [{ field: "reply_count" }], next: first.next } }),
  ).toEqual([4, "next"]);
});

describe("lists and settings", () => {
  test("a server sees drafts in channels that the user cannot read", () => {
    const b = room();
    b.call("bob", "saveDraft", { path: ROOM, body: { message: { text: "almost" } } });
    b.call(SERVER, "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect(b.call("bob", "queryDrafts").drafts).toEqual([]);
    expect(b.call(SERVER, "queryDrafts", { body: { user_id: "bob" } }).drafts).toMatchObject([
      { channel_cid: "messaging:room", message: { text: "almost" } },
    ]);
  });

  test("reminders are filtered by channel_id", () => {
    const b = room();
    b.channel("other", "ada", ["ada"]);
    for (const channel of ["room", "other"]) {
      b.send("ada", channel, { id: `in-${channel}`, text: "x" });
      b.call("ada", "createReminder", { path: { id: `in-${channel}` } });
    }
    const reminders = b.call("ada", "queryReminders", { body: { filter: { channel_id: "other" } } });
    expect((reminders.reminders as { message_id: string }[]).map((one) => one.message_id)).toEqual([
      "in-other",
    ]);
  });

  test("channels of type team count their messages", () => {
    const b = room();
    b.channel("t", "ada", ["ada"], "team");
    b.send("ada", "t", { text: "x" }, "team");
    const { channel } = b.call("ada", "queryChannel", {
      path: { type: "team", id: "t" },
      body: { state: true },
    });
    expect(channel).toMatchObject({ message_count: 1 });
  });

  test("a permission stores its condition, and grants nothing while it has one", () => {
    const b = room();
    const condition = { "$subject.rank": { $eq: "cook" } };
    b.call(SERVER, "createPermission", {
      body: { id: "cook", name: "Cook", action: "UpdateChannel", condition },
    });
    expect(b.call(SERVER, "getPermission", { path: { id: "cook" } }).permission).toMatchObject({ condition });
    b.call(SERVER, "createRole", { body: { name: "chef" } });
    b.call(SERVER, "updateChannelType", {
      path: { name: "messaging" },
      body: { grants: { chef: ["read-channel", "cook"] } },
    });
    b.user("gus", {}, "chef");
    const frozen = { path: ROOM, body: { set: { color: "red" } } };
    expect(b.refusalOf("gus", "updateChannelPartial", frozen)[0]).toBe(17);
    b.call(SERVER, "updatePermission", {
      path: { id: "cook" },
      body: { name: "Cook", action: "UpdateChannel", condition: {} },
    });
    expect(b.call("gus", "updateChannelPartial", frozen).channel).toMatchObject({ color: "red" });
  });
});
