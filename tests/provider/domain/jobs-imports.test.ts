/** Imports: valid files, how their items are stored, and what is refused (specification/admin.md §10). */
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { IMPORT_FILE_LIMIT } from "../../../src/wire/constants.ts";
import { World, type Json } from "../../contract/world.ts";
import { forged, importFile, upload } from "./jobs-world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

let names = 0;
/** A new prefix for the ids of one test. */
const newPrefix = (): string => `i${++names}`;
const line = (type: string, data: object): string => JSON.stringify({ type, data });
const file = (...lines: string[]): string => lines.join("\n");
/** A user, a channel with that user, and the membership. */
const base = (id: string, member: object = {}): string[] => [
  line("user", { id: `${id}-u`, name: "Mira", mood: { of: "day" } }),
  line("user", { id: `${id}-v` }),
  line("channel", { id: `${id}-c`, type: "messaging", created_by: `${id}-u`, name: "Tea" }),
  line("member", { channel_type: "messaging", channel_id: `${id}-c`, user_id: `${id}-u` }),
  line("member", { channel_type: "messaging", channel_id: `${id}-c`, user_id: `${id}-v`, ...member }),
];
const message = (id: string, more: object = {}): string =>
  line("message", {
    id: `${id}-m`,
    channel_type: "messaging",
    channel_id: `${id}-c`,
    user: `${id}-u`,
    text: "hello",
    type: "regular",
    created_at: "2026-01-02T03:04:05.000006Z",
    ...more,
  });
/** Ahead of the clock, but not too far for an import. */
const soon = (): string => new Date(world.provider.clock.now() / 1000 + 4 * 60_000).toISOString();
const channel = (id: string): Promise<Json> => world.ok("server", "GET", `/channels/messaging/${id}-c`);

