/** Who receives user events: profiles, presence, mutes, blocks, deletion, deactivation, revoked tokens (specification/events.md §3, §5). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyEvent } from "../../src/wire/events.ts";
import { MUTE, OWN_VIEW, USER } from "./entities.ts";
import { differences, type Keys } from "./shape.ts";
import {
  hosted,
  jwt,
  TestSocket,
  World,
  type Json,
  type Room,
  type Caller,
  settle,
  eventTypes,
} from "./world.ts";

/**
 * ada and bob watch the room; only bob follows cyd's presence; cyd has two connections that watch nothing; dan is a
 * stranger.
 */
let world: World;
let room: Room;
const lines = {} as Record<"ada" | "bob" | "cyd" | "cyd2" | "dan", TestSocket>;
const server: AnyEvent[] = [];
let people = 0;

beforeAll(async () => {
  world = await World.start();
  world.onServerEvent((event) => server.push(event));
  for (const who of ["ada", "bob", "cyd", "dan"] as const) lines[who] = await world.connect(who);
  lines.cyd2 = await world.connect("cyd");
  await follow("cyd");
});
afterAll(() => world.stop());

beforeEach(async () => {
  room = await world.room();
  for (const who of ["ada", "bob"] as const)
    await world.ok(who, "POST", `${room.route}/query`, {
      query: { connection_id: lines[who].id },
      body: { watch: true },
    });
  await clearEvents();
});

/** bob follows the presence of a user. */
const follow = (id: string): Promise<Json> =>
  world.ok("bob", "GET", "/users", {
    query: { connection_id: lines.bob.id, payload: { filter_conditions: { id }, presence: true } },
  });

async function clearEvents(): Promise<void> {
  await settle(lines);
  for (const line of Object.values(lines)) line.frames.splice(1);
  server.length = 0;
}

const eventsOf = (who: keyof typeof lines): Json[] => lines[who].events();
const receivedTypes = (): Record<string, string[]> => eventTypes(lines);
/** Compares the events that each connection received from the act; a connection that is not listed must receive none. */
async function expectEvents(
  act: () => unknown,
  who: Partial<Record<keyof typeof lines, string[]>>,
): Promise<void> {
  await act();
  await settle(lines);
  expect(receivedTypes()).toEqual({ ada: [], bob: [], cyd: [], cyd2: [], dan: [], ...who });
}
/** Code P of specification/events.md §2: bob, who follows cyd's presence, and cyd's own connections. */
const P = (...types: string[]) => ({ bob: types, cyd: types, cyd2: types });
const own = (...types: string[]) => ({ cyd: types, cyd2: types });

const ENVELOPE: Keys = { type: "text", created_at: "date" };
const patch = (who: Caller, id: string, set: Json): Promise<Json> =>
  world.ok(who, "PATCH", "/users", { body: { users: [{ id, set }] } });
const userAsSeenBy = async (who: Caller, id: string): Promise<Json> =>
  (await world.ok(who, "GET", "/users", { query: { payload: { filter_conditions: { id } } } })).users[0];

/** Creates and connects a new user whom bob follows. */
async function newcomer(): Promise<{ id: Caller; line: TestSocket }> {
  const id = `eve${++people}` as Caller;
  await world.ok("server", "POST", "/users", { body: { users: { [id]: { id, name: "Eve" } } } });
  await follow(id);
  const line = await world.connect(id);
  await clearEvents();
  return { id, line };
}
/** Waits until the provider has noticed that the user's last connection closed. */
async function untilDisconnected(id: string): Promise<void> {
  while (world.provider.hub.connectionsOf(id).size > 0) await new Promise((next) => setImmediate(next));
}
const dial = (id: Caller, more: Json = {}, claims: Json = {}): TestSocket =>
  world.dial(
    { user_id: id, user_details: { id }, ...more },
    { authorization: jwt({ user_id: id, ...claims }, world.address.secret) },
  );

