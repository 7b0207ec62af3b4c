/** Routes of app settings, channel types, commands, permissions, roles, blocklists and push providers by the name of their endpoint row. */
import { getApp, updateApp } from "./rules/app.ts";
import {
  createBlocklist,
  deleteBlocklist,
  getBlocklist,
  listBlocklists,
  updateBlocklist,
} from "./rules/blocklists.ts";
import { createCommand, deleteCommand, getCommand, listCommands, updateCommand } from "./rules/commands.ts";
import {
  createPermission,
  deletePermission,
  getPermission,
  listPermissions,
  updatePermission,
} from "./rules/permissions.ts";
import {
  checkPush,
  checkSns,
  checkSqs,
  deletePushProvider,
  listPushProviders,
  upsertPushProvider,
} from "./rules/push.ts";
import { createRole, deleteRole, listRoles } from "./rules/roles.ts";
import {
  createChannelType,
  deleteChannelType,
  getChannelType,
  listChannelTypes,
  updateChannelType,
} from "./rules/type-routes.ts";

export const adminRoutes = {
  getApp,
  updateApp,
  listChannelTypes,
  createChannelType,
  getChannelType,
  updateChannelType,
  deleteChannelType,
  listCommands,
  createCommand,
  getCommand,
  updateCommand,
  deleteCommand,
  listPermissions,
  getPermission,
  createPermission,
  updatePermission,
  deletePermission,
  listRoles,
  createRole,
  deleteRole,
  listBlocklists,
  createBlocklist,
  getBlocklist,
  updateBlocklist,
  deleteBlocklist,
  listPushProviders,
  upsertPushProvider,
  deletePushProvider,
  checkPush,
  checkSqs,
  checkSns,
};