describe("the file", () => {
  test("JSON lines and the older JSON array with `item` give the same result", async () => {
    const [one, two] = [newPrefix(), newPrefix()];
    await importFile(world, file(...base(one), message(one)));
    const old = [...base(two), message(two)].map((text) => {
      const { type, data } = JSON.parse(text) as { type: string; data: object };
      return { type, item: data };
    });
    const task = await importFile(world, JSON.stringify(old, null, 2));
    expect(task).toMatchObject({
      state: "completed",
      result: { stats: { total: { users: 2, channels: 1, members: 2, messages: 1, reactions: 0 } } },
    });
    for (const id of [one, two])
      expect(await channel(id)).toMatchObject({
        channel: { name: "Tea", member_count: 2, created_by: { id: `${id}-u`, mood: { of: "day" } } },
        messages: [{ text: "hello", user: { id: `${id}-u` }, created_at: "2026-01-02T03:04:05.000006Z" }],
      });
  });

  test("a byte order mark, CRLF, empty lines and items longer than a chunk are read", async () => {
    const id = newPrefix();
    const long = Array.from({ length: 300 }, (_, n) =>
      message(id, { id: `${id}-${n}`, text: `é${"x".repeat(900)}` }),
    );
    const task = await importFile(world, `\uFEFF${[...base(id), "", ...long].join("\r\n")}\r\n`);
    expect(task).toMatchObject({ state: "completed", result: { stats: { total: { messages: 300 } } } });
    expect((await channel(id)).messages).toHaveLength(25);
  });

  test("a file with more than a thousand mistakes is refused with the first thousand of them", async () => {
    const task = await importFile(world, file(...Array.from({ length: 1100 }, () => line("user", {}))));
    expect([task.state, task.result.errors.length]).toEqual(["analyze_failed", 1000]);
  });

  test("messages for a channel still being emptied are stored when it is empty", async () => {
    const id = newPrefix();
    const many = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, n) => message(id, { id: `${id}-${name}-${n}` }));
    await importFile(world, file(...base(id), ...many("old", 4000)));
    await world.ok("server", "POST", `/channels/messaging/${id}-c/truncate`);
    await importFile(world, file(...many("new", 20)));
    const { messages } = await channel(id);
    expect((messages as { id: string }[]).map((each) => each.id).toSorted()).toEqual(
      Array.from({ length: 20 }, (_, n) => `${id}-new-${n}`).toSorted(),
    );
  });

  test("a file over 300 MB is refused with 413 and code 22 before it is read", async () => {
    const { upload_url: url } = await world.ok("server", "POST", "/import_urls", { body: { filename: "x" } });
    const answer = await new Promise<Json>((resolve, reject) => {
      const put = request(
        url,
        { method: "PUT", headers: { "Content-Length": IMPORT_FILE_LIMIT + 1 } },
        (got) => {
          let text = "";
          got.on("data", (chunk: Buffer) => (text += chunk.toString()));
          got.on("end", () => {
            resolve({ status: got.statusCode, json: JSON.parse(text) as Json });
            put.destroy();
          });
        },
      );
      put.on("error", reject);
      put.write("{");
    });
    expect([answer.status, answer.json.code]).toEqual([413, 22]);
  });

  test("an upload URL is valid once and for a day, and a forged one is refused", async () => {
    const { upload_url: url } = await world.ok("server", "POST", "/import_urls", { body: { filename: "x" } });
    const put = async (to: string): Promise<[number, number | undefined]> => {
      const answer = await fetch(to, { method: "PUT", body: "{}" });
      return [answer.status, ((await answer.json()) as Json).code];
    };
    expect(await put(forged(url))).toEqual([403, 17]);
    expect(await put(url)).toEqual([200, undefined]);
    expect(await put(url)).toEqual([400, 4]);
    world.provider.advance(25 * 3_600_000);
    expect(await put(url)).toEqual([403, 17]);
  });

  test.each([
    ["not JSON", "{", /^Parse error: /, ""],
    ["no object", "7", /^Validation error: an item must be an object/, ""],
    ["no type", "{}", /^Validation error: type must be one of/, ""],
    ["an unknown type", '{"type":"pet","data":{}}', /^Validation error: type must be one of/, "pet"],
    ["no data", '{"type":"user"}', /^Validation error: data is required/, "user"],
    ["no id", line("user", {}), /^Validation error: user.id is required/, "user"],
    ["an unknown role", line("user", { id: "x1", role: "boss" }), /role boss does not exist/, "user"],
    [
      "an unknown channel",
      line("member", { channel_type: "messaging", channel_id: "no", user_id: "ada" }),
      /member refers to channel messaging:no, which does not exist/,
      "member",
    ],
    [
      "id and members",
      line("channel", { type: "team", id: "x", member_ids: ["ada"], created_by: "ada" }),
      /channel needs either id or member_ids/,
      "channel",
    ],
    [
      "an unknown channel type",
      line("channel", { type: "void", id: "x", created_by: "ada" }),
      /channel.type void does not exist/,
      "channel",
    ],
    ["too much custom data", line("user", { id: "x2", a: "x".repeat(6000) }), /custom data/, "user"],
  ])("%s fails the analysis, and the error has the item", async (_name, text, error, type) => {
    const task = await importFile(world, text);
    expect(task).toMatchObject({
      state: "analyze_failed",
      result: { errors: [{ error: expect.stringMatching(error) as unknown, item_type: type }] },
    });
    expect(task.result.errors[0].item).toBeDefined();
  });

  test("a message that exists in another channel cannot be imported by its id", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id), message(id)));
    const other = line("channel", { id: `${id}-d`, type: "messaging", created_by: `${id}-u` });
    const sameId = message(id, { channel_id: `${id}-d`, text: "mine now" });
    const task = await importFile(world, file(other, sameId), { mode: "upsert" });
    expect([task.state, task.result.errors.map((one: Json) => one.error)]).toEqual([
      "analyze_failed",
      [`Validation error: message ${id}-m exists in another channel`],
    ]);
    expect((await channel(id)).messages).toMatchObject([{ text: "hello" }]);
  });

  test("a file with one invalid line stores nothing, and missing references are errors", async () => {
    const id = newPrefix();
    const [user, other, channelLine, member] = base(id);
    const task = await importFile(
      world,
      file(
        user!,
        channelLine!,
        other!,
        member!,
        message(id, { id: `${id}-r`, type: "reply", parent_id: `${id}-later` }),
        message(id, { id: `${id}-p`, pinned_at: "2026-01-02T03:04:05Z" }),
        message(id, { id: `${id}-t`, type: "loud" }),
      ),
    );
    expect(task.state).toBe("analyze_failed");
    expect(task.result.errors.map((one: Json) => [one.item_type, one.error])).toEqual([
      ["message", "Validation error: message.pinned_at, pin_expires and pinned_by_id belong together"],
      ["message", "Validation error: message.type must be one of regular, reply, deleted, system"],
      ["message", `Validation error: message refers to message ${id}-later, which does not exist`],
    ]);
    const { users } = await world.ok("server", "GET", "/users", {
      query: { payload: { filter_conditions: { id: `${id}-u` } } },
    });
    expect(users).toEqual([]);
  });

  test("items may come in any order, also replies before their parents, and a message without a type is regular", async () => {
    const id = newPrefix();
    const [user, other, channelLine, member] = base(id);
    const withoutType = JSON.parse(message(id)) as { data: Record<string, unknown> };
    delete withoutType.data.type;
    const task = await importFile(
      world,
      file(
        line("reaction", {
          message_id: `${id}-m`,
          type: "like",
          user_id: `${id}-u`,
          created_at: "2026-01-02T03:04:05Z",
        }),
        message(id, { id: `${id}-r`, type: "reply", parent_id: `${id}-m` }),
        JSON.stringify(withoutType),
        member!,
        channelLine!,
        other!,
        user!,
      ),
    );
    expect([task.state, task.result.errors]).toEqual(["completed", []]);
    const read = await world.ok("server", "GET", `/messages/${id}-m`);
    expect(read.message).toMatchObject({ type: "regular", reply_count: 1, reaction_counts: { like: 1 } });
  });

  test("a reply to a reply is refused", async () => {
    const id = newPrefix();
    const task = await importFile(
      world,
      file(
        ...base(id),
        message(id),
        message(id, { id: `${id}-r`, type: "reply", parent_id: `${id}-m` }),
        message(id, { id: `${id}-rr`, type: "reply", parent_id: `${id}-r` }),
      ),
    );
    expect(task.result.errors).toMatchObject([{ item: { id: `${id}-rr` } }]);
  });
});

