/** GET /users: filters, sorts, cursors, and users hidden from others; unique user names (specification/users.md §4, §6). */
import { describe, expect, test } from "vitest";
import { writeApp } from "../../../src/provider/store/app-settings.ts";
import { TestDomain, room, type As } from "./support.ts";

const server = { server: true } as const;

function query(b: TestDomain, as: As, body: Record<string, unknown>): string[] {
  return (b.call(as, "queryUsers", { body }) as { users: { id: string }[] }).users.map(({ id }) => id);
}
const byId = [{ field: "id", direction: 1 }];

function fourUsers(): TestDomain {
  const b = new TestDomain();
  const people: [string, Record<string, unknown>][] = [
    ["ana", { name: "Ana María", tea: "oolong", address: { floor: 3 }, tags: ["red", "blue"] }],
    ["bo", { name: "Bo", tea: "sencha", address: { floor: 10 } }],
    ["cy", { name: "cyan", address: { floor: 2 } }],
    ["di", {}],
  ];
  for (const [id, details] of people) b.user(id, details);
  return b;
}

describe("filters", () => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["id $in", { id: { $in: ["bo", "di", "nobody"] } }, ["bo", "di"]],
    ["id $ne", { id: { $ne: "bo" } }, ["ana", "cy", "di"]],
    ["id $nin", { id: { $nin: ["bo", "di"] } }, ["ana", "cy"]],
    ["id $gt and $lte", { id: { $gt: "ana", $lte: "cy" } }, ["bo", "cy"]],
    ["id $autocomplete", { id: { $autocomplete: "a" } }, ["ana"]],
    ["name $autocomplete, accents ignored", { name: { $autocomplete: "mari" } }, ["ana"]],
    ["name $q", { name: { $q: "maria ana" } }, ["ana"]],
    ["name as a plain value", { name: "Bo" }, ["bo"]],
    ["role", { role: "user" }, ["ana", "bo", "cy", "di"]],
    ["banned", { banned: true }, []],
    ["last_active $exists", { last_active: { $exists: true } }, ["ana", "bo", "cy", "di"]],
    ["a custom field", { tea: { $in: ["oolong", "sencha"] } }, ["ana", "bo"]],
    ["a custom field that is absent", { tea: null }, ["cy", "di"]],
    ["$exists false", { tea: { $exists: false } }, ["cy", "di"]],
    ["a path, as a number", { "address.floor": { $gte: 3 } }, ["ana", "bo"]],
    ["$contains", { tags: { $contains: "red" } }, ["ana"]],
    ["$or and $nor", { $or: [{ id: "ana" }, { $nor: [{ tea: { $exists: true } }] }] }, ["ana", "cy", "di"]],
  ])("%s", (_name, filter_conditions, expected) => {
    const b = fourUsers();
    expect(query(b, "ana", { filter_conditions, sort: byId })).toEqual(expected);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ["online", { online: true }, "filter_conditions.online"],
    ["a private field", { invisible: true }, "filter_conditions.invisible"],
    ["an operator that the field does not support", { role: { $ne: "a" } }, "filter_conditions.role"],
    ["a wrong argument", { banned: "yes" }, "filter_conditions.banned"],
    ["an empty $or", { $or: [] }, "filter_conditions.$or"],
    ["a field named like an operator", { $name: "x" }, "filter_conditions.$name"],
  ])("refuses %s and names the field", (_name, filter_conditions, field) => {
    expect(fourUsers().refusalOf("ana", "queryUsers", { body: { filter_conditions } })).toEqual([4, field]);
  });

  test("deleted users never appear, deactivated ones only on request", () => {
    const b = fourUsers();
    b.call(server, "deactivateUser", { path: { id: "bo" }, body: {} });
    b.call(server, "deleteUser", { path: { id: "cy" }, query: {} });
    expect(query(b, "ana", { sort: byId })).toEqual(["ana", "di"]);
    expect(query(b, "ana", { sort: byId, include_deactivated_users: true })).toEqual(["ana", "bo", "di"]);
  });
});

