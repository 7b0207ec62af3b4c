/** Endpoints of tasks, exports, imports and batches. */
import type { ImportTask } from "../import.ts";
import type { ChannelResult, Task } from "../task.ts";
import type { jobBodies } from "../bodies/jobs.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";

type Body<K extends keyof typeof jobBodies> = Infer<(typeof jobBodies)[K]>;

export const jobsEndpoints = {
  getTask: row<{ id: string }, object, undefined, Task>("GetTask", "GET", "/tasks/{id}", {
    serverOnly: true,
    perMinute: 1000,
  }),
  deleteChannels: row<
    object,
    object,
    Body<"deleteChannels">,
    { task_id: string; result: Record<string, ChannelResult> }
  >("DeleteChannels", "POST", "/channels/delete", { serverOnly: true, perMinute: 60 }),
  batchChannels: row<object, object, Body<"batchChannels">, { task_id: string }>(
    "UpdateChannelsBatch",
    "PUT",
    "/channels/batch",
    { serverOnly: true, perMinute: 60, idempotent: false },
  ),
  exportChannels: row<object, object, Body<"exportChannels">, { task_id: string }>(
    "ExportChannels",
    "POST",
    "/export_channels",
    { serverOnly: true, perMinute: 60 },
  ),
  getExportChannels: row<{ id: string }, object, undefined, Task>(
    "GetExportChannelsStatus",
    "GET",
    "/export_channels/{id}",
    { serverOnly: true },
  ),
  exportUsers: row<object, object, Body<"exportUsers">, { task_id: string }>(
    "ExportUsers",
    "POST",
    "/export/users",
    { serverOnly: true, perMinute: 60 },
  ),
  createImportUrl: row<object, object, Body<"createImportUrl">, { path: string; upload_url: string }>(
    "CreateImportURL",
    "POST",
    "/import_urls",
    { serverOnly: true, perMinute: 60 },
  ),
  createImport: row<object, object, Body<"createImport">, { import_task: ImportTask }>(
    "CreateImport",
    "POST",
    "/imports",
    { serverOnly: true, perMinute: 60 },
  ),
  getImport: row<{ id: string }, object, undefined, { import_task: ImportTask }>(
    "GetImport",
    "GET",
    "/imports/{id}",
    { serverOnly: true },
  ),
  listImports: row<object, { limit?: number; offset?: number }, undefined, { import_tasks: ImportTask[] }>(
    "ListImports",
    "GET",
    "/imports",
    { serverOnly: true },
  ),
} as const;
