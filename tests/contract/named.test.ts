/** Ids in a request of unknown users, deleted users or objects of another channel: the refusal names the field, and nothing is stored. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cases } from "./cases.ts";
import { fill, STATUS } from "./case.ts";
import { jobsAreOver, watchStored } from "./stored.ts";
import { hosted, World, type RequestInput, type Json, type Room, type Caller } from "./world.ts";

let world: World;
let deleted: string;
beforeAll(async () => {
  world = await World.start();
  deleted = `eve-${world.run}deleted`;
  await world.ok("server", "POST", "/users", { body: { users: { [deleted]: { id: deleted } } } });
  await world.ok("server", "DELETE", `/users/${deleted}`);
});
afterAll(() => world.stop());

/** Route, caller, the field that names a user, and the body; refused with code 4 and that field, or with 16 and the id. */
type Naming = [route: string, as: Caller, field: string, body: (id: string, r: Room) => object];
const people: Naming[] = [
  ["POST /channels/{type}/{id}/query", "ada", "data.members", (id) => ({ data: { members: [id] } })],
  ["POST /channels/{type}/{id}/query", "ada", "data.invites", (id) => ({ data: { invites: [id] } })],
  [
    "POST /channels/{type}/{id}/query",
    "server",
    "data.created_by_id",
    (id) => ({ data: { created_by_id: id } }),
  ],
  ["POST /channels/{type}/query", "ada", "data.members", (id) => ({ data: { members: [id] } })],
  ["POST /channels/{type}/{id}", "ada", "add_members", (id) => ({ add_members: [id] })],
  ["POST /channels/{type}/{id}", "ada", "invites", (id) => ({ invites: [id] })],
  ["POST /channels/{type}/{id}", "server", "add_moderators", (id) => ({ add_moderators: [id] })],
  ["POST /channels/{type}/{id}", "server", "demote_moderators", (id) => ({ demote_moderators: [id] })],
  [
    "POST /channels/{type}/{id}",
    "server",
    "assign_roles",
    (id) => ({ assign_roles: [{ user_id: id, channel_role: "channel_moderator" }] }),
  ],
  ["POST /channels/{type}/{id}/truncate", "ada", "member_ids", (id) => ({ member_ids: [id] })],
  [
    "PUT /channels/batch",
    "server",
    "members",
    (id, r) => ({ operation: "addMembers", filter: { cids: { $eq: r.cid } }, members: [id] }),
  ],
  ["POST /messages/{id}/undelete", "server", "undeleted_by", (id) => ({ undeleted_by: id })],
  ["POST /users/block", "ada", "blocked_user_id", (id) => ({ blocked_user_id: id })],
  [
    "POST /moderation/ban",
    "mod",
    "target_user_id",
    (id, r) => ({ target_user_id: id, type: r.type, id: r.id }),
  ],
  ["POST /moderation/ban", "server", "banned_by_id", (id) => ({ target_user_id: "bob", banned_by_id: id })],
  ["POST /moderation/flag", "ada", "target_user_id", (id) => ({ target_user_id: id })],
  ["POST /users/delete", "server", "user_ids", (id) => ({ user_ids: [id], user: "soft" })],
  ["POST /users/deactivate", "server", "user_ids", (id) => ({ user_ids: [id] })],
  ["POST /users/reactivate", "server", "user_ids", (id) => ({ user_ids: [id] })],
  ["POST /check_push", "server", "user_id", (id) => ({ user_id: id })],
  [
    "POST /campaigns",
    "server",
    "sender_id",
    (id) => ({ sender_id: id, message_template: { text: "hi" }, user_ids: ["bob"] }),
  ],
  ["POST /polls", "server", "user_id", (id) => ({ name: "Tea?", user_id: id })],
  ["POST /devices", "server", "user_id", (id) => ({ id: "d1", push_provider: "apn", user_id: id })],
];

