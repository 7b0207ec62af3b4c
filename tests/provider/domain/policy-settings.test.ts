/** Changed grants, roles, permissions, channel types and overrides take effect at once, and are rolled back when their call fails. */
import { describe, expect, test } from "vitest";
import type { Channel } from "../../../src/wire/entities/channel.ts";
import type { NamedChannelType } from "../../../src/wire/entities/channel-type.ts";
import type { Permission } from "../../../src/wire/entities/role.ts";
import { accessOf, configOf } from "../../../src/provider/domain/access/storage/access.ts";
import { readApp } from "../../../src/provider/store/app-settings.ts";
import { TestDomain, ROOM, room, type As } from "./support.ts";

const SERVER = { server: true } as const;
const AS_ADA = { server: true, user: "ada" } as const;

const app = (b: TestDomain, body: object): unknown => b.call(SERVER, "updateApp", { body: { ...body } });
const type = (b: TestDomain, name: string, body: object): NamedChannelType =>
  b.call(SERVER, "updateChannelType", { path: { name }, body: { ...body } }) as unknown as NamedChannelType;
const override = (b: TestDomain, overrides: unknown, as: As = AS_ADA): Channel =>
  b.call(as, "updateChannelPartial", { path: ROOM, body: { set: { config_overrides: overrides } } })
    .channel as Channel;
const capabilitiesOf = (b: TestDomain, who: string, path = ROOM): string[] =>
  (b.call(who, "getChannel", { path }).channel as Channel).own_capabilities!;

