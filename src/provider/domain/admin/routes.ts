/** The handlers of app settings, channel types, commands, permissions, roles, blocklists and push providers, each under the name of its endpoint. */
export { getApp, updateApp } from "./rules/app.ts";
export {
  createBlocklist,
  deleteBlocklist,
  getBlocklist,
  listBlocklists,
  updateBlocklist,
} from "./rules/blocklists.ts";
export { createCommand, deleteCommand, getCommand, listCommands, updateCommand } from "./rules/commands.ts";
export {
  createPermission,
  deletePermission,
  getPermission,
  listPermissions,
  updatePermission,
} from "./rules/permissions.ts";
export {
  checkPush,
  checkSns,
  checkSqs,
  deletePushProvider,
  listPushProviders,
  upsertPushProvider,
} from "./rules/push.ts";
export { getPushTemplates, upsertPushTemplate } from "./rules/push-templates.ts";
export { createRole, deleteRole, listRoles } from "./rules/roles.ts";
export {
  createChannelType,
  deleteChannelType,
  getChannelType,
  listChannelTypes,
  updateChannelType,
} from "./rules/type-routes.ts";