describe("stored items", () => {
  test("users with all their fields, devices, future bans, mutes and blocks", async () => {
    const id = newPrefix();
    const [one, two] = [`${id}-a`, `${id}-b`];
    const task = await importFile(
      world,
      file(
        line("user", {
          id: one,
          name: "A",
          image: "https://a.example/x.png",
          role: "moderator",
          language: "de",
          invisible: true,
          created_at: "2020-01-01T00:00:00Z",
          privacy_settings: { typing_indicators: { enabled: false } },
          blocked_user_ids: [two],
          user_mutes: [two],
          tea: "oolong",
        }),
        line("user", { id: two, deactivated_at: "2021-01-01T00:00:00Z" }),
        line("device", {
          id: `${id}-d`,
          user_id: one,
          push_provider_type: "firebase",
          push_provider_name: "main",
        }),
        line("future_channel_ban", { created_by: one, target_id: two, reason: "spam", shadow: true }),
      ),
    );
    expect(task, JSON.stringify(task.result)).toMatchObject({ state: "completed" });
    const { users } = await world.ok("server", "GET", "/users", {
      query: { payload: { filter_conditions: { id: one } } },
    });
    expect(users).toMatchObject([
      {
        id: one,
        name: "A",
        image: "https://a.example/x.png",
        role: "moderator",
        language: "de",
        invisible: true,
        created_at: "2020-01-01T00:00:00.000000Z",
        tea: "oolong",
        blocked_user_ids: [two],
      },
    ]);
    const rows = world.provider.transact((_emit, db) => ({
      devices: db.all("SELECT user_id, push_provider FROM devices WHERE id = ?", `${id}-d`),
      bans: db.all("SELECT target_id, shadow, reason FROM future_bans WHERE banned_by = ?", one),
      mutes: db.all("SELECT target_id FROM user_mutes WHERE user_id = ?", one),
    }));
    expect(JSON.parse(JSON.stringify(rows))).toEqual({
      devices: [{ user_id: one, push_provider: "firebase" }],
      bans: [{ target_id: two, shadow: 1, reason: "spam" }],
      mutes: [{ target_id: two }],
    });
  });

  test("a channel given by its members is the distinct channel", async () => {
    const id = newPrefix();
    const [one, two] = [`${id}-u`, `${id}-v`];
    const members = [two, one];
    await importFile(
      world,
      file(
        ...base(id).slice(0, 2),
        line("channel", { type: "messaging", member_ids: members, created_by: one }),
        line("message", {
          id: `${id}-m`,
          channel_type: "messaging",
          channel_member_ids: [one, two],
          user: one,
          text: "us",
          type: "regular",
        }),
      ),
    );
    const state = await world.ok("server", "POST", "/channels/messaging/query", {
      body: { data: { members, created_by_id: one } },
    });
    expect(state.messages.map((one: Json) => one.text)).toEqual(["us"]);
    expect(state.members).toHaveLength(2);
  });

  test("imported messages are read, unless the member has a last_read; then later ones are unread", async () => {
    const [read, unread] = [newPrefix(), newPrefix()];
    await importFile(world, file(...base(read), message(read)));
    const after = message(unread, { id: `${unread}-2`, created_at: "2026-01-03T00:00:00Z" });
    await importFile(
      world,
      file(...base(unread, { last_read: "2026-01-02T12:00:00Z" }), message(unread), after),
    );
    const unreadOf = async (id: string): Promise<number> => {
      const { read: reads } = await channel(id);
      return reads.find((one: Json) => one.user.id === `${id}-v`).unread_messages as number;
    };
    expect(await unreadOf(read)).toBe(0);
    expect(await unreadOf(unread)).toBe(1);
    const { total_unread_count: total } = await world.ok("server", "GET", "/unread", {
      query: { user_id: `${unread}-v` },
    });
    expect(total).toBe(1);
  });

  test("for an existing member imported messages are read, even if newer than the member's read position", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id)));
    await importFile(world, message(id, { created_at: soon() }));
    const { read } = await channel(id);
    expect(read.map((one: Json) => one.unread_messages)).toEqual([0, 0]);
  });

  test("deleting a message imported as read lowers no unread count", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id)));
    await importFile(world, message(id, { created_at: soon() }));
    const send = { body: { message: { text: "unread", user_id: `${id}-u` } } };
    await world.ok("server", "POST", `/channels/messaging/${id}-c/message`, send);
    const unread = async (): Promise<number> =>
      (await channel(id)).read.find((one: Json) => one.user.id === `${id}-v`).unread_messages as number;
    expect(await unread()).toBe(1);
    await world.ok("server", "DELETE", `/messages/${id}-m`);
    expect(await unread()).toBe(1);
  });

  test("replies, deleted replies, pins and reactions are counted on their message", async () => {
    const id = newPrefix();
    const at = "2026-02-02T00:00:00Z";
    await importFile(
      world,
      file(
        ...base(id),
        message(id, { pinned_at: at, pin_expires: "2099-01-01T00:00:00Z", pinned_by_id: `${id}-v` }),
        message(id, { id: `${id}-r`, type: "reply", parent_id: `${id}-m`, user: `${id}-v`, created_at: at }),
        message(id, { id: `${id}-x`, type: "reply", parent_id: `${id}-m`, deleted_at: at, created_at: at }),
        line("reaction", {
          message_id: `${id}-m`,
          type: "love",
          user_id: `${id}-v`,
          created_at: at,
          score: 2,
          mood: "warm",
        }),
      ),
    );
    const { messages, pinned_messages: pins } = await channel(id);
    expect(messages).toMatchObject([
      {
        reply_count: 1,
        deleted_reply_count: 1,
        thread_participants: [{ id: `${id}-v` }],
        pinned: true,
        pinned_by: { id: `${id}-v` },
        reaction_counts: { love: 1 },
        reaction_scores: { love: 2 },
        latest_reactions: [{ user_id: `${id}-v`, mood: "warm" }],
      },
    ]);
    expect(pins).toHaveLength(1);
  });

  test("an import sends no events, and a later message comes after the imported ones", async () => {
    const id = newPrefix();
    const ada = await world.connect("ada");
    const before = ada.frames.length;
    await importFile(world, file(...base(id), message(id, { created_at: soon() })));
    await world.ok("server", "POST", `/channels/messaging/${id}-c/message`, {
      body: { message: { text: "later", user_id: `${id}-u` } },
    });
    expect((await channel(id)).messages.map((one: Json) => one.text)).toEqual(["hello", "later"]);
    expect(ada.frames.slice(before).filter((frame) => frame.type !== "health.check")).toEqual([]);
  });
});

