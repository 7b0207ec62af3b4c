/** Routes of tasks, exports, imports and batches by the name of their endpoint row. */
export { batchChannels } from "./rules/batch-channels.ts";
export { deleteChannels } from "./rules/delete-channels.ts";
export { exportChannels, getExportChannels } from "./rules/export-channels.ts";
export { exportUsers } from "./rules/export-users.ts";
export { createImport, createImportUrl, getImport, listImports } from "./rules/imports.ts";
export { getTask } from "./rules/work.ts";