/** Route, the field, and the body that names a message of another channel. */
type Elsewhere = [route: string, field: string, body: (id: string, r: Room) => object];
const messages: Elsewhere[] = [
  [
    "POST /channels/{type}/{id}/message",
    "message.parent_id",
    (id) => ({ message: { text: "tea", parent_id: id } }),
  ],
  [
    "POST /channels/{type}/{id}/message",
    "message.quoted_message_id",
    (id) => ({ message: { text: "tea", quoted_message_id: id } }),
  ],
  [
    "POST /messages/{id}",
    "message.quoted_message_id",
    (id) => ({ message: { text: "tea", quoted_message_id: id } }),
  ],
  ["PUT /messages/{id}", "message.quoted_message_id", (id) => ({ set: { quoted_message_id: id } })],
  ["POST /channels/{type}/{id}/read", "message_id", (id) => ({ message_id: id })],
  ["POST /channels/{type}/{id}/read", "thread_id", (id) => ({ thread_id: id })],
  ["POST /channels/{type}/{id}/unread", "message_id", (id) => ({ message_id: id })],
  ["POST /channels/{type}/{id}/unread", "thread_id", (id) => ({ thread_id: id })],
  ["POST /channels/read", "read_by_channel", (id, r) => ({ read_by_channel: { [r.cid]: id } })],
  [
    "POST /channels/delivered",
    "latest_delivered_messages",
    (id, r) => ({ latest_delivered_messages: [{ cid: r.cid, id }] }),
  ],
  [
    "POST /channels/{type}/{id}/draft",
    "message.parent_id",
    (id) => ({ message: { text: "t", parent_id: id } }),
  ],
  [
    "POST /channels/{type}/{id}/draft",
    "message.quoted_message_id",
    (id) => ({ message: { text: "t", quoted_message_id: id } }),
  ],
  [
    "POST /channels/{type}/{id}/event",
    "event.parent_id",
    (id) => ({ event: { type: "typing.start", parent_id: id } }),
  ],
  ["POST /channels/{type}/{id}/query", "messages.id_lt", (id) => ({ messages: { id_lt: id } })],
  ["POST /channels/{type}/{id}/query", "messages.id_around", (id) => ({ messages: { id_around: id } })],
];

/** Expects code 4 that names the field or code 16 that names the id, and that nothing was stored. */
async function expectRefusal(
  who: Caller,
  route: string,
  room: Room,
  asked: RequestInput,
  field: string,
  id: string,
): Promise<void> {
  const { method, path: at } = fill(route, room);
  if (!hosted) await jobsAreOver(world);
  const bytes = hosted ? () => 0 : watchStored(world);
  const { status, json }: { status: number; json: Json } = await world.call(who, method, at, asked);
  const description = JSON.stringify(json).slice(0, 300);
  expect([4, 16], description).toContain(json.code);
  expect(status, description).toBe(STATUS[json.code as number]);
  if (json.code === 4) {
    const named = Object.keys(json.exception_fields ?? {});
    expect(
      named.length > 0 && named.every((one) => one === field || one.startsWith(`${field}.`)),
      description,
    ).toBe(true);
  } else expect(json.message).toContain(id);
  expect(bytes(), description).toBe(0);
}

describe("a user who does not exist", () => {
  test.each(people)("%s as %s refuses an unknown or deleted user in %s", async (route, who, field, body) => {
    const room = await world.room();
    const own = route.endsWith("{id}/query") ? { ...room, id: `${room.id}-new` } : room;
    for (const id of ["nobody-at-all", deleted])
      if (!(id === deleted && MAY_BE_DELETED[`${route} ${field}`]))
        await expectRefusal(who, route, own, { body: body(id, room) }, field, id);
  });
});

/** Fields that may still name a deleted user, with the reason. */
const MAY_BE_DELETED: Record<string, string> = {
  "POST /users/delete user_ids": "a soft deletion may be followed by a hard one",
};

describe("a message of another channel or an unknown one", () => {
  test.each(messages)("%s refuses it in %s", async (route, field, body) => {
    const elsewhere = await world.room();
    const room = await world.room();
    for (const id of [elsewhere.message, "no-message"])
      await expectRefusal("ada", route, room, { body: body(id, room) }, field, id);
  });
});

test("every tested route is a route of the contract", () => {
  const routes = new Set(cases.map((row) => row.route));
  expect([...people, ...messages].filter(([route]) => !routes.has(route))).toEqual([]);
});