describe("a profile", () => {
  test("a change sends user.updated to followers and the user's connections, with the public fields only", async () => {
    await expectEvents(
      () => patch("cyd", "cyd", { name: `Cyd ${++people}`, favourite_tea: "mint" }),
      P("user.updated"),
    );
    for (const who of ["bob", "cyd"] as const) {
      expect(differences(eventsOf(who)[0], { ...ENVELOPE, user: USER })).toEqual([]);
      expect(eventsOf(who)[0].user).toMatchObject({ id: "cyd", favourite_tea: "mint" });
    }
  });

  test("no change and a change of private fields send nothing", async () => {
    const { name } = await userAsSeenBy("cyd", "cyd");
    await expectEvents(() => patch("cyd", "cyd", { name }), {});
    await expectEvents(
      () => patch("cyd", "cyd", { privacy_settings: { typing_indicators: { enabled: false } } }),
      {},
    );
    await expectEvents(() => patch("cyd", "cyd", { privacy_settings: null }), {});
  });

  test("a new status also sends user.presence.changed (specification/events.md §3)", () =>
    expectEvents(
      () => patch("cyd", "cyd", { status: `tea ${++people}` }),
      P("user.updated", "user.presence.changed"),
    ));
});

describe("presence", () => {
  test.skipIf(hosted)(
    "user.presence.changed is sent when the first connection opens and 5 s after the last one closed",
    async () => {
      const { id, line } = await newcomer();
      const second = await world.connect(id);
      await expectEvents(() => line.end(), {});
      await expectEvents(() => second.end(), {});
      await untilDisconnected(id);
      world.provider.clock.advance(3000);
      await expectEvents(() => {}, {});
      world.provider.clock.advance(2000);
      await lines.bob.until(() => eventsOf("bob").length > 0);
      await expectEvents(() => {}, { bob: ["user.presence.changed"] });
      expect(eventsOf("bob")[0]).toMatchObject({
        user: { id, online: false, last_active: expect.any(String) },
      });
      await clearEvents();
      await expectEvents(() => world.connect(id), { bob: ["user.presence.changed"] });
      expect(eventsOf("bob")[0].user).toMatchObject({ id, online: true });
    },
  );

  test.skipIf(hosted)(
    "an invisible user appears offline to others and online to itself (specification/users.md §12)",
    async () => {
      const { id, line } = await newcomer();
      await expectEvents(() => patch(id, id, { invisible: true }), { bob: ["user.presence.changed"] });
      expect(eventsOf("bob")[0].user).toMatchObject({ id, online: false });
      expect(eventsOf("bob")[0].user).not.toHaveProperty("invisible");
      expect(await userAsSeenBy("bob", id)).toMatchObject({ online: false });
      expect(await userAsSeenBy(id, id)).toMatchObject({ online: true, invisible: true });
      expect(await userAsSeenBy("server", id)).toMatchObject({ online: false, invisible: true });
      await clearEvents();
      await expectEvents(() => line.end(), {});
      await untilDisconnected(id);
      world.provider.clock.advance(5000);
      await expectEvents(() => {}, {});
      // The user stays invisible over reconnects, until `invisible` is set to false.
      const again = await world.connect(id);
      expect(again.frames[0].me).toMatchObject({ invisible: true, online: true });
      await expectEvents(() => patch(id, id, { invisible: false }), { bob: ["user.presence.changed"] });
      expect(eventsOf("bob")[0].user).toMatchObject({ id, online: true });
    },
  );

  test("a query of users subscribes to the first 30 users of its answer (specification/users.md §6)", async () => {
    const ids = Array.from({ length: 31 }, (_, i) => `pal${String(i).padStart(2, "0")}`);
    await world.ok("server", "POST", "/users", {
      body: { users: Object.fromEntries(ids.map((id) => [id, { id }])) },
    });
    await world.ok("bob", "GET", "/users", {
      query: {
        connection_id: lines.bob.id,
        payload: {
          filter_conditions: { id: { $in: ids } },
          sort: [{ field: "id", direction: 1 }],
          limit: 100,
          presence: true,
        },
      },
    });
    await clearEvents();
    await expectEvents(() => patch("server", "pal30", { name: "P" }), {});
    await expectEvents(() => patch("server", "pal29", { name: "P" }), { bob: ["user.updated"] });
  });

  test.skipIf(hosted)("becoming visible at the handshake sends one event", async () => {
    const { id, line } = await newcomer();
    await patch(id, id, { invisible: true });
    await line.end();
    await untilDisconnected(id);
    world.provider.clock.advance(5000);
    await clearEvents();
    await expectEvents(
      async () => {
        const next = dial(id, { user_details: { id, invisible: false } });
        await next.until(() => next.frames[0]);
      },
      { bob: ["user.presence.changed"] },
    );
  });
});

