/** Contract rows of threads (specification/threads.md). */
import type { Case } from "./case.ts";
import { BARE_THREAD, THREAD } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const LIST = "POST /threads";
const ONE = "GET /threads/{message_id}";
const CHANGE = "PATCH /threads/{message_id}";
const LISTED = { threads: [THREAD], "next?": "text", "prev?": "text" } as const;

/** Bob replies under ada's message. */
const thread = async (r: Room): Promise<Json> => ({
  reply: await r.world.say("bob", r.route, { text: "yes", parent_id: r.message }),
});
const mine = (r: Room, more: object = {}) => ({
  body: { filter: { channel_cid: r.cid }, watch: false, ...more },
});
const change = (body: object) => () => ({ body });

export const threadsCases: Case[] = [
  {
    route: LIST,
    name: "lists the threads in which the caller takes part",
    as: "ada",
    prepare: thread,
    input: (r) => mine(r),
    reply: LISTED,
    values: (r) => ({
      threads: [
        {
          parent_message_id: r.message,
          channel_cid: r.cid,
          title: "tea?",
          created_by_user_id: "bob",
          reply_count: 1,
          participant_count: 2,
          active_participant_count: 2,
          parent_message: { id: r.message, reply_count: 1 },
          latest_replies: [{ id: r.extra.reply, parent_id: r.message }],
        },
      ],
    }),
  },
  {
    route: LIST,
    name: "lists nothing for a reader who takes no part",
    as: "cyd",
    prepare: thread,
    input: (r) => mine(r),
    reply: LISTED,
    values: () => ({ threads: [] }),
  },
  {
    route: LIST,
    name: "answers a server for a user",
    as: "server",
    prepare: thread,
    input: (r) =>
      mine(r, { user_id: "bob", sort: null, filter: { parent_message_id: { $in: [r.message] } } }),
    reply: LISTED,
    values: (r) => ({ threads: [{ parent_message_id: r.message }] }),
  },
  { route: LIST, name: "requires the user from a server", as: "server", code: 4, field: "user_id" },
  ...(
    [
      [{ filter: { colour: { $gt: 1 } } }, "filter.colour"],
      [{ filter: { reply_count: 1 } }, "filter.reply_count"],
      [{ filter: { "channel.name": "x" } }, "filter.channel.name"],
      [{ filter: { created_at: "noon" } }, "filter.created_at"],
      [{ filter: [1] }, "filter"],
      [{ sort: [{ field: "title" }] }, "sort.0.field"],
      [{ sort: [{ field: "reply_count", direction: 2 }] }, "sort.0.direction"],
      [{ limit: 0 }, "limit"],
      [{ reply_limit: 0 }, "reply_limit"],
      [{ participant_limit: "many" }, "participant_limit"],
      [{ member_limit: -1 }, "member_limit"],
      [{ next: "x", prev: "y" }, "prev"],
      [{ next: "x" }, "next"],
      [{ watch: "often" }, "watch"],
      [{ watch: true }, "watch"],
    ] as const
  ).map(([body, field]): Case => ({
    route: LIST,
    name: `refuses ${JSON.stringify(body)}`,
    as: "ada",
    input: () => ({ body }),
    code: 4,
    field,
  })),
  {
    route: ONE,
    name: "shows a thread to every reader",
    as: "cyd",
    prepare: thread,
    input: () => ({ query: { reply_limit: 1, participant_limit: 10, watch: false } }),
    reply: { thread: THREAD },
    values: (r) => ({
      thread: {
        parent_message_id: r.message,
        latest_replies: [{ id: r.extra.reply }],
        thread_participants: [{ user_id: "ada", thread_id: r.message }, { user_id: "bob" }],
        read: [
          { user: { id: "ada" }, unread_messages: 1 },
          { user: { id: "bob" }, unread_messages: 0, last_read_message_id: r.extra.reply },
        ],
      },
    }),
  },
  { route: ONE, name: "refuses a message without replies", as: "ada", code: 16 },
  { route: ONE, name: "an unknown message", as: "ada", path: () => ({ message_id: "gone" }), code: 16 },
  { route: ONE, name: "refuses a user who is not a member", as: "dan", prepare: thread, code: 17 },
  {
    route: ONE,
    name: "refuses a limit below 1",
    as: "ada",
    prepare: thread,
    input: () => ({ query: { reply_limit: 0 } }),
    code: 4,
    field: "reply_limit",
  },
  {
    route: CHANGE,
    name: "TH-1: sets the title and custom fields",
    as: "ada",
    prepare: thread,
    input: change({ set: { title: "Tea time", mood: "calm", "details.cups": 2 } }),
    reply: { thread: BARE_THREAD },
    values: (r) => ({
      thread: { parent_message_id: r.message, title: "Tea time", mood: "calm", details: { cups: 2 } },
    }),
  },
  {
    route: CHANGE,
    name: "TH-5: lets a member with the permission change it",
    as: "bob",
    prepare: thread,
    input: change({ set: { mood: "calm" }, unset: ["title"] }),
    reply: { thread: BARE_THREAD },
  },
  {
    route: CHANGE,
    name: "lets a server change it without an acting user",
    as: "server",
    prepare: thread,
    input: change({ set: { title: "x" } }),
    reply: { thread: BARE_THREAD },
  },
  {
    route: CHANGE,
    name: "TH-2: names reserved fields in the order of the request",
    as: "ada",
    prepare: thread,
    input: change({ set: { reply_count: 7, title: "x" }, unset: ["read"] }),
    code: 4,
    field: "set.reply_count",
    messagePart: "reserved thread field(s) cannot be set: reply_count, read",
  },
  ...["id", "type", "user", "user_id", "cid", "channel", "draft", "latest_replies", "deleted_at"].map(
    (name): Case => ({
      route: CHANGE,
      name: `TH-2: ${name} is reserved`,
      as: "ada",
      prepare: thread,
      input: change({ set: { [name]: "x" } }),
      code: 4,
      field: `set.${name}`,
    }),
  ),
  {
    route: CHANGE,
    name: "TH-3: refuses an empty change",
    as: "ada",
    prepare: thread,
    input: change({ set: {}, unset: [] }),
    code: 4,
    field: "set",
    messagePart: "Nothing to update",
  },
  {
    route: CHANGE,
    name: "TH-5: refuses a message without replies",
    as: "ada",
    input: change({ set: { title: "x" } }),
    code: 16,
  },
  {
    route: CHANGE,
    name: "TH-5: refuses a user who is not a member",
    as: "dan",
    prepare: thread,
    input: change({ set: { title: "x" } }),
    code: 17,
  },
  {
    route: CHANGE,
    name: "refuses a title that is not a text",
    as: "ada",
    prepare: thread,
    input: change({ set: { title: 7 } }),
    code: 4,
    field: "set.title",
  },
  {
    route: CHANGE,
    name: "too much custom data",
    as: "ada",
    prepare: thread,
    input: change({ set: { mood: "x".repeat(6000) } }),
    code: 4,
    field: "set.custom",
  },
  {
    route: CHANGE,
    name: "refuses overlapping paths",
    as: "ada",
    prepare: thread,
    input: change({ set: { details: {}, "details.cups": 1 } }),
    code: 4,
    field: "set.details.cups",
  },
];
