/** Contract rows of the app and its users: /hi, /app, /sync, users and unread counts. */
import type { Case } from "./case.ts";
import { OWN_VIEW, SERVER_VIEW, USER } from "./entities.ts";

const CONFIG = {
  allowed_file_extensions: ["text"],
  blocked_file_extensions: ["text"],
  allowed_mime_types: ["text"],
  blocked_mime_types: ["text"],
  size_limit: "count",
} as const;
const people = (...ids: string[]) => ({ users: Object.fromEntries(ids.map((id) => [id, { id }])) });
const yesterday = (): string => new Date(Date.now() - 86_400_000).toISOString();

export const appCases: Case[] = [
  { route: "GET /hi", name: "needs no token", as: "nobody", input: () => ({ key: null }), reply: {} },
  { route: "GET /hi", name: "needs no API key", as: "nobody", input: () => ({ key: "wrong" }), reply: {} },

  {
    route: "GET /app",
    name: "shows a user only the upload rules and feature switches",
    as: "ada",
    reply: {
      app: {
        name: "text",
        file_upload_config: CONFIG,
        image_upload_config: CONFIG,
        auto_translation_enabled: "flag",
        async_url_enrich_enabled: "flag",
        multi_tenant_enabled: "flag",
        shared_locations_enabled: "flag",
      },
    },
  },
  {
    route: "GET /app",
    name: "shows a server everything",
    as: "server",
    reply: { app: "object" },
    values: () => ({ app: { disable_auth_checks: false, suspended: false } }),
  },

  {
    route: "POST /sync",
    name: "answers the missed events, oldest first, and the inaccessible channels",
    as: "bob",
    input: (r) => ({
      body: {
        channel_cids: [r.cid, "messaging:none"],
        last_sync_at: yesterday(),
        with_inaccessible_cids: true,
      },
    }),
    reply: { events: ["object"], inaccessible_cids: ["text"] },
    values: () => ({ inaccessible_cids: ["messaging:none"] }),
  },
  {
    route: "POST /sync",
    name: "answers an empty list when nothing happened",
    as: "ada",
    input: (r) => ({
      body: { channel_cids: [r.cid], last_sync_at: new Date(Date.now() + 60_000).toISOString() },
    }),
    reply: { events: ["object"] },
    values: () => ({ events: [] }),
  },
  {
    route: "POST /sync",
    name: "needs channels",
    as: "ada",
    input: () => ({ body: { last_sync_at: yesterday() } }),
    code: 4,
    field: "channel_cids",
  },
  {
    route: "POST /sync",
    name: "refuses more than 255 channels",
    as: "ada",
    input: () => ({
      body: {
        channel_cids: Array.from({ length: 256 }, (_, i) => `messaging:c${i}`),
        last_sync_at: yesterday(),
      },
    }),
    code: 4,
    field: "channel_cids",
  },
  {
    route: "POST /sync",
    name: "refuses a blank date",
    as: "ada",
    input: (r) => ({ body: { channel_cids: [r.cid], last_sync_at: " " } }),
    code: 4,
    field: "last_sync_at",
  },
  {
    route: "POST /sync",
    name: "refuses a date that is none",
    as: "ada",
    input: (r) => ({ body: { channel_cids: [r.cid], last_sync_at: "yesterday" } }),
    code: 4,
    field: "last_sync_at",
  },
  {
    route: "POST /sync",
    name: "refuses 31 days",
    as: "ada",
    input: (r) => ({
      body: { channel_cids: [r.cid], last_sync_at: new Date(Date.now() - 31 * 86_400_000).toISOString() },
    }),
    code: 4,
    messagePart: "too many events to sync, reload the channels",
  },
  {
    route: "POST /sync",
    name: "needs a connection to watch",
    as: "ada",
    input: (r) => ({ body: { channel_cids: [r.cid], last_sync_at: yesterday(), watch: true } }),
    code: 4,
    messagePart: "watch and presence need the connection_id of an open connection",
  },

  {
    route: "GET /users",
    name: "finds by id, and shows the caller its own view",
    as: "ada",
    input: () => ({
      query: {
        payload: {
          filter_conditions: { id: { $in: ["ada", "bob"] } },
          sort: [{ field: "id", direction: 1 }],
        },
      },
    }),
    reply: { users: [OWN_VIEW] },
    values: () => ({
      users: [
        { id: "ada", mutes: [], devices: [] },
        { id: "bob", role: "user", teams: [] },
      ],
    }),
  },
  { route: "GET /users", name: "needs no payload", as: "server", reply: { users: ["object"] } },
  {
    route: "GET /users",
    name: "answers an empty list",
    as: "ada",
    input: () => ({ query: { payload: { filter_conditions: { id: "nobody-here" } } } }),
    reply: { users: ["object"] },
    values: () => ({ users: [] }),
  },
  {
    route: "GET /users",
    name: "pages by id",
    as: "ada",
    input: () => ({
      query: {
        payload: {
          filter_conditions: { id: { $in: ["ada", "bob", "cyd"] } },
          sort: [{ field: "id", direction: 1 }],
          id_gt: "ada",
          limit: 1,
        },
      },
    }),
    reply: { users: [USER] },
    values: () => ({ users: [{ id: "bob" }] }),
  },
  {
    route: "GET /users",
    name: "refuses an unknown operator",
    as: "ada",
    input: () => ({ query: { payload: { filter_conditions: { name: { $near: "ada" } } } } }),
    code: 4,
    field: "filter_conditions.name.$near",
  },
  {
    route: "GET /users",
    name: "refuses a filter by online",
    as: "ada",
    input: () => ({ query: { payload: { filter_conditions: { online: true } } } }),
    code: 4,
    field: "filter_conditions.online",
  },
  {
    route: "GET /users",
    name: "refuses a limit below 1",
    as: "ada",
    input: () => ({ query: { payload: { limit: 0 } } }),
    code: 4,
    field: "limit",
  },
  {
    route: "GET /users",
    name: "refuses an offset above 1000",
    as: "ada",
    input: () => ({ query: { payload: { offset: 1001 } } }),
    code: 4,
    field: "offset",
  },
  {
    route: "GET /users",
    name: "needs the sort of an id cursor",
    as: "ada",
    input: () => ({ query: { payload: { id_gt: "a", sort: [{ field: "name", direction: 1 }] } } }),
    code: 4,
    field: "sort",
  },
  {
    route: "GET /users",
    name: "refuses a payload that is no object",
    as: "ada",
    input: () => ({ query: { payload: "[1]" } }),
    code: 4,
  },

  {
    route: "POST /users",
    name: "lets a server create and replace users",
    as: "server",
    prepare: async (r) =>
      r.world.ok("server", "POST", "/users", {
        body: { users: { eve: { id: "eve", name: "Eve", favourite_tea: "oolong" } } },
      }),
    input: () => ({ body: { users: { eve: { id: "eve", address: { floor: 3 } } } } }),
    reply: { users: { map: SERVER_VIEW }, membership_deletion_task_id: "text" },
    values: () => ({ users: { eve: { id: "eve", address: { floor: 3 } } } }),
  },
  {
    route: "POST /users",
    name: "lets users change themselves",
    as: "cyd",
    input: () => ({ body: { users: { cyd: { id: "cyd", name: "CYD", favourite_tea: "sencha" } } } }),
    reply: { users: { map: OWN_VIEW }, membership_deletion_task_id: "text" },
    values: () => ({ users: { cyd: { favourite_tea: "sencha" } } }),
  },
  {
    route: "POST /users",
    name: "refuses to change another user",
    as: "ada",
    input: () => ({ body: people("bob") }),
    code: 17,
  },
  {
    route: "POST /users",
    name: "refuses a role from a user",
    as: "ada",
    input: () => ({ body: { users: { ada: { id: "ada", role: "admin" } } } }),
    code: 17,
  },
  {
    route: "POST /users",
    name: "needs an id",
    as: "server",
    input: () => ({ body: { users: { x: { name: "X" } } } }),
    code: 4,
    field: "users.x.id",
  },
  {
    route: "POST /users",
    name: "needs the key to be the id",
    as: "server",
    input: () => ({ body: { users: { x: { id: "y" } } } }),
    code: 4,
    field: "users.x.id",
  },
  {
    route: "POST /users",
    name: "refuses an unknown role",
    as: "server",
    input: () => ({ body: { users: { x: { id: "x", role: "emperor" } } } }),
    code: 4,
    field: "users.x.role",
  },
  {
    route: "POST /users",
    name: "refuses more than 100",
    as: "server",
    input: () => ({ body: people(...Array.from({ length: 101 }, (_, i) => `u${i}`)) }),
    code: 4,
    field: "users",
  },
  {
    route: "POST /users",
    name: "needs users",
    as: "server",
    input: () => ({ body: {} }),
    code: 4,
    field: "users",
  },

  {
    route: "PATCH /users",
    name: "sets and unsets by path",
    as: "bob",
    input: () => ({
      body: { users: [{ id: "bob", set: { "address.floor": 4, name: "BOB" }, unset: ["favourite_tea"] }] },
    }),
    reply: { users: { map: OWN_VIEW } },
    values: () => ({ users: { bob: { address: { floor: 4 } } } }),
  },
  {
    route: "PATCH /users",
    name: "refuses an unknown user",
    as: "server",
    input: () => ({ body: { users: [{ id: "unknown", set: { name: "x" } }] } }),
    code: 16,
  },
  {
    route: "PATCH /users",
    name: "refuses to change another user",
    as: "ada",
    input: () => ({ body: { users: [{ id: "bob", set: { name: "x" } }] } }),
    code: 17,
  },
  {
    route: "PATCH /users",
    name: "refuses a role from a user",
    as: "ada",
    input: () => ({ body: { users: [{ id: "ada", set: { role: "admin" } }] } }),
    code: 17,
  },
  {
    route: "PATCH /users",
    name: "needs an id",
    as: "ada",
    input: () => ({ body: { users: [{ set: { name: "x" } }] } }),
    code: 4,
    field: "users.0.id",
  },
  {
    route: "PATCH /users",
    name: "refuses overlapping paths",
    as: "ada",
    input: () => ({ body: { users: [{ id: "ada", set: { "address.floor": 1 }, unset: ["address"] }] } }),
    code: 4,
    field: "users.0.unset.address",
  },

  {
    route: "GET /unread",
    name: "counts channels, types and threads",
    as: "bob",
    reply: {
      total_unread_count: "count",
      total_unread_threads_count: "count",
      channels: [{ channel_id: "text", unread_count: "count", last_read: "date" }],
      channel_type: [{ channel_type: "text", channel_count: "count", unread_count: "count" }],
      threads: [
        { parent_message_id: "text", unread_count: "count", last_read: "date", last_read_message_id: "text" },
      ],
      "total_unread_count_by_team?": "object",
    },
  },
  {
    route: "GET /unread",
    name: "answers a server for a user",
    as: "server",
    input: () => ({ query: { user_id: "dan" } }),
    reply: {
      total_unread_count: "count",
      total_unread_threads_count: "count",
      channels: ["object"],
      channel_type: ["object"],
      threads: ["object"],
      "total_unread_count_by_team?": "object",
    },
    values: () => ({ total_unread_count: 0, channels: [], channel_type: [], threads: [] }),
  },
  { route: "GET /unread", name: "needs a user of a server", as: "server", code: 4, field: "user_id" },
];
