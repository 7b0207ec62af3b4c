/** Who receives what: each event of specification/events.md §5, at a watcher, an idle member, another own connection, a stranger. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BROADCAST_CHANNEL, MEMBER, MESSAGE, MUTED_CHANNEL, POLL, REACTION, USER, VOTE } from "./entities.ts";
import { differences, type Keys, type Shape } from "./shape.ts";
import { World, type Json, type TestSocket, type Room, settle as settleLines } from "./world.ts";

/**
 * ada watches on one connection (W) and not on her second one; bob watches on a socket and by long polling (`poll`);
 * cyd is a member who does not watch (N); dan is a stranger.
 */
let world: World;
let room: Room;
const lines = {} as Record<"ada" | "ada2" | "bob" | "cyd" | "dan", TestSocket>;
let poll: { id: string; events: Json[] };

beforeAll(async () => {
  world = await World.start();
  for (const who of ["ada", "bob", "cyd", "dan"] as const) lines[who] = await world.connect(who);
  lines.ada2 = await world.connect("ada");
});
afterAll(() => world.stop());

beforeEach(async () => {
  room = await world.room();
  for (const who of ["ada", "bob"] as const)
    await world.ok(who, "POST", `${room.route}/query`, {
      query: { connection_id: lines[who].id },
      body: { watch: true },
    });
  const opened = await world.ok("bob", "GET", "/longpoll", { query: { json: { user_id: "bob" } } });
  poll = { id: opened.event.connection_id as string, events: [] };
  await world.ok("bob", "POST", `${room.route}/query`, {
    query: { connection_id: poll.id },
    body: { watch: true },
  });
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
});

/** Waits until everything sent so far has arrived: the pong comes after it, and a poll returns what is queued. */
async function settle(): Promise<void> {
  await settleLines(lines);
  // A second poll ends the first one at once, so neither waits for its 25 seconds.
  const first = world.ok("bob", "GET", "/longpoll", { query: { connection_id: poll.id } });
  const second = world.ok("bob", "GET", "/longpoll", { query: { connection_id: poll.id } });
  poll.events.push(...(await first).events);
  await world.ok("bob", "POST", `${room.route}/event`, { body: { event: { type: "settled" } } });
  poll.events.push(...(await second).events);
}

const TYPES = new Set(["health.check", "settled"]);
type ReceivedTypes = Record<string, string[]>;
const receivedTypes = (): ReceivedTypes => ({
  ...Object.fromEntries(
    Object.entries(lines).map(([who, line]) => [
      who,
      line.frames.map((frame) => frame.type as string).filter((type) => !TYPES.has(type)),
    ]),
  ),
  poll: poll.events.map((event) => event.type as string).filter((type) => !TYPES.has(type)),
});

const CHANNEL_KEYS: Keys = {
  type: "text",
  cid: "text",
  channel_type: "text",
  channel_id: "text",
  created_at: "date",
};
const COUNTERS: Keys = { total_unread_count: "count", unread_channels: "count", unread_count: "count" };
/** The channel as events carry it. */
const C: Shape = BROADCAST_CHANNEL;
const M = { message: MESSAGE, message_id: "text" } as const;
const HINTS: Keys = {
  "user?": USER,
  "team?": "text",
  "channel?": C,
  "channel_last_message_at?": "date",
  "channel_member_count?": "count",
  "channel_message_count?": "count",
  "channel_custom?": "object",
  ...Object.fromEntries(
    [...Object.keys(COUNTERS), "unread_threads"].map((key) => [`${key}?`, "count" as Shape]),
  ),
};

