/** Contract rows of message search (specification/search.md). */
import type { Case } from "./case.ts";
import { CHANNEL, MESSAGE } from "./entities.ts";
import type { Room } from "./world.ts";

const route = "GET /search";

const REPLY = {
  results: [{ message: { ...MESSAGE, "heat?": "number", channel: CHANNEL } }],
  "next?": "text",
  "previous?": "text",
  "results_warning?": {
    warning_code: "count",
    warning_description: "text",
    "channel_search_count?": "count",
    "channel_search_cids?": ["text"],
  },
} as const;

const here = (r: Room) => ({ filter_conditions: { cid: r.cid } });
const asked = (more: (r: Room) => object) => (r: Room) => ({
  query: { payload: { ...here(r), ...more(r) } },
});
const found = (...texts: string[]) => ({ results: texts.map((text) => ({ message: { text } })) });
/** Five more messages of different kinds, besides ada's "tea?". */
const written = async (r: Room) => {
  await r.world.say("bob", r.route, { text: "Thé et lait", heat: 3 });
  await r.world.say("bob", r.route, {
    text: "look, tea tea tea",
    attachments: [{ type: "image", image_url: "https://example.test/tea.png" }],
  });
  await r.world.say("cyd", r.route, { text: "milk for @ADA", mentioned_users: ["ada"], heat: 12 });
  return { reply: await r.world.say("bob", r.route, { text: "teapots below", parent_id: r.message }) };
};
const finds = (name: string, more: (r: Room) => object, texts: string[], as: Case["as"] = "ada"): Case => ({
  route,
  name,
  as,
  prepare: written,
  input: asked(more),
  reply: REPLY,
  values: () => found(...texts),
});
const refuses = (name: string, payload: (r: Room) => object, field: string, says?: string): Case => ({
  route,
  name,
  as: "ada",
  input: (r) => ({ query: { payload: payload(r) } }),
  code: 4,
  field,
  ...(says === undefined ? {} : { messagePart: says }),
});
const byTime = { sort: [{ field: "created_at", direction: 1 }] };
const filter = (conditions: object) => () => ({ message_filter_conditions: conditions, ...byTime });