describe("order and pages", () => {
  test("the default order is newest first, otherwise by the sort, with absent values last", () => {
    const b = fourUsers();
    expect(query(b, "ana", {})).toEqual(["di", "cy", "bo", "ana"]);
    expect(query(b, "ana", { sort: [{ field: "name", direction: -1 }] })).toEqual(["cy", "bo", "ana", "di"]);
    const floors = { field: "address.floor", direction: 1 };
    expect(query(b, "ana", { sort: [{ ...floors, type: "number" }] })).toEqual(["cy", "ana", "bo", "di"]);
    expect(query(b, "ana", { sort: [{ field: "tea", direction: -1 }, ...byId] })).toEqual([
      "bo",
      "ana",
      "cy",
      "di",
    ]);
  });

  test("ten sort fields are allowed, eleven are refused", () => {
    const b = fourUsers();
    const fields = Array.from({ length: 11 }, (_, n) => ({
      field: n === 9 ? "id" : `tea${n}`,
      direction: 1,
    }));
    expect(query(b, "ana", { sort: fields.slice(0, 10) })).toEqual(["ana", "bo", "cy", "di"]);
    expect(b.refusalOf("ana", "queryUsers", { body: { sort: fields } })).toEqual([4, "sort"]);
  });
  test("id cursors return every user once and need the sort by id", () => {
    const b = fourUsers();
    const seen: string[] = [];
    for (let after = ""; ;) {
      const page = query(b, "ana", { sort: byId, limit: 3, ...(after ? { id_gt: after } : {}) });
      seen.push(...page);
      if (page.length < 3) break;
      after = page.at(-1)!;
    }
    expect(seen).toEqual(["ana", "bo", "cy", "di"]);
    expect(query(b, "ana", { sort: byId, id_gte: "bo", id_lt: "di" })).toEqual(["bo", "cy"]);
    expect(b.refusalOf("ana", "queryUsers", { body: { id_lte: "bo" } })).toEqual([4, "sort"]);
  });

  test("a limit above 100 is clamped", () => {
    const b = fourUsers();
    for (let i = 0; i < 101; i++) b.user(`u${i}`);
    expect(query(b, "ana", { limit: 1000 })).toHaveLength(100);
  });
});

describe("hidden users", () => {
  test("of disallowed roles are hidden from client-side queries only", () => {
    const b = fourUsers();
    b.user("boss", {}, "admin");
    writeApp(b.db, { user_search_disallowed_roles: ["admin"] });
    expect(query(b, "ana", { filter_conditions: { id: "boss" } })).toEqual([]);
    expect(query(b, server, { filter_conditions: { id: "boss" } })).toEqual(["boss"]);
  });

  test("of other teams are hidden with multi-tenancy, whatever the filter names, but not from a role across teams", () => {
    const b = fourUsers();
    b.call(server, "upsertUsers", {
      body: {
        users: {
          ana: { id: "ana", teams: ["red"] },
          bo: { id: "bo", teams: ["red", "blue"] },
          cy: { id: "cy", teams: ["blue"] },
        },
      },
    });
    expect(query(b, "ana", { sort: byId })).toEqual(["ana", "bo", "cy", "di"]);
    writeApp(b.db, { multi_tenant_enabled: true });
    expect(query(b, "ana", { sort: byId })).toEqual(["ana", "bo"]);
    const blue = { teams: { $contains: "blue" } };
    const filters = [
      { teams: {} },
      blue,
      { $or: [blue, { id: "cy" }] },
      { teams: { $in: ["blue"] } },
      { id: "cy" },
    ];
    const found = (as: As): string[] =>
      filters.map((filter) => query(b, as, { sort: byId, filter_conditions: filter }).join(" "));
    expect(found("ana")).toEqual(["ana bo", "bo", "bo", "bo", ""]);
    b.roles.ana = "global_admin";
    // One that names no team is about the caller's own.
    expect(found("ana")).toEqual(["ana bo cy di", "bo cy", "bo", "bo cy", ""]);
    expect(query(b, "ana", { sort: byId })).toEqual(["ana", "bo"]);
    expect(found(server)).toEqual(["ana bo cy di", "bo cy", "bo cy", "bo cy", "cy"]);
    expect(query(b, server, { sort: byId })).toEqual(["ana", "bo", "cy", "di"]);
  });

  test("an anonymous user cannot search", () => {
    const b = fourUsers();
    expect(b.refusalOf({ anonymous: true }, "queryUsers", { body: {} })[0]).toBe(17);
  });
});

