/** Who receives user events: profiles, presence, mutes, blocks, deletion, deactivation, revoked tokens (specification/events.md §3, §5). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyEvent } from "../../src/wire/events.ts";
import { MUTE, OWN_VIEW, USER } from "./entities.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, jwt, Line, World, type Json, type Room, type Who, settle, typesTold } from "./world.ts";

/**
 * ada and bob watch the room; only bob follows cyd's presence; cyd has two connections that watch nothing; dan is a
 * stranger.
 */
let world: World;
let room: Room;
const lines = {} as Record<"ada" | "bob" | "cyd" | "cyd2" | "dan", Line>;
const server: AnyEvent[] = [];
let people = 0;

beforeAll(async () => {
  world = await World.start();
  world.hearServers((event) => server.push(event));
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
  await quiet();
});

/** bob follows the presence of a user. */
const follow = (id: string): Promise<Json> =>
  world.ok("bob", "GET", "/users", {
    query: { connection_id: lines.bob.id, payload: { filter_conditions: { id }, presence: true } },
  });

async function quiet(): Promise<void> {
  await settle(lines);
  for (const line of Object.values(lines)) line.frames.splice(1);
  server.length = 0;
}

const told = (who: keyof typeof lines): Json[] => lines[who].told();
const heard = (): Record<string, string[]> => typesTold(lines);
/** Compares the events that each connection received from the act; a connection that is not listed must receive none. */
async function tells(act: () => unknown, who: Partial<Record<keyof typeof lines, string[]>>): Promise<void> {
  await act();
  await settle(lines);
  expect(heard()).toEqual({ ada: [], bob: [], cyd: [], cyd2: [], dan: [], ...who });
}
/** Code P of specification/events.md §2: bob, who follows cyd's presence, and cyd's own connections. */
const P = (...types: string[]) => ({ bob: types, cyd: types, cyd2: types });
const own = (...types: string[]) => ({ cyd: types, cyd2: types });

const ENVELOPE: Keys = { type: "text", created_at: "date" };
const patch = (who: Who, id: string, set: Json): Promise<Json> =>
  world.ok(who, "PATCH", "/users", { body: { users: [{ id, set }] } });
const seen = async (who: Who, id: string): Promise<Json> =>
  (await world.ok(who, "GET", "/users", { query: { payload: { filter_conditions: { id } } } })).users[0];

/** Creates and connects a new user whom bob follows. */
async function newcomer(): Promise<{ id: Who; line: Line }> {
  const id = `eve${++people}` as Who;
  await world.ok("server", "POST", "/users", { body: { users: { [id]: { id, name: "Eve" } } } });
  await follow(id);
  const line = await world.connect(id);
  await quiet();
  return { id, line };
}
/** Waits until the provider has noticed that the user's last connection closed. */
async function gone(id: string): Promise<void> {
  while (world.provider.hub.connectionsOf(id).size > 0) await new Promise((next) => setImmediate(next));
}
const dial = (id: Who, more: Json = {}, claims: Json = {}): Line =>
  world.dial(
    { user_id: id, user_details: { id }, ...more },
    { authorization: jwt({ user_id: id, ...claims }, world.place.secret) },
  );

describe("a profile", () => {
  test("user.updated to followers and the own connections, with the keys for all and no others", async () => {
    await tells(
      () => patch("cyd", "cyd", { name: `Cyd ${++people}`, favourite_tea: "mint" }),
      P("user.updated"),
    );
    for (const who of ["bob", "cyd"] as const) {
      expect(differences(told(who)[0], { ...ENVELOPE, user: USER })).toEqual([]);
      expect(told(who)[0].user).toMatchObject({ id: "cyd", favourite_tea: "mint" });
    }
  });

  test("nothing when nothing changed, and nothing of what only the user itself sees", async () => {
    const { name } = await seen("cyd", "cyd");
    await tells(() => patch("cyd", "cyd", { name }), {});
    await tells(
      () => patch("cyd", "cyd", { privacy_settings: { typing_indicators: { enabled: false } } }),
      {},
    );
    await tells(() => patch("cyd", "cyd", { privacy_settings: null }), {});
  });

  test("a status is a change of presence too (specification/events.md §3)", () =>
    tells(
      () => patch("cyd", "cyd", { status: `tea ${++people}` }),
      P("user.updated", "user.presence.changed"),
    ));
});

