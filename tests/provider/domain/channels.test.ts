/** Channels and members: opening, changing, hiding, muting, truncating, deleting and inviting, and the permissions for each. */
import { describe, expect, test } from "vitest";
import type { Channel, Member } from "../../../src/wire/entities/channel.ts";
import { TestDomain, room, ROOM, type As, type Message } from "./support.ts";

const names = (list: unknown): string[] => (list as Member[]).map((m) => m.user_id);

test("adding people who are members already counts the new ones alone", () => {
  const b = room();
  const count = (): number =>
    (b.call("ada", "queryChannel", { path: ROOM, body: {} }).channel as Channel).member_count!;
  const add = (...ids: string[]): unknown =>
    b.call({ server: true }, "updateChannel", { path: ROOM, body: { add_members: ids } });
  add("ada", "bob", "dan");
  expect(count()).toBe(4);
  add("dan", "bob");
  expect(count()).toBe(4);
});

test("a partial change of one field of a channel leaves each other one as it was", () => {
  const b = room();
  const values: Record<string, unknown> = {
    frozen: true,
    disabled: true,
    cooldown: 5,
    filter_tags: ["a", "b"],
    auto_translation_enabled: true,
    auto_translation_language: "de",
    config_overrides: { replies: false },
    name: "Room",
    topic: { of: ["day"] },
  };
  const change = (body: object): Record<string, unknown> =>
    b.call({ server: true }, "updateChannelPartial", { path: ROOM, body: { ...body } }).channel as never;
  const whole = ({ updated_at: _at, config: _config, ...channel }: Record<string, unknown>): object =>
    channel;
  change({ set: values });
  const before = change({ set: { other: 0 } });
  for (const [key, value] of Object.entries(values)) {
    if (key !== "config_overrides") expect(before[key]).toEqual(value);
    expect([key, whole(change({ set: { [key]: value } }))]).toEqual([key, whole(before)]);
  }
  expect(whole(change({ set: { other: 1 } }))).toEqual({ ...whole(before), other: 1 });
  expect(whole(change({ unset: ["topic"] }))).toEqual({ ...whole(before), other: 1, topic: undefined });
});