describe("a mute", () => {
  const mute = (more: Json = {}) =>
    world.ok("cyd", "POST", "/moderation/mute", { body: { target_id: "bob", ...more } });

  test.skipIf(hosted)(
    "notification.mutes_updated is sent to the muting user's connections on every change and at expiry",
    async () => {
      await expectEvents(() => mute({ timeout: 1 }), own("notification.mutes_updated"));
      const [event] = eventsOf("cyd");
      expect(differences(event, { ...ENVELOPE, me: { ...USER, mutes: [MUTE] } })).toEqual([]);
      const [mine] = event.me.mutes;
      expect(mine).toMatchObject({ user: { id: "cyd" }, target: { id: "bob" } });
      expect(Date.parse(mine.expires) - Date.parse(mine.created_at)).toBe(60_000);
      if (!hosted) expect(server.map(({ type }) => type)).toEqual(["user.muted"]);
      if (!hosted) expect(server[0]).toMatchObject({ user: { id: "cyd" }, target_user: { id: "bob" } });
      await clearEvents();
      await expectEvents(() => mute({ timeout: 1 }), own("notification.mutes_updated"));
      expect(Date.parse(eventsOf("cyd")[0].me.mutes[0].updated_at)).toBeGreaterThan(
        Date.parse(mine.updated_at),
      );
      await clearEvents();
      world.provider.advance(59_000);
      await expectEvents(() => {}, {});
      await expectEvents(() => world.provider.advance(2000), own("notification.mutes_updated"));
      expect(eventsOf("cyd")[0].me.mutes).toEqual([]);
    },
  );

  test("unmuting sends one event, and unmuting again none", async () => {
    await mute();
    await clearEvents();
    const unmute = () => world.ok("cyd", "POST", "/moderation/unmute", { body: { target_id: "bob" } });
    await expectEvents(unmute, own("notification.mutes_updated"));
    if (!hosted) expect(server.map(({ type }) => type)).toEqual(["user.unmuted"]);
    await clearEvents();
    await expectEvents(unmute, {});
  });

  test("messages of a muted user are still sent but do not raise the unread count (specification/moderation.md §3)", async () => {
    await mute();
    const connected = await world.connect("cyd");
    expect(connected.frames[0].me.mutes).toMatchObject([{ target: { id: "bob" } }]);
    await connected.end();
    const before = await world.ok("cyd", "GET", "/unread");
    await clearEvents();
    await expectEvents(() => world.say("bob", room.route, { text: "milk?" }), {
      ada: ["message.new"],
      bob: ["message.new"],
      ...own("notification.message_new"),
    });
    expect(eventsOf("cyd")[0].total_unread_count).toBe(before.total_unread_count);
    expect(await world.ok("cyd", "GET", "/unread")).toMatchObject({
      total_unread_count: before.total_unread_count,
    });
    await world.ok("cyd", "POST", "/moderation/unmute", { body: { target_id: "bob" } });
    await clearEvents();
    await world.say("bob", room.route, { text: "sugar?" });
    await settle(lines);
    expect(eventsOf("cyd")[0].total_unread_count).toBe(before.total_unread_count + 1);
  });
});

