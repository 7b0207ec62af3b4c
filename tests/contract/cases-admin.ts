/** Contract rows of app settings, channel types, commands, permissions, roles, blocklists, push providers and rate limits. */
import type { Case } from "./case.ts";
import { NOT_IN_CONFIG, form } from "./entities.ts";
import type { Keys } from "./shape.ts";
import { withoutPushProviders } from "./push.ts";
import type { Json, Room } from "./world.ts";

const COMMAND = form("CommandInfo");
const TYPE = form("ChannelType", { never: NOT_IN_CONFIG }, { permissions: ["object"] });
const NAMED_TYPE: Keys = { ...TYPE, commands: ["text"] };
const PERMISSION = form("Permission");
const ROLE = form("Role");
const BLOCKLIST = form("Blocklist");
const PROVIDER = {
  type: { oneOf: ["apn", "firebase", "huawei", "xiaomi"] },
  name: "text",
  "description?": "text",
  "...": "any",
  created_at: "date",
  updated_at: "date",
} as const;
const LIMIT = { limit: "count", remaining: "count", reset: "count" } as const;

/** A name that is unique in this world. */
const own = (r: Room, word: string): string => `${word}-${r.id}`;
const make = (route: string, body: (r: Room) => Json): ((r: Room) => Promise<Json>) => {
  return (r) => r.world.ok("server", "POST", route, { body: body(r) });
};
/** Deletes what earlier rows created, so that they do not count against this row's limit. */
const clear = async (r: Room, route: string, list: (reply: Json) => string[]): Promise<void> => {
  for (const name of list(await r.world.ok("server", "GET", route)))
    await r.world.call("server", "DELETE", `${route}/${name}`);
};
const aType = async (r: Room): Promise<Json> => {
  await clear(r, "/channeltypes", (reply) =>
    Object.keys(reply.channel_types).filter((name) => /^(kind|fresh)-/.test(name)),
  );
  return r.world.ok("server", "POST", "/channeltypes", { body: { name: own(r, "kind") } });
};
const aCommand = make("/commands", (r) => ({ name: own(r, "do"), description: "Does it" }));
const aRole = async (r: Room): Promise<Json> => {
  await clear(r, "/roles", (reply) =>
    reply.roles.filter((role: Json) => role.custom).map((role: Json) => role.name as string),
  );
  return r.world.ok("server", "POST", "/roles", { body: { name: own(r, "cook") } });
};
const aList = async (r: Room): Promise<Json> => {
  await clear(r, "/blocklists", (reply) =>
    reply.blocklists
      .map((list: Json) => list.name as string)
      .filter((name: string) => name !== "profanity_en_2020_v1"),
  );
  const body = { name: own(r, "words"), words: ["Sugar", "milk"] };
  return r.world.ok("server", "POST", "/blocklists", { body });
};
const aPermission = make("/permissions", (r) => ({
  id: own(r, "may"),
  name: "May",
  action: "CreateMessage",
}));
/** Server-only routes: each refuses a user before it looks at anything else (specification/errors.md §2, order of codes). */
const SERVER_ONLY = [
  "PATCH /app",
  "GET /rate_limits",
  "GET /channeltypes",
  "POST /channeltypes",
  "GET /channeltypes/{name}",
  "PUT /channeltypes/{name}",
  "DELETE /channeltypes/{name}",
  "POST /commands",
  "GET /commands/{name}",
  "PUT /commands/{name}",
  "DELETE /commands/{name}",
  "GET /permissions",
  "GET /permissions/{id}",
  "POST /permissions",
  "PUT /permissions/{id}",
  "DELETE /permissions/{id}",
  "GET /roles",
  "POST /roles",
  "DELETE /roles/{name}",
  "GET /blocklists",
  "POST /blocklists",
  "GET /blocklists/{name}",
  "PUT /blocklists/{name}",
  "DELETE /blocklists/{name}",
  "GET /push_providers",
  "POST /push_providers",
  "DELETE /push_providers/{type}/{name}",
  "GET /push_templates",
  "POST /push_templates",
  "POST /check_push",
  "POST /check_sqs",
  "POST /check_sns",
];
const refused: Case[] = SERVER_ONLY.map((route) => ({
  route,
  name: "refuses a user token",
  as: "mod",
  path: () => ({ name: "messaging", id: "create-message", type: "apn" }),
  ...(route.startsWith("GET") || route.startsWith("DELETE") ? {} : { ask: () => ({ body: {} }) }),
  code: 17,
}));

