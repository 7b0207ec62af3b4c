/** Endpoints of tasks, exports, imports and batches. */
import type { ImportTask } from "../entities/import.ts";
import type { ChannelResult, Task } from "../entities/task.ts";
import type { jobBodies } from "../bodies/jobs.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

type Body<K extends keyof typeof jobBodies> = Infer<(typeof jobBodies)[K]>;

export const jobsEndpoints = withOperations({
  getTask: row<Task, undefined, { id: string }>("GET /tasks/{id}", { serverOnly: true, perMinute: 1000 }),
  deleteChannels: row<{ task_id: string; result: Record<string, ChannelResult> }, Body<"deleteChannels">>(
    "POST /channels/delete",
    { serverOnly: true, perMinute: 60 },
  ),
  batchChannels: row<{ task_id: string }, Body<"batchChannels">>("PUT /channels/batch", {
    op: "UpdateChannelsBatch",
    serverOnly: true,
    perMinute: 60,
    idempotent: false,
  }),
  exportChannels: row<{ task_id: string }, Body<"exportChannels">>("POST /export_channels", {
    serverOnly: true,
    perMinute: 60,
  }),
  getExportChannels: row<Task, undefined, { id: string }>("GET /export_channels/{id}", {
    op: "GetExportChannelsStatus",
    serverOnly: true,
  }),
  exportUsers: row<{ task_id: string }, Body<"exportUsers">>("POST /export/users", {
    serverOnly: true,
    perMinute: 60,
  }),
  createImportUrl: row<{ path: string; upload_url: string }, Body<"createImportUrl">>("POST /import_urls", {
    op: "CreateImportURL",
    serverOnly: true,
    perMinute: 60,
  }),
  createImport: row<{ import_task: ImportTask }, Body<"createImport">>("POST /imports", {
    serverOnly: true,
    perMinute: 60,
  }),
  getImport: row<{ import_task: ImportTask }, undefined, { id: string }>("GET /imports/{id}", {
    serverOnly: true,
  }),
  listImports: row<{ import_tasks: ImportTask[] }, undefined, object, { limit?: number; offset?: number }>(
    "GET /imports",
    { serverOnly: true },
  ),
});
