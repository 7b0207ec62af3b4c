/** Contract rows of campaigns and segments. */
import { expect } from "vitest";
import { CAMPAIGNS_ARE_SERVER_SIDE } from "../../src/wire/entities/campaign.ts";
import type { Case } from "./case.ts";
import { form } from "./entities.ts";
import type { Keys } from "./shape.ts";
import type { Json, Room } from "./world.ts";

const SEGMENT = form("Segment", { never: "deleted_at task_id" });
const CAMPAIGN = form("Campaign", { always: "sender" }, { "channel_template?": "object" });
const CURSORS: Keys = { "next?": "text", "prev?": "text" };
const ONE = { campaign: CAMPAIGN, users: CURSORS } as const;

const TEXT: unknown = expect.any(String);
const CREATE = "POST /campaigns";
const QUERY = "POST /campaigns/query";
const GET = "GET /campaigns/{id}";
const PUT = "PUT /campaigns/{id}";
const DELETE = "DELETE /campaigns/{id}";
const START = "POST /campaigns/{id}/start";
const STOP = "POST /campaigns/{id}/stop";
const S_CREATE = "POST /segments";
const S_QUERY = "POST /segments/query";
const S_GET = "GET /segments/{id}";
const S_PUT = "PUT /segments/{id}";
const S_DELETE = "DELETE /segments/{id}";
const ADD = "POST /segments/{id}/addtargets";
const REMOVE = "POST /segments/{id}/deletetargets";
const HAS = "GET /segments/{id}/target/{target_id}";
const TARGETS = "POST /segments/{id}/targets/query";

const soon = (seconds: number): string => new Date(Date.now() + seconds * 1000).toISOString();
const LATER = soon(3600);
const LATEST = soon(7200);
const FIELDS = { sender_id: "ada", message_template: { text: "hi {{receiver.name}}" } };
const body =
  (more: object = {}) =>
  () => ({ body: { ...FIELDS, ...more } });
const send = (what: unknown) => () => ({ body: what });

const campaign =
  (more: object = {}) =>
  async (r: Room): Promise<Json> =>
    r.world.ok("server", "POST", "/campaigns", { body: { ...FIELDS, user_ids: ["bob", "cyd"], ...more } });
const started =
  (more: object, how: object = {}) =>
  async (r: Room): Promise<Json> => {
    const made = await campaign(more)(r);
    await r.world.ok("server", "POST", `/campaigns/${made.campaign.id}/start`, { body: how });
    return made;
  };
/** A campaign run for a user that does not exist: it is completed in its first step. */
const completed = async (r: Room): Promise<Json> => {
  const made = await started({ user_ids: ["nobody-there"] })(r);
  for (;;) {
    const { campaign: now } = await r.world.ok("server", "GET", `/campaigns/${made.campaign.id}`);
    if (now.status === "completed") return made;
  }
};
const segment =
  (more: object = {}) =>
  async (r: Room): Promise<Json> =>
    r.world.ok("server", "POST", "/segments", { body: { type: "user", ...more } });
const withTargets = async (r: Room): Promise<Json> => {
  const made = await segment()(r);
  await r.world.ok("server", "POST", `/segments/${made.segment.id}/addtargets`, {
    body: { target_ids: ["cyd", "bob", "ada"] },
  });
  return made;
};
const ofCampaign = (r: Room): Record<string, string> => ({ id: r.extra.campaign.id as string });
const ofSegment = (r: Room): Record<string, string> => ({ id: r.extra.segment.id as string });

