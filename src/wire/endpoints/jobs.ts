/** Endpoints of tasks, exports, imports and batches. */
import type { ImportMode, ImportTask } from "../import.ts";
import type { ChannelResult, Task } from "../task.ts";
import { row } from "./row.ts";

export const BATCH_OPERATIONS = [
  "addMembers",
  "removeMembers",
  "inviteMembers",
  "assignRoles",
  "addModerators",
  "demoteModerators",
  "hide",
  "show",
  "archive",
  "unarchive",
  "updateData",
] as const;
export type BatchOperation = (typeof BATCH_OPERATIONS)[number];

/** A bare value means `$eq`. */
type Chosen = string | { $eq: string } | { $in: string[] };

export interface BatchChannelsBody {
  operation: BatchOperation;
  /** At least one of the two; both must hold. */
  filter: { cids?: Chosen; types?: Chosen };
  members?: (string | { user_id: string; channel_role?: string })[];
  data?: Record<string, unknown>;
}

export interface ExportedChannel {
  type?: string;
  id?: string;
  cid?: string;
  messages_since?: string;
  messages_until?: string;
}

export interface ExportChannelsBody {
  channels: ExportedChannel[];
  version?: "v1" | "v2";
  include_truncated_messages?: boolean;
  include_soft_deleted_channels?: boolean;
  clear_deleted_message_text?: boolean;
  export_users?: boolean;
  format?: "json" | "csv";
}

export const jobsEndpoints = {
  getTask: row<{ id: string }, object, undefined, Task>("GetTask", "GET", "/tasks/{id}", {
    serverOnly: true,
    perMinute: 1000,
  }),
  deleteChannels: row<
    object,
    object,
    { cids: string[]; hard_delete?: boolean; user_id?: string },
    { task_id: string; result: Record<string, ChannelResult> }
  >("DeleteChannels", "POST", "/channels/delete", { serverOnly: true, perMinute: 60 }),
  batchChannels: row<object, object, BatchChannelsBody, { task_id: string }>(
    "UpdateChannelsBatch",
    "PUT",
    "/channels/batch",
    { serverOnly: true, perMinute: 60, idempotent: false },
  ),
  exportChannels: row<object, object, ExportChannelsBody, { task_id: string }>(
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
  exportUsers: row<object, object, { user_ids: string[] }, { task_id: string }>(
    "ExportUsers",
    "POST",
    "/export/users",
    { serverOnly: true, perMinute: 60 },
  ),
  createImportUrl: row<object, object, { filename: string }, { path: string; upload_url: string }>(
    "CreateImportURL",
    "POST",
    "/import_urls",
    { serverOnly: true, perMinute: 60 },
  ),
  createImport: row<
    object,
    object,
    { path: string; mode?: ImportMode; merge_custom?: boolean },
    { import_task: ImportTask }
  >("CreateImport", "POST", "/imports", { serverOnly: true, perMinute: 60 }),
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
