/** Contract rows of requests as the documentation's examples and other clients write them (specification/wire.md §12). */
import { expect } from "vitest";
import type { Case } from "./case.ts";
import { MESSAGE, STATE } from "./entities.ts";
import type { Room } from "./world.ts";

const { duration: _, ...state } = STATE;
const found = (r: Room) => ({ channels: [{ channel: { cid: r.cid } }] });
/** The app's settings after a refused change must stay, so that other rows meet the same app. */
const refused = (name: string, settings: object, field: string): Case => ({
  route: "PATCH /app",
  name,
  as: "server",
  input: () => ({ body: settings }),
  code: 4,
  field,
});

export const otherClientsCases: Case[] = [
  {
    route: "POST /channels",
    name: "reads an empty list of conditions as none",
    as: "ada",
    input: () => ({
      body: { filter_conditions: [], sort: [{ field: "created_at", direction: -1 }], limit: 1 },
    }),
    reply: { channels: ["object"] },
    values: found,
  },
  {
    route: "POST /channels/{type}/{id}/query",
    name: "reads an empty list of data as none",
    as: "ada",
    input: () => ({ body: { data: [], messages: [], state: true } }),
    reply: state,
    values: (r) => ({ channel: { cid: r.cid } }),
  },
  {
    route: "PATCH /channels/{type}/{id}",
    name: "reads an empty list of overrides as none",
    as: "server",
    input: () => ({ body: { set: { config_overrides: [], topic: "tea" } } }),
    reply: { channel: "object", members: ["object"] },
    values: () => ({ channel: { topic: "tea" } }),
  },
  {
    route: "DELETE /messages/{id}",
    name: "reads 1 in the query as true",
    as: "server",
    input: () => ({ query: { hard: "1" } }),
    reply: { message: "object" },
    values: (r) => ({ message: { id: r.message, type: "deleted" } }),
  },
  {
    route: "DELETE /messages/{id}",
    name: "reads True in the query as true",
    as: "server",
    input: () => ({ query: { hard: "True" } }),
    reply: { message: "object" },
    values: (r) => ({ message: { id: r.message, type: "deleted" } }),
  },
  {
    route: "POST /channels",
    name: "finds no muted channel for a server without a user",
    as: "server",
    input: (r) => ({ body: { filter_conditions: { cid: r.cid, muted: true } } }),
    reply: { channels: ["object"] },
    values: () => ({ channels: [] }),
  },
  {
    route: "POST /channels",
    name: "finds unmuted channels for a server without a user",
    as: "server",
    input: (r) => ({ body: { filter_conditions: { cid: r.cid, muted: false } } }),
    reply: { channels: ["object"] },
    values: found,
  },
  ...[{}, []].map((team): Case => ({
    route: "POST /channels",
    name: `reads ${JSON.stringify(team)} for the team as every team`,
    as: "server",
    input: (r) => ({ body: { filter_conditions: { cid: r.cid, team } } }),
    reply: { channels: ["object"] },
    values: found,
  })),
  {
    route: "POST /channels",
    name: "refuses an unknown operator for the team",
    as: "server",
    input: () => ({ body: { filter_conditions: { team: { $some: "x" } } } }),
    code: 4,
    field: "filter_conditions.team.$some",
  },
  {
    route: "PUT /messages/{id}",
    name: "changes a part for a server that names nobody",
    as: "server",
    input: () => ({ body: { set: { colour: "green" } } }),
    reply: { message: "object" },
    values: (r) => ({ message: { id: r.message, colour: "green" } }),
  },
  {
    route: "PATCH /channels/{type}/{id}/member/{user_id}",
    name: "unsets what is set and unset at once",
    as: "bob",
    path: () => ({ user_id: "bob" }),
    input: () => ({ body: { set: { hat: "blue", coat: "red" }, unset: ["hat"] } }),
    reply: { channel_member: "object" },
    values: () => ({ channel_member: expect.not.objectContaining({ hat: "blue" }) }),
  },
  {
    route: "POST /channels/{type}/{id}/query",
    name: "answers the pinned messages also without the state",
    as: "ada",
    prepare: async (r) =>
      r.world.ok("server", "PUT", `/messages/${r.message}`, {
        body: { set: { pinned: true }, user_id: "ada" },
      }),
    input: () => ({ body: { state: false } }),
    reply: state,
    values: (r) => ({ messages: [], pinned_messages: [{ id: r.message }] }),
  },
  ...[10_000, 10_001].map((offset): Case => ({
    route: "POST /channels/{type}/{id}/query",
    name: `${offset > 10_000 ? "refuses" : "answers"} the members after ${offset}`,
    as: "ada",
    input: () => ({ body: { members: { limit: 10, offset } } }),
    ...(offset > 10_000
      ? { code: 4, field: "members.offset" }
      : { reply: state, values: () => ({ members: [] }) }),
  })),
  ...[9, 10].map((size): Case => ({
    route: "PUT /channeltypes/{name}",
    name: `${size < 10 ? "refuses" : "takes"} partitions of ${size}`,
    as: "server",
    path: () => ({ name: "gaming" }),
    input: () => ({ body: { partition_size: size } }),
    ...(size < 10
      ? { code: 4, field: "partition_size" }
      : { reply: { "...": "any" }, values: () => ({ partition_size: 10 }) }),
  })),
  refused(
    "refuses a type of files without a subtype",
    { file_upload_config: { allowed_mime_types: ["text"] } },
    "file_upload_config.allowed_mime_types",
  ),
  refused(
    "refuses a type of pictures without a subtype",
    { image_upload_config: { blocked_mime_types: ["image/png", "image/"] } },
    "image_upload_config.blocked_mime_types",
  ),
  {
    route: "PUT /channels/batch",
    name: "refuses a filter without an operator",
    as: "server",
    input: (r) => ({ body: { operation: "addMembers", members: ["dan"], filter: { cids: r.cid } } }),
    code: 4,
    field: "filter.cids",
  },
  ...["CreateDistinctChannelForOthers", "UpdateUserRole"].map((action): Case => ({
    route: "POST /permissions",
    name: `knows the action ${action}`,
    as: "server",
    input: (r) => ({ body: { id: `${r.id}-${action.toLowerCase()}`, name: action, action } }),
    reply: {},
  })),
  {
    route: "GET /rate_limits",
    name: "tells the limits of guests and deactivation",
    as: "server",
    input: () => ({ query: { server_side: "1", endpoints: "CreateGuest,DeactivateUser" } }),
    reply: { server_side: "object" },
    values: () => ({ server_side: { CreateGuest: { limit: 1000 }, DeactivateUser: { limit: 60 } } }),
  },
  {
    route: "POST /devices",
    name: "refuses a push provider that an app without any does not have",
    as: "ada",
    input: () => ({ body: { id: "phone", push_provider: "xiaomi", push_provider_name: "nobody-made-it" } }),
    code: 4,
    field: "push_provider_name",
  },
  {
    route: "POST /channels/{type}/{id}/message",
    name: "stores what only looks like a command",
    as: "bob",
    input: () => ({ body: { message: { text: "/nothing-of-the-kind" } } }),
    reply: { message: MESSAGE },
    values: () => ({ message: expect.objectContaining({ text: "/nothing-of-the-kind", type: "regular" }) }),
  },
  {
    route: "GET /messages/{parent_id}/replies",
    name: "ignores an offset",
    as: "bob",
    path: (r) => ({ parent_id: r.message }),
    prepare: (r) => r.world.say("bob", r.route, { text: "green", parent_id: r.message }),
    input: () => ({ query: { offset: "5" } }),
    reply: { messages: ["object"] },
    values: () => ({ messages: [{ text: "green" }] }),
  },
  ...(["ada", "bob"] as const).map((user_id): Case => ({
    route: "GET /moderation/flags/message",
    name: `finds the flags on messages ${user_id === "ada" ? "of" : "not of"} a user`,
    as: "server",
    prepare: (r) =>
      r.world.ok("server", "POST", "/moderation/flag", {
        body: { target_message_id: r.message, user_id: "bob" },
      }),
    input: (r) => ({ query: { payload: { filter_conditions: { user_id, channel_cid: r.cid } } } }),
    reply: { flags: ["object"] },
    values: (r) => ({ flags: user_id === "ada" ? [{ message: { id: r.message } }] : [] }),
  })),
  {
    route: "POST /users/delete",
    name: "takes a hard deletion without a word on conversations",
    as: "server",
    prepare: async (r) => {
      const id = `gone-${r.id}`;
      await r.world.ok("server", "POST", "/users", { body: { users: { [id]: { id } } } });
      return { id };
    },
    input: (r) => ({ body: { user_ids: [r.extra.id], user: "hard", messages: "hard" } }),
    reply: { task_id: "text" },
  },
  {
    route: "PUT /messages/{id}",
    name: "reads a number for the end of a pin as seconds from now",
    as: "server",
    input: () => ({ body: { user_id: "ada", set: { pinned: true, pin_expires: 120 } } }),
    reply: { message: "object" },
    values: () => ({
      message: {
        pinned: true,
        pin_expires: expect.toSatisfy(
          (at: string) => Math.abs(Date.parse(at) - Date.now() - 120_000) < 20_000,
        ),
      },
    }),
  },
  {
    route: "PUT /messages/{id}",
    name: "refuses a pin that lasts no time",
    as: "server",
    input: () => ({ body: { user_id: "ada", set: { pinned: true, pin_expires: 0 } } }),
    code: 4,
    field: "set.pin_expires",
  },
  {
    route: "GET /app",
    name: "has the documented right of a moderator of all teams",
    as: "server",
    reply: { app: "object" },
    values: () => ({ app: { grants: { global_moderator: expect.arrayContaining(["update-user-owner"]) } } }),
  },
];
