/** Who receives the events of batch updates and exports: those of the single calls, and server-only ones (specification/events.md §3, §5). */
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { taskEnd } from "../provider/domain/jobs-world.ts";
import { differences, type Keys } from "./shape.ts";
import { hosted, World, type Json, type TestSocket, type Room, settle, eventTypes } from "./world.ts";

/** ada watches (W), bob is a member who does not watch (N), dan is a stranger; `servers` are the events with code S. */
let world: World;
let room: Room;
let servers: Json[] = [];
let stop: () => void;
const lines = {} as Record<"ada" | "bob" | "dan", TestSocket>;

beforeAll(async () => {
  world = await World.start();
  stop = world.onServerEvent((event) => servers.push(JSON.parse(JSON.stringify(event))));
  for (const who of ["ada", "bob", "dan"] as const) lines[who] = await world.connect(who);
});
afterAll(async () => {
  stop();
  await world.stop();
});
beforeEach(async () => {
  room = await world.room();
  await world.ok("ada", "POST", `${room.route}/query`, {
    query: { connection_id: lines.ada.id },
    body: { watch: true },
  });
  await settle(lines);
  for (const line of Object.values(lines)) line.frames.splice(1);
  servers = [];
});

async function receivedTypes(): Promise<Record<string, string[]>> {
  await settle(lines);
  return eventTypes(lines);
}

async function batch(operation: string, more: object = {}, cids = [room.cid]): Promise<Json> {
  const { task_id: id } = await world.ok("server", "PUT", "/channels/batch", {
    body: { operation, filter: { cids: { $in: cids } }, ...more },
  });
  return taskEnd(world, id);
}

const BATCH: Keys = {
  type: "text",
  created_at: "date",
  task_id: "text",
  operation: "text",
  status: "text",
  success_channels_count: "count",
  failed_channels: [{ reason: "text", cids: ["text"] }],
};

for (const hard of [false, true])
  test(`POST /channels/delete with hard ${hard} sends channel.deleted to watchers and notification.channel_deleted to other members`, async () => {
    const { task_id: id } = await world.ok("server", "POST", "/channels/delete", {
      body: { cids: [room.cid], hard_delete: hard },
    });
    expect(await taskEnd(world, id)).toMatchObject({
      status: "completed",
      result: { [room.cid]: { status: "ok" } },
    });
    expect(await receivedTypes()).toEqual({
      ada: ["channel.deleted"],
      bob: ["notification.channel_deleted"],
      dan: [],
    });
    expect((await world.call("ada", "GET", room.route)).status).toBe(404);
    if (hosted) return;
    const left = world.provider.transact((_emit, db) =>
      db.get<{ n: number }>("SELECT count(*) AS n FROM messages WHERE cid = ?", room.cid),
    );
    expect(left!.n).toBe(hard ? 0 : 1);
  });

test("addMembers sends member.added to watchers, notification.added_to_channel to the new member, and start and completion to servers", async () => {
  const task = await batch("addMembers", { members: ["dan"] }, [room.cid, "messaging:nowhere"]);
  expect(task.result).toMatchObject({
    success_channels_count: 1,
    failed_channels: [{ cids: ["messaging:nowhere"] }],
  });
  expect(await receivedTypes()).toEqual({
    ada: ["member.added"],
    bob: [],
    dan: ["notification.added_to_channel"],
  });
  if (!hosted)
    expect(servers.map((event) => event.type)).toEqual([
      "channel_batch_update.started",
      "channel_batch_update.completed",
    ]);
  for (const event of servers) expect(differences(event, BATCH)).toEqual([]);
  if (!hosted)
    expect(servers[0]).toMatchObject({ task_id: task.task_id, operation: "addMembers", status: "started" });
  if (!hosted)
    expect(servers[1]).toMatchObject({
      status: "completed",
      success_channels_count: 1,
      failed_channels: [{ cids: ["messaging:nowhere"] }],
    });
});

test("removeMembers sends member.removed to watchers and notification.removed_from_channel to the removed member", async () => {
  await batch("removeMembers", { members: ["bob"] });
  expect(await receivedTypes()).toEqual({
    ada: ["member.removed"],
    bob: ["notification.removed_from_channel"],
    dan: [],
  });
});