describe("opening", () => {
  test("the first query creates the channel, sends the events in order and returns the whole state", () => {
    const b = new TestDomain();
    for (const id of ["ada", "bob"]) b.user(id);
    b.connect("ada", "bob");
    const state = b.call("ada", "queryChannel", {
      path: ROOM,
      body: { watch: true, data: { members: ["bob"], name: "Room" } },
    });
    expect(b.takeEvents()).toEqual([
      "W channel.created",
      "W member.added",
      "U notification.added_to_channel ada",
      "W member.added",
      "U notification.added_to_channel bob",
      "W user.watching.start",
    ]);
    expect(state).toMatchObject({
      channel: {
        cid: "messaging:room",
        name: "Room",
        member_count: 2,
        created_by: { id: "ada" },
        frozen: false,
      },
      membership: { user_id: "ada", channel_role: "channel_member", role: "owner" },
      messages: [],
      pinned_messages: [],
      pending_messages: [],
      threads: [],
      active_live_locations: [],
      watcher_count: 1,
    });
    expect(names(state.members)).toEqual(["ada", "bob"]);
    expect((state.channel as Channel).own_capabilities).toEqual(
      expect.arrayContaining(["send-message", "update-channel", "delete-channel", "upload-file"]),
    );
    expect((state.channel as Channel).own_capabilities).not.toContain("delete-any-message");
    b.call("ada", "queryChannel", { path: ROOM, body: { watch: true, data: { name: "Other" } } });
    expect(b.takeEvents()).toEqual([]);
  });

  test("a distinct channel is the same for the same users in any order, and accepts no further members", () => {
    const b = room();
    const open = (as: string, members: string[]): string =>
      (
        b.call(as, "queryDistinctChannel", { path: { type: "messaging" }, body: { data: { members } } })
          .channel as Channel
      ).id;
    const id = open("ada", ["ada", "bob"]);
    expect(id).toMatch(/^!members-[\w-]{43}$/);
    expect(open("bob", ["bob", "ada"])).toBe(id);
    expect(open("ada", ["ada", "bob", "cyd"])).not.toBe(id);
    expect(
      b.refusalOf("ada", "updateChannel", {
        path: { type: "messaging", id },
        body: { add_members: ["dan"] },
      }),
    ).toEqual([4, "add_members"]);
    expect(b.refusalOf("ada", "queryDistinctChannel", { path: { type: "messaging" } })).toEqual([
      4,
      "data.members",
    ]);
    expect(b.refusalOf("ada", "queryDistinctChannel", { path: { type: "a:b" } })).toEqual([4, "type"]);
  });

  test.each<[string, string, Record<string, unknown>, number, string | undefined]>([
    ["an unknown type", "nope", {}, 16, undefined],
    ["a type that users do not create", "gaming", {}, 17, undefined],
    ["unknown members", "team", { data: { members: ["zed"] } }, 4, "data.members"],
    [
      "101 members",
      "team",
      { data: { members: Array.from({ length: 101 }, (_, i) => `u${i}`) } },
      4,
      "data.members",
    ],
    ["too much custom data", "team", { data: { blob: "x".repeat(5200) } }, 4, "data.custom"],
    ["watch without a connection", "team", { watch: true }, 4, "watch"],
  ])("refuses %s", (_, type, body, code, field) => {
    expect(room().refusalOf("ada", "queryChannel", { path: { type, id: "new" }, body })).toEqual([
      code,
      field,
    ]);
  });

  test("a server must name the creator, with the documented message", () => {
    const b = room();
    const path = { type: "team", id: "new" };
    expect(() => b.call({ server: true }, "queryChannel", { path })).toThrow(
      "either data.created_by or data.created_by_id must be provided when using server side auth.",
    );
    const state = b.call({ server: true }, "queryChannel", {
      path,
      body: { data: { created_by_id: "bob" } },
    });
    expect(state.channel).toMatchObject({ created_by: { id: "bob" } });
  });

  test("a user who creates a channel cannot assign roles to members or invited users; a server can", () => {
    const b = room();
    const roles = (as: As, id: string): string[] => {
      const withRole = (user: string) => [{ user_id: user, channel_role: "channel_moderator" }];
      const data = { members: withRole("bob"), invites: withRole("cyd"), created_by_id: "ada" };
      const state = b.call(as, "queryChannel", { path: { type: "messaging", id }, body: { data } });
      return (state.members as Member[]).map((one) => `${one.user_id} ${one.channel_role}`).toSorted();
    };
    expect(roles("ada", "own")).toEqual(["ada channel_member", "bob channel_member", "cyd channel_member"]);
    expect(roles({ server: true }, "given")).toEqual(["bob channel_moderator", "cyd channel_moderator"]);
  });

  test("members-only types refuse other users (17); livestream is open, and anonymous users may only read it", () => {
    const b = room();
    expect(b.refusalOf("dan", "queryChannel", { path: ROOM })).toEqual([17, undefined]);
    expect(b.refusalOf("dan", "getChannel", { path: ROOM })).toEqual([17, undefined]);
    expect(b.refusalOf("dan", "getChannel", { path: { type: "messaging", id: "void" } })).toEqual([
      16,
      undefined,
    ]);
    b.channel("show", "ada", [], "livestream");
    const path = { type: "livestream", id: "show" };
    expect((b.call("dan", "getChannel", { path }).channel as Channel).own_capabilities).toContain(
      "send-message",
    );
    expect(
      (b.call({ anonymous: true }, "getChannel", { path }).channel as Channel).own_capabilities,
    ).not.toContain("send-message");
    expect(
      b.refusalOf({ anonymous: true }, "sendMessage", { path, body: { message: { text: "x" } } }),
    ).toEqual([17, undefined]);
  });
});