/** Unknown ids and user tokens, refused by every route of one campaign or segment (CA-4). */
const guards: Case[] = (
  [
    [GET],
    [PUT, body()],
    [DELETE],
    [START, send({})],
    [STOP, send({})],
    [S_GET],
    [S_PUT, send({ name: "x" })],
    [S_DELETE],
    [ADD, send({ target_ids: ["ada"] })],
    [REMOVE, send({ target_ids: ["ada"] })],
    [HAS],
    [TARGETS, send({})],
  ] as [string, Case["input"]?][]
).flatMap(([route, ask]): Case[] => [
  {
    route,
    name: "an unknown id",
    as: "server",
    path: () => ({ id: "gone", target_id: "ada" }),
    code: 16,
    ...(ask ? { input: ask } : {}),
  },
  {
    route,
    name: "a user token (CA-4)",
    as: "mod",
    path: () => ({ id: "gone", target_id: "ada" }),
    code: 17,
    messagePart: CAMPAIGNS_ARE_SERVER_SIDE,
    ...(ask ? { input: ask } : {}),
  },
]);

const bad = (
  route: string,
  name: string,
  ask: NonNullable<Case["input"]>,
  field: string,
  more: Partial<Case> = {},
): Case => ({ route, name, as: "server", input: ask, code: 4, field, ...more });

/** Bodies that POST and PUT both refuse (specification/campaigns.md §3, §4). */
const badFields: [string, object, string][] = [
  ["needs a sender", { sender_id: undefined }, "sender_id"],
  ["an unknown sender", { sender_id: "ghost" }, "sender_id"],
  ["needs a template", { message_template: undefined }, "message_template"],
  ["needs a text", { message_template: { attachments: [] } }, "message_template.text"],
  ["a text that is none", { message_template: { text: 5 } }, "message_template.text"],
  [
    "an attachment that is none",
    { message_template: { text: "x", attachments: [1] } },
    "message_template.attachments.0",
  ],
  ["a poll of nobody", { message_template: { text: "x", poll_id: "p" } }, "message_template.poll_id"],
  [
    "too much custom data",
    { message_template: { text: "x", custom: { a: "x".repeat(6000) } } },
    "message_template.custom",
  ],
  ["a mode that is none", { sender_mode: "both" }, "sender_mode"],
  ["a visibility that is none", { sender_visibility: "shown" }, "sender_visibility"],
  ["create_channels without a template", { create_channels: true }, "channel_template"],
  ["a channel type of nobody", { channel_template: { type: "void" } }, "channel_template.type"],
  ["a template without a type", { channel_template: {} }, "channel_template.type"],
  [
    "members given twice",
    { channel_template: { type: "team", members: ["ada"], members_template: [{ user_id: "bob" }] } },
    "channel_template.members_template",
  ],
  [
    "a member of nobody",
    { channel_template: { type: "team", members: ["ghost"] } },
    "channel_template.members.0",
  ],
  ["users that are no ids", { user_ids: ["a b"] }, "user_ids.0"],
  ["too many segments", { segment_ids: Array.from({ length: 26 }, (_, n) => `s${n}`) }, "segment_ids"],
  ["too many users", { user_ids: Array.from({ length: 10_001 }, (_, n) => `u${n}`) }, "user_ids"],
  ["an unknown segment", { segment_ids: ["gone"] }, "segment_ids.0"],
  ["a flag that is none", { skip_push: "often" }, "skip_push"],
];