/** Keys each type has besides the envelope (specification/events.md §3); optional ones end in `?`. */
const MUST: Record<string, Keys> = {
  "message.new": {
    ...M,
    user: USER,
    watcher_count: "count",
    "parent_author?": "text",
    "thread_participants?": [USER],
  },
  "notification.message_new": { ...M, message_id: "text", channel: C, ...COUNTERS },
  "notification.thread_message_new": {
    message: MESSAGE,
    "message_id?": "text",
    channel: C,
    thread_id: "text",
    parent_author: "text",
    thread_participants: [USER],
    unread_threads: "count",
    unread_thread_messages: "count",
    "watcher_count?": "count",
  },
  "message.updated": { ...M, "message_update?": "object" },
  "message.deleted": { ...M, hard_delete: "flag", "deleted_for_me?": "flag" },
  "message.read": { user: USER, last_read_message_id: "text", "thread?": "object" },
  "message.delivered": { user: USER, last_delivered_at: "date", last_delivered_message_id: "text" },
  "notification.mark_read": {
    ...COUNTERS,
    channel: C,
    last_read_message_id: "text",
    "unread_threads?": "count",
    // A field beyond the protocol: the exact time, so that client and provider agree on it.
    "last_read_at?": "date",
  },
  "notification.mark_unread": {
    ...COUNTERS,
    first_unread_message_id: "text",
    last_read_at: "date",
    "last_read_message_id?": "text",
    unread_messages: "count",
  },
  "reaction.new": { ...M, reaction: REACTION, user: USER },
  "reaction.updated": { ...M, reaction: REACTION, user: USER },
  "reaction.deleted": { ...M, reaction: REACTION, user: USER },
  "channel.updated": { channel: C, "message?": MESSAGE },
  "channel.deleted": { channel: { ...BROADCAST_CHANNEL, deleted_at: "date" } },
  "notification.channel_deleted": { channel: C },
  "channel.truncated": {
    channel: { ...BROADCAST_CHANNEL, truncated_at: "date" },
    "message?": MESSAGE,
    "message_id?": "text",
  },
  "notification.channel_truncated": { channel: C },
  "channel.hidden": { channel: C, clear_history: "flag" },
  "channel.visible": { channel: C },
  "member.added": { member: MEMBER, user: USER },
  "member.updated": { member: MEMBER, user: USER },
  "member.removed": { member: MEMBER, user: USER },
  "notification.added_to_channel": { channel: C, member: MEMBER, ...COUNTERS },
  "notification.removed_from_channel": { channel: C, member: MEMBER, user: USER },
  "notification.invited": { channel: C, member: MEMBER },
  "notification.invite_accepted": { channel: C, member: MEMBER, user: USER },
  "notification.invite_rejected": { channel: C, member: MEMBER, user: USER },
  "user.watching.start": { user: USER, watcher_count: "count" },
  "user.watching.stop": { user: USER, watcher_count: "count" },
  "typing.start": { user: USER, "parent_id?": "text" },
  "typing.stop": { user: USER },
  wave: { user: USER, hand: "text" },
  "poll.updated": { poll: POLL, message: MESSAGE, message_id: "text" },
  "poll.closed": { poll: POLL, message: MESSAGE, message_id: "text" },
  "poll.vote_casted": { poll: POLL, poll_vote: VOTE, message: MESSAGE, message_id: "text" },
  "poll.vote_changed": { poll: POLL, poll_vote: VOTE, message: MESSAGE, message_id: "text" },
  "poll.vote_removed": { poll: POLL, poll_vote: VOTE, message: MESSAGE, message_id: "text" },
};
/** Events about a user, which have no channel keys. */
const PERSONAL: Record<string, Keys> = {
  "user.updated": { type: "text", created_at: "date", user: USER },
  "user.presence.changed": { type: "text", created_at: "date", user: USER },
  "notification.channel_mutes_updated": {
    type: "text",
    created_at: "date",
    me: { "...": "any", channel_mutes: [MUTED_CHANNEL] },
  },
};