describe("changing", () => {
  test("a full update replaces the custom data, a partial one keeps it, and an equal one sends no event", () => {
    const b = room();
    b.call("ada", "updateChannel", { path: ROOM, body: { data: { name: "A", topic: "tea" } } });
    expect(b.takeEvents()).toEqual(["W channel.updated"]);
    const partial = b.call("ada", "updateChannelPartial", {
      path: ROOM,
      body: { set: { "deep.x": 1 }, unset: ["topic"] },
    });
    expect(partial.channel).toMatchObject({ name: "A", deep: { x: 1 } });
    expect(partial.channel).not.toHaveProperty("topic");
    const full = b.call("ada", "updateChannel", { path: ROOM, body: { data: { name: "B" } } });
    expect(full.channel).not.toHaveProperty("deep");
    b.events = [];
    b.call("ada", "updateChannel", { path: ROOM, body: { data: { name: "B" } } });
    expect(b.events).toEqual([]);
  });

  test("a full update leaves each setting of the channel that it does not name", () => {
    const b = room();
    const server = { server: true, user: "ada" } as const;
    for (const set of [
      { frozen: true },
      { frozen: false, disabled: true },
      { disabled: false, cooldown: 5 },
      { cooldown: 0, auto_translation_enabled: true },
      { auto_translation_enabled: false, auto_translation_language: "de" },
    ]) {
      const held = b.call(server, "updateChannelPartial", { path: ROOM, body: { set } }).channel;
      const { channel } = b.call(server, "updateChannel", { path: ROOM, body: { data: { name: "A" } } });
      const { updated_at: _at, ...before } = held as Record<string, unknown>;
      expect(channel).toMatchObject({ ...before, name: "A" });
    }
  });

  test("a deleted user cannot be added to a channel, and can be removed from one, also by a batch", () => {
    const b = room();
    const server = { server: true, user: "ada" } as const;
    b.call(server, "deleteUser", { path: { id: "dan" } });
    expect(b.refusalOf("ada", "updateChannel", { path: ROOM, body: { add_members: ["dan"] } })).toEqual([
      4,
      "add_members",
    ]);
    const batch = (operation: string) => ({
      body: { operation, filter: { types: { $eq: "messaging" } }, members: [{ user_id: "dan" }] },
    });
    expect(b.refusalOf(server, "batchChannels", batch("addMembers"))).toEqual([4, "members"]);
    expect(b.call(server, "batchChannels", batch("removeMembers")).task_id).toBeTypeOf("string");
  });

  test("adding and removing members sends events and changes the count; leaving ends the watch", () => {
    const b = room();
    b.connect("bob");
    b.call("bob", "queryChannel", { path: ROOM, body: { watch: true } });
    b.events = [];
    expect(
      b.call("ada", "updateChannel", { path: ROOM, body: { add_members: ["dan"] } }).channel,
    ).toMatchObject({ member_count: 4 });
    b.call("ada", "updateChannel", { path: ROOM, body: { remove_members: ["dan"] } });
    expect(b.takeEvents()).toEqual([
      "W member.added",
      "U notification.added_to_channel dan",
      "W member.removed",
      "U notification.removed_from_channel dan",
    ]);
    b.call("bob", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect(b.watched.get("messaging:room")!.has("bob")).toBe(false);
    expect(b.refusalOf("bob", "queryChannel", { path: ROOM })).toEqual([17, undefined]);
  });

  test("a member added after the clock was set back has read the older messages: deleting one lowers no unread count", () => {
    const b = room();
    const { id } = b.send("ada", "room", { text: "before" });
    b.wait(-60_000);
    b.call("ada", "updateChannel", { path: ROOM, body: { add_members: ["dan"] } });
    b.send("ada", "room", { text: "after" });
    expect(b.unread("messaging:room", "dan")).toBe(1);
    b.call("ada", "deleteMessage", { path: { id } });
    expect(b.unread("messaging:room", "dan")).toBe(1);
  });

  test("a channel has at most ten filter tags", () => {
    const b = room();
    const tags = Array.from({ length: 10 }, (_, n) => `t${n}`);
    const add = { path: ROOM, body: { add_filter_tags: tags, user_id: "ada" } };
    const { channel } = b.call({ server: true }, "updateChannel", add);
    expect((channel as Channel).filter_tags).toEqual(tags);
    const more = { path: ROOM, body: { add_filter_tags: ["t10"], user_id: "ada" } };
    expect(b.refusalOf({ server: true }, "updateChannel", more)).toEqual([4, "filter_tags"]);
  });

  test("a message in an update is sent as a system message", () => {
    const b = room();
    const answer = b.call("ada", "updateChannel", {
      path: ROOM,
      body: { data: { name: "N" }, message: { text: "renamed" } },
    });
    expect(answer.message).toMatchObject({ type: "system", text: "renamed" });
    expect(b.events[0]!.event).toMatchObject({ type: "channel.updated", message: { text: "renamed" } });
  });

  test.each<[string, string, Record<string, unknown>, number, string | undefined]>([
    ["a member who changes the data", "bob", { data: { name: "x" } }, 17, undefined],
    ["a member who adds people", "bob", { add_members: ["dan"] }, 17, undefined],
    ["a creator who freezes without the right", "ada", { data: { frozen: true } }, 17, undefined],
    ["a user who disables", "ada", { data: { disabled: true } }, 17, undefined],
    ["a user who promotes", "ada", { add_moderators: ["bob"] }, 17, undefined],
    ["unknown members", "ada", { add_members: ["zed"] }, 4, "add_members"],
    ["a cooldown over two minutes", "ada", { cooldown: 121 }, 4, "cooldown"],
    ["an invite nobody sent", "bob", { accept_invite: true }, 4, "accept_invite"],
  ])("refuses %s", (_, as, body, code, field) => {
    expect(room().refusalOf(as, "updateChannel", { path: ROOM, body })).toEqual([code, field]);
  });

  test.each<[string, Record<string, unknown>, string[]]>([
    ["adds", { add_members: ["dan"] }, ["ada", "bob", "cyd", "dan"]],
    ["invites", { invites: ["dan"] }, ["ada", "bob", "cyd", "dan"]],
    ["removes", { remove_members: ["cyd"] }, ["ada", "bob"]],
  ])("a member %s others only with the right to change members", (_, body, after) => {
    const b = room();
    const members = (): string[] => names(b.call("ada", "queryMembers", { body: ROOM }).members);
    expect(b.refusalOf("bob", "updateChannel", { path: ROOM, body })).toEqual([17, undefined]);
    expect(members()).toEqual(["ada", "bob", "cyd"]);
    b.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path: ROOM,
      body: { set: { config_overrides: { grants: { channel_member: ["update-channel-members"] } } } },
    });
    b.call("bob", "updateChannel", { path: ROOM, body });
    expect(members()).toEqual(after);
  });

  test.each<[string, Record<string, unknown>]>([
    ["and somebody else", { remove_members: ["bob", "cyd"] }],
    ["after somebody else", { remove_members: ["cyd", "bob"] }],
    ["and everybody else", { remove_members: ["ada", "bob", "cyd"] }],
    ["and takes somebody in", { remove_members: ["bob"], add_members: ["dan"] }],
    ["and invites somebody", { remove_members: ["bob"], invites: ["dan"] }],
  ])("a member may leave, but not with a call that removes that member %s", (_, body) => {
    const b = room();
    const members = (): string[] => names(b.call("ada", "queryMembers", { body: ROOM }).members);
    expect(b.refusalOf("bob", "updateChannel", { path: ROOM, body })).toEqual([17, undefined]);
    expect(members()).toEqual(["ada", "bob", "cyd"]);
    b.call("bob", "updateChannel", { path: ROOM, body: { remove_members: ["bob"] } });
    expect(members()).toEqual(["ada", "cyd"]);
    const both = { path: ROOM, body: { remove_members: ["ada", "cyd"] } };
    expect(b.call("ada", "updateChannel", both).channel).toMatchObject({ member_count: 0 });
  });

  test("who may join a channel may not add others with the same call", () => {
    const b = room();
    const path = { type: "livestream", id: "open" };
    b.call({ server: true }, "queryChannel", { path, body: { data: { created_by_id: "ada" } } });
    const add = (ids: string[]) => ({ path, body: { add_members: ids } });
    b.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path,
      body: {
        set: { config_overrides: { grants: { user: ["add-own-channel-membership", "read-channel"] } } },
      },
    });
    for (const ids of [["bob", "cyd"], ["cyd", "bob"], ["cyd"]])
      expect(b.refusalOf("bob", "updateChannel", add(ids))).toEqual([17, undefined]);
    expect(b.call("bob", "updateChannel", add(["bob"])).channel).toMatchObject({ member_count: 1 });
  });

  test("a partial update is refused if it is empty, has overlapping paths or built-in keys", () => {
    const b = room();
    const refuse = (body: Record<string, unknown>) =>
      b.refusalOf("ada", "updateChannelPartial", { path: ROOM, body });
    expect(refuse({})).toEqual([4, "set"]);
    expect(refuse({ set: { cid: "x" } })).toEqual([4, "cid"]);
    expect(refuse({ set: { a: 1, "a.b": 2 } })).toEqual([4, "set.a.b"]);
    expect(refuse({ set: { config_overrides: { replies: false } } })).toEqual([17, undefined]);
  });

  test("overridden switches apply to their channel: a feature that is off answers 19", () => {
    const b = room();
    b.send("ada", "room", { id: "m", text: "x" });
    b.call({ server: true, user: "ada" }, "updateChannelPartial", {
      path: ROOM,
      body: {
        set: { config_overrides: { replies: false, reactions: false, quotes: false, typing_events: false } },
      },
    });
    const send = (message: Record<string, unknown>) =>
      b.refusalOf("bob", "sendMessage", { path: ROOM, body: { message } });
    expect(send({ text: "x", parent_id: "m" })).toEqual([19, undefined]);
    expect(send({ text: "x", quoted_message_id: "m" })).toEqual([19, undefined]);
    expect(
      b.refusalOf("bob", "sendReaction", { path: { id: "m" }, body: { reaction: { type: "love" } } }),
    ).toEqual([19, undefined]);
    expect(
      b.refusalOf("bob", "sendEvent", { path: ROOM, body: { event: { type: "typing.start" } } }),
    ).toEqual([19, undefined]);
  });

  test("an invite is pending until it is answered, and each step has its event", () => {
    const b = room();
    b.call("ada", "updateChannel", { path: ROOM, body: { invites: ["dan"] } });
    expect(b.takeEvents()).toEqual(["W member.added", "U notification.invited dan"]);
    const pending = b.call("dan", "queryChannels", { body: { filter_conditions: { invite: "pending" } } });
    expect(pending.channels).toMatchObject([{ membership: { invited: true, status: "pending" } }]);
    b.call("dan", "updateChannel", {
      path: ROOM,
      body: { accept_invite: true, message: { text: "here I am" } },
    });
    expect(b.takeEvents()).toEqual([
      "W message.new",
      "W member.updated",
      "U notification.invite_accepted dan",
    ]);
    const after = b.call("dan", "queryChannel", { path: ROOM });
    expect(after.membership).toMatchObject({ status: "accepted" });
  });
});