describe("modes", () => {
  const again = (id: string): string =>
    file(
      line("user", { id: `${id}-u`, name: "Other", extra: 1 }),
      line("channel", { id: `${id}-c`, type: "messaging", created_by: `${id}-u`, topic: "milk" }),
      message(id, { text: "changed", more: true }),
    );

  test("upsert overwrites items and replaces custom data", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id), message(id, { first: 1 })));
    await importFile(world, again(id));
    const state = await channel(id);
    expect(state.channel).toMatchObject({ topic: "milk", created_by: { name: "Other", extra: 1 } });
    expect([state.channel.name, state.channel.created_by.mood, state.messages[0].first]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(state.messages).toMatchObject([{ text: "changed", more: true }]);
    expect(state.channel.member_count).toBe(2);
  });

  test("merge_custom keeps old custom data beside the new", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id), message(id, { first: 1 })));
    await importFile(world, again(id), { merge_custom: true });
    const state = await channel(id);
    expect(state.channel).toMatchObject({
      topic: "milk",
      name: "Tea",
      created_by: { mood: { of: "day" }, extra: 1 },
    });
    expect(state.messages).toMatchObject([{ text: "changed", first: 1, more: true }]);
  });

  test.each([{}, { merge_custom: true }])(
    "with %j the status of somebody stays, unless the import has one",
    async (more) => {
      const id = newPrefix();
      const userOf = async (): Promise<Json> =>
        (
          await world.ok("server", "GET", "/users", {
            query: { payload: JSON.stringify({ filter_conditions: { id: `${id}-u` } }) },
          })
        ).users[0];
      await importFile(world, file(...base(id)));
      await world.ok("server", "PATCH", "/users", {
        body: { users: [{ id: `${id}-u`, set: { status: "at lunch" } }] },
      });
      await importFile(world, file(line("user", { id: `${id}-u`, name: "Other" })), more);
      expect(await userOf()).toMatchObject({ name: "Other", status: "at lunch" });
      await importFile(world, file(line("user", { id: `${id}-u`, status: "back" })), more);
      expect(await userOf()).toMatchObject({ status: "back" });
    },
  );

  test("insert leaves existing items unchanged", async () => {
    const id = newPrefix();
    await importFile(world, file(...base(id), message(id)));
    await importFile(world, again(id), { mode: "insert" });
    const state = await channel(id);
    expect(state.channel).toMatchObject({ name: "Tea", created_by: { name: "Mira" } });
    expect(state.channel.topic).toBeUndefined();
    expect(state.messages).toMatchObject([{ text: "hello" }]);
  });
});