describe("unique names (enforce_unique_usernames)", () => {
  const rename = (id: string, name: string, more: object = {}) => ({
    body: { users: { [id]: { id, name, ...more } } },
  });

  test("in the app: ignoring case, spaces and signs; the user's own name is allowed", () => {
    const b = room();
    writeApp(b.db, { enforce_unique_usernames: "app" });
    expect(b.refusalOf("bob", "upsertUsers", rename("bob", "A-d a!"))).toEqual([6, "name"]);
    b.call("ada", "upsertUsers", rename("ada", "Ada"));
    expect(
      b.refusalOf("bob", "updateUsersPartial", { body: { users: [{ id: "bob", set: { name: "ada" } }] } }),
    ).toEqual([6, "name"]);
    b.call("bob", "upsertUsers", rename("bob", "Ädä"));
    b.call(server, "deleteUser", { path: { id: "ada" }, query: {} });
    b.call("bob", "upsertUsers", rename("bob", "Ada"));
  });

  test("also apply to names stored before and to names given on connect", () => {
    const b = room();
    b.db.run("UPDATE users SET name_key = NULL");
    writeApp(b.db, { enforce_unique_usernames: "app" });
    expect(() => b.user("new", { name: "ada" })).toThrow("already taken");
    b.user("new", { name: "new" });
  });

  test("in a team: only among users who share one", () => {
    const b = room();
    writeApp(b.db, { enforce_unique_usernames: "team" });
    b.call(server, "upsertUsers", rename("ada", "Ada", { teams: ["red"] }));
    b.call(server, "upsertUsers", rename("bob", "Ada", { teams: ["blue"] }));
    expect(b.refusalOf(server, "upsertUsers", rename("cyd", "ADA", { teams: ["blue", "green"] }))).toEqual([
      6,
      "name",
    ]);
    // A move into a team where the name is taken is refused, too.
    expect(b.refusalOf(server, "upsertUsers", rename("bob", "Ada", { teams: ["red"] }))).toEqual([6, "name"]);
  });
});

describe("unread counts of several users (POST /unread_batch)", () => {
  test("equal those each user would get, by team where teams are on", () => {
    const b = room();
    writeApp(b.db, { multi_tenant_enabled: true });
    b.call(server, "upsertUsers", {
      body: {
        users: Object.fromEntries(["ada", "bob", "cyd"].map((id) => [id, { id, name: id, teams: ["red"] }])),
      },
    });
    b.channel("crew", "ada", ["ada", "bob"], "messaging", { team: "red" });
    b.send("ada", "crew", { text: "one" });
    b.send("ada", "crew", { text: "two" });
    const { counts_by_user: counts } = b.call(server, "unreadBatch", {
      body: { user_ids: ["bob", "cyd", "nobody"] },
    }) as { counts_by_user: Record<string, object> };
    expect(Object.keys(counts)).toEqual(["bob", "cyd"]);
    expect(counts.bob).toEqual(b.call("bob", "getUnread", {}));
    expect(counts.bob).toMatchObject({ total_unread_count: 2, total_unread_count_by_team: { red: 2 } });
    expect(counts.cyd).toMatchObject({ total_unread_count: 0, total_unread_count_by_team: {} });
  });
});

