/** The domain over real sockets: two users in one room, each receiving its own events. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { chat } from "../../../src/provider/chat.ts";
import { Harness, type Socket } from "../tiny.ts";

let harness: Harness;
const sockets: Socket[] = [];
beforeAll(async () => {
  harness = await Harness.start({}, chat);
});
afterAll(async () => {
  for (const socket of sockets) await socket.end();
  await harness.stop();
});

async function connect(
  id: string,
): Promise<{ socket: Socket; connection: string; me: Record<string, unknown> }> {
  const socket = harness.dial(id, { name: id.toUpperCase() });
  sockets.push(socket);
  const hello = await socket.event("health.check");
  return { socket, connection: hello.connection_id, me: hello.me };
}

test("a message reaches the watcher with counters and a connected member as a notification, and is stored", async () => {
  const ada = await connect("ada");
  const bob = await connect("bob");
  const cyd = await connect("cyd");
  expect(ada.me).toMatchObject({ id: "ada", name: "ADA", total_unread_count: 0, channel_mutes: [] });
  const open = await harness.call(
    "ada",
    "POST",
    "/channels/messaging/room/query",
    { watch: true, state: true, data: { members: ["ada", "bob", "cyd"] } },
    { user_id: "ada", connection_id: ada.connection },
  );
  expect([open.status, open.json]).toMatchObject([
    201,
    { channel: { cid: "messaging:room" }, watcher_count: 1 },
  ]);
  const added = await cyd.socket.event("notification.added_to_channel");
  expect(added).toMatchObject({ cid: "messaging:room", member: { user_id: "cyd" }, total_unread_count: 0 });
  await harness.call(
    "bob",
    "POST",
    "/channels",
    { filter_conditions: { members: { $in: ["bob"] } }, watch: true },
    { connection_id: bob.connection },
  );

  const sent = await harness.call("ada", "POST", "/channels/messaging/room/message", {
    message: { id: "ada-1", text: "tea?" },
  });
  expect(sent.status).toBe(201);
  expect(await bob.socket.event("message.new")).toMatchObject({
    cid: "messaging:room",
    channel_type: "messaging",
    channel_id: "room",
    message: { id: "ada-1", text: "tea?", own_reactions: [] },
    total_unread_count: 1,
    watcher_count: 2,
  });
  expect(await cyd.socket.event("notification.message_new")).toMatchObject({
    message: { id: "ada-1" },
    channel: { member_count: 3 },
    unread_channels: 1,
  });
  expect(await ada.socket.event("message.new")).toMatchObject({ total_unread_count: 0 });
  expect(cyd.socket.frames.some((frame) => frame.type === "message.new")).toBe(false);

  const again = await harness.call("ada", "POST", "/channels/messaging/room/message", {
    message: { id: "ada-1", text: "tea?" },
  });
  expect([again.status, again.json]).toMatchObject([
    400,
    {
      code: 4,
      StatusCode: 400,
      message: 'SendMessage failed with error: "Message ada-1 already exists"',
      exception_fields: { "message.id": "already exists" },
    },
  ]);
  const got = await harness.call("bob", "GET", "/messages/ada-1");
  expect([got.status, got.json]).toMatchObject([
    200,
    { message: { text: "tea?", channel: { cid: "messaging:room" } } },
  ]);

  const react = await harness.call("bob", "POST", "/messages/ada-1/reaction", { reaction: { type: "love" } });
  expect(react.json).toMatchObject({ message: { own_reactions: [{ type: "love", user_id: "bob" }] } });
  expect(await ada.socket.event("reaction.new")).toMatchObject({
    reaction: { user_id: "bob" },
    message: { reaction_groups: { love: { count: 1 } } },
  });

  await harness.call("bob", "POST", "/channels/messaging/room/read", {});
  expect(await ada.socket.event("message.read")).toMatchObject({
    user: { id: "bob" },
    last_read_message_id: "ada-1",
  });
  expect(await bob.socket.event("notification.mark_read")).toMatchObject({ total_unread_count: 0 });
  await harness.call("bob", "POST", "/channels/messaging/room/event", { event: { type: "typing.start" } });
  expect(await ada.socket.event("typing.start")).toMatchObject({
    user: { id: "bob" },
    cid: "messaging:room",
  });
});

test("a removed member gets that event and none after it", async () => {
  const cyd = sockets[2]!;
  const frames = cyd.frames.length;
  await harness.call("ada", "POST", "/channels/messaging/room", { remove_members: ["cyd"] });
  expect(await cyd.event("notification.removed_from_channel")).toMatchObject({ member: { user_id: "cyd" } });
  await harness.call("ada", "POST", "/channels/messaging/room/message", { message: { text: "alone?" } });
  await sockets[1]!.until((bob) => bob.frames.some((frame) => frame.message?.text === "alone?"));
  expect(cyd.frames.slice(frames).map((frame) => frame.type)).toEqual(["notification.removed_from_channel"]);
  const refused = await harness.call("cyd", "GET", "/channels/messaging/room");
  expect([refused.status, refused.json]).toMatchObject([403, { code: 17 }]);
});

test("payload routes read their arguments from the query", async () => {
  const payload = JSON.stringify({ filter_conditions: { name: { $autocomplete: "bo" } } });
  const found = await harness.call("ada", "GET", "/users", undefined, { payload });
  expect(found.json).toMatchObject({ users: [{ id: "bob", online: true }] });
  const members = await harness.call("ada", "GET", "/members", undefined, {
    payload: JSON.stringify({ type: "messaging", id: "room", filter_conditions: {} }),
  });
  expect(members.json).toMatchObject({ members: [{ user_id: "ada" }, { user_id: "bob" }] });
});