test("a batch that cannot be stored leaves nothing of itself, and the import has failed", async () => {
  const id = newPrefix();
  await world.ok("server", "PATCH", "/app", { body: { enforce_unique_usernames: "app" } });
  try {
    const path = await upload(
      world,
      file(line("user", { id: `${id}-1`, name: "One" }), line("user", { id: `${id}-2`, name: "One" })),
    );
    const { import_task: channelLine } = await world.ok("server", "POST", "/imports", { body: { path } });
    let task: Json;
    do task = (await world.ok("server", "GET", `/imports/${channelLine.id}`)).import_task;
    while (task.state !== "failed" && task.state !== "completed");
    expect(task).toMatchObject({
      state: "failed",
      result: { errors: [{ error: expect.stringMatching(/already taken/) as unknown }] },
    });
    const { users } = await world.ok("server", "GET", "/users", {
      query: { payload: { filter_conditions: { id: { $in: [`${id}-1`, `${id}-2`] } } } },
    });
    expect(users).toEqual([]);
  } finally {
    await world.ok("server", "PATCH", "/app", { body: { enforce_unique_usernames: "no" } });
  }
});

/** Wrong values of every kind, at every key of every type. */
const INVALID_VALUES: readonly Json[] = [
  null,
  "",
  " \t",
  "near",
  "x".repeat(6000),
  "\u0000\u001b[2J\u202e",
  "\ud83d",
  7,
  -1,
  0.5,
  1e308,
  true,
  [],
  [null, [], {}],
  {},
  JSON.parse('{"__proto__":{"a":1},"constructor":1}'),
  JSON.parse(`${'{"a":'.repeat(40)}1${"}".repeat(40)}`),
  "nobody-at-all",
  "2026-02-31T25:61:00Z",
  "'; DROP TABLE users; --",
];

