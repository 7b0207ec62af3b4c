/** Who receives moderation events: bans, shadow bans, text commands, previews (specification/events.md §3, §5; specification/moderation.md §2). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { MEMBER, MESSAGE, USER } from "./entities.ts";
import { differences, type Keys } from "./shape.ts";
import {
  hosted,
  World,
  type Json,
  type TestSocket,
  type Room,
  type Caller,
  settle,
  eventTypes,
} from "./world.ts";

/** ada watches; bob, the moderated user, watches on one of two connections; cyd is a member who does not watch; dan is a stranger. */
let world: World;
let room: Room;
const lines = {} as Record<"ada" | "bob" | "bob2" | "cyd" | "dan", TestSocket>;

beforeAll(async () => {
  world = await World.start();
  await world.ok("server", "POST", "/users", { body: { users: { boss: { id: "boss", role: "admin" } } } });
  for (const who of ["ada", "bob", "cyd", "dan"] as const) lines[who] = await world.connect(who);
  lines.bob2 = await world.connect("bob");
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

async function clearEvents(): Promise<void> {
  await settle(lines);
  for (const line of Object.values(lines)) line.frames.splice(1);
}

const eventsOf = (who: keyof typeof lines): Json[] => lines[who].events();
const receivedTypes = (): Record<string, string[]> => eventTypes(lines);
/** Compares the events that each connection received from the act; a connection that is not listed must receive none. */
async function expectEvents(
  act: () => Promise<unknown>,
  who: Partial<Record<keyof typeof lines, string[]>>,
): Promise<void> {
  await act();
  await settle(lines);
  expect(receivedTypes()).toEqual({ ada: [], bob: [], bob2: [], cyd: [], dan: [], ...who });
}

const ban = (more: Json = {}, who: Caller | "boss" = "mod") =>
  world.ok(who as Caller, "POST", "/moderation/ban", {
    body: { target_user_id: "bob", type: room.type, id: room.id, ...more },
  });
const unban = (more: Json = {}, who: Caller | "boss" = "mod") =>
  world.ok(who as Caller, "DELETE", "/moderation/ban", {
    query: { target_user_id: "bob", type: room.type, id: room.id, ...more },
  });
const say = (who: Caller, text: string, more: Json = {}) => world.say(who, room.route, { text, ...more });

const ENVELOPE: Keys = { type: "text", created_at: "date" };
const OF_CHANNEL: Keys = { ...ENVELOPE, cid: "text", channel_type: "text", channel_id: "text" };
const BANNED: Keys = {
  user: USER,
  created_by: USER,
  "reason?": "text",
  "expiration?": "date",
  shadow: "flag",
  total_bans: "count",
};
const UNBANNED: Keys = { user: USER, created_by: USER, shadow: "flag" };

describe("a ban in a channel", () => {
  test("sends user.banned to the target and the watchers, then member.updated to the watchers", async () => {
    await expectEvents(() => ban({ timeout: 5, reason: "noise" }), {
      ada: ["user.banned", "member.updated"],
      bob: ["user.banned", "member.updated"],
      bob2: ["user.banned"],
    });
    for (const who of ["ada", "bob", "bob2"] as const) {
      const [event] = eventsOf(who);
      expect(differences(event, { ...OF_CHANNEL, ...BANNED })).toEqual([]);
      expect(event).toMatchObject({
        cid: room.cid,
        user: { id: "bob" },
        created_by: { id: "mod" },
        reason: "noise",
        shadow: false,
      });
    }
    const [, member] = eventsOf("ada");
    expect(differences(member, { ...OF_CHANNEL, user: USER, member: MEMBER })).toEqual([]);
    expect(member.member).toMatchObject({
      user_id: "bob",
      banned: true,
      ban_expires: eventsOf("ada")[0].expiration,
    });
  });

  test("sends user.unbanned to the same connections when it is lifted", async () => {
    await ban();
    await clearEvents();
    await expectEvents(() => unban(), {
      ada: ["user.unbanned", "member.updated"],
      bob: ["user.unbanned", "member.updated"],
      bob2: ["user.unbanned"],
    });
    expect(differences(eventsOf("bob2")[0], { ...OF_CHANNEL, ...UNBANNED })).toEqual([]);
    expect(eventsOf("ada")[1].member).toMatchObject({ banned: false });
  });

  test.skipIf(hosted)("sends user.unbanned to the same connections when it expires", async () => {
    await ban({ timeout: 1 });
    await clearEvents();
    await expectEvents(async () => world.provider.advance(61_000), {
      ada: ["user.unbanned", "member.updated"],
      bob: ["user.unbanned", "member.updated"],
      bob2: ["user.unbanned"],
    });
    await say("bob", "back again");
  });

  test("with delete_messages also sends user.messages.deleted", async () => {
    await say("bob", "one");
    await clearEvents();
    await ban({ delete_messages: "soft" });
    await settle(lines);
    expect(receivedTypes().ada).toContain("user.messages.deleted");
    expect(eventsOf("ada").find(({ type }) => type === "user.messages.deleted")).toMatchObject({
      cid: room.cid,
      user: { id: "bob" },
      soft_delete: true,
      hard_delete: false,
    });
    const { messages } = await world.ok("ada", "POST", `${room.route}/query`, { body: { state: true } });
    expect(messages.map(({ type }: Json) => type)).toEqual(["regular", "deleted"]);
  });
});

describe("a ban in the whole app", () => {
  test("is sent to the target's connections only, without a channel", async () => {
    const whole = { type: "", id: "" };
    await expectEvents(() => ban(whole, "boss"), { bob: ["user.banned"], bob2: ["user.banned"] });
    expect(differences(eventsOf("bob")[0], { ...ENVELOPE, ...BANNED })).toEqual([]);
    expect(eventsOf("bob")[0].user).toMatchObject({ id: "bob", banned: true });
    await clearEvents();
    await expectEvents(() => unban(whole, "boss"), { bob: ["user.unbanned"], bob2: ["user.unbanned"] });
    expect(differences(eventsOf("bob2")[0], { ...ENVELOPE, ...UNBANNED })).toEqual([]);
    expect(eventsOf("bob")[0].user).toMatchObject({ banned: false });
  });
});

describe("a shadow ban", () => {
  test("is sent to the watchers but not to its target", async () => {
    await expectEvents(() => ban({ shadow: true, timeout: 5 }), { ada: ["user.banned", "member.updated"] });
    expect(eventsOf("ada")[0]).toMatchObject({ shadow: true, user: { id: "bob", banned: false } });
    expect(eventsOf("ada")[1].member).toMatchObject({ user_id: "bob", banned: false, shadow_banned: true });
    const { members, membership } = await world.ok("bob", "POST", `${room.route}/query`, {
      body: { state: true },
    });
    const own = members.find(({ user_id }: Json) => user_id === "bob");
    for (const member of [own, membership]) {
      expect(member).toMatchObject({ banned: false, shadow_banned: false });
      expect(member).not.toHaveProperty("ban_expires");
    }
    await clearEvents();
    await expectEvents(() => unban({ shadow: true }), { ada: ["user.unbanned", "member.updated"] });
  });

  test("messages, replies, reactions and typing of its target are sent to nobody else", async () => {
    await ban({ shadow: true });
    await clearEvents();
    let id = "";
    await expectEvents(async () => void (id = await say("bob", "anybody?")), {
      bob: ["message.new"],
      bob2: ["notification.message_new"],
    });
    expect(eventsOf("bob")[0].message).toMatchObject({ id, shadowed: true });
    await clearEvents();
    await expectEvents(() => say("bob", "me too", { parent_id: room.message, show_in_channel: true }), {
      bob: ["message.new"],
      bob2: ["notification.message_new"],
    });
    await clearEvents();
    await expectEvents(
      () =>
        world.ok("bob", "POST", `/messages/${room.message}/reaction`, {
          body: { reaction: { type: "love" } },
        }),
      { bob: ["reaction.new"] },
    );
    await clearEvents();
    await expectEvents(
      () => world.ok("bob", "POST", `${room.route}/event`, { body: { event: { type: "typing.start" } } }),
      { bob: ["typing.start"] },
    );
    await clearEvents();
    await expectEvents(
      () => world.ok("bob", "PUT", `/messages/${id}`, { body: { set: { text: "hello?" } } }),
      {
        bob: ["message.updated"],
      },
    );
    await clearEvents();
    await expectEvents(() => world.ok("bob", "DELETE", `/messages/${id}`), { bob: ["message.deleted"] });
  });

  test("messages of its target are in no answer for others: page, replies, count, search, sync, by id", async () => {
    await ban({ shadow: true });
    const { message: first } = await world.ok("ada", "GET", `/messages/${room.message}`);
    const id = await say("bob", "zanzibar");
    await say("bob", "zanzibar below", { parent_id: room.message });
    const counts = async (who: Caller) => {
      const state = await world.ok(who, "POST", `${room.route}/query`, { body: { state: true } });
      const replies = await world.ok(who, "GET", `/messages/${room.message}/replies`);
      const search = await world.ok(who, "GET", "/search", {
        query: { payload: { filter_conditions: { cid: room.cid }, query: "zanzibar" } },
      });
      const many = await world.ok(who, "GET", `${room.route}/messages`, { query: { ids: id } });
      const one = await world.call(who, "GET", `/messages/${id}`);
      return {
        page: state.messages.length,
        replies: replies.messages.length,
        found: search.results.length,
        many: many.messages.length,
        one: one.status,
      };
    };
    expect(await counts("ada")).toEqual({ page: 1, replies: 0, found: 0, many: 0, one: 404 });
    expect(await counts("mod")).toEqual({ page: 1, replies: 0, found: 0, many: 0, one: 404 });
    expect(await counts("bob")).toEqual({ page: 2, replies: 1, found: 2, many: 1, one: 200 });
    const state = await world.ok("ada", "POST", `${room.route}/query`, { body: { state: true } });
    expect(state.messages[0].reply_count).toBe(0);
    expect(state.read.find(({ user }: Json) => user.id === "cyd").unread_messages).toBe(1);
    const sync = await world.ok("cyd", "POST", "/sync", {
      body: { channel_cids: [room.cid], last_sync_at: first.created_at },
    });
    expect(JSON.stringify(sync.events)).not.toContain("zanzibar");
    expect(await world.call("server", "GET", `/messages/${id}`)).toMatchObject({
      json: { message: { shadowed: true } },
    });
  });
});

describe("commands in text", () => {
  test("the answers of commands are sent to nobody, their effects are", async () => {
    await expectEvents(
      () => world.ok("mod", "POST", `${room.route}/message`, { body: { message: { text: "/ban @bob" } } }),
      {
        ada: ["user.banned", "member.updated"],
        bob: ["user.banned", "member.updated"],
        bob2: ["user.banned"],
      },
    );
    expect(eventsOf("ada")[0]).toMatchObject({ created_by: { id: "mod" } });
    await clearEvents();
    await expectEvents(
      () => world.ok("mod", "POST", `${room.route}/message`, { body: { message: { text: "/unban @bob" } } }),
      {
        ada: ["user.unbanned", "member.updated"],
        bob: ["user.unbanned", "member.updated"],
        bob2: ["user.unbanned"],
      },
    );
    await clearEvents();
    await expectEvents(
      () => world.ok("bob", "POST", `${room.route}/message`, { body: { message: { text: "/mute @cyd" } } }),
      { bob: ["notification.mutes_updated"], bob2: ["notification.mutes_updated"] },
    );
    const { messages } = await world.ok("ada", "POST", `${room.route}/query`, { body: { state: true } });
    expect(messages).toHaveLength(1);
  });

  test("a preview is sent to nobody until it is posted", async () => {
    const send = { body: { message: { id: `gif-${room.id}`, text: "/giphy tea" } } };
    await expectEvents(() => world.ok("bob", "POST", `${room.route}/message`, send), {});
    const press = (value: string) =>
      world.ok("bob", "POST", `/messages/gif-${room.id}/action`, {
        body: { form_data: { image_action: value } },
      });
    await expectEvents(() => press("shuffle"), {});
    expect((await world.call("bob", "GET", `/messages/gif-${room.id}`)).status).toBe(404);
    await expectEvents(() => press("send"), {
      ada: ["message.new"],
      bob: ["message.new"],
      bob2: ["notification.message_new"],
      cyd: ["notification.message_new"],
    });
    const [event] = eventsOf("ada");
    expect(differences(event.message, MESSAGE)).toEqual([]);
    expect(event.message).toMatchObject({ id: `gif-${room.id}`, type: "regular", command: "giphy" });
    expect(event.message.attachments[0]).not.toHaveProperty("actions");
    const picture = await fetch(event.message.attachments[0].thumb_url as string);
    expect([picture.status, picture.headers.get("content-type")]).toEqual([200, "image/gif"]);
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe("GIF89a");
  });

  test("a flag is sent to no user", async () => {
    await expectEvents(
      () => world.ok("cyd", "POST", "/moderation/flag", { body: { target_message_id: room.message } }),
      {},
    );
    await expectEvents(
      () => world.ok("cyd", "POST", "/moderation/flag", { body: { target_user_id: "ada" } }),
      {},
    );
  });
});