describe("hiding, muting, pinning", () => {
  test("a hidden channel is listed again when somebody writes, unless it is muted", () => {
    const b = room();
    const listed = (): number => (b.call("bob", "queryChannels").channels as unknown[]).length;
    b.call("bob", "hideChannel", { path: ROOM });
    expect(b.events.at(-1)).toMatchObject({
      to: "U",
      user: "bob",
      event: { type: "channel.hidden", clear_history: false },
    });
    expect(listed()).toBe(0);
    b.events = [];
    b.send("ada", "room", { text: "x" });
    expect(b.events[0]).toMatchObject({ to: "U", user: "bob", event: { type: "channel.visible" } });
    expect(listed()).toBe(1);
    b.call("bob", "muteChannel", { body: { channel_cid: "messaging:room" } });
    b.call("bob", "hideChannel", { path: ROOM });
    b.send("ada", "room", { text: "y" });
    expect(listed()).toBe(0);
    b.call("bob", "showChannel", { path: ROOM });
    expect(listed()).toBe(1);
    expect(b.refusalOf("dan", "hideChannel", { path: ROOM })).toEqual([17, undefined]);
  });

  test("a channel type without mutes refuses to mute (19)", () => {
    const b = room();
    b.call({ server: true }, "updateChannelType", { path: { name: "messaging" }, body: { mutes: false } });
    const mute = { body: { channel_cid: "messaging:room" } };
    expect(b.refusalOf("bob", "muteChannel", mute)).toEqual([19, undefined]);
  });

  test("a mute ends after its milliseconds", () => {
    const b = room();
    const answer = b.call("bob", "muteChannel", {
      body: { channel_cid: "messaging:room", expiration: 1000 },
    });
    expect(answer).toMatchObject({
      channel_mute: { channel: { cid: "messaging:room" }, user: { id: "bob" } },
    });
    expect(answer.own_user).toMatchObject({ channel_mutes: [{}] });
    expect(b.events.at(-2)!.event).toMatchObject({
      type: "notification.channel_mutes_updated",
      me: { channel_mutes: [{}] },
    });
    expect(b.events.at(-1)).toMatchObject({ to: "S", event: { type: "channel.muted", mute: {} } });
    b.send("ada", "room", { text: "x" });
    expect(b.unread("messaging:room", "bob")).toBe(0);
    b.wait(1001);
    b.send("ada", "room", { text: "x" });
    expect(b.unread("messaging:room", "bob")).toBe(1);
    b.call("bob", "unmuteChannel", { body: { channel_cid: "messaging:room" } });
    expect(b.events.at(-1)!.event).toMatchObject({ me: { channel_mutes: [] } });
    expect(b.refusalOf("bob", "muteChannel", { body: {} })).toEqual([4, "channel_cid"]);
    expect(b.refusalOf("bob", "muteChannel", { body: { channel_cid: "room" } })).toEqual([4, "channel_cid"]);
  });

  test("pinning unarchives and archiving unpins, for that member only", () => {
    const b = room();
    const path = { ...ROOM, user_id: "bob" };
    const set = (as: string, what: object) =>
      b.call(as, "updateMemberPartial", { path, body: { set: what } }).channel_member as Member;
    const pinned = set("bob", { pinned: true });
    expect(pinned).toMatchObject({ pinned_at: expect.any(String) });
    expect(pinned).not.toHaveProperty("archived_at");
    const archived = set("bob", { archived: true, nick: "B" });
    expect(archived).toMatchObject({ archived_at: expect.any(String), nick: "B" });
    expect(archived).not.toHaveProperty("pinned_at");
    expect(b.refusalOf("ada", "updateMemberPartial", { path, body: { set: { pinned: true } } })).toEqual([
      17,
      undefined,
    ]);
    expect(b.refusalOf("bob", "updateMemberPartial", { path, body: {} })).toEqual([4, "set"]);
    expect(
      b.refusalOf("bob", "updateMemberPartial", {
        path: { ...ROOM, user_id: "dan" },
        body: { set: { x: 1 } },
      }),
    ).toEqual([16, undefined]);
  });

  test("members are found by name, role and cursor", () => {
    const b = room();
    const find = (more: Record<string, unknown>) =>
      names(b.call("ada", "queryMembers", { body: { ...ROOM, ...more } }).members);
    expect(find({})).toEqual(["ada", "bob", "cyd"]);
    expect(find({ filter_conditions: { name: { $autocomplete: "b" } } })).toEqual(["bob"]);
    expect(find({ sort: [{ field: "user_id", direction: -1 }], limit: 2 })).toEqual(["cyd", "bob"]);
    expect(find({ user_id_gt: "ada" })).toEqual(["bob", "cyd"]);
    expect(b.refusalOf("ada", "queryMembers", { body: {} })).toEqual([4, "type"]);
    expect(b.refusalOf("dan", "queryMembers", { body: ROOM })).toEqual([17, undefined]);
  });
});