describe("a block (BL-1…8)", () => {
  let pair: { route: string; cid: string };
  /** A channel of cyd and bob, watched by one connection of cyd. */
  beforeEach(async () => {
    const id = `pair-${++people}`;
    pair = { route: `/channels/messaging/${id}`, cid: `messaging:${id}` };
    await world.ok("cyd", "POST", `${pair.route}/query`, {
      query: { connection_id: lines.cyd.id },
      body: { data: { members: ["cyd", "bob"] }, watch: true },
    });
    await world.say("bob", pair.route, { text: "before" });
    await clearEvents();
  });
  const block = (how = "block", who: Caller = "cyd", id = "bob") =>
    world.ok(who, "POST", `/users/${how}`, { body: { blocked_user_id: id } });
  const list = async (filter: Json): Promise<Json[]> =>
    (
      await world.ok("cyd", "POST", "/channels", {
        body: { filter_conditions: { cid: pair.cid, ...filter } },
      })
    ).channels;
  const unread = async (): Promise<number> =>
    (await world.ok("cyd", "GET", "/unread")).channels.find((one: Json) => one.channel_id === pair.cid)
      ?.unread_count ?? 0;

  test("user.updated is sent to the blocking user's connections only (BL-1, BL-8)", async () => {
    await expectEvents(() => block(), own("user.updated"));
    expect(differences(eventsOf("cyd")[0], { ...ENVELOPE, user: OWN_VIEW })).toEqual([]);
    expect(eventsOf("cyd")[0].user).toMatchObject({ id: "cyd", blocked_user_ids: ["bob"] });
    expect(await userAsSeenBy("bob", "cyd")).toMatchObject({ blocked_user_ids: [] });
    await clearEvents();
    await expectEvents(() => block(), {});
    await expectEvents(() => block("unblock"), own("user.updated"));
    await clearEvents();
    await expectEvents(() => block("unblock"), {});
  });

  test("the direct channel sends no events, has no unread messages and is hidden, and listing hidden channels shows all messages (BL-2, BL-3)", async () => {
    expect(await unread()).toBe(1);
    await block();
    expect(await unread()).toBe(0);
    await clearEvents();
    await expectEvents(
      async () => {
        await world.say("bob", pair.route, { text: "meanwhile" });
        await world.ok("bob", "POST", `${pair.route}/event`, { body: { event: { type: "typing.start" } } });
        await world.ok("bob", "POST", `${pair.route}/read`, { body: {} });
        // bob does not watch the channel, so only the event about bob's own read arrives
      },
      { bob: ["notification.message_new", "notification.mark_read"] },
    );
    expect(await unread()).toBe(0);
    expect(await list({})).toEqual([]);
    const [hidden] = await list({ hidden: true });
    expect(hidden).toMatchObject({ hidden: true, channel: { hidden: true, blocked: true } });
    expect(hidden.messages.map(({ text }: Json) => text)).toEqual(["before", "meanwhile"]);
    // The blocker receives events of its own messages in the channel.
    await clearEvents();
    await world.say("cyd", pair.route, { text: "mine" });
    await settle(lines);
    expect(eventsOf("cyd").map(({ type }) => type)).toEqual(["message.new"]);
    await block("unblock");
    // BL-6: all messages are shown again; those sent during the block were never counted
    const [shown] = await list({});
    expect(shown.channel.blocked).toBeUndefined();
    expect(shown.messages.map(({ text }: Json) => text)).toEqual(["before", "meanwhile", "mine"]);
    expect(await unread()).toBe(1);
    await clearEvents();
    await world.say("bob", pair.route, { text: "after" });
    await settle(lines);
    expect(eventsOf("cyd").map(({ type }) => type)).toEqual(["message.new"]);
    expect(await unread()).toBe(2);
  });

  test("a new message does not show a hidden channel again, and /sync omits it (BL-3)", async () => {
    await block();
    const since = new Date(Date.now() - 60_000).toISOString();
    await world.ok("cyd", "POST", `${pair.route}/hide`, { body: {} });
    await clearEvents();
    await world.say("bob", pair.route, { text: "meanwhile" });
    await expectEvents(() => {}, { bob: ["notification.message_new"] });
    const sync = async (): Promise<string[]> =>
      (
        await world.ok("cyd", "POST", "/sync", { body: { channel_cids: [pair.cid], last_sync_at: since } })
      ).events.flatMap((event: Json) => event.message?.text ?? []);
    expect(await sync()).toEqual([]);
    await block("unblock");
    expect(await list({})).toEqual([]);
    expect((await list({ hidden: true }))[0].channel.hidden).toBe(true);
    expect(await sync()).toEqual(["before", "meanwhile"]);
    await clearEvents();
    await world.say("bob", pair.route, { text: "after" });
    await settle(lines);
    expect(eventsOf("cyd").map(({ type }) => type)).toEqual(["channel.visible", "message.new"]);
  });

  test("channels with more than two members are unaffected (BL-4)", async () => {
    await block();
    await clearEvents();
    await expectEvents(() => world.say("bob", room.route, { text: "milk?" }), {
      ada: ["message.new"],
      bob: ["message.new"],
      ...own("notification.message_new"),
    });
    await block("unblock");
  });

  test("the blocked user cannot add the blocking user to a channel, which is left out without an error (BL-5)", async () => {
    await block();
    await clearEvents();
    const route = `/channels/messaging/party-${++people}`;
    await expectEvents(
      () => world.ok("bob", "POST", `${route}/query`, { body: { data: { members: ["bob", "cyd", "dan"] } } }),
      { dan: ["notification.added_to_channel"], bob: ["notification.added_to_channel"] },
    );
    const added = await world.ok("bob", "POST", route, { body: { add_members: ["cyd", "ada"] } });
    expect(added.members.map(({ user_id }: Json) => user_id).toSorted()).toEqual(["ada", "bob", "dan"]);
    await block("unblock");
    await world.ok("bob", "POST", route, { body: { add_members: ["cyd"] } });
    await settle(lines);
    expect(eventsOf("cyd").at(-1).type).toBe("notification.added_to_channel");
  });
});