describe("presence", () => {
  test.skipIf(hosted)(
    "user.presence.changed when the first connection opens and when the last has been gone for 5 s",
    async () => {
      const { id, line } = await newcomer();
      const second = await world.connect(id);
      await tells(() => line.end(), {});
      await tells(() => second.end(), {});
      await gone(id);
      world.provider.clock.advance(3000);
      await tells(() => {}, {});
      world.provider.clock.advance(2000);
      await lines.bob.until(() => told("bob").length > 0);
      await tells(() => {}, { bob: ["user.presence.changed"] });
      expect(told("bob")[0]).toMatchObject({ user: { id, online: false, last_active: expect.any(String) } });
      await quiet();
      await tells(() => world.connect(id), { bob: ["user.presence.changed"] });
      expect(told("bob")[0].user).toMatchObject({ id, online: true });
    },
  );

  test.skipIf(hosted)(
    "invisible: others see nobody, the user itself sees that it is there (specification/users.md §12)",
    async () => {
      const { id, line } = await newcomer();
      await tells(() => patch(id, id, { invisible: true }), { bob: ["user.presence.changed"] });
      expect(told("bob")[0].user).toMatchObject({ id, online: false });
      expect(told("bob")[0].user).not.toHaveProperty("invisible");
      expect(await seen("bob", id)).toMatchObject({ online: false });
      expect(await seen(id, id)).toMatchObject({ online: true, invisible: true });
      expect(await seen("server", id)).toMatchObject({ online: false, invisible: true });
      await quiet();
      await tells(() => line.end(), {});
      await gone(id);
      world.provider.clock.advance(5000);
      await tells(() => {}, {});
      // The user stays invisible over reconnects, until `invisible` is set to false.
      const again = await world.connect(id);
      expect(again.frames[0].me).toMatchObject({ invisible: true, online: true });
      await tells(() => patch(id, id, { invisible: false }), { bob: ["user.presence.changed"] });
      expect(told("bob")[0].user).toMatchObject({ id, online: true });
    },
  );

  test("a query of users follows the first 30 of its answer (specification/users.md §6)", async () => {
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
    await quiet();
    await tells(() => patch("server", "pal30", { name: "P" }), {});
    await tells(() => patch("server", "pal29", { name: "P" }), { bob: ["user.updated"] });
  });

  test.skipIf(hosted)("becoming visible by the handshake is told once", async () => {
    const { id, line } = await newcomer();
    await patch(id, id, { invisible: true });
    await line.end();
    await gone(id);
    world.provider.clock.advance(5000);
    await quiet();
    await tells(
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
    "notification.mutes_updated to the muter's connections on every change and at expiry",
    async () => {
      await tells(() => mute({ timeout: 1 }), own("notification.mutes_updated"));
      const [event] = told("cyd");
      expect(differences(event, { ...ENVELOPE, me: { ...USER, mutes: [MUTE] } })).toEqual([]);
      const [mine] = event.me.mutes;
      expect(mine).toMatchObject({ user: { id: "cyd" }, target: { id: "bob" } });
      expect(Date.parse(mine.expires) - Date.parse(mine.created_at)).toBe(60_000);
      if (!hosted) expect(server.map(({ type }) => type)).toEqual(["user.muted"]);
      if (!hosted) expect(server[0]).toMatchObject({ user: { id: "cyd" }, target_user: { id: "bob" } });
      await quiet();
      await tells(() => mute({ timeout: 1 }), own("notification.mutes_updated"));
      expect(Date.parse(told("cyd")[0].me.mutes[0].updated_at)).toBeGreaterThan(Date.parse(mine.updated_at));
      await quiet();
      world.provider.advance(59_000);
      await tells(() => {}, {});
      await tells(() => world.provider.advance(2000), own("notification.mutes_updated"));
      expect(told("cyd")[0].me.mutes).toEqual([]);
    },
  );

  test("unmuting says so once", async () => {
    await mute();
    await quiet();
    const unmute = () => world.ok("cyd", "POST", "/moderation/unmute", { body: { target_id: "bob" } });
    await tells(unmute, own("notification.mutes_updated"));
    if (!hosted) expect(server.map(({ type }) => type)).toEqual(["user.unmuted"]);
    await quiet();
    await tells(unmute, {});
  });

  test("a muted writer is still heard, but raises no unread number (specification/moderation.md §3)", async () => {
    await mute();
    const connected = await world.connect("cyd");
    expect(connected.frames[0].me.mutes).toMatchObject([{ target: { id: "bob" } }]);
    await connected.end();
    const before = await world.ok("cyd", "GET", "/unread");
    await quiet();
    await tells(() => world.say("bob", room.route, { text: "milk?" }), {
      ada: ["message.new"],
      bob: ["message.new"],
      ...own("notification.message_new"),
    });
    expect(told("cyd")[0].total_unread_count).toBe(before.total_unread_count);
    expect(await world.ok("cyd", "GET", "/unread")).toMatchObject({
      total_unread_count: before.total_unread_count,
    });
    await world.ok("cyd", "POST", "/moderation/unmute", { body: { target_id: "bob" } });
    await quiet();
    await world.say("bob", room.route, { text: "sugar?" });
    await settle(lines);
    expect(told("cyd")[0].total_unread_count).toBe(before.total_unread_count + 1);
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
    await quiet();
  });
  const block = (how = "block", who: Who = "cyd", id = "bob") =>
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

  test("user.updated of itself to the blocker's connections, nothing to anybody else (BL-1, BL-8)", async () => {
    await tells(() => block(), own("user.updated"));
    expect(differences(told("cyd")[0], { ...ENVELOPE, user: OWN_VIEW })).toEqual([]);
    expect(told("cyd")[0].user).toMatchObject({ id: "cyd", blocked_user_ids: ["bob"] });
    expect(await seen("bob", "cyd")).toMatchObject({ blocked_user_ids: [] });
    await quiet();
    await tells(() => block(), {});
    await tells(() => block("unblock"), own("user.updated"));
    await quiet();
    await tells(() => block("unblock"), {});
  });

  test("in the channel of the two: no events, no unread, hidden; asked for with all messages (BL-2, BL-3)", async () => {
    expect(await unread()).toBe(1);
    await block();
    expect(await unread()).toBe(0);
    await quiet();
    await tells(
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
    await quiet();
    await world.say("cyd", pair.route, { text: "mine" });
    await settle(lines);
    expect(told("cyd").map(({ type }) => type)).toEqual(["message.new"]);
    await block("unblock");
    // BL-6: all messages are shown again; those sent during the block were never counted
    const [shown] = await list({});
    expect(shown.channel.blocked).toBeUndefined();
    expect(shown.messages.map(({ text }: Json) => text)).toEqual(["before", "meanwhile", "mine"]);
    expect(await unread()).toBe(1);
    await quiet();
    await world.say("bob", pair.route, { text: "after" });
    await settle(lines);
    expect(told("cyd").map(({ type }) => type)).toEqual(["message.new"]);
    expect(await unread()).toBe(2);
  });

  test("a new message does not bring a hidden channel back, and /sync keeps silent about it (BL-3)", async () => {
    await block();
    const since = new Date(Date.now() - 60_000).toISOString();
    await world.ok("cyd", "POST", `${pair.route}/hide`, { body: {} });
    await quiet();
    await world.say("bob", pair.route, { text: "meanwhile" });
    await tells(() => {}, { bob: ["notification.message_new"] });
    const sync = async (): Promise<string[]> =>
      (
        await world.ok("cyd", "POST", "/sync", { body: { channel_cids: [pair.cid], last_sync_at: since } })
      ).events.flatMap((event: Json) => event.message?.text ?? []);
    expect(await sync()).toEqual([]);
    await block("unblock");
    expect(await list({})).toEqual([]);
    expect((await list({ hidden: true }))[0].channel.hidden).toBe(true);
    expect(await sync()).toEqual(["before", "meanwhile"]);
    await quiet();
    await world.say("bob", pair.route, { text: "after" });
    await settle(lines);
    expect(told("cyd").map(({ type }) => type)).toEqual(["channel.visible", "message.new"]);
  });

  test("channels of more than two are unaffected (BL-4)", async () => {
    await block();
    await quiet();
    await tells(() => world.say("bob", room.route, { text: "milk?" }), {
      ada: ["message.new"],
      bob: ["message.new"],
      ...own("notification.message_new"),
    });
    await block("unblock");
  });

  test("the blocked user adds the blocker nowhere: left out in silence (BL-5)", async () => {
    await block();
    await quiet();
    const route = `/channels/messaging/party-${++people}`;
    await tells(
      () => world.ok("bob", "POST", `${route}/query`, { body: { data: { members: ["bob", "cyd", "dan"] } } }),
      { dan: ["notification.added_to_channel"], bob: ["notification.added_to_channel"] },
    );
    const added = await world.ok("bob", "POST", route, { body: { add_members: ["cyd", "ada"] } });
    expect(added.members.map(({ user_id }: Json) => user_id).toSorted()).toEqual(["ada", "bob", "dan"]);
    await block("unblock");
    await world.ok("bob", "POST", route, { body: { add_members: ["cyd"] } });
    await settle(lines);
    expect(told("cyd").at(-1).type).toBe("notification.added_to_channel");
  });
});

describe("leaving the app", () => {
  test("deletion: user.deleted to followers, its messages gone for watchers, the connection ended with code 5", async () => {
    const { id, line } = await newcomer();
    await world.ok("ada", "POST", room.route, { body: { add_members: [id] } });
    await world.say(id, room.route, { text: "mine" });
    await quiet();
    await world.ok("server", "POST", "/users/delete", {
      body: { user_ids: [id], user: "soft", messages: "soft" },
    });
    await line.until(() => line.closed !== undefined);
    expect(line.closed).toBe(1008);
    expect(line.frames.at(-1).error).toMatchObject({ code: 5, StatusCode: 401 });
    expect(line.frames.at(-1).error.message).toContain(`user ${id} was deleted`);
    expect(line.frames.map(({ type }) => type)).toContain("user.deleted");
    await lines.ada.until(() => told("ada").some(({ type }) => type === "user.messages.deleted"));
    await settle(lines);
    expect(heard()).toMatchObject({
      ada: ["user.messages.deleted"],
      bob: ["user.deleted", "user.messages.deleted"],
      cyd: [],
      dan: [],
    });
    const [deleted] = told("bob");
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
    const [messages] = told("ada");
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

  test("deactivation: told to servers only, the connection ended, everything refused with the reason until reactivated", async () => {
    const { id, line } = await newcomer();
    await world.ok("server", "POST", `/users/${id}/deactivate`, { body: { created_by_id: "mod" } });
    await line.until(() => line.closed !== undefined);
    expect(line.closed).toBe(1008);
    expect(line.frames.at(-1).error.message).toContain(`user ${id} is deactivated`);
    await tells(() => {}, {});
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

  test("of one user: its open connections end with code 40, younger tokens live on, null undoes it", async () => {
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

  test("a date of the past without older tokens ends nothing", async () => {
    const { id } = await newcomer();
    const young = dial(id, {}, { iat: Math.floor(Date.now() / 1000) });
    await young.until(() => young.frames[0]);
    await revoke(id, "2026-03-04T00:00:00Z");
    await settle(lines);
    expect(young.closed).toBeUndefined();
    expect((await seen("server", id)).revoke_tokens_issued_before).toBe("2026-03-04T00:00:00.000000Z");
  });
});

describe("events of a server's own", () => {
  test("to all connections of the user, with the provider's own envelope", async () => {
    await tells(
      () =>
        world.ok("server", "POST", "/users/cyd/event", {
          body: { event: { type: "wave", hand: "left", user: { id: "mod" }, created_at: "never" } },
        }),
      own("wave"),
    );
    expect(differences(told("cyd")[0], { ...ENVELOPE, user: USER, hand: "text" })).toEqual([]);
    expect(told("cyd")[0].user.id).toBe("cyd");
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

  test("need the key only, are refused until enabled, and connect with the token they got", async () => {
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
  test("registers its device, and refuses a bad one", async () => {
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
  test("typing, read and delivery receipts that are switched off reach nobody else", async () => {
    const off = { enabled: false };
    await patch("bob", "bob", {
      privacy_settings: { typing_indicators: off, read_receipts: off, delivery_receipts: off },
    });
    await quiet();
    await tells(
      async () => {
        await world.ok("bob", "POST", `${room.route}/event`, { body: { event: { type: "typing.start" } } });
        await world.ok("bob", "POST", `${room.route}/read`, { body: {} });
        await world.ok("bob", "POST", "/channels/delivered", {
          body: { latest_delivered_messages: [{ cid: room.cid, id: room.message }] },
        });
      },
      { bob: ["message.read", "notification.mark_read"] },
    );
    const query = async (who: Who): Promise<string[]> =>
      (await world.ok(who, "POST", `${room.route}/query`, { body: {} })).read.map((one: Json) => one.user.id);
    expect((await query("ada")).toSorted()).toEqual(["ada", "cyd"]);
    expect((await query("bob")).toSorted()).toEqual(["ada", "bob", "cyd"]);
    await patch("bob", "bob", { privacy_settings: null });
  });
});
