/** Contract rows of the channel list: its filters, its sorts and what each entry includes. */
import type { Case } from "./case.ts";
import { LISTED } from "./entities.ts";
import type { Room } from "./world.ts";

const WATCH = "watch and presence need the connection_id of an open connection";
const mine = (r: Room) => ({ filter_conditions: { cid: r.cid } });
const line = async (r: Room) => r.world.connect("ada");

/** A row: a channel with some data, and whether this filter finds it. */
const lists = (name: string, filter: (r: Room) => object, found: boolean, as: Case["as"] = "ada"): Case => ({
  route: "POST /channels",
  name: `finds ${name}`,
  as,
  prepare: async (r) =>
    r.world.ok("ada", "PATCH", r.route, {
      body: {
        set: {
          filter_tags: ["night"],
          place: { floor: 3 },
          colours: ["red", "blue"],
          motto: "The kettle is never cold",
        },
      },
    }),
  input: (r) => ({ body: { filter_conditions: filter(r), state: false } }),
  reply: { channels: ["object"] },
  values: (r) => ({ channels: found ? [{ channel: { cid: r.cid } }] : [] }),
});

export const channelListCases: Case[] = [
  {
    route: "POST /channels",
    name: "lists what the caller reads, each with its state",
    as: "bob",
    input: (r) => ({ body: mine(r) }),
    reply: { channels: [LISTED], "predefined_filter?": "text" },
    values: (r) => ({
      channels: [
        {
          channel: { cid: r.cid, member_count: 3 },
          membership: { user_id: "bob" },
          messages: [{ id: r.message }],
          threads: [],
          pinned_messages: [],
          pending_messages: [],
        },
      ],
    }),
  },
  {
    route: "POST /channels",
    name: "leaves out channels that the caller may not read",
    as: "dan",
    input: (r) => ({ body: mine(r) }),
    reply: { channels: [LISTED] },
    values: () => ({ channels: [] }),
  },
  {
    route: "POST /channels",
    name: "leaves out the state on request",
    as: "ada",
    input: (r) => ({ body: { ...mine(r), state: false } }),
    reply: { channels: [LISTED] },
    values: () => ({ channels: [{ messages: [], members: [], read: [] }] }),
  },
  {
    route: "POST /channels",
    name: "accepts null for unused keys",
    as: "ada",
    input: (r) => ({ body: { ...mine(r), sort: null, limit: null } }),
    reply: { channels: [LISTED] },
  },
  {
    route: "POST /channels",
    name: "watches with a connection",
    as: "ada",
    prepare: line,
    input: (r) => ({
      query: { connection_id: r.extra.id },
      body: { ...mine(r), watch: true, presence: true },
    }),
    reply: { channels: [LISTED] },
    values: () => ({ channels: [{ watcher_count: 1 }] }),
  },
  {
    route: "POST /channels",
    name: "needs a connection to watch",
    as: "ada",
    input: () => ({ body: { watch: true } }),
    code: 4,
    messagePart: WATCH,
  },
  {
    route: "POST /channels",
    name: "needs one's own connection to watch",
    as: "bob",
    prepare: line,
    input: (r) => ({ query: { connection_id: r.extra.id }, body: { watch: true } }),
    code: 4,
    messagePart: WATCH,
  },
  {
    route: "POST /channels",
    name: "clamps a limit above 30",
    as: "ada",
    input: () => ({ body: { limit: 31 } }),
    reply: { channels: [LISTED] },
  },
  {
    route: "POST /channels",
    name: "refuses a limit below 1",
    as: "ada",
    input: () => ({ body: { limit: 0 } }),
    code: 4,
    field: "limit",
  },
  {
    route: "POST /channels",
    name: "refuses an offset above 1000",
    as: "ada",
    input: () => ({ body: { offset: 1001 } }),
    code: 4,
    field: "offset",
  },
  {
    route: "POST /channels",
    name: "refuses an unknown operator",
    as: "ada",
    input: () => ({ body: { filter_conditions: { type: { $like: "m" } } } }),
    code: 4,
    field: "filter_conditions.type.$like",
  },
  {
    route: "POST /channels",
    name: "refuses a wrong value",
    as: "ada",
    input: () => ({ body: { filter_conditions: { frozen: "yes" } } }),
    code: 4,
    field: "filter_conditions.frozen",
  },
  {
    route: "POST /channels",
    name: "refuses a sort direction",
    as: "ada",
    input: () => ({ body: { sort: [{ field: "created_at", direction: 2 }] } }),
    code: 4,
    field: "sort.0.direction",
  },
  lists("by a part of its identity", (r) => ({ type: "messaging", id: r.id }), true),
  lists("by a member's name", (r) => ({ cid: r.cid, "member.user.name": { $autocomplete: "cy" } }), true),
  lists("by exactly its members", (r) => ({ cid: r.cid, members: { $eq: ["bob", "ada", "cyd"] } }), true),
  lists(
    "not by a part of its members with $eq",
    (r) => ({ cid: r.cid, members: { $eq: ["ada", "bob"] } }),
    false,
  ),
  lists("by its creator", (r) => ({ cid: r.cid, created_by_id: { $in: ["ada"] } }), true),
  lists("by unread messages", (r) => ({ cid: r.cid, has_unread: true }), true, "bob"),
  lists("not by unread messages of its writer", (r) => ({ cid: r.cid, has_unread: true }), false),
  lists(
    "by joining",
    (r) => ({ cid: r.cid, joined: true, muted: false, pinned: false, archived: false }),
    true,
  ),
  lists("by the number of its members", (r) => ({ cid: r.cid, member_count: { $gte: 3, $lt: 4 } }), true),
  lists("by its last message", (r) => ({ cid: r.cid, last_message_at: { $exists: true } }), true),
  lists("by a range of ids", (r) => ({ cid: { $gte: r.cid, $lte: r.cid } }), true),
  lists("by its last change", (r) => ({ cid: r.cid, last_updated: { $gt: "2020-01-01T00:00:00Z" } }), true),
  lists("by nobody banned", (r) => ({ cid: r.cid, app_banned: "excluded" }), true),
  lists("by a tag", (r) => ({ cid: r.cid, filter_tags: { $in: ["night"] } }), true),
  lists("by a nested custom field", (r) => ({ cid: r.cid, "custom.place.floor": { $gte: 3 } }), true),
  lists("by an entry of a custom list", (r) => ({ cid: r.cid, colours: { $contains: "red" } }), true),
  lists("by a whole word", (r) => ({ cid: r.cid, motto: { $q: "kettle" } }), true),
  lists("not by a part of a word with $q", (r) => ({ cid: r.cid, motto: { $q: "kett" } }), false),
  lists("by the beginning of a word", (r) => ({ cid: r.cid, motto: { $autocomplete: "kett" } }), true),
  lists(
    "by either of two",
    (r) => ({ cid: r.cid, $or: [{ frozen: true }, { motto: { $exists: true } }] }),
    true,
  ),
  lists("by neither of two", (r) => ({ cid: r.cid, $nor: [{ frozen: true }, { disabled: true }] }), true),
  {
    route: "POST /channels",
    name: "PIN-2: lists pinned channels first with a sort by pinned_at",
    as: "ada",
    prepare: async (r) => {
      const pinned = await r.world.room({ twin: r.id });
      await r.world.ok("ada", "PATCH", r.route, { body: { set: { twin: r.id } } });
      await r.world.ok("ada", "PATCH", `${pinned.route}/member/ada`, { body: { set: { pinned: true } } });
      await r.world.say("ada", r.route, { text: "newer" });
      return pinned;
    },
    input: (r) => ({
      body: {
        filter_conditions: { twin: r.id },
        sort: [
          { field: "pinned_at", direction: -1 },
          { field: "last_updated", direction: -1 },
        ],
      },
    }),
    reply: { channels: ["object"] },
    values: (r) => ({ channels: [{ channel: { cid: r.extra.cid } }, { channel: { cid: r.cid } }] }),
  },
  {
    route: "POST /channels",
    name: "adds the requested custom fields of the authors' memberships",
    as: "bob",
    prepare: async (r) =>
      r.world.ok("ada", "PATCH", `${r.route}/member/ada`, { body: { set: { badge: "gold", secret: 1 } } }),
    input: (r) => ({ body: { ...mine(r), member_custom_include: ["badge"] } }),
    reply: { channels: ["object"] },
    values: () => ({ channels: [{ messages: [{ member: { badge: "gold" } }] }] }),
  },
  {
    route: "POST /channels",
    name: "refuses more than eight fields of memberships",
    as: "ada",
    input: () => ({ body: { member_custom_include: "abcdefghi".split("") } }),
    code: 4,
    field: "member_custom_include",
  },
  {
    route: "POST /channels",
    name: "refuses predefined filters",
    as: "ada",
    input: () => ({ body: { predefined_filter: "mine" } }),
    code: 4,
    field: "predefined_filter",
    messagePart: "not supported",
  },
  {
    route: "POST /channels",
    name: "refuses has_unread: false",
    as: "ada",
    input: () => ({ body: { filter_conditions: { has_unread: false } } }),
    code: 4,
    field: "filter_conditions.has_unread",
  },
  {
    route: "POST /channels",
    name: "needs a user of a server for flags of one user",
    as: "server",
    input: () => ({ body: { filter_conditions: { pinned: true } } }),
    code: 4,
    field: "user_id",
  },
];
