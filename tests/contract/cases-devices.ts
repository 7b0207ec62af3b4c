/** Contract rows of devices, push preferences and batches of unread counts. */
import { randomUUID } from "node:crypto";
import type { Case } from "./case.ts";
import { DEVICE, PUSH } from "./entities.ts";
import { withPushProvider } from "./push.ts";
import type { Json, Room } from "./world.ts";

const device = (more: Record<string, unknown> = {}) => ({
  id: `token-${randomUUID()}`,
  push_provider: "firebase",
  ...more,
});
const registered = async (r: Room): Promise<Json> => {
  await withPushProvider(r);
  const body = device({ push_provider_name: "main", hardware_id: "phone", voip_token: true });
  await r.world.ok("dan", "POST", "/devices", { body });
  return { id: body.id };
};
const COUNTS = {
  total_unread_count: "count",
  total_unread_threads_count: "count",
  channels: [{ channel_id: "text", unread_count: "count", last_read: "date" }],
  channel_type: [{ channel_type: "text", channel_count: "count", unread_count: "count" }],
  threads: ["object"],
  total_unread_count_by_team: "object",
} as const;

export const devicesCases: Case[] = [
  {
    route: "POST /devices",
    name: "registers a device",
    as: "dan",
    prepare: withPushProvider,
    input: () => ({ body: device({ push_provider_name: "main" }) }),
    reply: {},
  },
  {
    route: "POST /devices",
    name: "lets a server act for a user",
    as: "server",
    input: () => ({ body: device({ user_id: "cyd", push_provider: "apn", voip_token: true }) }),
    reply: {},
  },
  {
    route: "POST /devices",
    name: "needs a user of a server",
    as: "server",
    input: () => ({ body: device() }),
    code: 4,
    field: "user_id",
  },
  {
    route: "POST /devices",
    name: "needs an id",
    as: "ada",
    input: () => ({ body: { push_provider: "apn" } }),
    code: 4,
    field: "id",
  },
  {
    route: "POST /devices",
    name: "refuses an id of more than 255 characters",
    as: "ada",
    input: () => ({ body: device({ id: "x".repeat(256) }) }),
    code: 4,
    field: "id",
  },
  {
    route: "POST /devices",
    name: "needs a push provider",
    as: "ada",
    input: () => ({ body: { id: "token" } }),
    code: 4,
    field: "push_provider",
  },
  {
    route: "POST /devices",
    name: "refuses an unknown push provider",
    as: "ada",
    input: () => ({ body: device({ push_provider: "pigeon" }) }),
    code: 4,
    field: "push_provider",
  },
  {
    route: "POST /devices",
    name: "refuses a voip_token that is not a boolean",
    as: "ada",
    input: () => ({ body: device({ voip_token: "maybe" }) }),
    code: 4,
    field: "voip_token",
  },
  {
    route: "GET /devices",
    name: "lists the own devices",
    as: "dan",
    prepare: registered,
    reply: { devices: [DEVICE] },
  },
  {
    route: "GET /devices",
    name: "answers a server for a user",
    as: "server",
    prepare: registered,
    input: () => ({ query: { user_id: "dan" } }),
    reply: { devices: [DEVICE] },
  },
  {
    route: "GET /devices",
    name: "answers an empty list",
    as: "bob",
    reply: { devices: [DEVICE] },
    values: () => ({ devices: [] }),
  },
  {
    route: "GET /devices",
    name: "needs a user of a server",
    as: "server",
    code: 4,
    field: "user_id",
  },
  {
    route: "DELETE /devices",
    name: "removes a device",
    as: "dan",
    prepare: registered,
    input: (r) => ({ query: { id: r.extra.id } }),
    reply: {},
  },
  {
    route: "DELETE /devices",
    name: "lets a server act for a user",
    as: "server",
    prepare: registered,
    input: (r) => ({ query: { id: r.extra.id, user_id: "dan" } }),
    reply: {},
  },
  {
    route: "DELETE /devices",
    name: "refuses an unknown device",
    as: "dan",
    input: () => ({ query: { id: "nothing" } }),
    code: 16,
  },
  {
    route: "DELETE /devices",
    name: "refuses the device of another user",
    as: "ada",
    prepare: registered,
    input: (r) => ({ query: { id: r.extra.id } }),
    code: 16,
  },
  {
    route: "DELETE /devices",
    name: "needs an id",
    as: "ada",
    code: 4,
    field: "id",
  },
  {
    route: "POST /unread_batch",
    name: "answers by user id and leaves out unknown users",
    as: "server",
    input: () => ({ body: { user_ids: ["bob", "dan", "nobody-here"] } }),
    reply: { counts_by_user: { bob: COUNTS, dan: COUNTS } },
  },
  {
    route: "POST /unread_batch",
    name: "refuses a user token",
    as: "ada",
    input: () => ({ body: { user_ids: ["ada"] } }),
    code: 17,
  },
  {
    route: "POST /unread_batch",
    name: "needs users",
    as: "server",
    input: () => ({ body: {} }),
    code: 4,
    field: "user_ids",
  },
  {
    route: "POST /unread_batch",
    name: "refuses more than 100",
    as: "server",
    input: () => ({ body: { user_ids: Array.from({ length: 101 }, (_, i) => `u${i}`) } }),
    code: 4,
    field: "user_ids",
  },
  {
    route: "POST /push_preferences",
    name: "sets the level of the user",
    as: "dan",
    input: () => ({
      body: {
        preferences: [{ chat_level: "mentions", call_level: "none", disabled_until: "2031-01-01T00:00:00Z" }],
      },
    }),
    reply: { user_preferences: { map: PUSH }, user_channel_preferences: { map: { map: PUSH } } },
    values: () => ({
      user_preferences: {
        dan: { chat_level: "mentions", call_level: "none", disabled_until: "2031-01-01T00:00:00.000000Z" },
      },
      user_channel_preferences: {},
    }),
  },
  {
    route: "POST /push_preferences",
    name: "sets the level of a channel",
    as: "bob",
    input: (r) => ({
      body: {
        preferences: [
          { channel_cid: r.cid, chat_level: "none", chat_preferences: { thread_replies: "all" } },
        ],
      },
    }),
    reply: { user_preferences: { map: PUSH }, user_channel_preferences: { map: { map: PUSH } } },
    values: (r) => ({
      user_preferences: { bob: { chat_level: "all" } },
      user_channel_preferences: {
        bob: { [r.cid]: { chat_level: "none", chat_preferences: { thread_replies: "all" } } },
      },
    }),
  },
  {
    route: "POST /push_preferences",
    name: "lets a server act for several users",
    as: "server",
    input: () => ({
      body: {
        preferences: [
          { user_id: "ada", chat_level: "default" },
          { user_id: "cyd", remove_disable: true },
        ],
      },
    }),
    reply: { user_preferences: { map: PUSH }, user_channel_preferences: { map: { map: PUSH } } },
    values: () => ({ user_preferences: { ada: { chat_level: "all" }, cyd: { chat_level: "all" } } }),
  },
  {
    route: "POST /push_preferences",
    name: "refuses preferences of another user",
    as: "ada",
    input: () => ({ body: { preferences: [{ user_id: "bob", chat_level: "none" }] } }),
    code: 17,
  },
  {
    route: "POST /push_preferences",
    name: "needs the users of a server",
    as: "server",
    input: () => ({ body: { preferences: [{ chat_level: "none" }] } }),
    code: 4,
    field: "preferences.0.user_id",
  },
  {
    route: "POST /push_preferences",
    name: "refuses an unknown user",
    as: "server",
    input: () => ({ body: { preferences: [{ user_id: "nobody-here", chat_level: "none" }] } }),
    code: 16,
  },
  {
    route: "POST /push_preferences",
    name: "needs entries",
    as: "ada",
    input: () => ({ body: { preferences: [] } }),
    code: 4,
    field: "preferences",
  },
  {
    route: "POST /push_preferences",
    name: "refuses an unknown level",
    as: "ada",
    input: () => ({ body: { preferences: [{ chat_level: "loud" }] } }),
    code: 4,
    field: "preferences.0.chat_level",
  },
  {
    route: "POST /push_preferences",
    name: "refuses an unknown preference",
    as: "ada",
    input: () => ({ body: { preferences: [{ chat_preferences: { gossip: "all" } }] } }),
    code: 4,
    field: "preferences.0.chat_preferences.gossip",
  },
  {
    route: "POST /push_preferences",
    name: "refuses an unknown value of a preference",
    as: "ada",
    input: () => ({ body: { preferences: [{ chat_preferences: { thread_replies: "loud" } }] } }),
    code: 4,
    field: "preferences.0.chat_preferences.thread_replies",
  },
  {
    route: "POST /push_preferences",
    name: "refuses a date that is none",
    as: "ada",
    input: () => ({ body: { preferences: [{ disabled_until: "tomorrow" }] } }),
    code: 4,
    field: "preferences.0.disabled_until",
  },
  {
    route: "POST /push_preferences",
    name: "refuses a cid that is none",
    as: "ada",
    input: () => ({ body: { preferences: [{ channel_cid: "tea" }] } }),
    code: 4,
    field: "preferences.0.channel_cid",
  },
  {
    route: "POST /push_preferences",
    name: "refuses an unknown channel",
    as: "ada",
    input: () => ({ body: { preferences: [{ channel_cid: "messaging:none", chat_level: "none" }] } }),
    code: 16,
  },
  {
    route: "POST /push_preferences",
    name: "refuses a channel that the caller may not read",
    as: "dan",
    input: (r) => ({ body: { preferences: [{ channel_cid: r.cid, chat_level: "none" }] } }),
    code: 17,
  },
];