const MISSING: [string, object?][] = [
  ["GET /channeltypes/{name}"],
  ["PUT /channeltypes/{name}", { uploads: false }],
  ["DELETE /channeltypes/{name}"],
  ["GET /commands/{name}"],
  ["PUT /commands/{name}", { description: "x" }],
  ["DELETE /commands/{name}"],
  ["GET /permissions/{id}"],
  ["PUT /permissions/{id}", { name: "x", action: "CreateMessage" }],
  ["DELETE /permissions/{id}"],
  ["DELETE /roles/{name}"],
  ["GET /blocklists/{name}"],
  ["PUT /blocklists/{name}", { words: [] }],
  ["DELETE /blocklists/{name}"],
  ["DELETE /push_providers/{type}/{name}"],
];
const missing: Case[] = MISSING.map(([route, body]) => ({
  route,
  name: "refuses an unknown name",
  as: "server",
  path: () => ({ name: "nobody-made-it", id: "nobody-made-it", type: "apn" }),
  ...(body ? { ask: () => ({ body }) } : {}),
  code: 16,
}));

/** A row with one wrong body: code 4 that names the field. */
function bad(route: string, path: ((r: Room) => Record<string, string>) | undefined, given: Case["prepare"]) {
  return (name: string, body: object, field: string): Case => ({
    route,
    name,
    as: "server",
    ...(path ? { path } : {}),
    ...(given ? { prepare: given } : {}),
    input: () => ({ body }),
    code: 4,
    field,
  });
}
const badApp = bad("PATCH /app", undefined, undefined);
const badType = bad("POST /channeltypes", undefined, undefined);
const badPut = bad("PUT /channeltypes/{name}", (r) => ({ name: own(r, "kind") }), aType);
const badCommand = bad("POST /commands", undefined, undefined);
const badPermission = bad("POST /permissions", undefined, undefined);
const badRole = bad("POST /roles", undefined, undefined);
const badList = bad("POST /blocklists", undefined, undefined);
const badPush = bad("POST /push_providers", undefined, undefined);

const app: Case[] = [
  {
    route: "GET /app",
    name: "shows a server grants, types and push providers with blank secrets",
    as: "server",
    prepare: (r) =>
      r.world.ok("server", "PATCH", "/app", {
        body: { apn_config: { auth_type: "token", auth_key: "hidden", team_id: "T1" }, sqs_secret: "hidden" },
      }),
    reply: { app: "object" },
    values: () => ({
      app: {
        permission_version: "v2",
        sqs_secret: "",
        reminders_interval: 300,
        cdn_expiration_seconds: 1_209_600,
        enforce_unique_usernames: "no",
        policies: {},
        channel_configs: { messaging: { name: "messaging" }, livestream: { typing_events: false } },
        push_notifications: {
          version: "v2",
          offline_only: false,
          apn: { enabled: true, auth_key: "", team_id: "T1" },
          firebase: { enabled: false },
          huawei: { enabled: false },
          xiaomi: { enabled: false },
          providers: [],
        },
      },
    }),
  },
  {
    route: "PATCH /app",
    name: "changes only the named fields",
    as: "server",
    input: () => ({ body: { image_upload_config: { size_limit: 5 }, user_id: "ada" } }),
    reply: {},
  },
  {
    route: "PATCH /app",
    name: "resets fields that are null",
    as: "server",
    input: () => ({
      body: {
        image_upload_config: null,
        apn_config: null,
        sqs_secret: null,
        revoke_tokens_issued_before: null,
      },
    }),
    reply: {},
  },
  {
    route: "PATCH /app",
    name: "replaces the grants of the named roles, and null resets all",
    as: "server",
    prepare: (r) =>
      r.world.ok("server", "PATCH", "/app", { body: { grants: { guest: ["search-user"], user: [] } } }),
    input: () => ({ body: { grants: null } }),
    reply: {},
  },
  {
    route: "PATCH /app",
    name: "accepts the answer of GET with its read-only and unknown fields",
    as: "server",
    prepare: async (r) => r.world.ok("server", "GET", "/app"),
    input: (r) => ({ body: { ...r.extra.app, sparkle: true, file_upload_config: { sizes: 1 } } }),
    reply: {},
  },
  badApp("refuses a value that is not a boolean", { suspended: "perhaps" }, "suspended"),
  badApp(
    "refuses an unknown value of enforce_unique_usernames",
    { enforce_unique_usernames: "yes" },
    "enforce_unique_usernames",
  ),
  badApp("refuses a reminder interval below 60 s", { reminders_interval: 59 }, "reminders_interval"),
  badApp("refuses a reminder interval above a day", { reminders_interval: 86_401 }, "reminders_interval"),
  badApp(
    "refuses an invalid date",
    { revoke_tokens_issued_before: "yesterday" },
    "revoke_tokens_issued_before",
  ),
  badApp(
    "refuses extensions that are not a list",
    { file_upload_config: { allowed_file_extensions: ".png" } },
    "file_upload_config.allowed_file_extensions",
  ),
  badApp("refuses an unknown role", { grants: { emperor: [] } }, "grants.emperor"),
  badApp("refuses an unknown permission", { grants: { user: ["fly"] } }, "grants.user"),
  badApp(
    "refuses an unknown role in user_search_disallowed_roles",
    { user_search_disallowed_roles: ["emperor"] },
    "user_search_disallowed_roles",
  ),
  badApp(
    "refuses an unknown kind of hook",
    { event_hooks: [{ hook_type: "pigeon" }] },
    "event_hooks.0.hook_type",
  ),
  badApp(
    "needs the address of a hook",
    { event_hooks: [{ hook_type: "webhook" }] },
    "event_hooks.0.webhook_url",
  ),
  badApp(
    "refuses an address that is not http or https",
    { webhook_url: "ftp://example.org/" },
    "webhook_url",
  ),
  {
    route: "GET /rate_limits",
    name: "answers every operation of every platform",
    as: "server",
    reply: {
      server_side: { map: LIMIT },
      android: { map: LIMIT },
      ios: { map: LIMIT },
      web: { map: LIMIT },
      unity: { map: LIMIT },
    },
    values: () => ({ web: { SendMessage: { limit: 1000 }, QueryChannels: { limit: 10_000 } } }),
  },
  {
    route: "GET /rate_limits",
    name: "answers only the requested platform and operations",
    as: "server",
    input: () => ({ query: { web: true, endpoints: "SendMessage,GetApp" } }),
    reply: { web: { SendMessage: LIMIT, GetApp: LIMIT } },
  },
  {
    route: "GET /rate_limits",
    name: "refuses an unknown operation",
    as: "server",
    input: () => ({ query: { endpoints: "Fly" } }),
    code: 4,
    field: "endpoints",
  },
];