/** Runs, waits until everything has arrived, and compares who received what; every event must have exactly its keys. */
async function expectEvents(run: () => Promise<unknown>, expected: Partial<ReceivedTypes>): Promise<void> {
  await run();
  await settle();
  const none = { ada: [], ada2: [], bob: [], cyd: [], dan: [], poll: [] };
  expect(receivedTypes()).toEqual({ ...none, ...expected });
  for (const event of [
    ...Object.values(lines).flatMap((line) => line.frames.slice(1)),
    ...poll.events,
  ] as Json[]) {
    if (TYPES.has(event.type as string)) continue;
    const personal = PERSONAL[event.type as string];
    const shape = personal ?? { ...HINTS, ...CHANNEL_KEYS, ...MUST[event.type as string] };
    expect(
      personal ?? MUST[event.type as string],
      `${event.type} has no keys to be held against`,
    ).toBeDefined();
    if (!personal)
      for (const key of Object.keys(MUST[event.type as string]!))
        delete (shape as Record<string, Shape>)[`${key}?`];
    expect(differences(event, shape), event.type as string).toEqual([]);
    if (!personal) expect(`${event.channel_type}:${event.channel_id}`).toBe(event.cid);
    // Objects sent to many people have no personal fields.
    expect(event.message?.own_reactions ?? []).toEqual([]);
    expect(event.poll?.own_votes ?? []).toEqual([]);
  }
}
/** Events for every watching connection, and (N) for the connections of members that do not watch. */
const W = (...types: string[]): Partial<ReceivedTypes> => ({ ada: types, bob: types, poll: types });
const N = (...types: string[]): Partial<ReceivedTypes> => ({ cyd: types, ada2: types });
const ok = (
  who: "ada" | "bob" | "cyd" | "dan" | "server",
  method: string,
  at: string,
  body?: unknown,
  query: Record<string, unknown> = {},
) => world.ok(who, method, at, { ...(body === undefined ? {} : { body }), query });
const at = (more = ""): string => `${room.route}${more}`;
const message = (more = ""): string => `/messages/${room.message}${more}`;

test("a message sends message.new to watchers, notification.message_new to other members, and nothing to others", () =>
  expectEvents(() => world.say("bob", at(), { text: "milk?" }), {
    ...W("message.new"),
    ...N("notification.message_new"),
  }));

test("the counters in message.new and in the notification are those of the reader", async () => {
  await world.say("bob", at(), { text: "milk?" });
  await settle();
  const one = (line: TestSocket, type: string): Json => line.frames.find((frame) => frame.type === type);
  const unread = await ok("ada", "GET", "/unread");
  expect(one(lines.ada, "message.new")).toMatchObject({
    total_unread_count: unread.total_unread_count,
    unread_channels: unread.channels.length,
  });
  const away = await ok("cyd", "GET", "/unread");
  expect(one(lines.cyd, "notification.message_new")).toMatchObject({
    total_unread_count: away.total_unread_count,
    unread_count: away.total_unread_count,
  });
});

test("a reply notifies the thread's participants and sends the parent's new counter to watchers", () =>
  expectEvents(() => world.say("bob", at(), { text: "yes", parent_id: room.message }), {
    ...W("message.new", "message.updated"),
    cyd: ["notification.message_new"],
    ada2: ["notification.message_new", "notification.thread_message_new"],
  }));

test("a message in a hidden channel first sends channel.visible to the member who hid it", async () => {
  await ok("cyd", "POST", at("/hide"), {});
  await settle();
  lines.cyd.frames.splice(1);
  await expectEvents(() => world.say("bob", at(), { text: "milk?" }), {
    ...W("message.new"),
    ...N("notification.message_new"),
    cyd: ["channel.visible", "notification.message_new"],
  });
});

test("a restricted message is sent to its readers only", async () => {
  await world.ok("server", "POST", "/users", {
    body: { users: { mod: { id: "mod", name: "MOD", role: "admin" } } },
  });
  await ok("server", "POST", at(), { add_members: ["mod"], user_id: "ada" });
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => world.say("mod", at(), { text: "secret", restricted_visibility: ["cyd"] }), {
    cyd: ["notification.message_new"],
  });
});

test.each<[string, () => Promise<unknown>]>([
  ["a full update", () => ok("ada", "POST", message(), { message: { text: "coffee?" } })],
  ["a partial update", () => ok("ada", "PUT", message(), { set: { mood: "awake" } })],
  ["a pin", () => ok("bob", "PUT", message(), { set: { pinned: true } })],
])("%s sends message.updated to watchers", (_name, run) => expectEvents(run, W("message.updated")));

test("a deletion sends message.deleted to watchers, and for a reply the parent's new counter", async () => {
  await expectEvents(() => ok("ada", "DELETE", message()), W("message.deleted"));
  const reply = await (async () => {
    room = await world.room();
    for (const [who, id] of [
      ["ada", lines.ada.id],
      ["bob", lines.bob.id],
      ["bob", poll.id],
    ] as const)
      await world.ok(who, "POST", at("/query"), { query: { connection_id: id }, body: { watch: true } });
    return world.say("bob", at(), { text: "yes", parent_id: room.message });
  })();
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(
    () => ok("bob", "DELETE", `/messages/${reply}`),
    W("message.deleted", "message.updated"),
  );
});

