/** Channel events that concern only some members: targeted truncation, invites with a message, moderators, filter tags, hidden history. */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { BROADCAST_CHANNEL, MEMBER, MESSAGE, USER } from "./entities.ts";
import { ENVELOPE, EventRoom, typesOf } from "./event-room.ts";
import { differences, type Keys } from "./shape.ts";
import type { Json, Room, Caller } from "./world.ts";

let h: EventRoom;
let room: Room;
beforeAll(async () => {
  h = await EventRoom.start();
});
afterAll(() => h.stop());
beforeEach(async () => {
  room = await h.newRoom();
});

const ok = (who: Caller, method: string, route: string, body?: object): Promise<Json> =>
  h.world.ok(who, method, route, body ? { body } : {});
const expectShape = (event: Json, keys: Keys): void =>
  expect(differences(event, { ...ENVELOPE, "user?": USER, ...keys }), event.type as string).toEqual([]);

test("a truncation for one member is sent to that member only, with its message", async () => {
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `${room.route}/truncate`, { member_ids: ["bob"], message: { text: "swept" } }),
  );
  const { bob = [], ...others } = typesOf(received);
  expect(others).toEqual({});
  expect(bob).toEqual(["channel.truncated"]);
  const [event] = received.bob;
  expectShape(event, {
    channel: { ...BROADCAST_CHANNEL, truncated_at: "date" },
    message: MESSAGE,
    message_id: "text",
  });
  expect(event).toMatchObject({ message: { type: "system", text: "swept" } });
  const state = async (who: Caller): Promise<string[]> =>
    (await ok(who, "GET", room.route)).messages.map((message: Json) => message.text as string);
  // Ada, its author, sees the message for bob as well; cyd sees neither it nor the truncation.
  expect([await state("ada"), await state("bob"), await state("cyd")]).toEqual([
    ["tea?", "swept"],
    ["swept"],
    ["tea?"],
  ]);
});

test("a member who does not watch gets a truncation for it as a notification", async () => {
  const received = await h.eventsDuring(() =>
    ok("ada", "POST", `${room.route}/truncate`, { member_ids: ["cyd"] }),
  );
  expect(typesOf(received)).toEqual({ cyd: ["notification.channel_truncated"] });
  expectShape(received.cyd[0], { channel: { ...BROADCAST_CHANNEL, truncated_at: "date" } });
});

test("a membership change on the path without user id sends member.updated to watchers", async () => {
  const received = await h.eventsDuring(() =>
    h.world.ok("cyd", "PATCH", `${room.route}/member`, {
      query: { user_id: "cyd" },
      body: { set: { archived: true } },
    }),
  );
  const names = typesOf(received);
  expect(names.ada).toEqual(["member.updated"]);
  expect(names.bob).toEqual(["member.updated"]);
  expect([names.cyd, names.dan, names.ada2]).toEqual([undefined, undefined, undefined]);
  expectShape(received.ada[0], { member: MEMBER, user: USER });
  expect(received.ada[0].member).toMatchObject({ user_id: "cyd", archived_at: expect.any(String) });
});

test("an accepted invite with a message sends the message to watchers and the acceptance to the invited user", async () => {
  await ok("ada", "POST", room.route, { invites: ["dan"] });
  await h.eventsDuring(async () => {});
  const received = await h.eventsDuring(() =>
    ok("dan", "POST", room.route, { accept_invite: true, message: { text: "here I am" } }),
  );
  const names = typesOf(received);
  expect(names.ada!.toSorted()).toEqual(["member.updated", "message.new"]);
  expect(names.dan).toContain("notification.invite_accepted");
  expect(names.cyd).toEqual(["notification.message_new"]);
});

test("filter tags, cooldown, data and freezing each send one channel.updated to watchers, and nothing when nothing changes", async () => {
  for (const body of [{ add_filter_tags: ["night"] }, { cooldown: 5 }, { data: { name: "Night" } }]) {
    const { ada, bob, ...others } = typesOf(
      await h.eventsDuring(() => ok("server", "POST", room.route, body)),
    );
    expect([ada, bob, others.cyd, others.dan]).toEqual([
      ["channel.updated"],
      ["channel.updated"],
      undefined,
      undefined,
    ]);
  }
  const received = await h.eventsDuring(() => ok("server", "PATCH", room.route, { set: { frozen: true } }));
  expect(typesOf(received).ada).toEqual(["channel.updated"]);
  expect(received.ada[0].channel).toMatchObject({ frozen: true });
  expect(
    typesOf(await h.eventsDuring(() => ok("server", "PATCH", room.route, { set: { frozen: true } }))),
  ).toEqual({});
});

test("a sync contains no messages of history that is hidden from the reader", async () => {
  const before = new Date(Date.now() - 60_000).toISOString();
  const synced = async (who: Caller): Promise<string[]> =>
    (await ok(who, "POST", "/sync", { channel_cids: [room.cid], last_sync_at: before })).events.flatMap(
      (event: Json) => (event.type === "message.new" ? [event.message.text as string] : []),
    );
  expect(await synced("bob")).toEqual(["tea?"]);
  await ok("bob", "POST", `${room.route}/hide`, { clear_history: true });
  await h.world.say("ada", room.route, { text: "and now?" });
  expect(await synced("bob")).toEqual(["and now?"]);
  expect(await synced("cyd")).toEqual(["tea?", "and now?"]);
});
