/** Routes of tasks, exports, imports and batches by the name of their endpoint row. */
import { batchChannels } from "./rules/batch-channels.ts";
import { deleteChannels } from "./rules/delete-channels.ts";
import { exportChannels, getExportChannels } from "./rules/export-channels.ts";
import { exportUsers } from "./rules/export-users.ts";
import { createImport, createImportUrl, getImport, listImports } from "./rules/imports.ts";
import { getTask } from "./rules/work.ts";

export const jobRoutes = {
  getTask,
  deleteChannels,
  batchChannels,
  exportChannels,
  getExportChannels,
  exportUsers,
  createImportUrl,
  createImport,
  getImport,
  listImports,
};
