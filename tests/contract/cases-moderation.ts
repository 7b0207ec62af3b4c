/** Contract rows of bans, flags, reports and the buttons of message previews. */
import { expect } from "vitest";
import type { Case } from "./case.ts";
import { MESSAGE, form } from "./entities.ts";
import type { Keys } from "./shape.ts";
import type { Json, Room, Caller } from "./world.ts";

const BAN = "POST /moderation/ban";
const UNBAN = "DELETE /moderation/ban";
const BANNED = "GET /query_banned_users";
const FUTURE = "GET /query_future_channel_bans";
const FLAG = "POST /moderation/flag";
const UNFLAG = "POST /moderation/unflag";
const FLAGS = "GET /moderation/flags/message";
const REPORTS = "POST /moderation/reports";
const REVIEW = "PATCH /moderation/reports/{id}";
const ACT = "POST /messages/{id}/action";
const SEND = "POST /channels/{type}/{id}/message";

const BAN_SHAPE = form("Ban");
const FUTURE_SHAPE = form("FutureChannelBan");
const FLAG_SHAPE = form("Flag");
const MESSAGE_FLAG = form("MessageFlag");
const REPORT = form("FlagReport");
/** Messages that only their author receives and that are never stored (specification/messages.md §3). */
const OWN_MESSAGE: Keys = { ...MESSAGE, type: { oneOf: ["ephemeral", "error", "system"] } };

const DATE: unknown = expect.stringMatching(/^\d{4}-/);
const here = (r: Room): Json => ({ type: r.type, id: r.id });

/** Creates a user for this room only, so that the ban affects no other row. */
async function victim(r: Room): Promise<Json> {
  const id = `victim-${r.id}`;
  await r.world.ok("server", "POST", "/users", { body: { users: { [id]: { id, name: `V ${r.id}` } } } });
  return { id };
}
async function boss(r: Room): Promise<Json> {
  await r.world.ok("server", "POST", "/users", { body: { users: { boss: { id: "boss", role: "admin" } } } });
  return victim(r);
}
const asAdmin = "boss" as Caller;
const ban =
  (more: Json = {}, who: Caller = "mod") =>
  async (r: Room): Promise<Json> => {
    await r.world.ok(who, "POST", "/moderation/ban", {
      body: { target_user_id: "bob", ...here(r), reason: "noise", ...more },
    });
    return {};
  };
const flagged =
  (who: Caller = "bob", reason = "rude") =>
  async (r: Room): Promise<Json> => {
    await r.world.ok(who, "POST", "/moderation/flag", { body: { target_message_id: r.message, reason } });
    return {};
  };
async function reported(r: Room): Promise<Json> {
  await flagged()(r);
  const { flag_reports } = await r.world.ok("server", "POST", "/moderation/reports", {
    body: { filter_conditions: { message_id: r.message } },
  });
  return { report: flag_reports[0].id };
}
async function preview(r: Room): Promise<Json> {
  const id = `bob-gif-${r.id}`;
  const { message } = await r.world.ok("bob", "POST", `${r.route}/message`, {
    body: { message: { id, text: "/giphy green tea" } },
  });
  return { message: id, url: message.attachments[0].thumb_url };
}
const press = (value: string) => () => ({ body: { form_data: { image_action: value } } });
const ofExtra = (r: Room): Record<string, string> => ({ id: r.extra.message });