describe("leaving the app", () => {
  test("a deletion sends user.deleted to followers and user.messages.deleted to watchers, and closes the connection with code 5", async () => {
    const { id, line } = await newcomer();
    await world.ok("ada", "POST", room.route, { body: { add_members: [id] } });
    await world.say(id, room.route, { text: "mine" });
    await clearEvents();
    await world.ok("server", "POST", "/users/delete", {
      body: { user_ids: [id], user: "soft", messages: "soft" },
    });
    await line.until(() => line.closed !== undefined);
    expect(line.closed).toBe(1008);
    expect(line.frames.at(-1).error).toMatchObject({ code: 5, StatusCode: 401 });
    expect(line.frames.at(-1).error.message).toContain(`user ${id} was deleted`);
    expect(line.frames.map(({ type }) => type)).toContain("user.deleted");
    await lines.ada.until(() => eventsOf("ada").some(({ type }) => type === "user.messages.deleted"));
    await settle(lines);
    expect(receivedTypes()).toMatchObject({
      ada: ["user.messages.deleted"],
      bob: ["user.deleted", "user.messages.deleted"],
      cyd: [],
      dan: [],
    });
    const [deleted] = eventsOf("bob");
    expect(
      differences(deleted, {
        ...ENVELOPE,
        user: { ...USER, deleted_at: "date" },
        hard_delete: "flag",
        mark_messages_deleted: "flag",
        delete_conversation_channels: "flag",
        delete_user: "text",
        delete_messages: "text",
      }),
    ).toEqual([]);
    expect(deleted).toMatchObject({
      hard_delete: false,
      mark_messages_deleted: true,
      delete_messages: "soft",
    });
    const [messages] = eventsOf("ada");
    expect(
      differences(messages, {
        ...ENVELOPE,
        user: USER,
        soft_delete: "flag",
        hard_delete: "flag",
        cid: "text",
        channel_type: "text",
        channel_id: "text",
      }),
    ).toEqual([]);
    expect(messages).toMatchObject({ cid: room.cid, user: { id }, soft_delete: true, hard_delete: false });
    const { json } = await world.call(id, "GET", "/unread");
    expect(json).toMatchObject({ code: 5 });
    const refused = dial(id);
    await refused.until(() => refused.closed !== undefined);
    expect(refused.frames[0].error).toMatchObject({ code: 5 });
    // The restored user may connect again.
    await world.ok("server", "POST", "/users/restore", { body: { user_ids: [id] } });
    const again = dial(id);
    await again.until(() => again.frames[0]);
    expect(again.frames[0].me).toMatchObject({ id, name: "Eve" });
  });

  test("a deactivation is sent to servers only, closes the connection, and refuses every request with the reason until reactivation", async () => {
    const { id, line } = await newcomer();
    await world.ok("server", "POST", `/users/${id}/deactivate`, { body: { created_by_id: "mod" } });
    await line.until(() => line.closed !== undefined);
    expect(line.closed).toBe(1008);
    expect(line.frames.at(-1).error.message).toContain(`user ${id} is deactivated`);
    await expectEvents(() => {}, {});
    if (!hosted)
      expect(server).toMatchObject([{ type: "user.deactivated", user: { id }, created_by: { id: "mod" } }]);
    const answer = await world.call(id, "POST", "/channels", { body: {} });
    expect(answer).toMatchObject({ status: 401, json: { code: 5 } });
    expect(answer.json.message).toContain("deactivated");
    server.length = 0;
    await world.ok("server", "POST", `/users/${id}/reactivate`, { body: { created_by_id: "mod" } });
    if (!hosted)
      expect(server).toMatchObject([{ type: "user.reactivated", user: { id }, created_by: { id: "mod" } }]);
    expect((await world.call(id, "POST", "/channels", { body: {} })).status).toBe(201);
  });
});