const types: Case[] = [
  {
    route: "GET /channeltypes",
    name: "answers types by name, with commands as objects",
    as: "server",
    reply: { channel_types: { map: TYPE } },
    values: () => ({
      channel_types: {
        messaging: { polls: true, search: true, user_message_reminders: true, max_message_length: 5000 },
        livestream: { typing_events: false, read_events: false, connect_events: false, polls: true },
        gaming: { search: false, uploads: false, polls: false },
        commerce: { polls: false, shared_locations: false, url_enrichment: true },
        team: {
          reminders: false,
          message_retention: "infinite",
          automod: "disabled",
          automod_behavior: "flag",
        },
      },
    }),
  },
  {
    route: "GET /channeltypes/{name}",
    name: "shows one type with its grants and all commands",
    as: "server",
    path: () => ({ name: "messaging" }),
    reply: TYPE,
    values: () => ({
      name: "messaging",
      commands: [{ name: "giphy", set: "fun_set" }, { name: "ban" }, {}, {}, {}, {}],
    }),
  },
  {
    route: "POST /channeltypes",
    name: "creates a type with the defaults of messaging, with commands as names",
    as: "server",
    input: (r) => ({ body: { name: own(r, "fresh"), commands: [] } }),
    reply: NAMED_TYPE,
    values: () => ({
      commands: ["giphy", "ban", "unban", "mute", "unmute", "flag"],
      typing_events: true,
      delivery_events: false,
      polls: false,
      grants: {
        channel_member: (
          "add-links create-message create-attachment create-mention create-reaction flag-message mute-channel " +
          "pin-message read-channel read-channel-members remove-own-channel-membership run-message-action " +
          "send-custom-event upload-attachment send-poll cast-vote query-votes share-location update-thread"
        ).split(" "),
      },
    }),
  },
  {
    route: "POST /channeltypes",
    name: "expands command sets and accepts grants",
    as: "server",
    input: (r) => ({
      body: {
        name: own(r, "fresh"),
        commands: ["fun_set"],
        max_message_length: 10,
        grants: { user: ["read-channel"] },
      },
    }),
    reply: NAMED_TYPE,
    values: () => ({ commands: ["giphy"], max_message_length: 10, grants: { user: ["read-channel"] } }),
  },
  badType("needs a name", {}, "name"),
  badType("refuses a colon", { name: "a:b" }, "name"),
  badType("refuses a name that exists", { name: "messaging" }, "name"),
  badType("refuses a length of 0", { name: "odd", max_message_length: 0 }, "max_message_length"),
  badType("refuses an unknown command", { name: "odd", commands: ["fly"] }, "commands"),
  badType("refuses an unknown permission", { name: "odd", grants: { user: ["fly"] } }, "grants.user"),
  badType("refuses an unknown blocklist", { name: "odd", blocklist: "none" }, "blocklist"),
  badType(
    "refuses an unknown blocklist in the list",
    { name: "odd", blocklists: [{ blocklist: "refuses when there is none", behavior: "flag" }] },
    "blocklists.0.blocklist",
  ),
  badType(
    "refuses an unknown blocklist behaviour",
    { name: "odd", blocklist_behavior: "scold" },
    "blocklist_behavior",
  ),
  badType(
    "refuses an invalid message retention",
    { name: "odd", message_retention: "a while" },
    "message_retention",
  ),
  badType(
    "refuses a threshold out of range",
    { name: "odd", automod_thresholds: { spam: { flag: 2 } } },
    "automod_thresholds.spam.flag",
  ),
  {
    route: "PUT /channeltypes/{name}",
    name: "changes only the named fields",
    as: "server",
    prepare: aType,
    path: (r) => ({ name: own(r, "kind") }),
    input: () => ({
      body: { uploads: false, commands: ["mute", "unmute"], automod_thresholds: { spam: { flag: 0.5 } } },
    }),
    reply: { ...NAMED_TYPE, automod_thresholds: "object" },
    values: () => ({ uploads: false, reactions: true, commands: ["mute", "unmute"] }),
  },
  {
    route: "PUT /channeltypes/{name}",
    name: "accepts the answer of GET with commands as objects and unknown fields",
    as: "server",
    prepare: async (r) => {
      await aType(r);
      return r.world.ok("server", "GET", `/channeltypes/${own(r, "kind")}`);
    },
    path: (r) => ({ name: own(r, "kind") }),
    input: (r) => ({ body: { ...r.extra, sparkle: 1, blocklist: "", blocklist_behavior: "" } }),
    reply: NAMED_TYPE,
    values: (r) => ({ commands: r.extra.commands.map(({ name }: { name: string }) => name) }),
  },
  badPut("refuses a value that is not a boolean", { uploads: "no" }, "uploads"),
  badPut("refuses another name", { name: "other" }, "name"),
  badPut("refuses an unknown role", { grants: { emperor: [] } }, "grants.emperor"),
  {
    route: "DELETE /channeltypes/{name}",
    name: "deletes a type without channels",
    as: "server",
    prepare: aType,
    path: (r) => ({ name: own(r, "kind") }),
    reply: {},
  },
  {
    route: "DELETE /channeltypes/{name}",
    name: "refuses to delete a type with channels",
    as: "server",
    prepare: async (r) => {
      await aType(r);
      await r.world.ok("server", "POST", `/channels/${own(r, "kind")}/x/query`, {
        body: { data: { created_by_id: "ada" } },
      });
    },
    path: (r) => ({ name: own(r, "kind") }),
    code: 4,
    field: "name",
  },
  {
    route: "DELETE /channeltypes/{name}",
    name: "refuses a built-in one",
    as: "server",
    embeddedOnly: true,
    path: () => ({ name: "gaming" }),
    code: 4,
    field: "name",
  },
];