const bans: Case[] = [
  {
    route: BAN,
    name: "bans in a channel",
    as: "mod",
    input: (r) => ({ body: { target_user_id: "bob", ...here(r), timeout: 5, reason: "noise" } }),
    reply: {},
  },
  {
    route: BAN,
    name: "treats empty texts as absent and accepts channel_cid instead of type and id",
    as: "mod",
    input: (r) => ({
      body: { target_user_id: "bob", type: "", id: "", channel_cid: r.cid, reason: "", delete_messages: "" },
    }),
    reply: {},
  },
  {
    route: BAN,
    name: "bans in the whole app for an admin",
    as: asAdmin,
    prepare: boss,
    input: (r) => ({ body: { target_user_id: r.extra.id, type: "", id: "" } }),
    reply: {},
  },
  {
    route: BAN,
    name: "bans for a server that names who bans",
    as: "server",
    prepare: victim,
    input: (r) => ({ body: { target_user_id: r.extra.id, banned_by_id: "mod", ip_ban: true } }),
    reply: {},
  },
  {
    route: BAN,
    name: "requires the banning user from a server",
    as: "server",
    prepare: victim,
    input: (r) => ({ body: { target_user_id: r.extra.id } }),
    code: 4,
    field: "user_id",
  },
  {
    route: BAN,
    name: "refuses a ban in the whole app from anybody but an admin",
    as: "mod",
    prepare: victim,
    input: (r) => ({ body: { target_user_id: r.extra.id } }),
    code: 17,
  },
  {
    route: BAN,
    name: "refuses a member without the permission to ban",
    as: "ada",
    input: (r) => ({ body: { target_user_id: "bob", ...here(r) } }),
    code: 17,
  },
  {
    route: BAN,
    name: "an unknown channel",
    as: "mod",
    input: () => ({ body: { target_user_id: "bob", type: "messaging", id: "nowhere" } }),
    code: 16,
  },
  {
    route: BAN,
    name: "an unknown target",
    as: "mod",
    input: (r) => ({ body: { target_user_id: "ghost", ...here(r) } }),
    code: 16,
  },
  {
    route: BAN,
    name: "needs a target",
    as: "mod",
    input: (r) => ({ body: here(r) }),
    code: 4,
    field: "target_user_id",
  },
  {
    route: BAN,
    name: "refuses to ban the caller",
    as: "mod",
    input: (r) => ({ body: { target_user_id: "mod", ...here(r) } }),
    code: 4,
    field: "target_user_id",
  },
  {
    route: BAN,
    name: "refuses a type without an id",
    as: "mod",
    input: () => ({ body: { target_user_id: "bob", type: "messaging" } }),
    code: 4,
    field: "id",
  },
  {
    route: BAN,
    name: "refuses a cid that is none",
    as: "mod",
    input: () => ({ body: { target_user_id: "bob", channel_cid: "nothing" } }),
    code: 4,
    field: "channel_cid",
  },
  ...(
    [
      ["timeout", -1],
      ["timeout", "soon"],
      ["reason", 7],
      ["shadow", "maybe"],
      ["ip_ban", 3],
      ["delete_messages", "some"],
      ["ban_from_future_channels", {}],
    ] as [string, unknown][]
  ).map(([field, value]): Case => ({
    route: BAN,
    name: `refuses ${field} ${JSON.stringify(value)}`,
    as: "mod",
    input: (r) => ({ body: { target_user_id: "bob", ...here(r), [field]: value } }),
    code: 4,
    field,
  })),
  {
    route: BAN,
    name: "needs a channel for a ban in future ones",
    as: asAdmin,
    prepare: boss,
    input: (r) => ({ body: { target_user_id: r.extra.id, ban_from_future_channels: true } }),
    code: 4,
    field: "ban_from_future_channels",
  },
  {
    route: UNBAN,
    name: "lifts a ban",
    as: "mod",
    prepare: ban(),
    input: (r) => ({ query: { target_user_id: "bob", ...here(r) } }),
    reply: {},
  },
  {
    route: UNBAN,
    name: "lifts a shadow ban",
    as: "server",
    prepare: ban({ shadow: true }),
    input: (r) => ({ query: { target_user_id: "bob", channel_cid: r.cid, shadow: true, created_by: "mod" } }),
    reply: {},
  },
  {
    route: UNBAN,
    name: "succeeds when there is no ban",
    as: "mod",
    input: (r) => ({
      query: { target_user_id: "bob", ...here(r), remove_future_channels_ban: true },
    }),
    reply: {},
  },
  {
    route: UNBAN,
    name: "refuses a user without the permission to ban",
    as: "ada",
    prepare: ban(),
    input: (r) => ({ query: { target_user_id: "bob", ...here(r) } }),
    code: 17,
  },
  {
    route: UNBAN,
    name: "refuses to lift a ban in the whole app for anybody but an admin",
    as: "mod",
    input: () => ({ query: { target_user_id: "bob" } }),
    code: 17,
  },
  {
    route: UNBAN,
    name: "needs a target",
    as: "mod",
    input: (r) => ({ query: here(r) }),
    code: 4,
    field: "target_user_id",
  },
  {
    route: UNBAN,
    name: "an unknown target",
    as: "mod",
    input: (r) => ({ query: { target_user_id: "ghost", ...here(r) } }),
    code: 16,
  },
  {
    route: BANNED,
    name: "lists the bans of a channel",
    as: "mod",
    prepare: ban({ timeout: 10 }),
    input: (r) => ({ query: { payload: { filter_conditions: { channel_cid: r.cid } } } }),
    reply: { bans: [BAN_SHAPE] },
    values: (r) => ({
      bans: [
        {
          user: { id: "bob", banned: false },
          banned_by: { id: "mod" },
          channel: { cid: r.cid },
          reason: "noise",
          shadow: false,
          expires: DATE,
        },
      ],
    }),
  },
  {
    route: BANNED,
    name: "lists a ban in the whole app without a channel",
    as: "server",
    prepare: async (r) => {
      const { id } = await victim(r);
      await r.world.ok("server", "POST", "/moderation/ban", {
        body: { target_user_id: id, user_id: "mod" },
      });
      return { id };
    },
    input: (r) => ({
      query: {
        payload: {
          filter_conditions: { user_id: { $in: [r.extra.id] }, channel_cid: { $exists: false } },
          sort: [{ field: "created_at", direction: 1 }],
          limit: 1000,
          exclude_expired_bans: true,
        },
      },
    }),
    reply: { bans: [FUTURE_SHAPE] },
    values: (r) => ({ bans: [{ user: { id: r.extra.id, banned: true } }] }),
  },
  {
    route: BANNED,
    name: "pages",
    as: "mod",
    prepare: async (r) => {
      await ban()(r);
      return ban({ target_user_id: "cyd" })(r);
    },
    input: (r) => ({
      query: { payload: { filter_conditions: { channel_cid: r.cid }, limit: 1, offset: 1 } },
    }),
    reply: { bans: [BAN_SHAPE] },
    values: () => ({ bans: [{ user: { id: "bob" } }] }),
  },
  { route: BANNED, name: "refuses anybody but a moderator", as: "ada", code: 17 },
  {
    route: BANNED,
    name: "refuses an unknown field",
    as: "mod",
    input: () => ({ query: { payload: { filter_conditions: { colour: "red" } } } }),
    code: 4,
    field: "filter_conditions.colour",
  },
  {
    route: BANNED,
    name: "refuses a limit below one",
    as: "mod",
    input: () => ({ query: { payload: { limit: 0 } } }),
    code: 4,
    field: "limit",
  },
  {
    route: BANNED,
    name: "refuses to sort by anything but age",
    as: "mod",
    input: () => ({ query: { payload: { sort: [{ field: "reason", direction: 1 }] } } }),
    code: 4,
    field: "sort.0.field",
  },
  {
    route: FUTURE,
    name: "lists bans from future channels",
    as: "mod",
    prepare: async (r) => {
      const { id } = await victim(r);
      await ban({ target_user_id: id, ban_from_future_channels: true, timeout: 60 })(r);
      return { id };
    },
    input: (r) => ({ query: { payload: { target_user_id: r.extra.id, user_id: undefined } } }),
    reply: { bans: [FUTURE_SHAPE] },
    values: (r) => ({
      bans: [{ user: { id: r.extra.id }, banned_by: { id: "mod" }, reason: "noise", shadow: false }],
    }),
  },
  { route: FUTURE, name: "refuses anybody but a moderator", as: "bob", code: 17 },
  {
    route: FUTURE,
    name: "refuses a limit that is none",
    as: "server",
    input: () => ({ query: { payload: { limit: "many" } } }),
    code: 4,
    field: "limit",
  },
];