test("nearly valid items are refused by the analysis or stored, and no import ends in an internal error", async () => {
  const id = newPrefix();
  const at = "2026-02-02T00:00:00Z";
  const [u, v, c] = [`${id}-u`, `${id}-v`, `${id}-c`];
  await importFile(world, file(...base(id), message(id)));
  const completeItems: [string, Record<string, Json>][] = [
    [
      "user",
      {
        id: u,
        name: "N",
        image: "i",
        role: "user",
        invisible: false,
        language: "de",
        teams: ["red"],
        teams_role: {},
        created_at: at,
        deactivated_at: null,
        deleted_at: null,
        privacy_settings: {},
        push_preferences: {},
        blocked_user_ids: [v],
        channel_mutes: [`messaging:${c}`],
        user_mutes: [v],
        own: 1,
      },
    ],
    ["device", { id: "d", user_id: u, push_provider_type: "apn", push_provider_name: "n", created_at: at }],
    ["future_channel_ban", { created_by: u, target_id: v, shadow: false, reason: "r", created_at: at }],
    [
      "channel",
      {
        type: "messaging",
        id: c,
        created_by: u,
        created_at: at,
        disabled: false,
        frozen: false,
        team: "red",
        truncated_at: at,
        banned_users: [v],
        own: {},
      },
    ],
    ["channel", { type: "messaging", member_ids: [u, v], created_by: u }],
    [
      "member",
      {
        channel_type: "messaging",
        channel_id: c,
        user_id: v,
        channel_role: "channel_member",
        is_moderator: false,
        created_at: at,
        archived_at: at,
        invited: true,
        invited_accepted_at: at,
        invited_rejected_at: at,
        hide_channel: true,
        hide_messages_before: at,
        last_read: at,
        own: [],
      },
    ],
    [
      "message",
      {
        id: `${id}-x`,
        channel_type: "messaging",
        channel_id: c,
        user: u,
        text: "t",
        html: "h",
        type: "reply",
        parent_id: `${id}-m`,
        show_in_channel: true,
        quoted_message_id: `${id}-m`,
        attachments: [{ type: "x" }],
        mentioned_users_ids: [v],
        pinned_at: at,
        pin_expires: at,
        pinned_by_id: u,
        restricted_visibility: [v],
        created_at: at,
        deleted_at: null,
        own: null,
      },
    ],
    ["reaction", { message_id: `${id}-m`, type: "love", user_id: v, created_at: at, score: 1, own: "x" }],
  ];
  for (const [type, data] of completeItems) {
    const lines = Object.keys(data).flatMap((key) =>
      INVALID_VALUES.map((value, n) => {
        // Each line gets its own id; otherwise they would be one message.
        const own = type === "message" && key !== "id" ? { id: `${id}-${key}-${n}` } : {};
        return line(type, { ...data, ...own, [key]: value });
      }),
    );
    const checked = await importFile(world, file(...lines));
    const refused = new Set(
      (checked.result.errors as Json[]).map((one) => JSON.stringify({ type, data: one.item })),
    );
    expect(checked.result.errors.map((one: Json) => one.error).join()).not.toContain("Import error");
    const accepted = lines.filter((text) => !refused.has(JSON.stringify(JSON.parse(text))));
    expect([type, accepted.length > 0, refused.size > 0]).toEqual([type, true, true]);
    const stored = await importFile(world, file(...accepted));
    expect([type, stored.state, stored.result.errors]).toEqual([type, "completed", []]);
  }
  await world.say("ada", (await world.room()).route, { text: "the provider goes on" });
  expect((await world.call("server", "GET", `/channels/messaging/${c}`)).status).toBe(200);
});