describe("ending", () => {
  test("truncation removes messages, pins and unread counts, and its own message comes after it", () => {
    const b = room();
    b.connect("cyd");
    b.send("ada", "room", { id: "m", text: "x" });
    b.call("ada", "updateMessagePartial", { path: { id: "m" }, body: { set: { pinned: true } } });
    b.events = [];
    b.call("ada", "truncateChannel", { path: ROOM, body: { message: { text: "fresh start" } } });
    expect(b.takeEvents()).toEqual(["W channel.truncated", "N notification.channel_truncated cyd"]);
    const state = b.call("bob", "queryChannel", { path: ROOM });
    expect((state.messages as Message[]).map((m) => m.text)).toEqual(["fresh start"]);
    expect(state.pinned_messages).toEqual([]);
    expect(b.refusalOf("bob", "truncateChannel", { path: ROOM })).toEqual([17, undefined]);
  });

  test("a deleted channel is gone for everybody, and is empty when created again", () => {
    for (const hard of ["true", "false"]) {
      const b = room();
      b.connect("cyd");
      b.send("ada", "room", { id: "m", text: "x" });
      b.events = [];
      expect(b.refusalOf("bob", "deleteChannel", { path: ROOM })).toEqual([17, undefined]);
      const { channel } = b.call("ada", "deleteChannel", { path: ROOM, query: { hard_delete: hard } });
      expect(channel).toHaveProperty("deleted_at");
      expect(b.takeEvents()).toEqual(["W channel.deleted", "N notification.channel_deleted cyd"]);
      expect(b.call("ada", "queryChannels").channels).toEqual([]);
      expect(b.call("bob", "getUnread").total_unread_count).toBe(0);
      expect(b.refusalOf("ada", "getChannel", { path: ROOM })).toEqual([16, undefined]);
      expect(b.call("bob", "queryChannel", { path: ROOM }).messages).toEqual([]);
      expect(b.refusalOf("bob", "getMessage", { path: { id: "m" } })).toEqual([16, undefined]);
    }
  });
});