const commands: Case[] = [
  {
    route: "GET /commands",
    name: "lists the app's commands, also for users",
    as: "ada",
    prepare: aCommand,
    reply: { commands: [COMMAND] },
  },
  { route: "GET /commands", name: "needs a token", as: "nobody", code: 5 },
  {
    route: "GET /commands/{name}",
    name: "answers the command without a wrapper",
    as: "server",
    prepare: aCommand,
    path: (r) => ({ name: own(r, "do") }),
    reply: COMMAND,
    values: (r) => ({ name: own(r, "do"), description: "Does it", args: "", set: "" }),
  },
  {
    route: "POST /commands",
    name: "creates one",
    as: "server",
    input: (r) => ({
      body: { name: own(r, "new"), description: "Something new", args: "[text]", set: "kitchen_set" },
    }),
    reply: { command: COMMAND },
    values: (r) => ({ command: { name: own(r, "new"), args: "[text]", set: "kitchen_set" } }),
  },
  badCommand("needs a name", { description: "x" }, "name"),
  badCommand("needs a description", { name: "x" }, "description"),
  badCommand("refuses blanks", { name: "Do it", description: "x" }, "name"),
  badCommand("refuses a name that exists", { name: "giphy", description: "x" }, "name"),
  badCommand('refuses the name "all"', { name: "all", description: "x" }, "name"),
  badCommand("refuses the name of a command set", { name: "fun_set", description: "x" }, "name"),
  {
    route: "PUT /commands/{name}",
    name: "changes the named fields",
    as: "server",
    prepare: aCommand,
    path: (r) => ({ name: own(r, "do") }),
    input: () => ({ body: { args: "[words]" } }),
    reply: { command: COMMAND },
    values: () => ({ command: { description: "Does it", args: "[words]" } }),
  },
  {
    route: "PUT /commands/{name}",
    name: "refuses a blank description",
    as: "server",
    prepare: aCommand,
    path: (r) => ({ name: own(r, "do") }),
    input: () => ({ body: { description: " " } }),
    code: 4,
    field: "description",
  },
  {
    route: "DELETE /commands/{name}",
    name: "answers the name",
    as: "server",
    prepare: aCommand,
    path: (r) => ({ name: own(r, "do") }),
    reply: { name: "text" },
    values: (r) => ({ name: own(r, "do") }),
  },
  {
    route: "DELETE /commands/{name}",
    name: "refuses to delete one that a channel type uses",
    as: "server",
    prepare: async (r) => {
      await aCommand(r);
      await r.world.ok("server", "POST", "/channeltypes", {
        body: { name: own(r, "kind"), commands: [own(r, "do")] },
      });
    },
    path: (r) => ({ name: own(r, "do") }),
    code: 4,
    field: "name",
  },
];

