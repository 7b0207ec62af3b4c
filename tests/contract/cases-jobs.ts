/** Contract rows of tasks, exports, imports and batch updates of channels. */
import { expect } from "vitest";
import { importFile, taskEnd, upload } from "../provider/domain/jobs-world.ts";
import type { Case } from "./case.ts";
import { form } from "./entities.ts";
import type { Json, Room } from "./world.ts";

const TASK = form("Task");
const IMPORT = form("ImportTask");
const TEXT: unknown = expect.any(String);

const GET_TASK = "GET /tasks/{id}";
const DELETE = "POST /channels/delete";
const BATCH = "PUT /channels/batch";
const EXPORT = "POST /export_channels";
const STATUS = "GET /export_channels/{id}";
const USERS = "POST /export/users";
const URLS = "POST /import_urls";
const IMPORTS = "POST /imports";
const GET_IMPORT = "GET /imports/{id}";
const LIST = "GET /imports";

const send = (what: unknown) => () => ({ body: what });
const bad = (
  route: string,
  name: string,
  ask: NonNullable<Case["input"]>,
  field: string,
  more: Partial<Case> = {},
): Case => ({ route, name, as: "server", input: ask, code: 4, field, ...more });

const exported = async (r: Room): Promise<Json> => {
  const { task_id: id } = await r.world.ok("server", "POST", "/export_channels", {
    body: { channels: [{ cid: r.cid }] },
  });
  return { id, task: await taskEnd(r.world, id) };
};
const batch = (more: object) => (r: Room) => ({
  body: { operation: "addMembers", filter: { cids: { $eq: r.cid } }, members: ["mod"], ...more },
});
const USER_LINE = '{"type":"user","data":{"id":"imported"}}';
const imported = async (r: Room): Promise<Json> => ({ task: await importFile(r.world, USER_LINE) });