test("watchers of a deleted channel do not watch the channel created again under its name", () => {
  for (const hard of ["true", "false"]) {
    const b = room();
    b.connect("bob", "cyd");
    for (const id of ["bob", "cyd"]) b.call(id, "queryChannel", { path: ROOM, body: { watch: true } });
    b.call("ada", "deleteChannel", { path: ROOM, query: { hard_delete: hard } });
    b.channel("room", "ada", ["ada", "bob"]);
    expect(b.emit.watcherInfo("messaging:room").userIds).toEqual([]);
  }
});

test.each([
  ["a change", "updateChannel", { data: { name: "N" } }],
  ["a truncation", "truncateChannel", {}],
] as const)("the message of %s has no id that a message has or had", (_, name, body) => {
  const b = room();
  for (const id of ["there", "gone"]) b.send("ada", "room", { id, text: "x" });
  b.call("ada", "deleteMessage", { path: { id: "gone" }, query: { hard: "true" } });
  const input = (id: string) => ({ path: ROOM, body: { ...body, message: { id, text: "x" } } });
  for (const id of ["there", "gone"]) expect(b.refusalOf("ada", name, input(id))).toEqual([4, "message.id"]);
  expect(() => b.call("ada", name, input("new"))).not.toThrow();
});

describe("sendEvent", () => {
  test("a typing event reaches the watchers unless the user keeps typing private", () => {
    const b = room();
    b.call("ada", "sendMessage", { path: ROOM, body: { message: { id: "p", text: "tea" } } });
    b.takeEvents();
    const type = (as: string) =>
      b.call(as, "sendEvent", { path: ROOM, body: { event: { type: "typing.start", parent_id: "p" } } });
    expect(type("ada").event).toMatchObject({
      type: "typing.start",
      parent_id: "p",
      user: { id: "ada" },
      cid: "messaging:room",
    });
    expect(b.takeEvents()).toEqual(["W typing.start"]);
    b.user("bob", { privacy_settings: { typing_indicators: { enabled: false } } });
    type("bob");
    expect(b.takeEvents()).toEqual([]);
  });

  test("a custom event keeps its data, a built-in name is code 18, and a forged user is ignored", () => {
    const b = room();
    const event = b.call("ada", "sendEvent", {
      path: ROOM,
      body: { event: { type: "wave", hands: 2, user: { id: "bob" } } },
    }).event;
    expect(event).toMatchObject({ type: "wave", hands: 2, user: { id: "ada" } });
    expect(b.refusalOf("ada", "sendEvent", { path: ROOM, body: { event: { type: "message.new" } } })).toEqual(
      [18, "event.type"],
    );
    expect(b.refusalOf("ada", "sendEvent", { path: ROOM, body: {} })).toEqual([4, "event"]);
  });
});