const rights: Case[] = [
  {
    route: "GET /permissions",
    name: "lists the permissions",
    as: "server",
    prepare: aPermission,
    reply: { permissions: [PERMISSION] },
  },
  {
    route: "GET /permissions/{id}",
    name: "shows a built-in one",
    as: "server",
    path: () => ({ id: "update-message-owner" }),
    reply: { permission: PERMISSION },
    values: () => ({
      permission: { action: "UpdateMessage", owner: true, same_team: true, custom: false, level: "channel" },
    }),
  },
  {
    route: "GET /permissions/{id}",
    name: "shows one for all teams",
    as: "server",
    path: () => ({ id: "search-user-any-team" }),
    reply: { permission: PERMISSION },
    values: () => ({ permission: { action: "SearchUser", owner: false, same_team: false, level: "app" } }),
  },
  {
    route: "POST /permissions",
    name: "creates one for an action",
    as: "server",
    input: (r) => ({
      body: { id: own(r, "speak"), name: "Speak", action: "CreateMessage", owner: true, tags: ["kitchen"] },
    }),
    reply: {},
  },
  badPermission("needs an id", { name: "x", action: "CreateMessage" }, "id"),
  badPermission("needs a name", { id: "x", action: "CreateMessage" }, "name"),
  badPermission(
    "refuses an id that exists",
    { id: "create-message", name: "x", action: "CreateMessage" },
    "id",
  ),
  badPermission("refuses an unknown action", { id: "x", name: "x", action: "Fly" }, "action"),
  badPermission(
    "refuses a condition that is not an object",
    { id: "x", name: "x", action: "CreateMessage", condition: "age > 1" },
    "condition",
  ),
  {
    route: "PUT /permissions/{id}",
    name: "changes one of the app",
    as: "server",
    prepare: aPermission,
    path: (r) => ({ id: own(r, "may") }),
    input: () => ({ body: { name: "May not", action: "DeleteMessage" } }),
    reply: {},
  },
  {
    route: "PUT /permissions/{id}",
    name: "refuses a built-in one",
    as: "server",
    path: () => ({ id: "create-message" }),
    input: () => ({ body: { name: "x", action: "CreateMessage" } }),
    code: 4,
    field: "id",
  },
  {
    route: "DELETE /permissions/{id}",
    name: "deletes one of the app",
    as: "server",
    prepare: aPermission,
    path: (r) => ({ id: own(r, "may") }),
    reply: {},
  },
  {
    route: "DELETE /permissions/{id}",
    name: "refuses to delete a granted permission",
    as: "server",
    prepare: async (r) => {
      await aPermission(r);
      await r.world.ok("server", "POST", "/channeltypes", {
        body: { name: own(r, "kind"), grants: { guest: [own(r, "may")] } },
      });
    },
    path: (r) => ({ id: own(r, "may") }),
    code: 4,
    field: "id",
  },
  {
    route: "DELETE /permissions/{id}",
    name: "refuses a built-in one",
    as: "server",
    path: () => ({ id: "create-message" }),
    code: 4,
    field: "id",
  },
  { route: "GET /roles", name: "lists all, with their scopes", as: "server", reply: { roles: [ROLE] } },
  {
    route: "POST /roles",
    name: "creates one",
    as: "server",
    input: (r) => ({ body: { name: own(r, "baker") } }),
    reply: { role: ROLE },
    values: (r) => ({ role: { name: own(r, "baker"), custom: true, scopes: [], scoped: [] } }),
  },
  badRole("needs a name", {}, "name"),
  badRole("refuses blanks", { name: "The Cook" }, "name"),
  badRole("refuses a name that exists", { name: "channel_member" }, "name"),
  {
    route: "POST /roles",
    name: "refuses more than 25",
    as: "server",
    prepare: async (r) => {
      const used = await r.world.ok("server", "GET", "/roles");
      const have = used.roles.filter((role: Json) => role.custom).length;
      for (let n = have; n < 25; n++)
        await r.world.ok("server", "POST", "/roles", { body: { name: `extra-${n}` } });
    },
    input: () => ({ body: { name: "one-too-many" } }),
    code: 4,
    field: "name",
  },
  {
    route: "DELETE /roles/{name}",
    name: "deletes a role that no user has",
    as: "server",
    prepare: aRole,
    path: (r) => ({ name: own(r, "cook") }),
    reply: {},
  },
  {
    route: "DELETE /roles/{name}",
    name: "refuses a built-in one",
    as: "server",
    path: () => ({ name: "moderator" }),
    code: 4,
    field: "name",
  },
  {
    route: "DELETE /roles/{name}",
    name: "refuses to delete a role with grants",
    as: "server",
    prepare: async (r) => {
      await aRole(r);
      await r.world.ok("server", "POST", "/channeltypes", {
        body: { name: own(r, "kind"), grants: { [own(r, "cook")]: ["read-channel"] } },
      });
    },
    path: (r) => ({ name: own(r, "cook") }),
    code: 4,
    field: "name",
    messagePart: "still has grants",
  },
  {
    route: "DELETE /roles/{name}",
    name: "refuses to delete a role that a user has",
    as: "server",
    prepare: async (r) => {
      await aRole(r);
      await r.world.ok("server", "POST", "/users", {
        body: { users: { remy: { id: "remy", role: own(r, "cook") } } },
      });
    },
    path: (r) => ({ name: own(r, "cook") }),
    code: 4,
    field: "name",
    messagePart: "is still held",
  },
];

