/** Routes of tasks, exports, imports and batches by the name of their endpoint row. */
import { batchChannels } from "./batch-channels.ts";
import { deleteChannels } from "./delete-channels.ts";
import { exportChannels, getExportChannels } from "./export-channels.ts";
import { exportUsers } from "./export-users.ts";
import { createImport, createImportUrl, getImport, listImports } from "./imports.ts";
import { getTask } from "./tasks.ts";

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