describe("revoked tokens (specification/auth.md §9)", () => {
  const revoke = (id: string, at: string | null) => patch("server", id, { revoke_tokens_issued_before: at });

  test("of one user close its connections with code 40, keep newer tokens valid, and null undoes them", async () => {
    const { id, line } = await newcomer();
    const seconds = Math.floor(Date.now() / 1000);
    const old = dial(id, {}, { iat: seconds - 100 });
    const young = dial(id, {}, { iat: seconds });
    for (const one of [old, young]) await one.until(() => one.frames[0]);
    await revoke(id, new Date((seconds - 50) * 1000).toISOString());
    for (const one of [old, line]) {
      await one.until(() => one.closed !== undefined);
      expect([one.closed, one.frames.at(-1).error.code]).toEqual([1008, 40]);
    }
    expect(young.closed).toBeUndefined();
    // A token without an issue time is refused, too.
    expect((await world.call(id, "GET", "/unread")).json).toMatchObject({ code: 40, StatusCode: 401 });
    expect((await world.call("ada", "GET", "/unread")).status).toBe(200);
    await revoke(id, null);
    expect((await world.call(id, "GET", "/unread")).status).toBe(200);
  });

  test("a date without older tokens closes no connection", async () => {
    const { id } = await newcomer();
    const young = dial(id, {}, { iat: Math.floor(Date.now() / 1000) });
    await young.until(() => young.frames[0]);
    await revoke(id, "2026-03-04T00:00:00Z");
    await settle(lines);
    expect(young.closed).toBeUndefined();
    expect((await userAsSeenBy("server", id)).revoke_tokens_issued_before).toBe(
      "2026-03-04T00:00:00.000000Z",
    );
  });
});