test("inviteMembers sends member.added to watchers and notification.invited to the invited user", async () => {
  await batch("inviteMembers", { members: ["dan"] });
  expect(await receivedTypes()).toEqual({ ada: ["member.added"], bob: [], dan: ["notification.invited"] });
});

test.each([
  ["assignRoles", [{ user_id: "bob", channel_role: "channel_moderator" }], "channel_moderator"],
  ["addModerators", ["bob"], "channel_moderator"],
  ["demoteModerators", ["bob"], "channel_member"],
])("%s sends member.updated to watchers", async (operation, members, role) => {
  await batch(operation, { members });
  expect(await receivedTypes()).toEqual({ ada: ["member.updated"], bob: [], dan: [] });
  expect(lines.ada.frames.at(-2)).toMatchObject({ member: { user_id: "bob", channel_role: role } });
});

test("hide and show send events to the member's own connections only", async () => {
  await batch("hide", { members: ["bob"] });
  await batch("show", { members: ["bob"] });
  expect(await receivedTypes()).toEqual({ ada: [], bob: ["channel.hidden", "channel.visible"], dan: [] });
});

test("archive and unarchive send member.updated to watchers", async () => {
  await batch("archive", { members: ["bob"] });
  await batch("unarchive", { members: ["bob"] });
  expect(await receivedTypes()).toEqual({ ada: ["member.updated", "member.updated"], bob: [], dan: [] });
});

test("updateData sends channel.updated, and channel.frozen or channel.unfrozen when that changed", async () => {
  await batch("updateData", { data: { frozen: true, custom: { floor: 3 } } });
  await batch("updateData", { data: { floor: 4 } });
  await batch("updateData", { data: { frozen: false } });
  expect(await receivedTypes()).toEqual({
    ada: ["channel.updated", "channel.frozen", "channel.updated", "channel.updated", "channel.unfrozen"],
    bob: [],
    dan: [],
  });
  const frozen = lines.ada.frames.find((frame) => frame.type === "channel.frozen");
  expect(
    differences(frozen, {
      type: "text",
      cid: "text",
      channel_type: "text",
      channel_id: "text",
      created_at: "date",
    }),
  ).toEqual([]);
});

test("a batch by types changes every channel of the type", async () => {
  const ids = Array.from({ length: 23 }, (_, n) => `b${n}`);
  for (const id of ids)
    await world.ok("server", "POST", `/channels/gaming/${id}/query`, {
      body: { data: { created_by_id: "ada" } },
    });
  const { task_id: id } = await world.ok("server", "PUT", "/channels/batch", {
    body: { operation: "updateData", filter: { types: { $eq: "gaming" } }, data: { marked: true } },
  });
  expect((await taskEnd(world, id)).result).toMatchObject({
    success_channels_count: 23,
    failed_channels: [],
  });
  const { channels } = await world.ok("server", "POST", "/channels", {
    body: { filter_conditions: { type: "gaming", marked: true }, limit: 30 },
  });
  expect(channels).toHaveLength(23);
});

const DONE: Keys = {
  type: "text",
  created_at: "date",
  task_id: "text",
  started_at: "date",
  finished_at: "date",
};

test.skipIf(hosted)("a finished export sends its URL to servers and nothing to users", async () => {
  const { task_id: channels } = await world.ok("server", "POST", "/export_channels", {
    body: { channels: [{ cid: room.cid }] },
  });
  const { task_id: users } = await world.ok("server", "POST", "/export/users", {
    body: { user_ids: ["ada"] },
  });
  await taskEnd(world, channels);
  await taskEnd(world, users);
  if (!hosted)
    expect(servers.map((event) => [event.type, event.task_id])).toEqual(
      expect.arrayContaining([
        ["export.channels.success", channels],
        ["export.users.success", users],
      ]),
    );
  for (const event of servers) expect(differences(event, { ...DONE, url: "text" })).toEqual([]);
  expect(await receivedTypes()).toEqual({ ada: [], bob: [], dan: [] });
});