describe("dates and ids", () => {
  const [early, late] = ["1970-01-01T23:59:59Z", "2099-01-01T00:00:00Z"];
  const refused = async (...lines: string[]): Promise<string[]> => {
    const { state, result } = await importFile(world, file(...lines));
    return [state, ...(result.errors as { error: string }[]).map(({ error }) => error)];
  };
  const place = (id: string): object => ({ channel_type: "messaging", channel_id: `${id}-c` });

  test.each([
    ["user", "created_at", (id: string) => ({ id: `${id}-u` })],
    ["user", "deactivated_at", (id: string) => ({ id: `${id}-u` })],
    ["user", "deleted_at", (id: string) => ({ id: `${id}-u` })],
    ["channel", "created_at", (id: string) => ({ id: `${id}-c`, type: "messaging", created_by: `${id}-u` })],
    [
      "channel",
      "truncated_at",
      (id: string) => ({ id: `${id}-c`, type: "messaging", created_by: `${id}-u` }),
    ],
    ["member", "created_at", (id: string) => ({ ...place(id), user_id: `${id}-u` })],
    ["member", "last_read", (id: string) => ({ ...place(id), user_id: `${id}-u` })],
    ["member", "archived_at", (id: string) => ({ ...place(id), user_id: `${id}-u` })],
    ["member", "invited_accepted_at", (id: string) => ({ ...place(id), user_id: `${id}-u` })],
    ["member", "hide_messages_before", (id: string) => ({ ...place(id), user_id: `${id}-u` })],
    ["message", "created_at", (id: string) => ({ ...place(id), id: `${id}-m`, user: `${id}-u` })],
    ["message", "deleted_at", (id: string) => ({ ...place(id), id: `${id}-m`, user: `${id}-u` })],
    ["message", "pinned_at", (id: string) => ({ ...place(id), id: `${id}-m`, user: `${id}-u` })],
    ["reaction", "created_at", (id: string) => ({ message_id: `${id}-m`, type: "like", user_id: `${id}-u` })],
  ])(
    "%s.%s later than now or at or before 1970-01-01 is refused, and the file with it",
    async (type, key, of) => {
      const id = newPrefix();
      await importFile(world, file(...base(id), message(id)));
      for (const [at, why] of [
        [late, "must not be in the future"],
        [early, "must be later than 1970-01-01"],
      ] as const) {
        const pin = key === "pinned_at" ? { pin_expires: late, pinned_by_id: `${id}-u` } : {};
        expect(await refused(line(type, { ...of(id), ...pin, [key]: at }))).toEqual([
          "analyze_failed",
          `Validation error: ${type}.${key} ${why}`,
        ]);
      }
    },
  );

  test("a message of four minutes from now and a pin without an end are accepted", async () => {
    const id = newPrefix();
    const pin = { pinned_at: "2026-01-02T03:04:06Z", pin_expires: late, pinned_by_id: `${id}-u` };
    const task = await importFile(world, file(...base(id), message(id, { created_at: soon(), ...pin })));
    expect(task).toMatchObject({ state: "completed", result: { errors: [] } });
  });

  test("a second user, device, channel or message with an id of the file is refused", async () => {
    const id = newPrefix();
    const device = line("device", {
      id: `${id}-d`,
      user_id: `${id}-u`,
      push_provider_type: "firebase",
      push_provider_name: "f",
    });
    const [user, , channelLine] = base(id) as [string, string, string];
    for (const [twice, name] of [
      [user, `user ${id}-u`],
      [device, `device ${id}-d`],
      [channelLine, `channel messaging:${id}-c`],
      [message(id), `message ${id}-m`],
    ] as const)
      expect(
        await refused(
          ...base(id),
          ...[device, message(id)].filter((one) => one !== twice),
          twice,
          ...(base(id).includes(twice) ? [] : [twice]),
        ),
      ).toEqual(["analyze_failed", `Validation error: ${name} is in the file twice`]);
  });
});