describe("grants", () => {
  test("giving a role a permission and removing it takes effect at once", () => {
    const b = room();
    expect(b.refusalOf("dan", "getChannel", { path: ROOM })).toEqual([17, undefined]);
    type(b, "messaging", { grants: { user: ["read-channel"] } });
    expect(capabilitiesOf(b, "dan")).not.toContain("send-message");
    type(b, "messaging", { grants: { user: ["read-channel", "create-message"] } });
    expect(capabilitiesOf(b, "dan")).toContain("send-message");
    type(b, "messaging", { grants: null });
    expect(b.refusalOf("dan", "getChannel", { path: ROOM })).toEqual([17, undefined]);
  });

  test("an empty list removes everything from a role, and other roles keep theirs", () => {
    const b = room();
    type(b, "messaging", { grants: { channel_member: [] } });
    expect(b.refusalOf("bob", "getChannel", { path: ROOM })).toEqual([17, undefined]);
    expect(capabilitiesOf(b, "ada")).toContain("send-message");
  });

  test("the channel list shows exactly the channels that may be opened", () => {
    const b = room();
    const listed = (who: string): number =>
      (b.call(who, "queryChannels", { body: { filter_conditions: {} } }).channels as unknown[]).length;
    expect([listed("ada"), listed("bob"), listed("dan")]).toEqual([1, 1, 0]);
    type(b, "messaging", { grants: { channel_member: [], user: ["read-channel"] } });
    expect([listed("ada"), listed("bob"), listed("dan")]).toEqual([1, 1, 1]);
    type(b, "messaging", { grants: { channel_member: [], user: [] } });
    expect([listed("ada"), listed("bob"), listed("dan")]).toEqual([0, 0, 0]);
    type(b, "messaging", { grants: null });
    override(b, { grants: { user: ["read-channel"], channel_member: ["!read-channel"] } });
    expect([listed("bob"), listed("dan")]).toEqual([1, 1]);
    override(b, { grants: { channel_member: ["!read-channel"] } });
    expect([listed("ada"), listed("bob"), listed("dan")]).toEqual([1, 0, 0]);
  });

  test("grants of scope .app are set in the app settings", () => {
    const b = room();
    expect(b.call("ada", "queryUsers", { body: {} }).users).toHaveLength(4);
    app(b, { grants: { user: [] } });
    expect(b.refusalOf("ada", "queryUsers", { body: {} })).toEqual([17, undefined]);
    app(b, { grants: null });
    expect(b.call("ada", "queryUsers", { body: {} }).users).toHaveLength(4);
  });

  test("disable_permissions_checks allows clients everything a grant could allow, and no more", () => {
    const b = room();
    app(b, { disable_permissions_checks: true });
    expect(capabilitiesOf(b, "dan")).toContain("delete-any-message");
    expect(
      b.refusalOf("dan", "updateChannelPartial", { path: ROOM, body: { set: { disabled: true } } }),
    ).toEqual([17, undefined]);
  });

  test("an own role of the app can be given to a user or a member", () => {
    const b = room();
    b.call(SERVER, "createRole", { body: { name: "cook" } });
    type(b, "messaging", { grants: { cook: ["read-channel", "create-message", "update-channel-frozen"] } });
    b.call(SERVER, "upsertUsers", { body: { users: { dan: { id: "dan", role: "cook" } } } });
    b.roles.dan = "cook";
    expect(capabilitiesOf(b, "dan")).toContain("freeze-channel");
    expect(capabilitiesOf(b, "bob")).not.toContain("freeze-channel");
    b.call(AS_ADA, "updateMemberPartial", {
      path: { ...ROOM, user_id: "bob" },
      body: { set: { channel_role: "cook" } },
    });
    expect(capabilitiesOf(b, "bob")).toContain("freeze-channel");
    expect(
      b.refusalOf("ada", "updateChannel", {
        path: ROOM,
        body: { add_members: [{ user_id: "dan", channel_role: "cook" }] },
      }),
    ).toEqual([17, undefined]);
  });

  test("naming frozen, cooldown or disabled needs their permission, even if nothing would change", () => {
    const b = room();
    for (const set of [{ frozen: false }, { cooldown: 0 }, { disabled: false }, { toString: 1 }])
      expect(b.refusalOf("bob", "updateChannelPartial", { path: ROOM, body: { set } })).toEqual([
        17,
        undefined,
      ]);
    for (const unset of [["frozen"], ["cooldown"], ["disabled"]])
      expect(b.refusalOf("bob", "updateChannelPartial", { path: ROOM, body: { unset } })).toEqual([
        17,
        undefined,
      ]);
  });

  test("a custom permission allows its action, for own objects only if it says owner", () => {
    const b = room();
    const createTidyPermission = (more: object): void => {
      b.call(SERVER, "createPermission", {
        body: { id: "tidy", name: "Tidy", action: "DeleteMessage", ...more },
      });
      type(b, "messaging", { grants: { channel_member: ["read-channel", "create-message", "tidy"] } });
    };
    const theirs = b.send("ada", "room", { text: "x" });
    createTidyPermission({ owner: true });
    expect(capabilitiesOf(b, "bob")).toContain("delete-own-message");
    expect(b.refusalOf("bob", "deleteMessage", { path: { id: theirs.id } })).toEqual([17, undefined]);
    b.call(SERVER, "updatePermission", { path: { id: "tidy" }, body: { owner: false } });
    expect(b.call("bob", "deleteMessage", { path: { id: theirs.id } }).message).toMatchObject({
      type: "deleted",
    });
  });

  test("a permission cannot be deleted while the app's grants use it", () => {
    const b = room();
    b.call(SERVER, "createPermission", { body: { id: "look", name: "Look", action: "SearchUser" } });
    const remove = { path: { id: "look" } };
    app(b, { grants: { user: ["look"] } });
    expect(b.refusalOf(SERVER, "deletePermission", remove)).toEqual([4, "id"]);
    expect(b.call("ada", "queryUsers", { body: {} }).users).toHaveLength(4);
    app(b, { grants: null });
    b.call(SERVER, "deletePermission", remove);
    expect(b.refusalOf(SERVER, "getPermission", remove)).toEqual([16, undefined]);
  });

  test("every built-in permission can be granted and is listed once", () => {
    const b = new TestDomain();
    const list = b.call(SERVER, "listPermissions").permissions as Permission[];
    const ids = list.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ["use-frozen-channel", "read-restricted-visibility-message", "update-channel-any-team"])
      expect(ids).toContain(id);
    for (const level of ["app", "channel"])
      type(b, "messaging", {
        grants: { admin: list.filter((one) => one.level === level).map(({ id }) => id) },
      });
  });
});

describe("rollback", () => {
  test("a rolled back change is forgotten, also if another one follows", () => {
    const b = room();
    const before = configOf(b.db, "messaging");
    b.db.raw.exec("BEGIN; SAVEPOINT call");
    b.db.run(
      "INSERT INTO channel_types (name, settings, created_at, updated_at) VALUES ('messaging', '{\"uploads\":false}', 1, 1)",
    );
    expect(configOf(b.db, "messaging")!.uploads).toBe(false);
    b.db.raw.exec("ROLLBACK TO call");
    expect(configOf(b.db, "messaging")).toEqual(before);
    b.db.run(
      "INSERT INTO channel_types (name, settings, created_at, updated_at) VALUES ('messaging', '{\"replies\":false}', 1, 1)",
    );
    expect(configOf(b.db, "messaging")).toMatchObject({ uploads: true, replies: false });
    b.db.raw.exec("ROLLBACK");
    expect(configOf(b.db, "messaging")).toEqual(before);
  });
});

