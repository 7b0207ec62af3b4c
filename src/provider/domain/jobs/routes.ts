/** The handlers of tasks, exports, imports and batches, each under the name of its endpoint. */
export { batchChannels } from "./rules/batch-channels.ts";
export { deleteChannels } from "./rules/delete-channels.ts";
export { exportChannels, getExportChannels } from "./rules/export-channels.ts";
export { exportUsers } from "./rules/export-users.ts";
export { createImport, createImportUrl, getImport, listImports } from "./rules/imports.ts";
export { getTask } from "./rules/work.ts";