const flags: Case[] = [
  {
    route: FLAG,
    name: "flags a message",
    as: "bob",
    input: (r) => ({ body: { target_message_id: r.message, reason: "rude", custom: { page: 3 } } }),
    reply: { flag: FLAG_SHAPE },
    values: (r) => ({
      flag: {
        created_by_automod: false,
        user: { id: "bob" },
        target_message_id: r.message,
        target_message: { id: r.message },
        target_user: { id: "ada" },
        reason: "rude",
        custom: { page: 3 },
      },
    }),
  },
  {
    route: FLAG,
    name: "flags a user",
    as: "bob",
    input: () => ({ body: { target_user_id: "cyd" } }),
    reply: { flag: FLAG_SHAPE },
    values: () => ({ flag: { user: { id: "bob" }, target_user: { id: "cyd" } } }),
  },
  {
    route: FLAG,
    name: "replaces the reason with a second flag",
    as: "server",
    prepare: flagged("bob"),
    input: (r) => ({ body: { target_message_id: r.message, reason: "spam", user_id: "bob" } }),
    reply: { flag: FLAG_SHAPE },
    values: () => ({ flag: { reason: "spam" } }),
  },
  {
    route: FLAG,
    name: "requires the flagging user from a server",
    as: "server",
    input: (r) => ({ body: { target_message_id: r.message } }),
    code: 4,
    field: "user_id",
  },
  {
    route: FLAG,
    name: "needs a target",
    as: "bob",
    input: () => ({ body: {} }),
    code: 4,
    field: "target_message_id",
  },
  {
    route: FLAG,
    name: "refuses two targets",
    as: "bob",
    input: (r) => ({ body: { target_message_id: r.message, target_user_id: "ada" } }),
    code: 4,
    field: "target_user_id",
  },
  {
    route: FLAG,
    name: "refuses the caller's own message",
    as: "ada",
    input: (r) => ({ body: { target_message_id: r.message } }),
    code: 4,
    field: "target_message_id",
  },
  {
    route: FLAG,
    name: "refuses the caller as target",
    as: "ada",
    input: () => ({ body: { target_user_id: "ada" } }),
    code: 4,
    field: "target_user_id",
  },
  {
    route: FLAG,
    name: "an unknown message",
    as: "bob",
    input: () => ({ body: { target_message_id: "gone" } }),
    code: 16,
  },
  {
    route: FLAG,
    name: "an unknown user",
    as: "bob",
    input: () => ({ body: { target_user_id: "ghost" } }),
    code: 16,
  },
  {
    route: FLAG,
    name: "refuses a user who is not a member",
    as: "dan",
    input: (r) => ({ body: { target_message_id: r.message } }),
    code: 17,
  },
  {
    route: FLAG,
    name: "refuses custom data that is too big",
    as: "bob",
    input: (r) => ({ body: { target_message_id: r.message, custom: { x: "y".repeat(6000) } } }),
    code: 4,
    field: "custom",
  },
  {
    route: UNFLAG,
    name: "removes a flag",
    as: "bob",
    prepare: flagged("bob"),
    input: (r) => ({ body: { target_message_id: r.message } }),
    reply: { flag: FLAG_SHAPE },
    values: (r) => ({ flag: { target_message_id: r.message, user: { id: "bob" } } }),
  },
  {
    route: UNFLAG,
    name: "refuses a target that is not flagged",
    as: "bob",
    prepare: flagged("cyd"),
    input: (r) => ({ body: { target_message_id: r.message } }),
    code: 4,
    field: "target_message_id",
  },
  {
    route: UNFLAG,
    name: "an unknown message",
    as: "bob",
    input: () => ({ body: { target_message_id: "x" } }),
    code: 16,
  },
  {
    route: FLAGS,
    name: "lists flagged messages",
    as: "mod",
    prepare: flagged("bob"),
    input: (r) => ({
      query: { payload: { filter_conditions: { channel_cid: r.cid, is_reviewed: false, reason: "rude" } } },
    }),
    reply: { flags: [MESSAGE_FLAG] },
    values: (r) => ({
      flags: [{ message: { id: r.message }, user: { id: "bob" }, reason: "rude", created_by_automod: false }],
    }),
  },
  {
    route: FLAGS,
    name: "leaves out deleted messages",
    as: "server",
    prepare: async (r) => {
      await flagged("bob")(r);
      await r.world.ok("ada", "DELETE", `/messages/${r.message}`);
      return {};
    },
    input: (r) => ({ query: { payload: { filter_conditions: { channel_cid: r.cid } } } }),
    reply: { flags: [MESSAGE_FLAG] },
    values: () => ({ flags: [] }),
  },
  {
    route: FLAGS,
    name: "includes deleted messages on request",
    as: "server",
    prepare: async (r) => {
      await flagged("bob")(r);
      await r.world.ok("ada", "DELETE", `/messages/${r.message}`);
      return {};
    },
    input: (r) => ({
      query: { payload: { filter_conditions: { channel_cid: r.cid }, show_deleted_messages: true } },
    }),
    reply: { flags: [MESSAGE_FLAG] },
    values: (r) => ({ flags: [{ message: { id: r.message, type: "deleted", text: "tea?" } }] }),
  },
  { route: FLAGS, name: "refuses anybody but a moderator", as: "ada", code: 17 },
  {
    route: FLAGS,
    name: "refuses a filter that is none",
    as: "mod",
    input: () => ({ query: { payload: { filter_conditions: { is_reviewed: "yes" } } } }),
    code: 4,
    field: "filter_conditions.is_reviewed",
  },
];

