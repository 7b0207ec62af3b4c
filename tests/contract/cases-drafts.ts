/** Contract rows of drafts. */
import type { Case } from "./case.ts";
import { FULL_DRAFT } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const AT = "/channels/{type}/{id}/draft";
const POST = `POST ${AT}`;
const GET = `GET ${AT}`;
const DELETE = `DELETE ${AT}`;
const QUERY = "POST /drafts/query";

/** Saves a draft of ada, in the room or as a reply to the room's message. */
const saved =
  (message: Record<string, unknown> = { text: "maybe " }, thread = false) =>
  async (r: Room): Promise<Json> =>
    r.world.ok("ada", "POST", `${r.route}/draft`, {
      body: { message: { ...message, ...(thread ? { parent_id: r.message } : {}) } },
    });
const save = (message: Record<string, unknown>) => () => ({ body: { message } });
const bad = (name: string, message: Record<string, unknown>, field: string): Case => ({
  route: POST,
  name: `refuses ${name}`,
  as: "ada",
  input: save(message),
  code: 4,
  field,
});

export const draftsCases: Case[] = [
  {
    route: POST,
    name: "stores a draft",
    as: "ada",
    input: (r) => ({
      body: {
        message: {
          id: "ada-draft",
          text: "maybe ",
          attachments: [{ type: "card" }],
          mentioned_users: ["bob", "nobody-knows"],
          quoted_message_id: r.message,
          silent: true,
          mood: "thirsty",
        },
      },
    }),
    reply: { draft: { ...FULL_DRAFT, quoted_message: FULL_DRAFT["quoted_message?"]! } },
    values: (r) => ({
      draft: {
        channel_cid: r.cid,
        channel: { cid: r.cid },
        quoted_message: { id: r.message },
        message: {
          id: "ada-draft",
          text: "maybe ",
          attachments: [{ type: "card" }],
          mentioned_users: [{ id: "bob" }],
          quoted_message_id: r.message,
          silent: true,
          mood: "thirsty",
        },
      },
    }),
  },
  {
    route: POST,
    name: "stores the draft of a thread",
    as: "bob",
    input: (r) => ({ body: { message: { text: "re: tea", parent_id: r.message, show_in_channel: true } } }),
    reply: { draft: { ...FULL_DRAFT, parent_message: FULL_DRAFT["parent_message?"]! } },
    values: (r) => ({
      draft: {
        parent_id: r.message,
        parent_message: { id: r.message },
        message: { text: "re: tea", parent_id: r.message, show_in_channel: true },
      },
    }),
  },
  {
    route: POST,
    name: "DR-1: shortens a long text",
    as: "ada",
    input: save({ text: `${"x".repeat(4999)}😀` }),
    reply: { draft: FULL_DRAFT },
    values: () => ({ draft: { message: { text: "x".repeat(4999) } } }),
  },
  {
    route: POST,
    name: "DR-2: deletes the draft when an empty one is saved",
    as: "ada",
    prepare: saved(),
    input: save({ text: " " }),
    reply: {},
  },
  {
    route: POST,
    name: "lets a server act for a user",
    as: "server",
    input: save({ text: "x", user_id: "bob" }),
    reply: { draft: FULL_DRAFT },
  },
  {
    route: POST,
    name: "needs a user of a server",
    as: "server",
    input: save({ text: "x" }),
    code: 4,
    field: "user_id",
  },
  { route: POST, name: "needs a message", as: "ada", input: () => ({ body: {} }), code: 4, field: "message" },
  bad("a text that is none", { text: 7 }, "message.text"),
  bad("attachments that are none", { attachments: ["a"] }, "message.attachments.0"),
  bad("an id that is none", { text: "x", id: "a,b" }, "message.id"),
  bad("another type", { text: "x", type: "deleted" }, "message.type"),
  bad("too much custom data", { text: "x", mood: "m".repeat(6000) }, "message.custom"),
  bad("a parent that is not here", { text: "x", parent_id: "gone" }, "message.parent_id"),
  bad("a quote of what is not here", { text: "x", quoted_message_id: "gone" }, "message.quoted_message_id"),
  bad("a poll that is not there", { text: "x", poll_id: "gone" }, "message.poll_id"),
  {
    route: POST,
    name: "refuses a reply as parent",
    as: "ada",
    prepare: async (r) => ({
      message: await r.world.say("bob", r.route, { text: "yes", parent_id: r.message }),
    }),
    input: (r) => ({ body: { message: { text: "x", parent_id: r.extra.message } } }),
    code: 21,
    field: "message.parent_id",
  },
  {
    route: POST,
    name: "refuses a user who is not a member",
    as: "dan",
    input: save({ text: "x" }),
    code: 17,
  },
  {
    route: POST,
    name: "an unknown channel",
    as: "ada",
    path: () => ({ id: "gone" }),
    input: save({ text: "x" }),
    code: 16,
  },
  {
    route: GET,
    name: "shows the channel's",
    as: "ada",
    prepare: saved(),
    reply: { draft: FULL_DRAFT },
    values: () => ({ draft: { message: { text: "maybe " } } }),
  },
  {
    route: GET,
    name: "shows the thread's",
    as: "ada",
    prepare: saved({ text: "under it" }, true),
    input: (r) => ({ query: { parent_id: r.message } }),
    reply: { draft: FULL_DRAFT },
    values: (r) => ({ draft: { parent_id: r.message, message: { text: "under it" } } }),
  },
  { route: GET, name: "refuses when there is none", as: "ada", code: 16 },
  { route: GET, name: "does not show the draft of another user", as: "bob", prepare: saved(), code: 16 },
  { route: GET, name: "refuses a user who is not a member", as: "dan", code: 17 },
  { route: DELETE, name: "deletes it", as: "ada", prepare: saved(), reply: {} },
  { route: DELETE, name: "succeeds without a draft", as: "bob", reply: {} },
  { route: DELETE, name: "refuses a user who is not a member", as: "dan", code: 17 },
  { route: DELETE, name: "an unknown channel", as: "ada", path: () => ({ id: "gone" }), code: 16 },
  {
    route: QUERY,
    name: "DR-4: lists the caller's, newest first",
    as: "ada",
    prepare: async (r) => {
      await saved()(r);
      return saved({ text: "under it" }, true)(r);
    },
    input: (r) => ({ body: { filter: { channel_cid: { $in: [r.cid] } } } }),
    reply: { drafts: [FULL_DRAFT] },
    values: () => ({ drafts: [{ message: { text: "under it" } }, { message: { text: "maybe " } }] }),
  },
  {
    route: QUERY,
    name: "DR-4: filters drafts of threads",
    as: "ada",
    prepare: async (r) => {
      await saved()(r);
      return saved({ text: "under it" }, true)(r);
    },
    input: (r) => ({
      body: {
        filter: { channel_cid: r.cid, parent_id: { $exists: false } },
        sort: [{ field: "created_at", direction: 1 }],
      },
    }),
    reply: { drafts: [FULL_DRAFT] },
    values: () => ({ drafts: [{ message: { text: "maybe " } }] }),
  },
  {
    route: QUERY,
    name: "pages with a cursor",
    as: "ada",
    prepare: async (r) => {
      await saved()(r);
      await saved({ text: "under it" }, true)(r);
      const filter = { channel_cid: r.cid };
      return {
        ...(await r.world.ok("ada", "POST", "/drafts/query", { body: { filter, limit: 1 } })),
        filter,
      };
    },
    input: (r) => ({ body: { filter: r.extra.filter, limit: 1, next: r.extra.next } }),
    reply: { drafts: [FULL_DRAFT], prev: "text" },
    values: () => ({ drafts: [{ message: { text: "maybe " } }] }),
  },
  {
    route: QUERY,
    name: "does not list those of another user",
    as: "bob",
    prepare: saved(),
    input: (r) => ({ body: { filter: { channel_cid: r.cid } } }),
    reply: { drafts: [FULL_DRAFT] },
    values: () => ({ drafts: [] }),
  },
  {
    route: QUERY,
    name: "refuses a filter by an unknown field",
    as: "ada",
    input: () => ({ body: { filter: { text: "x" } } }),
    code: 4,
    field: "filter.text",
  },
  {
    route: QUERY,
    name: "refuses an unknown operator",
    as: "ada",
    input: () => ({ body: { filter: { channel_cid: { $gt: "a" } } } }),
    code: 4,
    field: "filter.channel_cid",
  },
  {
    route: QUERY,
    name: "sorts by time only",
    as: "ada",
    input: () => ({ body: { sort: [{ field: "text", direction: 1 }] } }),
    code: 4,
    field: "sort.0.field",
  },
  {
    route: QUERY,
    name: "refuses a cursor of nobody",
    as: "ada",
    input: () => ({ body: { next: "x" } }),
    code: 4,
    field: "next",
  },
  {
    route: QUERY,
    name: "refuses a limit of 0",
    as: "ada",
    input: () => ({ body: { limit: 0 } }),
    code: 4,
    field: "limit",
  },
  { route: QUERY, name: "needs a user of a server", as: "server", code: 4, field: "user_id" },
];
