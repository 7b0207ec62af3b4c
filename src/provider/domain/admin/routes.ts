/** Routes of app settings, channel types, commands, permissions, roles, blocklists and push providers by the name of their endpoint row. */
import { getApp, updateApp } from "./app.ts";
import {
  createBlocklist,
  deleteBlocklist,
  getBlocklist,
  listBlocklists,
  updateBlocklist,
} from "./blocklists.ts";
import { createCommand, deleteCommand, getCommand, listCommands, updateCommand } from "./commands.ts";
import {
  createPermission,
  deletePermission,
  getPermission,
  listPermissions,
  updatePermission,
} from "./permissions.ts";
import {
  checkPush,
  checkSns,
  checkSqs,
  deletePushProvider,
  listPushProviders,
  upsertPushProvider,
} from "./push.ts";
import { createRole, deleteRole, listRoles } from "./roles.ts";
import {
  createChannelType,
  deleteChannelType,
  getChannelType,
  listChannelTypes,
  updateChannelType,
} from "./type-routes.ts";

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