const reports: Case[] = [
  {
    route: REPORTS,
    name: "counts the flags of a message",
    as: "server",
    prepare: async (r) => {
      await flagged("bob")(r);
      return flagged("cyd")(r);
    },
    input: (r) => ({ body: { filter_conditions: { channel_cid: r.cid, is_reviewed: false }, limit: 5 } }),
    reply: { flag_reports: [REPORT] },
    values: (r) => ({
      flag_reports: [
        { message: { id: r.message }, flags_count: 2, message_user_id: "ada", channel_cid: r.cid },
      ],
    }),
  },
  { route: REPORTS, name: "refuses a user token", as: "mod", input: () => ({ body: {} }), code: 17 },
  {
    route: REPORTS,
    name: "refuses an offset below nothing",
    as: "server",
    input: () => ({ body: { offset: -1 } }),
    code: 4,
    field: "offset",
  },
  {
    route: REVIEW,
    name: "stores a review",
    as: "server",
    prepare: reported,
    path: (r) => ({ id: r.extra.report }),
    input: () => ({
      body: { review_result: "approved", user_id: "mod", review_details: { note: "as it should be" } },
    }),
    reply: { flag_report: REPORT },
    values: (r) => ({
      flag_report: {
        id: r.extra.report,
        review_result: "approved",
        review_details: { note: "as it should be" },
        reviewed_at: DATE,
        reviewed_by: { id: "mod" },
      },
    }),
  },
  {
    route: FLAGS,
    name: "shows the review with the flags",
    as: "server",
    prepare: async (r) => {
      const { report } = await reported(r);
      await r.world.ok("server", "PATCH", `/moderation/reports/${report}`, {
        body: { review_result: "rejected", user_id: "mod" },
      });
      return {};
    },
    input: (r) => ({ query: { payload: { filter_conditions: { channel_cid: r.cid, is_reviewed: true } } } }),
    reply: { flags: [MESSAGE_FLAG] },
    values: () => ({ flags: [{ rejected_at: DATE, reviewed_at: DATE, reviewed_by: { id: "mod" } }] }),
  },
  {
    route: REVIEW,
    name: "an unknown report",
    as: "server",
    path: () => ({ id: "gone" }),
    input: () => ({ body: { review_result: "x", user_id: "mod" } }),
    code: 16,
  },
  {
    route: REVIEW,
    name: "needs a result",
    as: "server",
    prepare: reported,
    path: (r) => ({ id: r.extra.report }),
    input: () => ({ body: { user_id: "mod" } }),
    code: 4,
    field: "review_result",
  },
  {
    route: REVIEW,
    name: "needs somebody who reviews",
    as: "server",
    prepare: reported,
    path: (r) => ({ id: r.extra.report }),
    input: () => ({ body: { review_result: "approved" } }),
    code: 4,
    field: "user_id",
  },
  {
    route: REVIEW,
    name: "refuses details that are no object",
    as: "server",
    prepare: reported,
    path: (r) => ({ id: r.extra.report }),
    input: () => ({ body: { review_result: "approved", user_id: "mod", review_details: [1] } }),
    code: 4,
    field: "review_details",
  },
  {
    route: REVIEW,
    name: "refuses a user token",
    as: "mod",
    path: () => ({ id: "gone" }),
    input: () => ({ body: { review_result: "approved" } }),
    code: 17,
  },
];

