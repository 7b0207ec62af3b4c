/** Contract rows of message reminders. */
import type { Case } from "./case.ts";
import { FULL_REMINDER } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const POST = "POST /messages/{id}/reminders";
const PATCH = "PATCH /messages/{id}/reminders";
const DELETE = "DELETE /messages/{id}/reminders";
const QUERY = "POST /reminders/query";

const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const LATER = soon(3600);

/** Creates a reminder of bob on the room's message. */
const set =
  (at: string | null = LATER) =>
  async (r: Room): Promise<Json> =>
    r.world.ok("bob", "POST", `/messages/${r.message}/reminders`, { body: { remind_at: at } });
/** Creates a bookmark and a reminder of bob in the room. */
const two = async (r: Room): Promise<Json> => {
  await set(null)(r);
  const other = await r.world.say("ada", r.route, { text: "milk?" });
  await r.world.ok("bob", "POST", `/messages/${other}/reminders`, { body: { remind_at: LATER } });
  return { other };
};
const off = async (r: Room): Promise<Json> =>
  r.world.ok("server", "PATCH", r.route, {
    body: { set: { config_overrides: { user_message_reminders: false } } },
  });
const at = (when: unknown) => () => ({ body: { remind_at: when } });

export const remindersCases: Case[] = [
  {
    route: POST,
    name: "creates a reminder",
    as: "bob",
    input: at(LATER),
    reply: { reminder: FULL_REMINDER },
    values: (r) => ({
      reminder: {
        channel_cid: r.cid,
        channel: { cid: r.cid },
        message_id: r.message,
        message: { id: r.message, text: "tea?" },
        user_id: "bob",
        user: { id: "bob" },
        remind_at: LATER.replace("Z", "000Z"),
      },
    }),
  },
  {
    route: POST,
    name: "creates a bookmark without a time",
    as: "bob",
    reply: { reminder: FULL_REMINDER },
    values: () => ({ reminder: { remind_at: null } }),
  },
  {
    route: POST,
    name: "lets a server act for a user",
    as: "server",
    input: () => ({ body: { user_id: "cyd", remind_at: LATER } }),
    reply: { reminder: FULL_REMINDER },
    values: () => ({ reminder: { user_id: "cyd" } }),
  },
  {
    route: POST,
    name: "needs a user of a server",
    as: "server",
    input: at(LATER),
    code: 4,
    field: "user_id",
  },
  {
    route: POST,
    name: "RE-1: refuses a second reminder of the same message",
    as: "bob",
    prepare: set(),
    input: at(null),
    code: 4,
    field: "id",
  },
  {
    route: POST,
    name: "RE-2: refuses a time in the past",
    as: "bob",
    input: at(soon(-1)),
    code: 4,
    field: "remind_at",
  },
  {
    route: POST,
    name: "RE-2: refuses an invalid date",
    as: "bob",
    input: at("soon"),
    code: 4,
    field: "remind_at",
  },
  {
    route: POST,
    name: "an unknown message",
    as: "bob",
    path: () => ({ id: "gone" }),
    input: at(LATER),
    code: 16,
  },
  { route: POST, name: "refuses a user who is not a member", as: "dan", input: at(LATER), code: 17 },
  {
    route: POST,
    name: "refuses where reminders are disabled",
    as: "bob",
    prepare: off,
    input: at(LATER),
    code: 19,
  },
  {
    route: POST,
    name: "refuses a deleted message",
    as: "bob",
    prepare: async (r) => r.world.ok("ada", "DELETE", `/messages/${r.message}`),
    input: at(LATER),
    code: 4,
    field: "id",
  },
  {
    route: PATCH,
    name: "changes the time",
    as: "bob",
    prepare: set(null),
    input: at(LATER),
    reply: { reminder: FULL_REMINDER },
    values: () => ({ reminder: { remind_at: LATER.replace("Z", "000Z") } }),
  },
  {
    route: PATCH,
    name: "RE-2: null turns the reminder into a bookmark",
    as: "bob",
    prepare: set(),
    input: at(null),
    reply: { reminder: FULL_REMINDER },
    values: () => ({ reminder: { remind_at: null } }),
  },
  {
    route: PATCH,
    name: "RE-2: changes nothing without the key",
    as: "bob",
    prepare: set(),
    reply: { reminder: FULL_REMINDER },
    values: (r) => ({ reminder: r.extra.reminder as object }),
  },
  {
    route: PATCH,
    name: "RE-2: refuses a time in the past",
    as: "bob",
    prepare: set(),
    input: at(soon(-1)),
    code: 4,
    field: "remind_at",
  },
  { route: PATCH, name: "RE-3: refuses a message without a reminder", as: "bob", input: at(LATER), code: 16 },
  {
    route: PATCH,
    name: "RE-3: refuses the reminder of another user",
    as: "ada",
    prepare: set(),
    input: at(LATER),
    code: 16,
  },
  { route: PATCH, name: "refuses a user who is not a member", as: "dan", input: at(LATER), code: 17 },
  {
    route: PATCH,
    name: "refuses where reminders are disabled",
    as: "bob",
    prepare: async (r) => (await set()(r), off(r)),
    input: at(LATER),
    code: 19,
  },
  { route: DELETE, name: "removes the reminder", as: "bob", prepare: set(), reply: {} },
  {
    route: DELETE,
    name: "removes the reminder where reminders have been disabled",
    as: "bob",
    prepare: async (r) => (await set()(r), off(r)),
    reply: {},
  },
  { route: DELETE, name: "RE-3: refuses a message without a reminder", as: "bob", code: 16 },
  { route: DELETE, name: "refuses a user who is not a member", as: "dan", code: 17 },
  {
    route: QUERY,
    name: "RE-4: lists the caller's, bookmarks last",
    as: "bob",
    prepare: two,
    input: (r) => ({ body: { filter: { channel_cid: r.cid } } }),
    reply: { reminders: [FULL_REMINDER] },
    values: (r) => ({
      reminders: [{ message_id: r.extra.other }, { message_id: r.message, remind_at: null }],
    }),
  },
  {
    route: QUERY,
    name: "RE-4: bookmarks only",
    as: "bob",
    prepare: two,
    input: (r) => ({ body: { filter: { channel_cid: { $in: [r.cid] }, remind_at: null } } }),
    reply: { reminders: [FULL_REMINDER] },
    values: (r) => ({ reminders: [{ message_id: r.message }] }),
  },
  {
    route: QUERY,
    name: "RE-4: filters by time",
    as: "bob",
    prepare: two,
    input: (r) => ({ body: { filter: { channel_cid: r.cid, remind_at: { $gt: soon(0), $lte: LATER } } } }),
    reply: { reminders: [FULL_REMINDER] },
    values: (r) => ({ reminders: [{ message_id: r.extra.other }] }),
  },
  {
    route: QUERY,
    name: "pages across bookmarks with a cursor",
    as: "bob",
    prepare: async (r) => {
      const held = await two(r);
      const filter = { channel_cid: r.cid };
      const first = await r.world.ok("bob", "POST", "/reminders/query", { body: { filter, limit: 1 } });
      return { ...held, filter, next: first.next };
    },
    input: (r) => ({ body: { filter: r.extra.filter, limit: 1, next: r.extra.next } }),
    reply: { reminders: [FULL_REMINDER], prev: "text" },
    values: (r) => ({ reminders: [{ message_id: r.message }] }),
  },
  {
    route: QUERY,
    name: "accepts an offset",
    as: "bob",
    prepare: two,
    input: (r) => ({ body: { filter: { channel_cid: r.cid }, offset: 1 } }),
    reply: { reminders: [FULL_REMINDER], "prev?": "text" },
    values: (r) => ({ reminders: [{ message_id: r.message }] }),
  },
  {
    route: QUERY,
    name: "does not list those of another user",
    as: "ada",
    prepare: set(),
    input: (r) => ({ body: { filter: { channel_cid: r.cid } } }),
    reply: { reminders: [FULL_REMINDER] },
    values: () => ({ reminders: [] }),
  },
  {
    route: QUERY,
    name: "refuses a filter by an unknown field",
    as: "bob",
    input: () => ({ body: { filter: { user_id: "ada" } } }),
    code: 4,
    field: "filter.user_id",
  },
  {
    route: QUERY,
    name: "refuses an invalid date",
    as: "bob",
    input: () => ({ body: { filter: { remind_at: { $gt: "soon" } } } }),
    code: 4,
    field: "filter.remind_at",
  },
  {
    route: QUERY,
    name: "sorts by its times only",
    as: "bob",
    input: () => ({ body: { sort: [{ field: "text", direction: 1 }] } }),
    code: 4,
    field: "sort.0.field",
  },
  {
    route: QUERY,
    name: "refuses a cursor with an offset",
    as: "bob",
    prepare: async (r) => {
      await two(r);
      return r.world.ok("bob", "POST", "/reminders/query", { body: { limit: 1 } });
    },
    input: (r) => ({ body: { limit: 1, next: r.extra.next, offset: 1 } }),
    code: 4,
    field: "offset",
  },
  {
    route: QUERY,
    name: "refuses a limit of 0",
    as: "bob",
    input: () => ({ body: { limit: 0 } }),
    code: 4,
    field: "limit",
  },
  { route: QUERY, name: "needs a user of a server", as: "server", code: 4, field: "user_id" },
];