describe("custom events of a server", () => {
  test("are sent to all connections of the user, with the provider's envelope", async () => {
    await expectEvents(
      () =>
        world.ok("server", "POST", "/users/cyd/event", {
          body: { event: { type: "wave", hand: "left", user: { id: "mod" }, created_at: "never" } },
        }),
      own("wave"),
    );
    expect(differences(eventsOf("cyd")[0], { ...ENVELOPE, user: USER, hand: "text" })).toEqual([]);
    expect(eventsOf("cyd")[0].user.id).toBe("cyd");
    if (!hosted) expect(server).toMatchObject([{ type: "wave", hand: "left" }]);
  });
});

describe("guests (specification/auth.md §5)", () => {
  const ask = async (body: Json): Promise<{ status: number; json: Json }> => {
    const response = await fetch(world.url("/guest"), {
      method: "POST",
      headers: { "stream-auth-type": "anonymous", "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, json: await response.json() };
  };

  test("need only the API key, are refused until enabled, and connect with their token", async () => {
    await world.ok("server", "PATCH", "/app", { body: { guest_user_creation_disabled: true } });
    expect(await ask({ user: { id: "visitor" } })).toMatchObject({ status: 403, json: { code: 17 } });
    await world.ok("server", "PATCH", "/app", { body: { guest_user_creation_disabled: false } });
    const { status, json } = await ask({ user: { id: "visitor", name: "Visitor" } });
    expect(status).toBe(201);
    expect(json.user).toMatchObject({ role: "guest", name: "Visitor", online: false });
    expect(json.user.id).toMatch(/^guest-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}-visitor$/);
    const line = world.dial({ user_id: json.user.id }, { authorization: json.access_token });
    await line.until(() => line.frames[0]);
    expect(line.frames[0].me).toMatchObject({ id: json.user.id, role: "guest" });
    // Other routes stay closed to anonymous callers.
    const other = await fetch(world.url("/users"), { headers: { "stream-auth-type": "anonymous" } });
    expect(await other.json()).toMatchObject({ code: 17 });
    await world.ok("server", "PATCH", "/app", { body: { multi_tenant_enabled: true } });
    expect(await ask({ user: { id: "visitor" } })).toMatchObject({ json: { code: 17 } });
    await world.ok("server", "PATCH", "/app", { body: { multi_tenant_enabled: false } });
  });
});

describe("the handshake", () => {
  test("registers the device, and an invalid one is refused", async () => {
    const { id } = await newcomer();
    const line = dial(id, { device: { id: "tok1", push_provider: "firebase" } });
    await line.until(() => line.frames[0]);
    expect(line.frames[0].me.devices).toMatchObject([{ id: "tok1", push_provider: "firebase", user_id: id }]);
    const bad = dial(id, { device: { id: "tok2", push_provider: "pigeon" } });
    await bad.until(() => bad.closed !== undefined);
    expect(bad.frames[0].error).toMatchObject({
      code: 4,
      exception_fields: { "device.push_provider": expect.any(String) },
    });
  });
});

describe("privacy (specification/users.md §12)", () => {
  test("disabled typing, read and delivery receipts are sent to nobody else", async () => {
    const disabled = { enabled: false };
    await patch("bob", "bob", {
      privacy_settings: { typing_indicators: disabled, read_receipts: disabled, delivery_receipts: disabled },
    });
    await clearEvents();
    await expectEvents(
      async () => {
        await world.ok("bob", "POST", `${room.route}/event`, { body: { event: { type: "typing.start" } } });
        await world.ok("bob", "POST", `${room.route}/read`, { body: {} });
        await world.ok("bob", "POST", "/channels/delivered", {
          body: { latest_delivered_messages: [{ cid: room.cid, id: room.message }] },
        });
      },
      { bob: ["message.read", "notification.mark_read"] },
    );
    const query = async (who: Caller): Promise<string[]> =>
      (await world.ok(who, "POST", `${room.route}/query`, { body: {} })).read.map((one: Json) => one.user.id);
    expect((await query("ada")).toSorted()).toEqual(["ada", "cyd"]);
    expect((await query("bob")).toSorted()).toEqual(["ada", "bob", "cyd"]);
    await patch("bob", "bob", { privacy_settings: null });
  });
});