export const campaignsCases: Case[] = [
  ...guards,
  ...[CREATE, QUERY, S_CREATE, S_QUERY].map((route): Case => ({
    route,
    name: "a user token (CA-4)",
    as: "ada",
    input: body({ type: "user" }),
    code: 17,
    messagePart: CAMPAIGNS_ARE_SERVER_SIDE,
  })),
  {
    route: CREATE,
    name: "creates a draft with defaults",
    as: "server",
    input: body(),
    reply: ONE,
    values: () => ({
      campaign: {
        status: "draft",
        name: "",
        description: "",
        sender_mode: "",
        sender_visibility: "",
        create_channels: false,
        show_channels: false,
        skip_push: false,
        skip_webhook: false,
        segment_ids: [],
        user_ids: [],
        segments: [],
        users: [],
        sender: { id: "ada" },
        message_template: { text: "hi {{receiver.name}}", attachments: [], custom: {} },
        stats: {
          progress: 0,
          stats_started_at: null,
          stats_completed_at: null,
          stats_messages_sent: 0,
          stats_users_sent: 0,
          stats_users_read: 0,
          stats_channels_created: 0,
        },
      },
      users: {},
    }),
  },
  {
    route: CREATE,
    name: "stores every field and the given id",
    as: "server",
    input: (r) => ({
      body: {
        id: `c-${r.id}`,
        name: "Spring tea",
        description: "d",
        sender_id: "ada",
        sender_mode: "include",
        sender_visibility: "hidden",
        message_template: { text: "x", searchable: true, custom: { promo: true } },
        channel_template: {
          type: "messaging",
          id: "{{receiver.id}}",
          members: ["mod"],
          custom: { kind: "k" },
        },
        create_channels: true,
        show_channels: true,
        skip_push: true,
        skip_webhook: true,
        user_ids: ["cyd", "bob", "bob"],
        unknown_key: 1,
      },
    }),
    reply: ONE,
    values: (r) => ({
      campaign: {
        id: `c-${r.id}`,
        name: "Spring tea",
        sender_mode: "include",
        sender_visibility: "hidden",
        channel_template: {
          type: "messaging",
          id: "{{receiver.id}}",
          members: ["mod"],
          custom: { kind: "k" },
        },
        create_channels: true,
        show_channels: true,
        skip_push: true,
        skip_webhook: true,
        user_ids: ["cyd", "bob"],
        users: [{ id: "bob" }, { id: "cyd" }],
      },
    }),
  },
  ...badFields.map(([name, more, field]) => bad(CREATE, name, body(more), field)),
  ...badFields.map(([name, more, field]) =>
    bad(PUT, name, body(more), field, { prepare: campaign(), path: ofCampaign }),
  ),
  bad(CREATE, "an id that is taken", (r) => ({ body: { ...FIELDS, id: r.extra.campaign.id } }), "id", {
    prepare: campaign(),
  }),
  bad(CREATE, "an id that is none", body({ id: "a/b" }), "id"),
  bad(
    CREATE,
    "users and segments at once",
    (r) => ({ body: { ...FIELDS, user_ids: ["bob"], segment_ids: [r.extra.segment.id] } }),
    "user_ids",
    { prepare: segment() },
  ),
  bad(
    CREATE,
    "segments of two types",
    (r) => ({ body: { ...FIELDS, segment_ids: [r.extra.segment.id, r.extra.other.segment.id] } }),
    "segment_ids",
    { prepare: async (r) => ({ ...(await segment()(r)), other: await segment({ type: "channel" })(r) }) },
  ),
  {
    route: QUERY,
    name: "filters, sorts and pages",
    as: "server",
    prepare: async (r) => ({
      one: await campaign({ name: r.id })(r),
      two: await campaign({ name: r.id })(r),
    }),
    input: (r) => ({
      body: {
        filter: { name: r.id },
        sort: [{ field: "created_at", direction: 1 }],
        limit: 1,
        user_limit: 1,
      },
    }),
    reply: { campaigns: [CAMPAIGN], "next?": "text", "prev?": "text" },
    values: (r) => ({
      campaigns: [{ id: r.extra.one.campaign.id, users: [{ id: "bob" }] }],
      next: TEXT,
    }),
  },
  {
    route: QUERY,
    name: "finds by user and by status",
    as: "server",
    prepare: campaign({ user_ids: ["dan"], name: "only dan" }),
    input: (r) => ({
      body: {
        filter: { user_ids: { $contains: "dan" }, status: { $in: ["draft"] }, id: r.extra.campaign.id },
      },
    }),
    reply: { campaigns: [CAMPAIGN], "next?": "text", "prev?": "text" },
    values: (r) => ({ campaigns: [{ id: r.extra.campaign.id }] }),
  },
  bad(QUERY, "a filter by nothing", send({ filter: { shoe: 1 } }), "filter.shoe"),
  bad(QUERY, "a sort by nothing", send({ sort: [{ field: "shoe" }] }), "sort.0.field"),
  bad(QUERY, "a limit below 1", send({ limit: 0 }), "limit"),
  bad(QUERY, "a cursor of another query", send({ next: "abc" }), "next"),
  {
    route: GET,
    name: "pages its users by id",
    as: "server",
    prepare: campaign({ user_ids: ["mod", "dan", "bob", "cyd"] }),
    path: ofCampaign,
    input: () => ({ query: { limit: 2 } }),
    reply: ONE,
    values: () => ({ campaign: { users: [{ id: "bob" }, { id: "cyd" }] }, users: { next: TEXT } }),
  },
  {
    route: GET,
    name: "continues after a cursor",
    as: "server",
    prepare: async (r) => {
      const made = await campaign({ user_ids: ["mod", "dan", "bob", "cyd"] })(r);
      const page = await r.world.ok("server", "GET", `/campaigns/${made.campaign.id}`, {
        query: { limit: 3 },
      });
      return { ...made, next: page.users.next };
    },
    path: ofCampaign,
    input: (r) => ({ query: { limit: 3, next: r.extra.next } }),
    reply: ONE,
    values: () => ({ campaign: { users: [{ id: "mod" }] }, users: { prev: TEXT } }),
  },
  bad(GET, "refuses an invalid cursor", () => ({ query: { next: "x" } }), "next", {
    prepare: campaign(),
    path: ofCampaign,
  }),
  {
    route: PUT,
    name: "replaces the whole campaign and resets omitted fields",
    as: "server",
    prepare: campaign({ name: "old", show_channels: true }),
    path: ofCampaign,
    input: body({ description: "new", user_ids: ["dan"] }),
    reply: ONE,
    values: () => ({
      campaign: { name: "", description: "new", show_channels: false, user_ids: ["dan"], status: "draft" },
    }),
  },
  bad(PUT, "not once it is completed", body(), "status", { prepare: completed, path: ofCampaign }),
  bad(PUT, "a scheduled one keeps somebody to send to", body(), "user_ids", {
    prepare: started({}, { scheduled_for: LATER }),
    path: ofCampaign,
  }),
  { route: DELETE, name: "goes", as: "server", prepare: campaign(), path: ofCampaign, reply: {} },
  {
    route: START,
    name: "starts at once",
    as: "server",
    prepare: campaign(),
    path: ofCampaign,
    input: send({}),
    reply: ONE,
    values: () => ({ campaign: { status: "in_progress", stats: { stats_started_at: TEXT } } }),
  },
  {
    route: START,
    name: "starts at its scheduled time",
    as: "server",
    prepare: campaign(),
    path: ofCampaign,
    input: send({ scheduled_for: LATER, stop_at: LATEST }),
    reply: ONE,
    values: () => ({
      campaign: {
        status: "scheduled",
        scheduled_for: LATER.replace("Z", "000Z"),
        stop_at: LATEST.replace("Z", "000Z"),
        stats: { stats_started_at: null },
      },
    }),
  },
  {
    route: START,
    name: "continues after a stop",
    as: "server",
    prepare: async (r) => {
      const made = await started({}, { scheduled_for: LATER })(r);
      await r.world.ok("server", "POST", `/campaigns/${made.campaign.id}/stop`, { body: {} });
      return made;
    },
    path: ofCampaign,
    input: send({}),
    reply: ONE,
    values: () => ({ campaign: { status: "in_progress" } }),
  },
  bad(START, "nobody to send to", send({}), "user_ids", {
    prepare: campaign({ user_ids: [] }),
    path: ofCampaign,
  }),
  bad(START, "an end before its start", send({ scheduled_for: LATEST, stop_at: LATER }), "stop_at", {
    prepare: campaign(),
    path: ofCampaign,
  }),
  bad(START, "an end that has passed", send({ stop_at: soon(-60) }), "stop_at", {
    prepare: campaign(),
    path: ofCampaign,
  }),
  bad(START, "a date that is none", send({ scheduled_for: "soon" }), "scheduled_for", {
    prepare: campaign(),
    path: ofCampaign,
  }),
  bad(START, "a campaign is sent once", send({}), "status", { prepare: completed, path: ofCampaign }),
  {
    route: STOP,
    name: "stops a scheduled campaign",
    as: "server",
    prepare: started({}, { scheduled_for: LATER }),
    path: ofCampaign,
    input: send({}),
    reply: ONE,
    values: () => ({ campaign: { status: "stopped" } }),
  },
  bad(STOP, "a draft", send({}), "status", { prepare: campaign(), path: ofCampaign }),
  bad(STOP, "a completed one", send({}), "status", { prepare: completed, path: ofCampaign }),
  {
    route: S_CREATE,
    name: "creates a manual segment",
    as: "server",
    input: (r) => ({ body: { id: `s-${r.id}`, type: "user", name: "n", description: "d" } }),
    reply: { segment: SEGMENT },
    values: (r) => ({
      segment: {
        id: `s-${r.id}`,
        type: "user",
        name: "n",
        description: "d",
        all_users: false,
        all_sender_channels: false,
        size: 0,
      },
    }),
  },
  {
    route: S_CREATE,
    name: "counts a filter (SG-3)",
    as: "server",
    input: send({ type: "user", filter: { id: { $in: ["ada", "bob", "ghost"] } } }),
    reply: { segment: SEGMENT },
    values: () => ({ segment: { size: 2, filter: { id: { $in: ["ada", "bob", "ghost"] } } } }),
  },
  {
    route: S_CREATE,
    name: "does not count the sender's channels (SG-3)",
    as: "server",
    input: send({ type: "channel", all_sender_channels: true }),
    reply: { segment: SEGMENT },
    values: () => ({ segment: { size: 0, all_sender_channels: true } }),
  },
  bad(S_CREATE, "needs a type", send({}), "type"),
  bad(S_CREATE, "a type that is none", send({ type: "role" }), "type"),
  bad(S_CREATE, "too long a name", send({ type: "user", name: "x".repeat(129) }), "name"),
  bad(
    S_CREATE,
    "too long a description",
    send({ type: "user", description: "x".repeat(257) }),
    "description",
  ),
  bad(S_CREATE, "a filter by nothing", send({ type: "user", filter: { online: true } }), "filter.online"),
  bad(S_CREATE, "a filter that is none", send({ type: "user", filter: [1] }), "filter"),
  bad(
    S_CREATE,
    "a filter and everybody (SG-1)",
    send({ type: "user", filter: { id: "ada" }, all_users: true }),
    "all_users",
  ),
  bad(
    S_CREATE,
    "channels in users",
    send({ type: "user", all_sender_channels: true }),
    "all_sender_channels",
  ),
  bad(S_CREATE, "users in channels", send({ type: "channel", all_users: true }), "all_users"),
  bad(S_CREATE, "an id that is taken", (r) => ({ body: { type: "user", id: r.extra.segment.id } }), "id", {
    prepare: segment(),
  }),
  {
    route: S_QUERY,
    name: "filters and sorts",
    as: "server",
    prepare: async (r) => ({
      one: await segment({ name: `a ${r.id}` })(r),
      two: await segment({ name: `b ${r.id}`, type: "channel" })(r),
    }),
    input: (r) => ({
      body: {
        filter: { name: { $in: [`a ${r.id}`, `b ${r.id}`] } },
        sort: [{ field: "name", direction: -1 }],
      },
    }),
    reply: { segments: [SEGMENT], "next?": "text", "prev?": "text" },
    values: (r) => ({ segments: [{ id: r.extra.two.segment.id }, { id: r.extra.one.segment.id }] }),
  },
  bad(S_QUERY, "a filter by nothing", send({ filter: { shoe: 1 } }), "filter.shoe"),
  {
    route: S_GET,
    name: "has its size",
    as: "server",
    prepare: withTargets,
    path: ofSegment,
    reply: { segment: SEGMENT },
    values: () => ({ segment: { size: 3 } }),
  },
  {
    route: S_PUT,
    name: "changes the named fields",
    as: "server",
    prepare: segment({ name: "old", description: "stays", filter: { id: "ada" } }),
    path: ofSegment,
    input: send({ name: "new", filter: { id: "bob" } }),
    reply: { segment: SEGMENT },
    values: () => ({ segment: { name: "new", description: "stays", filter: { id: "bob" } } }),
  },
  bad(S_PUT, "a filter for a manual list (SG-7)", send({ filter: { id: "bob" } }), "filter", {
    prepare: segment(),
    path: ofSegment,
  }),
  bad(S_PUT, "a name that is none", send({ name: 7 }), "name", { prepare: segment(), path: ofSegment }),
  { route: S_DELETE, name: "goes", as: "server", prepare: withTargets, path: ofSegment, reply: {} },
  bad(S_DELETE, "not while a campaign waits for it (SG-5)", () => ({}), "id", {
    prepare: async (r) => {
      const made = await withTargets(r);
      await started({ user_ids: [], segment_ids: [made.segment.id] }, { scheduled_for: LATER })(r);
      return made;
    },
    path: ofSegment,
  }),
  {
    route: ADD,
    name: "accepts unknown ids (SG-2)",
    as: "server",
    prepare: segment(),
    path: ofSegment,
    input: send({ target_ids: ["ada", "not-yet", "ada"] }),
    reply: {},
  },
  bad(ADD, "needs targets", send({}), "target_ids", { prepare: segment(), path: ofSegment }),
  bad(ADD, "a target that is no user id", send({ target_ids: ["a b"] }), "target_ids.0", {
    prepare: segment(),
    path: ofSegment,
  }),
  bad(ADD, "a target that is no cid", send({ target_ids: ["ada"] }), "target_ids.0", {
    prepare: segment({ type: "channel" }),
    path: ofSegment,
  }),
  bad(
    ADD,
    "too many",
    send({ target_ids: Array.from({ length: 10_001 }, (_, n) => `u${n}`) }),
    "target_ids",
    { prepare: segment(), path: ofSegment },
  ),
  bad(ADD, "a segment with a filter (SG-2)", send({ target_ids: ["ada"] }), "id", {
    prepare: segment({ all_users: true }),
    path: ofSegment,
  }),
  {
    route: REMOVE,
    name: "removes the ids",
    as: "server",
    prepare: withTargets,
    path: ofSegment,
    input: send({ target_ids: ["ada", "was-never-in"] }),
    reply: {},
  },
  bad(REMOVE, "needs targets", send({ target_ids: [] }), "target_ids", {
    prepare: segment(),
    path: ofSegment,
  }),
  {
    route: HAS,
    name: "confirms a member",
    as: "server",
    prepare: withTargets,
    path: (r) => ({ ...ofSegment(r), target_id: "bob" }),
    reply: {},
  },
  {
    route: HAS,
    name: "refuses an id that is not a member",
    as: "server",
    prepare: withTargets,
    path: (r) => ({ ...ofSegment(r), target_id: "mod" }),
    code: 16,
  },
  {
    route: TARGETS,
    name: "lists the targets by id, with capitalised keys too",
    as: "server",
    prepare: withTargets,
    path: ofSegment,
    input: send({ Filter: { target_id: { $gt: "ada" } }, Sort: [{ field: "target_id", direction: 1 }] }),
    reply: {
      targets: [{ app_pk: { oneOf: [1] }, segment_id: "text", target_id: "text", created_at: "date" }],
      "next?": "text",
      "prev?": "text",
    },
    values: () => ({ targets: [{ target_id: "bob" }, { target_id: "cyd" }] }),
  },
  bad(TARGETS, "a filter by nothing", send({ filter: { name: "x" } }), "filter.name", {
    prepare: segment(),
    path: ofSegment,
  }),
  bad(TARGETS, "a limit that is none", send({ limit: "many" }), "limit", {
    prepare: segment(),
    path: ofSegment,
  }),
];