describe("channel types", () => {
  test("a new type copies messaging's grants, and its channels have its configuration", () => {
    const b = room();
    type(b, "messaging", { grants: { user: ["read-channel"] } });
    b.call(SERVER, "createChannelType", { body: { name: "kitchen", replies: false, commands: ["mute"] } });
    type(b, "messaging", { grants: null });
    b.call(SERVER, "queryChannel", {
      path: { type: "kitchen", id: "k" },
      body: { data: { created_by_id: "ada", members: ["bob"] } },
    });
    const path = { type: "kitchen", id: "k" };
    expect(capabilitiesOf(b, "dan", path)).not.toContain("send-message");
    expect(capabilitiesOf(b, "bob", path)).toContain("send-message");
    const { config } = b.call("bob", "getChannel", { path }).channel as Channel;
    expect(config).toMatchObject({ name: "kitchen", replies: false, polls: false, typing_events: true });
    expect(config!.commands.map(({ name }) => name)).toEqual(["mute"]);
    const parent = b.call("bob", "sendMessage", { path, body: { message: { text: "x" } } }).message as {
      id: string;
    };
    expect(
      b.refusalOf("bob", "sendMessage", { path, body: { message: { text: "y", parent_id: parent.id } } }),
    ).toEqual([19, undefined]);
  });

  test("null resets a field of a built-in type, and an empty command list means all", () => {
    const b = room();
    expect(type(b, "messaging", { max_message_length: 3, commands: ["giphy"] }).commands).toEqual(["giphy"]);
    expect(b.refusalOf("ada", "sendMessage", { path: ROOM, body: { message: { text: "long" } } })[0]).toBe(
      20,
    );
    const after = type(b, "messaging", { max_message_length: null, commands: null });
    expect(after).toMatchObject({ max_message_length: 5000 });
    expect(after.commands).toHaveLength(6);
  });

  test("an app has at most 50 types", () => {
    const b = new TestDomain();
    for (let n = 5; n < 50; n++) b.call(SERVER, "createChannelType", { body: { name: `t${n}` } });
    expect(b.refusalOf(SERVER, "createChannelType", { body: { name: "more" } })).toEqual([4, "name"]);
    expect(accessOf(b.db).types.size).toBe(50);
  });

  test('commands of the app belong to "all" and to their set', () => {
    const b = room();
    b.call(SERVER, "createCommand", { body: { name: "ticket", description: "x", set: "desk_set" } });
    const names = (): string[] => configOf(b.db, "messaging")!.commands.map(({ name }) => name);
    expect(names()).toContain("ticket");
    for (const name of ["ticket", "desk_set", "giphy", "fun_set", "all"])
      expect(b.refusalOf(SERVER, "createCommand", { body: { name, description: "x" } })).toEqual([4, "name"]);
    type(b, "messaging", { commands: ["desk_set"] });
    expect(names()).toEqual(["ticket"]);
    b.call(SERVER, "deleteCommand", { path: { name: "ticket" } });
    expect(names()).toEqual([]);
  });

  test("a built-in command cannot be deleted, even if no type uses it", () => {
    const b = new TestDomain();
    for (const name of ["messaging", "team", "livestream", "gaming", "commerce"])
      type(b, name, { commands: [] });
    expect(b.refusalOf(SERVER, "deleteCommand", { path: { name: "giphy" } })).toEqual([4, "name"]);
  });

  test("deleting a blocklist removes it from types and channels", () => {
    const b = room();
    b.call(SERVER, "createBlocklist", { body: { name: "sweet", words: ["sugar"] } });
    type(b, "team", { blocklist: "sweet", blocklist_behavior: "block" });
    type(b, "messaging", { blocklists: [{ blocklist: "sweet", behavior: "flag" }] });
    override(b, { blocklist: "sweet", blocklist_behavior: "block", uploads: false });
    b.call(SERVER, "deleteBlocklist", { path: { name: "sweet" } });
    expect(configOf(b.db, "team")).not.toHaveProperty("blocklist");
    expect(configOf(b.db, "team")).not.toHaveProperty("blocklist_behavior");
    expect(configOf(b.db, "messaging")!.blocklists).toEqual([]);
    const { config } = b.call("bob", "getChannel", { path: ROOM }).channel as Channel;
    expect(config).toMatchObject({ uploads: false });
    expect(config).not.toHaveProperty("blocklist");
    expect(config).not.toHaveProperty("blocklist_behavior");
  });
});