test("a deletion for the user only is sent to every connection of that user and to nobody else", () =>
  expectEvents(() => ok("ada", "DELETE", message(), undefined, { delete_for_me: true }), {
    ada: ["message.deleted"],
    ada2: ["message.deleted"],
  }));

test("reactions send reaction.new, reaction.updated when the user already has the type, and reaction.deleted", async () => {
  await expectEvents(
    () => ok("bob", "POST", message("/reaction"), { reaction: { type: "love" } }),
    W("reaction.new"),
  );
  lines.ada.frames.splice(1);
  lines.bob.frames.splice(1);
  poll.events = [];
  await expectEvents(
    () => ok("bob", "POST", message("/reaction"), { reaction: { type: "love", score: 2 } }),
    W("reaction.updated"),
  );
  lines.ada.frames.splice(1);
  lines.bob.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("bob", "DELETE", message("/reaction/love")), W("reaction.deleted"));
});

test("reading sends message.read to watchers and notification.mark_read to the reader's connections; marking unread is sent only to those", async () => {
  await expectEvents(() => ok("cyd", "POST", at("/read"), {}), {
    ...W("message.read"),
    cyd: ["notification.mark_read"],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("cyd", "POST", at("/unread"), { message_id: room.message }), {
    cyd: ["notification.mark_unread"],
  });
  lines.cyd.frames.splice(1);
  await expectEvents(() => ok("cyd", "POST", "/channels/read", { read_by_channel: { [room.cid]: "" } }), {
    ...W("message.read"),
    cyd: ["notification.mark_read"],
  });
});

test("a delivery sends message.delivered to watchers, once", async () => {
  const confirm = () =>
    ok("cyd", "POST", "/channels/delivered", {
      latest_delivered_messages: [{ cid: room.cid, id: room.message }],
    });
  await expectEvents(async () => {
    await confirm();
    await confirm();
  }, W("message.delivered"));
});

test("typing and custom events are sent to watchers, including the sender", async () => {
  await expectEvents(
    async () => {
      await ok("cyd", "POST", at("/event"), { event: { type: "typing.start", parent_id: room.message } });
      await ok("cyd", "POST", at("/event"), { event: { type: "typing.stop" } });
      await ok("bob", "POST", at("/event"), { event: { type: "wave", hand: "left" } });
    },
    W("typing.start", "typing.stop", "wave"),
  );
});

test("a change of the channel sends channel.updated with its system message to watchers, and nothing without a change", async () => {
  await expectEvents(() => ok("ada", "PATCH", at(), { set: { name: "Kitchen" } }), W("channel.updated"));
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("ada", "PATCH", at(), { set: { name: "Kitchen" } }), {});
  const renamed = { data: { name: "Hall" }, message: { text: "Now the hall" } };
  await expectEvents(() => ok("ada", "POST", at(), renamed), W("channel.updated"));
  expect(lines.ada.frames.find(({ type }) => type === "channel.updated")).toMatchObject({
    channel: { name: "Hall" },
    message: { type: "system", text: "Now the hall" },
  });
});