describe("the channel list of a user with very many channels", () => {
  test("has the same order and pages as that of a user with few channels", () => {
    const b = new TestDomain();
    for (const id of ["ada", "bob"]) b.user(id);
    const all = Array.from({ length: 520 }, (_, n) => `c${String(n).padStart(3, "0")}`);
    for (const [n, id] of all.entries()) {
      const members = n % 3 === 0 ? ["ada", "bob"] : ["ada"];
      b.call("ada", "queryChannel", { path: { type: "messaging", id }, body: { data: { members } } });
    }
    b.call("ada", "sendMessage", {
      path: { type: "messaging", id: "c003" },
      body: { message: { text: "the newest" } },
    });
    const list = (as: string, offset: number): string[] =>
      (
        b.call(as, "queryChannels", {
          body: {
            filter_conditions: { members: { $in: [as] } },
            sort: [{ field: "last_updated", direction: -1 }],
            limit: 30,
            offset,
          },
        }).channels as { channel: Channel }[]
      ).map(({ channel }) => channel.id);
    const pages = (as: string): string[] => [0, 30, 60, 90, 120, 150].flatMap((offset) => list(as, offset));
    const newestFirst = ["c003", ...all.toReversed().filter((id) => id !== "c003")];
    expect(pages("ada")).toEqual(newestFirst.slice(0, 180));
    expect(pages("bob")).toEqual(newestFirst.filter((id) => Number(id.slice(1)) % 3 === 0));
  });
});