describe("overrides of one channel", () => {
  test("equal overrides of channels of two types leave each the settings of its type", () => {
    const b = room();
    b.call("ada", "queryChannel", {
      path: { type: "team", id: "garden" },
      body: { data: { members: ["ada"] } },
    });
    type(b, "team", { max_message_length: 70, grants: { channel_member: ["read-channel"] } });
    override(b, { uploads: false });
    const { channel } = b.call(AS_ADA, "updateChannelPartial", {
      path: { type: "team", id: "garden" },
      body: { set: { config_overrides: { uploads: false } } },
    }) as { channel: Channel };
    expect(channel.config).toMatchObject({ name: "team", uploads: false, max_message_length: 70 });
    expect(capabilitiesOf(b, "bob")).toContain("send-message");
  });

  test("override configuration, commands by name, and grants", () => {
    const b = room();
    const channel = override(b, {
      uploads: false,
      max_message_length: 7,
      commands: ["giphy"],
      push_level: "none",
      grants: { channel_member: ["!create-message", "update-channel"] },
    });
    expect(channel.config).toMatchObject({
      uploads: false,
      max_message_length: 7,
      push_level: "none",
      grants: { channel_member: ["!create-message", "update-channel"] },
      commands: [{ name: "giphy", set: "fun_set" }],
    });
    expect(capabilitiesOf(b, "bob")).toContain("update-channel");
    expect(capabilitiesOf(b, "bob")).not.toContain("send-message");
    expect(capabilitiesOf(b, "bob")).not.toContain("upload-file");
    b.channel("other", "ada", ["ada", "bob"]);
    expect(capabilitiesOf(b, "bob", { type: "messaging", id: "other" })).toContain("send-message");
    expect(override(b, {}).config).not.toHaveProperty("grants");
    expect(capabilitiesOf(b, "bob")).toContain("send-message");
  });

  test("can be set by path, and unset removes them all", () => {
    const b = room();
    override(b, { uploads: false });
    const patch = (body: object): Channel =>
      b.call(AS_ADA, "updateChannelPartial", { path: ROOM, body: { ...body } }).channel as Channel;
    expect(patch({ set: { "config_overrides.replies": false } }).config).toMatchObject({
      uploads: false,
      replies: false,
    });
    expect(patch({ unset: ["config_overrides"] }).config).toMatchObject({ uploads: true, replies: true });
  });

  test.each([
    [{ read_events: false }, "set.config_overrides.read_events"],
    [{ uploads: "no" }, "set.config_overrides.uploads"],
    [{ max_message_length: 0 }, "set.config_overrides.max_message_length"],
    [{ commands: ["fly"] }, "set.config_overrides.commands"],
    [{ blocklist: "none" }, "set.config_overrides.blocklist"],
    [{ grants: { emperor: [] } }, "set.config_overrides.grants.emperor"],
    [{ grants: { user: ["!fly"] } }, "set.config_overrides.grants.user"],
    [[], "set.config_overrides"],
  ])("%j is refused, naming %s", (overrides, field) => {
    const b = room();
    expect(
      b.refusalOf(AS_ADA, "updateChannelPartial", {
        path: ROOM,
        body: { set: { config_overrides: overrides } },
      }),
    ).toEqual([4, field]);
  });

  test("can be set by servers only", () => {
    const b = room();
    for (const body of [
      { set: { config_overrides: { uploads: false } } },
      { set: { "config_overrides.uploads": false } },
      { unset: ["config_overrides"] },
    ])
      expect(b.refusalOf("ada", "updateChannelPartial", { path: ROOM, body })).toEqual([17, undefined]);
  });
});

test("flag reasons: the type's list if it has one, else the app's, else any", () => {
  const b = room();
  const { id } = b.send("ada", "room", { text: "x" });
  const flag = (who: string, reason?: string): unknown =>
    b.call(who, "flag", { body: { target_message_id: id, ...(reason === undefined ? {} : { reason }) } });
  flag("bob", "anything");
  app(b, { allowed_flag_reasons: ["spam", "rude"] });
  const refused = (reason: string): [number, string | undefined] =>
    b.refusalOf("cyd", "flag", { body: { target_message_id: id, reason } });
  expect(refused("anything")).toEqual([4, "reason"]);
  // When the channel type's list is empty, the app's list applies.
  type(b, "messaging", { allowed_flag_reasons: [] });
  expect(refused("anything")).toEqual([4, "reason"]);
  type(b, "messaging", { allowed_flag_reasons: ["off topic"] });
  expect(refused("spam")).toEqual([4, "reason"]);
  expect(flag("cyd", "off topic")).toMatchObject({ flag: { reason: "off topic" } });
  expect(b.refusalOf("cyd", "flag", { body: { target_user_id: "ada", reason: "off topic" } })).toEqual([
    4,
    "reason",
  ]);
  expect(b.call("cyd", "flag", { body: { target_user_id: "ada", reason: "spam" } })).toBeDefined();
});