const lists: Case[] = [
  {
    route: "GET /blocklists",
    name: "lists the built-in blocklist, which is empty",
    as: "server",
    reply: { blocklists: [BLOCKLIST] },
    values: () => ({ blocklists: [{ name: "profanity_en_2020_v1", words: [] }] }),
  },
  {
    route: "POST /blocklists",
    name: "stores words in lower case without duplicates",
    as: "server",
    input: (r) => ({ body: { name: own(r, "sweet"), words: ["Sugar", "sugar", "HONEY"] } }),
    reply: { blocklist: BLOCKLIST },
    values: () => ({ blocklist: { type: "word", words: ["sugar", "honey"] } }),
  },
  {
    route: "POST /blocklists",
    name: "stores patterns unchanged",
    as: "server",
    input: (r) => ({ body: { name: own(r, "codes"), type: "regex", words: ["\\Stea\\S"] } }),
    reply: { blocklist: BLOCKLIST },
    values: () => ({ blocklist: { type: "regex", words: ["\\Stea\\S"] } }),
  },
  badList("needs a name", { words: [] }, "name"),
  badList("needs words", { name: "x" }, "words"),
  badList("refuses an unknown kind", { name: "x", words: [], type: "smell" }, "type"),
  badList(
    "refuses a word of more than 40 characters",
    { name: "x", words: ["ok", "w".repeat(41)] },
    "words.1",
  ),
  badList("refuses a blank word", { name: "x", words: [" "] }, "words.0"),
  badList(
    "refuses more than 10000 words",
    { name: "x", words: Array.from({ length: 10_001 }, (_, i) => `w${i}`) },
    "words",
  ),
  badList("refuses an invalid pattern", { name: "x", type: "regex", words: ["("] }, "words.0"),
  badList("refuses words that are not texts", { name: "x", words: [7] }, "words"),
  badList("refuses a name that exists", { name: "profanity_en_2020_v1", words: [] }, "name"),
  {
    route: "POST /blocklists",
    name: "refuses more than 15",
    as: "server",
    prepare: async (r) => {
      const { blocklists } = await r.world.ok("server", "GET", "/blocklists");
      for (let n = blocklists.length; n < 15; n++)
        await r.world.ok("server", "POST", "/blocklists", { body: { name: `extra-${n}`, words: [] } });
    },
    input: () => ({ body: { name: "one-too-many", words: [] } }),
    code: 4,
    field: "name",
  },
  {
    route: "GET /blocklists/{name}",
    name: "shows one",
    as: "server",
    prepare: aList,
    path: (r) => ({ name: own(r, "words") }),
    reply: { blocklist: BLOCKLIST },
    values: () => ({ blocklist: { words: ["sugar", "milk"] } }),
  },
  {
    route: "PUT /blocklists/{name}",
    name: "replaces the words",
    as: "server",
    prepare: aList,
    path: (r) => ({ name: own(r, "words") }),
    input: () => ({ body: { words: ["Tea"] } }),
    reply: { blocklist: BLOCKLIST },
    values: () => ({ blocklist: { words: ["tea"] } }),
  },
  {
    route: "PUT /blocklists/{name}",
    name: "needs words",
    as: "server",
    prepare: aList,
    path: (r) => ({ name: own(r, "words") }),
    input: () => ({ body: {} }),
    code: 4,
    field: "words",
  },
  {
    route: "DELETE /blocklists/{name}",
    name: "deletes one that a type names",
    as: "server",
    prepare: async (r) => {
      await aList(r);
      await r.world.ok("server", "POST", "/channeltypes", {
        body: { name: own(r, "kind"), blocklist: own(r, "words"), blocklist_behavior: "block" },
      });
    },
    path: (r) => ({ name: own(r, "words") }),
    reply: {},
  },
];

/** What is answered to a check of templates. */
const CHECKED_PUSH = {
  device_errors: "object",
  general_errors: ["text"],
  skip_devices: "flag",
  rendered_apn_template: "text",
  rendered_firebase_template: "text",
  rendered_message: "object",
} as const;

const ALERT = '{"aps":{"alert":"{{ sender.name }}"}}';
const TEMPLATE = {
  event_type: "text",
  enable_push: "flag",
  push_provider_internal_id: "text",
  template: "text",
  created_at: "date",
  updated_at: "date",
} as const;
const apple = make("/push_providers", (r) => ({ push_provider: { type: "apn", name: own(r, "apple") } }));
const onApple = (r: Room): object => ({
  push_provider_type: "apn",
  push_provider_name: own(r, "apple"),
  event_type: "reaction.new",
});
const badTemplate = bad(
  "POST /push_templates",
  undefined,
  make("/push_providers", () => ({ push_provider: { type: "apn", name: "a" } })),
);