test("adding and removing a member sends events to watchers and a notification to that user", async () => {
  await expectEvents(() => ok("ada", "POST", at(), { add_members: ["dan"] }), {
    ...W("member.added"),
    dan: ["notification.added_to_channel"],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("server", "POST", at(), { remove_members: ["dan"] }), {
    ...W("member.removed"),
    dan: ["notification.removed_from_channel"],
  });
});

test("an invite sends notification.invited, its acceptance notification.invite_accepted to the invited user and member.updated to watchers", async () => {
  await expectEvents(() => ok("ada", "POST", at(), { invites: ["dan"] }), {
    ...W("member.added"),
    dan: ["notification.invited"],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => world.say("bob", at(), { text: "hello" }), {
    ...W("message.new"),
    ...N("notification.message_new"),
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("dan", "POST", at(), { accept_invite: true }), {
    ...W("member.updated"),
    dan: ["notification.invite_accepted"],
  });
});

test("a rejected invite sends notification.invite_rejected", async () => {
  await ok("ada", "POST", at(), { invites: ["dan"] });
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(() => ok("dan", "POST", at(), { reject_invite: true }), {
    ...W("member.updated"),
    dan: ["notification.invite_rejected"],
  });
});

test("pinning a channel sends member.updated to watchers", () =>
  expectEvents(() => ok("cyd", "PATCH", at("/member/cyd"), { set: { pinned: true } }), W("member.updated")));

test("hiding, showing and muting a channel send events to the user's own connections only", async () => {
  await expectEvents(() => ok("ada", "POST", at("/hide"), { clear_history: true }), {
    ada: ["channel.hidden"],
    ada2: ["channel.hidden"],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  await expectEvents(() => ok("ada", "POST", at("/show"), {}), {
    ada: ["channel.visible"],
    ada2: ["channel.visible"],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  const mutes = "notification.channel_mutes_updated";
  await expectEvents(() => ok("ada", "POST", "/moderation/mute/channel", { channel_cid: room.cid }), {
    ada: [mutes],
    ada2: [mutes],
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  await expectEvents(() => ok("ada", "POST", "/moderation/unmute/channel", { channel_cid: room.cid }), {
    ada: [mutes],
    ada2: [mutes],
  });
});

test("truncation and deletion send events to watchers and notifications to other members", async () => {
  await expectEvents(() => ok("ada", "POST", at("/truncate"), {}), {
    ...W("channel.truncated"),
    ...N("notification.channel_truncated"),
  });
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await ok("ada", "DELETE", at());
  await Promise.all(
    [lines.bob, lines.ada].map((line) =>
      line.until(() => line.frames.some((frame) => frame.type === "channel.deleted")),
    ),
  );
  await Promise.all(
    [lines.cyd, lines.ada2].map((line) =>
      line.until(() => line.frames.some((frame) => frame.type === "notification.channel_deleted")),
    ),
  );
  expect(
    differences(lines.bob.frames[1], {
      ...HINTS,
      ...CHANNEL_KEYS,
      ...MUST["channel.deleted"],
      "channel?": "object",
    }),
  ).toEqual([]);
  expect(lines.dan.frames.slice(1)).toEqual([]);
});

test("watching events are sent for the first and the last connection of a user", async () => {
  await expectEvents(
    () => ok("cyd", "POST", at("/query"), { watch: true }, { connection_id: lines.cyd.id }),
    {
      ...W("user.watching.start"),
      cyd: ["user.watching.start"],
    },
  );
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(
    () => ok("ada", "POST", at("/query"), { watch: true }, { connection_id: lines.ada2.id }),
    {},
  );
  await expectEvents(() => ok("ada", "POST", at("/stop-watching"), {}, { connection_id: lines.ada2.id }), {});
  await expectEvents(
    () => ok("cyd", "POST", at("/stop-watching"), {}, { connection_id: lines.cyd.id }),
    W("user.watching.stop"),
  );
});

test("with connect_events disabled no watching event is sent, however a watch begins and ends", async () => {
  const wide = await world.room({}, "livestream");
  await ok("ada", "POST", `${wide.route}/query`, { watch: true }, { connection_id: lines.ada.id });
  const guest = await world.connect("dan");
  await settle();
  lines.ada.frames.splice(1);
  await ok(
    "dan",
    "POST",
    "/sync",
    { channel_cids: [wide.cid], last_sync_at: new Date(Date.now() + 1000).toISOString(), watch: true },
    { connection_id: guest.id },
  );
  await ok("dan", "POST", `${wide.route}/stop-watching`, {}, { connection_id: guest.id });
  await ok("dan", "POST", `${wide.route}/query`, { watch: true }, { connection_id: guest.id });
  await guest.end();
  await settle();
  expect(
    lines.ada.frames.map(({ type }) => type as string).filter((type) => type.startsWith("user.watching")),
  ).toEqual([]);
});

test("an update of a user is sent to those who subscribed to its presence and to its own connections; subscribing by another user's connection id is refused", async () => {
  const stolen = await world.call("dan", "GET", "/users", {
    query: { connection_id: lines.cyd.id, payload: { filter_conditions: { id: "ada" }, presence: true } },
  });
  expect([stolen.status, stolen.json.code]).toEqual([400, 4]);
  await ok("dan", "GET", "/users", undefined, {
    connection_id: lines.dan.id,
    payload: { filter_conditions: { id: "ada" }, presence: true },
  });
  await expectEvents(
    () =>
      ok("ada", "PATCH", "/users", { users: [{ id: "ada", set: { favourite_tea: `tea of ${room.id}` } }] }),
    { ada: ["user.updated"], ada2: ["user.updated"], dan: ["user.updated"] },
  );
});

test("votes, answers, changes and closing of a poll send events to watchers", async () => {
  const { poll: made } = await ok("ada", "POST", "/polls", {
    name: "Tea?",
    options: [
      { id: "a", text: "A" },
      { id: "b", text: "B" },
    ],
    allow_answers: true,
  });
  const holder = await world.say("ada", at(), { poll_id: made.id });
  await settle();
  const clearEvents = (): void => {
    for (const line of Object.values(lines)) line.frames.splice(1);
    poll.events = [];
  };
  clearEvents();
  const votes = `/messages/${holder}/polls/${made.id}/vote`;
  let vote: Json;
  await expectEvents(
    async () => {
      ({ vote } = await ok("bob", "POST", votes, { vote: { option_id: "a" } }));
      await ok("bob", "POST", votes, { vote: { option_id: "a" } });
      await ok("bob", "POST", votes, { vote: { answer_text: "first" } });
      await ok("bob", "POST", votes, { vote: { answer_text: "second" } });
    },
    W("poll.vote_casted", "poll.vote_casted", "poll.vote_changed"),
  );
  clearEvents();
  await expectEvents(() => ok("bob", "DELETE", `${votes}/${vote.id}`), W("poll.vote_removed"));
  clearEvents();
  await expectEvents(
    async () => {
      await ok("ada", "PATCH", `/polls/${made.id}`, { set: { description: "which one" } });
      await ok("ada", "PATCH", `/polls/${made.id}`, { set: { is_closed: true } });
    },
    W("poll.updated", "poll.closed"),
  );
});

test("events of an anonymous poll do not contain the voter", async () => {
  const { poll: made } = await ok("ada", "POST", "/polls", {
    name: "Tea?",
    options: [{ id: "a", text: "A" }],
    voting_visibility: "anonymous",
  });
  const holder = await world.say("ada", at(), { poll_id: made.id });
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(
    () => ok("bob", "POST", `/messages/${holder}/polls/${made.id}/vote`, { vote: { option_id: "a" } }),
    W("poll.vote_casted"),
  );
  expect(JSON.stringify(lines.ada.frames.slice(1).filter(({ type }) => type !== "settled"))).not.toContain(
    '"bob"',
  );
});

test("a live location that moves sends message.updated to watchers", async () => {
  const carrier = await world.say("bob", at(), {
    shared_location: {
      latitude: 1,
      longitude: 1,
      created_by_device_id: "d",
      end_at: new Date(Date.now() + 600_000).toISOString(),
    },
  });
  await settle();
  for (const line of Object.values(lines)) line.frames.splice(1);
  poll.events = [];
  await expectEvents(
    () => ok("bob", "PUT", "/users/live_locations", { message_id: carrier, latitude: 2 }),
    W("message.updated"),
  );
  expect(lines.ada.frames.find(({ type }) => type === "message.updated").message).toMatchObject({
    shared_location: { latitude: 2 },
  });
});

test("a new channel sends channel.created to the watching creator and notifications to the added members", async () => {
  const id = `${room.id}-fresh`;
  await ok(
    "ada",
    "POST",
    `/channels/messaging/${id}/query`,
    { data: { members: ["ada", "cyd"] }, watch: true },
    { connection_id: lines.ada.id },
  );
  await settle();
  expect(receivedTypes()).toEqual({
    ada: ["channel.created", "member.added", "member.added", "user.watching.start"],
    ada2: ["notification.added_to_channel"],
    cyd: ["notification.added_to_channel"],
    dan: [],
    bob: [],
    poll: [],
  });
  expect(lines.cyd.frames.find(({ type }) => type === "notification.added_to_channel")).toMatchObject({
    cid: `messaging:${id}`,
    member: { user_id: "cyd" },
    channel: { id },
  });
});