describe("devices and push", () => {
  const device = (id: string) => ({ body: { id, push_provider: "firebase" } });
  const list = (b: TestDomain, as: As): string[] =>
    (b.call(as, "listDevices", {}) as { devices: { id: string }[] }).devices.map(({ id }) => id);

  test("an equal device changes nothing, one of another user moves, the 26th replaces the oldest (specification/users.md §8)", () => {
    const b = room();
    b.call("ada", "createDevice", device("tok"));
    const before = b.call("ada", "listDevices", {});
    b.call("ada", "createDevice", { body: { id: "tok", push_provider: "apn" } });
    expect(b.call("ada", "listDevices", {})).toEqual(before);
    b.call("bob", "createDevice", device("tok"));
    expect([list(b, "ada"), list(b, "bob")]).toEqual([[], ["tok"]]);
    for (let i = 1; i <= 25; i++) b.call("bob", "createDevice", device(`t${i}`));
    expect(list(b, "bob")).toEqual(Array.from({ length: 25 }, (_, i) => `t${i + 1}`));
    b.call("bob", "createDevice", device("t1"));
    expect(list(b, "bob")).toHaveLength(25);
  });

  test("a push provider name must be one of the app's of that type", () => {
    const b = room();
    const named = { body: { id: "x", push_provider: "firebase", push_provider_name: "main" } };
    expect(b.refusalOf("bob", "createDevice", named)).toEqual([4, "push_provider_name"]);
    b.db.run(
      "INSERT INTO push_providers (type, name, data, created_at, updated_at) VALUES ('firebase', 'other', '{}', 1, 1)",
    );
    expect(b.refusalOf("bob", "createDevice", named)).toEqual([4, "push_provider_name"]);
    b.call("bob", "createDevice", { body: { ...named.body, push_provider_name: "other" } });
    expect(
      b.refusalOf("bob", "createDevice", {
        body: { ...named.body, id: "y", push_provider: "apn", push_provider_name: "other" },
      }),
    ).toEqual([4, "push_provider_name"]);
  });

  test("preferences: absent fields stay, default removes, and a channel's preference shows to its user only", () => {
    const b = room();
    const set = (entry: Record<string, unknown>, as: As = "bob") =>
      b.call(as, "setPushPreferences", { body: { preferences: [entry] } }) as Record<
        string,
        Record<string, Record<string, unknown>>
      >;
    set({ chat_level: "none", disabled_until: "2031-01-01T00:00:00Z" });
    expect(set({ chat_preferences: { thread_replies: "none" } }).user_preferences!.bob).toEqual({
      chat_level: "none",
      disabled_until: "2031-01-01T00:00:00.000000Z",
      chat_preferences: { thread_replies: "none" },
    });
    expect(set({ chat_level: "default", remove_disable: true }).user_preferences!.bob).toEqual({
      chat_level: "all",
      chat_preferences: { thread_replies: "none" },
    });
    set({ channel_cid: "messaging:room", chat_level: "mentions" });
    const state = (as: string) =>
      b.call(as, "queryChannel", { path: { type: "messaging", id: "room" }, body: {} }) as Record<
        string,
        unknown
      >;
    expect(state("bob").push_preferences).toEqual({ chat_level: "mentions" });
    expect(state("ada")).not.toHaveProperty("push_preferences");
    set({ channel_cid: "messaging:room", chat_level: "default" });
    expect(state("bob")).not.toHaveProperty("push_preferences");
  });
});

test("preferences for several channels in one call are all set and all answered", () => {
  const b = room();
  b.channel("pair", "ada", ["ada", "bob"]);
  const levels = { "messaging:room": "none", "messaging:pair": "mentions" };
  const preferences = Object.entries(levels).map(([channel_cid, chat_level]) => ({
    channel_cid,
    chat_level,
  }));
  const { user_channel_preferences: answered } = b.call("bob", "setPushPreferences", {
    body: { preferences },
  });
  const each = Object.fromEntries(Object.entries(levels).map(([cid, chat_level]) => [cid, { chat_level }]));
  expect(answered).toEqual({ bob: each });
  const two = preferences.flatMap((one) => ["bob", "ada"].map((user_id) => ({ ...one, user_id })));
  expect(
    b.call({ server: true }, "setPushPreferences", { body: { preferences: two } }).user_channel_preferences,
  ).toEqual({ bob: each, ada: each });
});

describe("avg_response_time", () => {
  const responseTime = (b: TestDomain, id: string): unknown =>
    (
      b.call("ada", "queryUsers", { body: { filter_conditions: { id } } }) as {
        users: Record<string, unknown>[];
      }
    ).users[0]!.avg_response_time;

  test("is the mean in channels of two from the first unanswered message, while the app enables it", () => {
    const b = room();
    b.channel("pair", "ada", ["ada", "bob"]);
    b.send("ada", "pair", { text: "not measured" });
    b.wait(5000);
    b.send("bob", "pair", { text: "yet" });
    expect(responseTime(b, "bob")).toBeUndefined();
    writeApp(b.db, { user_response_time_enabled: true });
    b.send("ada", "pair", { text: "tea?" });
    b.wait(10_000);
    b.send("ada", "pair", { text: "hello?" });
    b.wait(20_000);
    b.send("bob", "pair", { text: "yes" });
    b.send("bob", "pair", { text: "please" });
    expect(responseTime(b, "bob")).toBe(30);
    b.wait(4000);
    b.send("ada", "pair", { text: "good" });
    b.wait(10_000);
    b.send("bob", "pair", { text: "thanks" });
    expect([responseTime(b, "bob"), responseTime(b, "ada")]).toEqual([20, 2]);
    b.send("ada", "room", { text: "all" });
    b.wait(90_000);
    b.send("bob", "room", { text: "in a group" });
    expect(responseTime(b, "bob")).toBe(20);
    writeApp(b.db, { user_response_time_enabled: false });
    expect(responseTime(b, "bob")).toBeUndefined();
  });
});