export const jobsCases: Case[] = [
  {
    route: GET_TASK,
    name: "answers the result of a job",
    as: "server",
    prepare: async (r) => r.world.ok("server", "POST", "/channels/delete", { body: { cids: [r.cid] } }),
    path: (r) => ({ id: r.extra.task_id }),
    reply: TASK,
    values: (r) => ({ task_id: r.extra.task_id, status: "completed", result: { [r.cid]: { status: "ok" } } }),
  },
  { route: GET_TASK, name: "an unknown task", as: "server", path: () => ({ id: "gone" }), code: 16 },
  { route: GET_TASK, name: "a user token", as: "mod", path: () => ({ id: "gone" }), code: 17 },
  {
    route: DELETE,
    name: "deletes softly, each with its result",
    as: "server",
    input: (r) => ({ body: { cids: [r.cid, "messaging:nowhere"] } }),
    reply: { task_id: "text", result: { map: { status: { oneOf: ["ok", "error"] }, "error?": "text" } } },
    values: (r) => ({
      result: { [r.cid]: { status: "ok" }, "messaging:nowhere": { status: "error", error: TEXT } },
    }),
  },
  {
    route: DELETE,
    name: "hard-deletes in a task",
    as: "server",
    input: (r) => ({ body: { cids: [r.cid], hard_delete: true } }),
    reply: { task_id: "text", result: "object" },
    values: () => ({ result: {} }),
  },
  { route: DELETE, name: "a user token", as: "ada", input: (r) => ({ body: { cids: [r.cid] } }), code: 17 },
  bad(DELETE, "needs cids", send({}), "cids"),
  bad(DELETE, "cids that are none", send({ cids: ["kitchen"] }), "cids.0"),
  bad(DELETE, "cids that are no texts", send({ cids: [7] }), "cids"),
  bad(DELETE, "too many", send({ cids: Array.from({ length: 101 }, (_, n) => `team:c${n}`) }), "cids"),
  bad(DELETE, "a flag that is none", (r) => ({ body: { cids: [r.cid], hard_delete: "yes" } }), "hard_delete"),
  { route: BATCH, name: "starts a job", as: "server", input: batch({}), reply: { task_id: "text" } },
  { route: BATCH, name: "a user token", as: "ada", input: batch({}), code: 17 },
  bad(BATCH, "an operation that is none", batch({ operation: "explode" }), "operation"),
  bad(BATCH, "needs an operation", batch({ operation: undefined }), "operation"),
  bad(BATCH, "needs a filter", batch({ filter: {} }), "filter"),
  bad(BATCH, "a filter by nothing", batch({ filter: { name: "x" } }), "filter.name"),
  bad(BATCH, "an operator that is none", batch({ filter: { cids: { $gt: "a" } } }), "filter.cids"),
  bad(BATCH, "cids that are none", batch({ filter: { cids: "kitchen" } }), "filter.cids"),
  bad(
    BATCH,
    "too many cids",
    batch({ filter: { cids: { $in: Array.from({ length: 101 }, (_, n) => `team:c${n}`) } } }),
    "filter.cids",
  ),
  bad(BATCH, "needs members", batch({ members: [] }), "members"),
  bad(
    BATCH,
    "too many members",
    batch({ members: Array.from({ length: 101 }, (_, n) => `u${n}`) }),
    "members",
  ),
  bad(BATCH, "members of nobody", batch({ members: ["ghost"] }), "members"),
  bad(BATCH, "roles without a role", batch({ operation: "assignRoles" }), "members"),
  bad(BATCH, "data that is none", batch({ operation: "updateData" }), "data"),
  bad(BATCH, "data that no one may set", batch({ operation: "updateData", data: { cid: "x" } }), "data.cid"),
  bad(
    BATCH,
    "data of the wrong type",
    batch({ operation: "updateData", data: { frozen: 3 } }),
    "data.frozen",
  ),
  {
    route: EXPORT,
    name: "starts a job",
    as: "server",
    input: (r) => ({
      body: {
        channels: [{ type: r.type, id: r.id, messages_since: "2020-01-01T00:00:00Z" }],
        version: "v2",
        include_truncated_messages: true,
        include_soft_deleted_channels: true,
        clear_deleted_message_text: true,
        export_users: true,
      },
    }),
    reply: { task_id: "text" },
  },
  {
    route: EXPORT,
    name: "a user token",
    as: "ada",
    input: (r) => ({ body: { channels: [{ cid: r.cid }] } }),
    code: 17,
  },
  bad(EXPORT, "needs channels", send({}), "channels"),
  bad(
    EXPORT,
    "too many",
    (r) => ({ body: { channels: Array.from({ length: 26 }, () => ({ cid: r.cid })) } }),
    "channels",
  ),
  bad(EXPORT, "a channel that is none", send({ channels: ["team:x"] }), "channels.0"),
  bad(EXPORT, "a channel without an id", send({ channels: [{ type: "team" }] }), "channels.0"),
  bad(EXPORT, "an unknown channel", send({ channels: [{ cid: "team:nowhere" }] }), "channels.0"),
  bad(
    EXPORT,
    "a deleted channel that was not asked for",
    (r) => ({ body: { channels: [{ cid: r.cid }] } }),
    "channels.0",
    { prepare: async (r) => r.world.ok("ada", "DELETE", r.route) },
  ),
  bad(
    EXPORT,
    "a date that is none",
    (r) => ({ body: { channels: [{ cid: r.cid, messages_since: "monday" }] } }),
    "channels.0.messages_since",
  ),
  bad(
    EXPORT,
    "an end before its beginning",
    (r) => ({
      body: {
        channels: [
          { cid: r.cid, messages_since: "2026-01-02T00:00:00Z", messages_until: "2026-01-01T00:00:00Z" },
        ],
      },
    }),
    "channels.0.messages_until",
  ),
  bad(
    EXPORT,
    "a version that is none",
    (r) => ({ body: { channels: [{ cid: r.cid }], version: "v3" } }),
    "version",
  ),
  bad(
    EXPORT,
    "a format that is none",
    (r) => ({ body: { channels: [{ cid: r.cid }], format: "xml" } }),
    "format",
  ),
  {
    route: STATUS,
    name: "has an address when it is done",
    as: "server",
    prepare: exported,
    path: (r) => ({ id: r.extra.id }),
    reply: { ...TASK, result: { url: "text" } },
    values: (r) => ({ task_id: r.extra.id, status: "completed" }),
  },
  { route: STATUS, name: "an unknown task", as: "server", path: () => ({ id: "gone" }), code: 16 },
  {
    route: STATUS,
    name: "a task that is no export",
    as: "server",
    prepare: async (r) => r.world.ok("server", "POST", "/channels/delete", { body: { cids: [r.cid] } }),
    path: (r) => ({ id: r.extra.task_id }),
    code: 16,
  },
  { route: STATUS, name: "a user token", as: "ada", path: () => ({ id: "gone" }), code: 17 },
  {
    route: USERS,
    name: "starts a job",
    as: "server",
    input: send({ user_ids: ["ada", "bob"] }),
    reply: { task_id: "text" },
  },
  { route: USERS, name: "a user token", as: "ada", input: send({ user_ids: ["ada"] }), code: 17 },
  bad(USERS, "needs users", send({}), "user_ids"),
  bad(USERS, "too many", send({ user_ids: Array.from({ length: 26 }, (_, n) => `u${n}`) }), "user_ids"),
  bad(USERS, "users of nobody", send({ user_ids: ["ghost"] }), "user_ids"),
  {
    route: URLS,
    name: "gives an address",
    as: "server",
    input: send({ filename: "../people 1.json" }),
    reply: { path: "text", upload_url: "text" },
    values: () => ({ path: expect.stringMatching(/^imports\/[\da-f-]{36}\/[^/]+$/) as unknown }),
  },
  { route: URLS, name: "a user token", as: "ada", input: send({ filename: "x" }), code: 17 },
  bad(URLS, "needs a name", send({}), "filename"),
  bad(URLS, "a blank name", send({ filename: " " }), "filename"),
  {
    route: IMPORTS,
    name: "accepts an uploaded file",
    as: "server",
    prepare: async (r) => ({ path: await upload(r.world, USER_LINE) }),
    input: (r) => ({ body: { path: r.extra.path, mode: "insert", merge_custom: true } }),
    reply: { import_task: IMPORT },
    values: (r) => ({
      import_task: {
        path: r.extra.path,
        mode: "insert",
        state: "uploaded",
        size: USER_LINE.length,
        result: null,
        history: [{ prev_state: "", next_state: "uploaded" }],
      },
    }),
  },
  { route: IMPORTS, name: "a user token", as: "ada", input: send({ path: "x" }), code: 17 },
  bad(IMPORTS, "needs a path", send({}), "path"),
  bad(IMPORTS, "a path of nobody", send({ path: "imports/x/y" }), "path"),
  bad(IMPORTS, "before the upload", (r) => ({ body: { path: r.extra.path } }), "path", {
    prepare: async (r) => r.world.ok("server", "POST", "/import_urls", { body: { filename: "x.json" } }),
  }),
  bad(IMPORTS, "a mode that is none", (r) => ({ body: { path: r.extra.path, mode: "replace" } }), "mode", {
    prepare: async (r) => ({ path: await upload(r.world, USER_LINE) }),
  }),
  {
    route: GET_IMPORT,
    name: "answers its states and results",
    as: "server",
    prepare: imported,
    path: (r) => ({ id: r.extra.task.id }),
    reply: { import_task: IMPORT },
    values: () => ({
      import_task: {
        state: "completed",
        mode: "upsert",
        history: ["uploaded", "analyzing", "waiting_confirmation", "importing", "completed"].map((next) => ({
          next_state: next,
        })),
        result: {
          errors: [],
          stats: { total: { users: 1, channels: 0, members: 0, messages: 0, reactions: 0 } },
        },
      },
    }),
  },
  { route: GET_IMPORT, name: "an unknown import", as: "server", path: () => ({ id: "gone" }), code: 16 },
  { route: GET_IMPORT, name: "a user token", as: "mod", path: () => ({ id: "gone" }), code: 17 },
  {
    route: LIST,
    name: "lists the newest first",
    as: "server",
    prepare: imported,
    input: () => ({ query: { limit: 1 } }),
    reply: { import_tasks: [IMPORT] },
    values: (r) => ({ import_tasks: [{ id: r.extra.task.id }] }),
  },
  { route: LIST, name: "a user token", as: "ada", code: 17 },
  bad(LIST, "a limit below 1", () => ({ query: { limit: 0 } }), "limit"),
  bad(LIST, "an offset that is none", () => ({ query: { offset: "far" } }), "offset"),
];
