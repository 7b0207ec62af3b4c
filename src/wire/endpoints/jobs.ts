/** Endpoints of tasks, exports, imports and batches. */
import { Task } from "../entities/task.ts";
import { entity, list, map, need, text, whole } from "../entities/fields.ts";
import { row, withOperations } from "./row.ts";

export const jobsEndpoints = withOperations({
  getTask: row("GET /tasks/{id}", { serverOnly: true, perMinute: 1000, answer: Task }),
  deleteChannels: row("POST /channels/delete", {
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ task_id: need(text()), result: need(map(entity("ChannelResult"))) }),
  }),
  batchChannels: row("PUT /channels/batch", {
    op: "UpdateChannelsBatch",
    serverOnly: true,
    perMinute: 60,
    idempotent: false,
    answer: () => ({ task_id: need(text()) }),
  }),
  exportChannels: row("POST /export_channels", {
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ task_id: need(text()) }),
  }),
  getExportChannels: row("GET /export_channels/{id}", {
    op: "GetExportChannelsStatus",
    serverOnly: true,
    answer: Task,
  }),
  exportUsers: row("POST /export/users", {
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ task_id: need(text()) }),
  }),
  createImportUrl: row("POST /import_urls", {
    op: "CreateImportURL",
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ path: need(text()), upload_url: need(text()) }),
  }),
  createImport: row("POST /imports", {
    serverOnly: true,
    perMinute: 60,
    answer: () => ({ import_task: need(entity("ImportTask")) }),
  }),
  getImport: row("GET /imports/{id}", {
    serverOnly: true,
    answer: () => ({ import_task: need(entity("ImportTask")) }),
  }),
  listImports: row("GET /imports", {
    serverOnly: true,
    query: { limit: whole(), offset: whole() },
    answer: () => ({ import_tasks: need(list(entity("ImportTask"))) }),
  }),
});