const GIF = /^http:\/\/127\.0\.0\.1:\d+\/files\/gifs\/[a-z]+\.gif$/;
const button = (value: string, style: string): object => ({
  name: "image_action",
  text: value[0]!.toUpperCase() + value.slice(1),
  style,
  type: "button",
  value,
});

const actions: Case[] = [
  {
    route: SEND,
    name: "answers /giphy with a preview",
    as: "bob",
    input: (r) => ({ body: { message: { id: `gif-${r.id}`, text: "/giphy green tea" } } }),
    reply: { message: OWN_MESSAGE },
    values: (r) => ({
      message: {
        id: `gif-${r.id}`,
        type: "ephemeral",
        text: "/giphy green tea",
        command: "giphy",
        args: "green tea",
        attachments: [
          {
            type: "giphy",
            title: "green tea",
            title_link: expect.stringMatching(GIF),
            thumb_url: expect.stringMatching(GIF),
            giphy: {
              original: { url: expect.stringMatching(GIF), width: "160", height: "96", frames: "8" },
              fixed_height: { url: expect.stringMatching(GIF) },
            },
            actions: [button("send", "primary"), button("shuffle", "default"), button("cancel", "default")],
          },
        ],
      },
    }),
  },
  {
    route: ACT,
    name: "sends a preview",
    as: "bob",
    prepare: preview,
    path: ofExtra,
    input: press("send"),
    reply: { "message?": MESSAGE },
    values: (r) => ({
      message: {
        id: r.extra.message,
        type: "regular",
        user: { id: "bob" },
        command: "giphy",
        attachments: [{ type: "giphy", thumb_url: r.extra.url }],
      },
    }),
  },
  {
    route: ACT,
    name: "shuffles a preview",
    as: "bob",
    prepare: preview,
    path: ofExtra,
    input: press("shuffle"),
    reply: { "message?": OWN_MESSAGE },
    values: (r) => ({
      message: {
        id: r.extra.message,
        type: "ephemeral",
        attachments: [{ thumb_url: expect.not.stringContaining(r.extra.url) }],
      },
    }),
  },
  {
    route: ACT,
    name: "cancels a preview",
    as: "bob",
    prepare: preview,
    path: ofExtra,
    input: press("cancel"),
    reply: {},
  },
  {
    route: ACT,
    name: "lets a server act for a user",
    as: "server",
    prepare: preview,
    path: ofExtra,
    input: () => ({ body: { form_data: { image_action: "send" }, user_id: "bob" } }),
    reply: { "message?": MESSAGE },
    values: () => ({ message: { type: "regular", user: { id: "bob" } } }),
  },
  {
    route: ACT,
    name: "refuses anybody but the author",
    as: "ada",
    prepare: preview,
    path: ofExtra,
    input: press("send"),
    code: 17,
  },
  {
    route: ACT,
    name: "an unknown message",
    as: "bob",
    path: () => ({ id: "gone" }),
    input: press("send"),
    code: 4,
    field: "id",
  },
  {
    route: ACT,
    name: "refuses a message without buttons",
    as: "ada",
    input: press("send"),
    code: 4,
    field: "id",
  },
  {
    route: ACT,
    name: "refuses an unknown action",
    as: "bob",
    prepare: preview,
    path: ofExtra,
    input: press("explode"),
    code: 4,
    field: "form_data.image_action",
  },
  {
    route: ACT,
    name: "needs form data",
    as: "bob",
    prepare: preview,
    path: ofExtra,
    input: () => ({ body: {} }),
    code: 4,
    field: "form_data",
  },
  ...(
    [
      ["/giphy", "Missing arguments for /giphy", "bob"],
      ["/ban", "Missing arguments for /ban", "mod"],
      ["/ban @nobody", 'User "nobody" not found', "mod"],
      ["/ban @cyd", "You are not allowed to run /ban", "bob"],
      ["/mute @bob", "You cannot mute yourself", "bob"],
    ] as [string, string, Caller][]
  ).map(([text, why, as]): Case => ({
    route: SEND,
    name: `answers ${text} of ${as} with an error`,
    as,
    input: () => ({ body: { message: { text } } }),
    reply: { message: OWN_MESSAGE },
    values: () => ({
      message: { type: "error", text: why, command: text.slice(1).split(" ")[0], user: { id: as } },
    }),
  })),
  ...["/ban @bob too loud", "/unban @bob", "/mute @CYD", "/unmute cyd", "/flag @bob"].map((text): Case => ({
    route: SEND,
    name: `runs ${text}`,
    as: "mod",
    input: () => ({ body: { message: { text } } }),
    reply: { message: OWN_MESSAGE },
    values: () => ({ message: { type: "system", text, command: text.slice(1).split(" ")[0] } }),
  })),
];

const moderated: Case[] = [
  {
    route: SEND,
    name: "refuses a banned user",
    as: "bob",
    prepare: ban(),
    input: () => ({ body: { message: { text: "x" } } }),
    code: 17,
    messagePart: "banned",
  },
  {
    route: "POST /messages/{id}/reaction",
    name: "refuses a banned user",
    as: "bob",
    prepare: ban(),
    input: () => ({ body: { reaction: { type: "love" } } }),
    code: 17,
    messagePart: "banned",
  },
  {
    route: "POST /channels/{type}/{id}/event",
    name: "refuses a banned user",
    as: "bob",
    prepare: ban(),
    input: () => ({ body: { event: { type: "typing.start" } } }),
    code: 17,
    messagePart: "banned",
  },
  {
    route: SEND,
    name: "stores the message of a shadow-banned user so that only its author sees it",
    as: "bob",
    prepare: ban({ shadow: true }),
    input: () => ({ body: { message: { text: "anybody?" } } }),
    reply: { message: MESSAGE },
    values: () => ({ message: { type: "regular", shadowed: true, restricted_visibility: [] } }),
  },
];

export const moderationCases: Case[] = [...bans, ...flags, ...reports, ...actions, ...moderated];