export const searchCases: Case[] = [
  finds("finds words by their beginnings, the most matches first, replies too", () => ({ query: "TEA" }), [
    "look, tea tea tea",
    "teapots below",
    "tea?",
  ]),
  finds("finds messages with all words, ignoring accents", () => ({ query: "lait the" }), ["Thé et lait"]),
  finds("answers an empty list", () => ({ query: "coffee" }), []),
  finds("answers nothing for a text without words", () => ({ query: "?!" }), []),
  finds("finds nothing for a user who is not a member", () => ({ query: "tea" }), [], "dan"),
  finds("clamps a limit above 100", () => ({ query: "milk", limit: 1000 }), ["milk for @ADA"]),
  finds("accepts an offset of 0 with a sort", () => ({ query: "milk", offset: 0, ...byTime }), [
    "milk for @ADA",
  ]),
  finds("skips by offset", () => ({ query: "tea", offset: 2 }), ["tea?"]),
  finds("accepts the text as a filter", filter({ text: { $q: "tea" } }), [
    "tea?",
    "look, tea tea tea",
    "teapots below",
  ]),
  finds("finds words that begin with the text", filter({ text: { $autocomplete: "tea te" } }), [
    "look, tea tea tea",
  ]),
  finds("filters by author", filter({ "user.id": { $in: ["cyd", "ada"] } }), ["tea?", "milk for @ADA"]),
  finds("filters by attachments", filter({ attachments: { $exists: true } }), ["look, tea tea tea"]),
  finds("filters by a type of attachment", filter({ "attachments.type": { $in: ["image", "file"] } }), [
    "look, tea tea tea",
  ]),
  finds("filters by mention", filter({ "mentioned_users.id": { $contains: "ada" } }), ["milk for @ADA"]),
  finds("filters by parent", (r) => ({ message_filter_conditions: { parent_id: r.message } }), [
    "teapots below",
  ]),
  finds("filters by replies", filter({ reply_count: { $gt: 0 } }), ["tea?"]),
  finds("compares custom numbers as numbers", filter({ heat: { $gte: 3, $lt: 100 } }), [
    "Thé et lait",
    "milk for @ADA",
  ]),
  finds(
    "sorts custom numbers as numbers",
    () => ({
      message_filter_conditions: { heat: { $exists: true } },
      sort: [{ field: "heat", direction: -1, type: "number" }],
    }),
    ["milk for @ADA", "Thé et lait"],
  ),
  finds("combines filters", filter({ $or: [{ "user.id": "cyd" }, { $and: [{ text: { $q: "thé" } }] }] }), [
    "Thé et lait",
    "milk for @ADA",
  ]),
  finds("negates filters", filter({ $nor: [{ text: { $q: "te" } }, { heat: 3 }] }), ["milk for @ADA"]),
  finds("filters by pin", filter({ pinned: true }), []),
  {
    route,
    name: "continues after a page",
    as: "ada",
    prepare: async (r) => {
      await written(r);
      const payload = { ...here(r), query: "tea", limit: 2 };
      return r.world.ok("ada", "GET", "/search", { query: { payload } });
    },
    input: (r) => ({ query: { payload: { ...here(r), query: "tea", limit: 2, next: r.extra.next } } }),
    reply: { ...REPLY, previous: "text" },
    values: () => found("tea?"),
  },
  {
    route,
    name: "refuses the cursor of another search",
    as: "ada",
    prepare: async (r) => {
      await written(r);
      const payload = { ...here(r), query: "tea", limit: 2 };
      return r.world.ok("ada", "GET", "/search", { query: { payload } });
    },
    input: (r) => ({ query: { payload: { ...here(r), query: "milk", limit: 2, next: r.extra.next } } }),
    code: 4,
    field: "next",
  },
  {
    route,
    name: "lets a server search for a user",
    as: "server",
    prepare: written,
    input: (r) => ({ query: { user_id: "bob", payload: { ...here(r), query: "milk" } } }),
    reply: REPLY,
    values: () => found("milk for @ADA"),
  },
  refuses(
    "SE-1",
    (r) => ({ ...here(r), query: "tea", offset: 1, next: "x", sort: [{ field: "id" }] }),
    "offset",
    "search cannot combine offset with next",
  ),
  refuses(
    "SE-2",
    () => ({ query: "tea", offset: 1, sort: [{ field: "id", direction: 1 }] }),
    "offset",
    "search cannot combine offset with sort",
  ),
  refuses(
    "SE-3",
    () => ({ query: "tea", message_filter_conditions: { text: "tea" } }),
    "query",
    "search takes a query or message filters, not both",
  ),
  refuses("SE-4", () => ({ limit: 0 }), "query", "search needs a query or message filters"),
  refuses("SE-5", () => ({ query: "tea", limit: 0 }), "filter_conditions", "search needs a channel filter"),
  refuses(
    "SE-6 of a limit",
    (r) => ({ ...here(r), query: "tea", limit: 0 }),
    "limit",
    "search limit or offset out of range",
  ),
  refuses(
    "SE-6 of an offset",
    (r) => ({ ...here(r), query: "tea", offset: 1001 }),
    "offset",
    "search limit or offset out of range",
  ),
  refuses("refuses a query that is not a text", (r) => ({ ...here(r), query: 7 }), "query"),
  refuses(
    "refuses a wrong value in the message filter",
    (r) => ({ ...here(r), message_filter_conditions: { reply_count: { $gt: "many" } } }),
    "message_filter_conditions.reply_count",
  ),
  refuses(
    "refuses a wrong value in the channel filter",
    () => ({ filter_conditions: { frozen: 1 }, query: "tea" }),
    "filter_conditions.frozen",
  ),
  refuses(
    "refuses an operator that the field does not support",
    (r) => ({ ...here(r), message_filter_conditions: { pinned: { $gt: 1 } } }),
    "message_filter_conditions.pinned",
  ),
  refuses(
    "refuses an unknown sort direction",
    (r) => ({ ...here(r), query: "tea", sort: [{ field: "created_at", direction: 3 }] }),
    "sort.0.direction",
  ),
  refuses("refuses an invalid cursor", (r) => ({ ...here(r), query: "tea", next: "not a cursor" }), "next"),
];
