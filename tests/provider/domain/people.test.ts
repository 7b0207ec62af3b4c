/** Users: merge on connect, replacement, partial updates, the fields others see, and the current user's own view. */
import { describe, expect, test } from "vitest";
import { chat } from "../../../src/provider/chat.ts";
import type { User } from "../../../src/wire/entities/user.ts";
import { TestDomain, room } from "./support.ts";

const users = (reply: object): Record<string, User & Record<string, unknown>> =>
  (reply as { users: Record<string, User & Record<string, unknown>> }).users;

describe("writing users", () => {
  test("connecting merges the profile and sends an event only if something changed", () => {
    const b = new TestDomain();
    b.user("ada", { name: "Ada", tea: "oolong" });
    const connect = (details: Record<string, unknown>) =>
      chat.connectUser(b.db, b.emit, "ada", details, b.tick());
    connect({ name: "Ada" });
    expect(b.takeEvents()).toEqual([]);
    connect({ mood: "calm", role: "admin" });
    expect(b.events[0]).toMatchObject({
      to: "P",
      event: { type: "user.updated", user: { tea: "oolong", mood: "calm", role: "user" } },
    });
    b.events = [];
    // The user was invisible before and stays so: others receive no event.
    connect({ invisible: true });
    expect(b.takeEvents()).toEqual([]);
    b.connect("ada");
    connect({ invisible: false });
    expect(b.takeEvents()).toEqual(["P user.presence.changed ada"]);
    connect({ status: "out" });
    expect(b.takeEvents()).toEqual(["P user.updated ada", "P user.presence.changed ada"]);
  });

  test("POST replaces, PATCH sets and unsets paths", () => {
    const b = room();
    const upsert = (user: object) =>
      users(b.call("ada", "upsertUsers", { body: { users: { ada: { id: "ada", ...user } } } })).ada!;
    expect(upsert({ name: "Ada", tea: "oolong", home: { floor: 1 } })).toMatchObject({
      name: "Ada",
      tea: "oolong",
    });
    const patched = users(
      b.call("ada", "updateUsersPartial", {
        body: { users: [{ id: "ada", set: { "home.floor": 4 }, unset: ["tea"] }] },
      }),
    ).ada!;
    expect(patched).toMatchObject({ name: "Ada", home: { floor: 4 } });
    expect(patched).not.toHaveProperty("tea");
    expect(upsert({ mood: "calm" })).not.toHaveProperty("name");
  });

  test("fields that a change does not name stay: teams, their roles, and the role", () => {
    const b = room();
    const server = { server: true } as const;
    const eve = { id: "eve", role: "admin", teams: ["red"], teams_role: { red: "admin" } };
    b.call(server, "upsertUsers", { body: { users: { eve } } });
    const set = { users: [{ id: "eve", set: { name: "Eve" } }] };
    expect(users(b.call(server, "updateUsersPartial", { body: set })).eve).toMatchObject({
      ...eve,
      name: "Eve",
    });
    // The user itself can change neither its role nor its teams, whether it connects or replaces its profile.
    chat.connectUser(b.db, b.emit, "eve", { name: "Evelyn" }, b.tick());
    const own = users(
      b.call("eve", "upsertUsers", { body: { users: { eve: { id: "eve", name: "Eva" } } } }),
    ).eve;
    expect(own).toMatchObject({ ...eve, name: "Eva" });
  });

  test("a user changes only itself and never a role; a server may change both", () => {
    const b = room();
    const upsert = (user: Record<string, unknown> & { id: string }) => ({
      body: { users: { [user.id]: user } },
    });
    expect(b.refusalOf("ada", "upsertUsers", upsert({ id: "bob" }))).toEqual([17, undefined]);
    expect(b.refusalOf("ada", "upsertUsers", upsert({ id: "ada", role: "admin" }))).toEqual([17, undefined]);
    expect(b.refusalOf({ server: true }, "upsertUsers", { body: { users: { ada: { id: "bob" } } } })).toEqual(
      [4, "users.ada.id"],
    );
    expect(b.refusalOf("ada", "upsertUsers", { body: {} })).toEqual([4, "users"]);
    expect(
      users(b.call({ server: true }, "upsertUsers", upsert({ id: "new", role: "moderator" }))).new,
    ).toMatchObject({ role: "moderator" });
    expect(b.refusalOf({ server: true }, "upsertUsers", upsert({ id: "new", role: "king" }))).toEqual([
      4,
      "users.new.role",
    ]);
    expect(
      b.refusalOf({ server: true }, "updateUsersPartial", {
        body: { users: [{ id: "void", set: { a: 1 } }] },
      }),
    ).toEqual([16, undefined]);
    expect(
      b.refusalOf("ada", "updateUsersPartial", {
        body: { users: [{ id: "ada", set: { created_at: 1 } }] },
      })[0],
    ).toBe(4);
  });

  test("one invalid user undoes the whole call", () => {
    const b = room();
    expect(
      b.refusalOf({ server: true }, "upsertUsers", {
        body: { users: { x: { id: "x" }, "y y": { id: "y y" } } },
      }),
    ).toEqual([4, "users.y y.id"]);
    expect(
      b.call({ server: true }, "queryUsers", { body: { filter_conditions: { id: "x" } } }).users,
    ).toEqual([]);
  });
});