test("app moderators and channel moderators may notify everybody", () => {
  const b = room();
  b.user("mod", {}, "moderator");
  const notify = (who: string): string[] =>
    capabilitiesOf(b, who).filter((name) => name.startsWith("notify"));
  expect(notify("mod")).toEqual(["notify-channel", "notify-group", "notify-here", "notify-role"]);
  expect(notify("bob")).toEqual([]);
  b.call(AS_ADA, "updateChannel", { path: ROOM, body: { add_moderators: ["bob"] } });
  expect(notify("bob")).toHaveLength(4);
});

test("a blank queue secret keeps the stored one, null removes it", () => {
  const b = new TestDomain();
  const secrets = (): string[] => {
    const { sqs_key, sqs_secret, sns_key, sns_secret } = readApp(b.db);
    return [sqs_key, sqs_secret, sns_key, sns_secret];
  };
  app(b, { sqs_key: "a", sqs_secret: "b", sns_key: "c", sns_secret: "d" });
  app(b, { sqs_key: "", sqs_secret: "", sns_key: "", sns_secret: "" });
  expect(secrets()).toEqual(["a", "b", "c", "d"]);
  app(b, { sqs_key: null, sns_secret: null });
  expect(secrets()).toEqual(["", "b", "c", ""]);
});

test("the app settings are restored when their call is rolled back", () => {
  const b = room();
  expect(b.refusalOf(SERVER, "updateApp", { body: { suspended: true, reminders_interval: 1 } })).toEqual([
    4,
    "reminders_interval",
  ]);
  expect(readApp(b.db).suspended).toBe(false);
  b.db.raw.exec("BEGIN");
  b.db.run("INSERT INTO app_setting (key, json) VALUES ('suspended', 'true')");
  expect(readApp(b.db).suspended).toBe(true);
  b.db.raw.exec("ROLLBACK");
  expect(readApp(b.db).suspended).toBe(false);
});

describe("permissions that no role has by default", () => {
  const granted = (scope: "app" | "messaging", ...names: string[]): TestDomain => {
    const b = room();
    b.user("root", {}, "moderator");
    if (scope === "app") b.call(SERVER, "updateApp", { body: { grants: { moderator: names } } });
    else type(b, "messaging", { grants: { moderator: names } });
    return b;
  };
  const promote = { body: { users: [{ id: "bob", set: { role: "admin" } }] } };

  test("update-user-role sets the roles of others, and nothing else of them", () => {
    const b = granted("app", "update-user-role");
    expect(b.refusalOf("ada", "updateUsersPartial", promote)[0]).toBe(17);
    expect(b.call("root", "updateUsersPartial", promote).users).toMatchObject({ bob: { role: "admin" } });
    for (const set of [{ role: "user", name: "Bobby" }, { name: "Bobby" }, { role: "user", teams: ["red"] }])
      expect([
        set,
        b.refusalOf("root", "updateUsersPartial", { body: { users: [{ id: "bob", set }] } })[0],
      ]).toEqual([set, 17]);
    // Whole users lose what is not named.
    const whole = { body: { users: { bob: { id: "bob", role: "user" } } } };
    expect(b.refusalOf("root", "upsertUsers", whole)[0]).toBe(17);
    expect(granted("app", "search-user").refusalOf("root", "updateUsersPartial", promote)[0]).toBe(17);
  });

  test("create-distinct-channel-for-others makes a channel of these two without its creator", () => {
    const members = ["ada", "bob"];
    const open = { path: { type: "messaging" }, body: { data: { members } } };
    const b = granted("messaging", "create-channel", "read-channel", "create-distinct-channel-for-others");
    const made = b.call("root", "queryDistinctChannel", open) as { members: { user_id: string }[] };
    expect(made.members.map(({ user_id }) => user_id).toSorted()).toEqual(members);
    const without = granted("messaging", "create-channel", "read-channel");
    const joined = without.call("root", "queryDistinctChannel", open) as { members: { user_id: string }[] };
    expect(joined.members.map(({ user_id }) => user_id).toSorted()).toEqual([...members, "root"]);
  });
});