const push: Case[] = [
  {
    route: "POST /push_providers",
    name: "stores credentials and does not show the secret",
    as: "server",
    input: (r) => ({
      body: {
        push_provider: {
          type: "firebase",
          name: own(r, "fire"),
          firebase_credentials_json: "{}",
          notes: "x",
        },
      },
    }),
    reply: { push_provider: PROVIDER },
    values: () => ({ push_provider: { type: "firebase", firebase_credentials_json: "", notes: "x" } }),
  },
  badPush("needs a provider", {}, "push_provider"),
  badPush("needs a type", { push_provider: { name: "x" } }, "push_provider.type"),
  badPush("refuses an unknown type", { push_provider: { type: "owl", name: "x" } }, "push_provider.type"),
  badPush("needs a name", { push_provider: { type: "apn" } }, "push_provider.name"),
  {
    route: "GET /push_providers",
    name: "lists them",
    as: "server",
    prepare: make("/push_providers", (r) => ({ push_provider: { type: "apn", name: own(r, "apple") } })),
    reply: { push_providers: [PROVIDER] },
  },
  {
    route: "DELETE /push_providers/{type}/{name}",
    name: "deletes one",
    as: "server",
    prepare: make("/push_providers", (r) => ({ push_provider: { type: "apn", name: own(r, "apple") } })),
    path: (r) => ({ type: "apn", name: own(r, "apple") }),
    reply: {},
  },
  {
    route: "POST /push_templates",
    name: "stores the template of an event and pushes it",
    as: "server",
    prepare: apple,
    input: (r) => ({ body: { ...onApple(r), enable_push: true, template: ALERT } }),
    reply: { template: TEMPLATE },
    values: () => ({ template: { event_type: "reaction.new", enable_push: true, template: ALERT } }),
  },
  {
    route: "POST /push_templates",
    name: "without a template goes back to the service's own, and keeps whether it is pushed",
    as: "server",
    prepare: async (r) => {
      await apple(r);
      await r.world.ok("server", "POST", "/push_templates", {
        body: { ...onApple(r), enable_push: true, template: ALERT },
      });
    },
    input: (r) => ({ body: onApple(r) }),
    reply: { template: TEMPLATE },
    values: () => ({ template: { enable_push: true, template: "" } }),
  },
  badTemplate("needs an event", { push_provider_type: "apn" }, "event_type"),
  badTemplate(
    "refuses an event that is not pushed",
    { push_provider_type: "apn", event_type: "typing.start" },
    "event_type",
  ),
  badTemplate(
    "refuses an unknown provider",
    { push_provider_type: "apn", push_provider_name: "nobody-made-it", event_type: "message.new" },
    "push_provider_name",
  ),
  badTemplate(
    "refuses a template with an unknown helper in any branch",
    {
      push_provider_type: "apn",
      event_type: "message.new",
      template: '{"a":"{{#if isThread}}{{shout message.text}}{{/if}}"}',
    },
    "template",
  ),
  badTemplate(
    "refuses a template that cannot be read",
    { push_provider_type: "apn", event_type: "message.new", template: "{{#if x}}" },
    "template",
  ),
  {
    route: "GET /push_templates",
    name: "lists those of one push provider",
    as: "server",
    prepare: async (r) => {
      await apple(r);
      await r.world.ok("server", "POST", "/push_templates", { body: { ...onApple(r), template: ALERT } });
    },
    input: (r) => ({ query: { push_provider_type: "apn", push_provider_name: own(r, "apple") } }),
    reply: { templates: [TEMPLATE] },
    values: () => ({ templates: [{ event_type: "reaction.new", enable_push: false, template: ALERT }] }),
  },
  {
    route: "GET /push_templates",
    name: "refuses a service of which the app has no push provider",
    as: "server",
    input: () => ({ query: { push_provider_type: "xiaomi" } }),
    code: 4,
    field: "push_provider_type",
  },
  {
    route: "POST /check_push",
    name: "renders the stored template of the event, and says which is not pushed",
    as: "server",
    prepare: async (r) => {
      await withoutPushProviders(r);
      await apple(r);
      for (const event_type of ["reaction.new", "message.updated"])
        await r.world.ok("server", "POST", "/push_templates", {
          body: { ...onApple(r), event_type, enable_push: event_type === "reaction.new", template: ALERT },
        });
    },
    input: (r) => ({
      body: { user_id: "bob", message_id: r.message, skip_devices: true, event_type: "reaction.new" },
    }),
    reply: CHECKED_PUSH,
    values: () => ({ general_errors: [], rendered_apn_template: '{"aps":{"alert":"ADA"}}' }),
  },
  {
    route: "POST /check_push",
    name: "says of an event that it is not pushed",
    as: "server",
    prepare: async (r) => {
      await withoutPushProviders(r);
      await apple(r);
      await r.world.ok("server", "POST", "/push_templates", { body: { ...onApple(r), enable_push: false } });
    },
    input: () => ({ body: { user_id: "bob", skip_devices: true, event_type: "reaction.new" } }),
    reply: CHECKED_PUSH,
    values: (r) => ({
      general_errors: [`reaction.new is not pushed through apn/${own(r, "apple")}`],
      rendered_apn_template: "",
    }),
  },
  {
    route: "POST /check_push",
    name: "renders a push without sending it",
    as: "server",
    prepare: withoutPushProviders,
    input: (r) => ({
      body: {
        user_id: "bob",
        message_id: r.message,
        apn_template: '{"aps":{"alert":"{{ sender.name }} in {{ channel.id }}"}}',
      },
    }),
    reply: {
      device_errors: { map: { provider: "text", provider_name: "text", error_message: "text" } },
      general_errors: ["text"],
      skip_devices: "flag",
      rendered_apn_template: "text",
      rendered_firebase_template: "text",
      rendered_message: { map: "text" },
    },
    values: (r) => ({
      general_errors: ["no push providers configured"],
      rendered_apn_template: `{"aps":{"alert":"ADA in ${r.id}"}}`,
      rendered_message: { message_id: r.message, cid: r.cid },
    }),
  },
  {
    route: "POST /check_push",
    name: "reports a template that is not JSON",
    as: "server",
    input: (r) => ({
      body: {
        user_id: "bob",
        message_id: r.message,
        firebase_template: "{{ sender.name }}",
        skip_devices: true,
      },
    }),
    reply: CHECKED_PUSH,
    values: () => ({
      skip_devices: true,
      general_errors: ["firebase_template is not JSON once it is rendered"],
      rendered_firebase_template: "ADA",
    }),
  },
  {
    route: "POST /check_push",
    name: "renders paths, helpers, the receiver's unread messages and both lists of members",
    as: "server",
    input: (r) => ({
      body: {
        user_id: "bob",
        message_id: r.message,
        skip_devices: true,
        apn_template:
          '{"aps":{"alert":{"body":"{{ truncate message.id 3 }}"},"badge":{{#ifGt unread_count 0}}true{{/ifGt}}},"me":{{ isMentioned }}}',
        firebase_template:
          '{"of":"{{#each members}}{{id}}{{#unless @last}},{{/unless}}{{/each}}","with":"{{ implodeMembers otherMembers nameField="id" }}","from":"{{ sender.role }} {{ channel.cid }}"}',
      },
    }),
    reply: CHECKED_PUSH,
    values: (r) => ({
      general_errors: [],
      rendered_apn_template: `{"aps":{"alert":{"body":"${r.message.slice(0, 3)}"},"badge":true},"me":false}`,
      rendered_firebase_template: `{"of":"bob,cyd","with":"cyd","from":"user ${r.cid}"}`,
    }),
  },
  {
    route: "POST /check_push",
    name: "tells a mistake of each template, and renders the other",
    as: "server",
    input: (r) => ({
      body: {
        user_id: "bob",
        message_id: r.message,
        skip_devices: true,
        apn_template: '{"x":"{{ shout sender.name }}"}',
        firebase_template: '{"x":"{{ channel.type }}"}',
        firebase_data_template: '{"x":"{{#if sender.name}}"}',
      },
    }),
    reply: CHECKED_PUSH,
    values: () => ({
      general_errors: [
        "apn_template there is no helper shout",
        'firebase_data_template cannot be read: Parse error on line 1, near ...{#if sender.name}}"}',
      ],
      rendered_firebase_template: '{"x":"messaging"}',
    }),
  },
  {
    route: "POST /check_push",
    name: "needs a user",
    as: "server",
    input: () => ({ body: {} }),
    code: 4,
    field: "user_id",
  },
  {
    route: "POST /check_push",
    name: "refuses an unknown message",
    as: "server",
    input: () => ({ body: { user_id: "bob", message_id: "none" } }),
    code: 16,
  },
  ...(["sqs", "sns"] as const).flatMap((kind): Case[] => [
    {
      route: `POST /check_${kind}`,
      name: "contacts no cloud service",
      as: "server",
      embeddedOnly: true,
      input: () => ({ body: {} }),
      reply: { status: { oneOf: ["error"] }, error: "text", data: "object" },
    },
    {
      route: `POST /check_${kind}`,
      name: "refuses words that are not texts",
      as: "server",
      input: () => ({ body: { [`${kind}_key`]: 7 } }),
      code: 4,
      field: `${kind}_key`,
    },
  ]),
];

export const adminCases: Case[] = [
  ...refused,
  ...missing,
  ...app,
  ...types,
  ...commands,
  ...rights,
  ...lists,
  ...push,
];