describe("seeing users", () => {
  test("others see the public fields only, the user itself the private ones too", () => {
    const b = room();
    b.user("ada", { invisible: true, privacy_settings: { read_receipts: { enabled: true } } });
    b.connect("ada");
    const find = (as: string): User[] =>
      b.call(as, "queryUsers", { body: { filter_conditions: { id: "ada" } } }).users as User[];
    expect(find("bob")[0]).toMatchObject({ online: false });
    expect(find("bob")[0]).not.toHaveProperty("privacy_settings");
    expect(find("ada")[0]).toMatchObject({
      online: true,
      invisible: true,
      privacy_settings: { read_receipts: { enabled: true } },
    });
  });

  test("id cursors need the order by id, and online cannot be filtered", () => {
    const b = room();
    const sort = [{ field: "id", direction: 1 }];
    const page = b.call("ada", "queryUsers", { body: { id_gt: "bob", sort, limit: 1 } }).users as User[];
    expect(page.map(({ id }) => id)).toEqual(["cyd"]);
    expect(b.refusalOf("ada", "queryUsers", { body: { id_gt: "bob" } })).toEqual([4, "sort"]);
    expect(b.refusalOf("ada", "queryUsers", { body: { filter_conditions: { online: true } } })).toEqual([
      4,
      "filter_conditions.online",
    ]);
  });

  test("the current user has its counters, mutes and hidden channels", () => {
    const b = room();
    b.send("ada", "room", { text: "x" });
    b.call("bob", "hideChannel", { path: { type: "messaging", id: "room" } });
    expect(chat.ownUser(b.db, b.emit, "bob", b.tick())).toMatchObject({
      id: "bob",
      total_unread_count: 1,
      unread_channels: 1,
      unread_threads: 0,
      devices: [],
      mutes: [],
      channel_mutes: [],
      latest_hidden_channels: ["messaging:room"],
    });
  });

  test("the unread summary lists channels by cid and sums them by type", () => {
    const b = room();
    b.send("ada", "room", { text: "x" });
    expect(b.call("bob", "getUnread")).toMatchObject({
      total_unread_count: 1,
      channels: [{ channel_id: "messaging:room", unread_count: 1 }],
      channel_type: [{ channel_type: "messaging", channel_count: 1, unread_count: 1 }],
      threads: [],
    });
    expect(b.refusalOf({ server: true }, "getUnread")).toEqual([4, "user_id"]);
  });
});

test("an invisible moderator sees itself online; servers see it offline and invisible, others offline", () => {
  const b = room();
  b.user("mod", {}, "moderator");
  b.connect("mod");
  b.call("mod", "updateUsersPartial", { body: { users: [{ id: "mod", set: { invisible: true } }] } });
  const userSeenBy = (as: Parameters<TestDomain["call"]>[0]) =>
    (b.call(as, "queryUsers", { body: { filter_conditions: { id: "mod" } } }) as { users: object[] })
      .users[0];
  expect(userSeenBy("mod")).toMatchObject({ online: true, invisible: true, shadow_banned: false });
  expect(userSeenBy({ server: true })).toMatchObject({ online: false, invisible: true });
  expect(userSeenBy("ada")).toMatchObject({ online: false });
  expect(userSeenBy("ada")).not.toHaveProperty("invisible");
});
