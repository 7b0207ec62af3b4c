/** Endpoints of channel types, commands, permissions, roles, blocklists and push providers. */
import type { Blocklist } from "../blocklist.ts";
import type { ChannelType, NamedChannelType } from "../channel-type.ts";
import type { CommandInfo } from "../channel.ts";
import type { CheckPushReply, PushProvider, QueueCheck } from "../push-provider.ts";
import type { Permission, Role } from "../role.ts";
import type { adminBodies } from "../bodies/admin.ts";
import type { Infer } from "../fields.ts";
import { row } from "./row.ts";

type ByName = { name: string };
const server = { serverOnly: true } as const;
const type = { serverOnly: true, perMinute: 60 } as const;

type Body<K extends keyof typeof adminBodies> = Infer<(typeof adminBodies)[K]>;

export const adminEndpoints = {
  listChannelTypes: row<object, object, undefined, { channel_types: Record<string, ChannelType> }>(
    "ListChannelTypes",
    "GET",
    "/channeltypes",
    type,
  ),
  createChannelType: row<object, object, Body<"createChannelType">, NamedChannelType>(
    "CreateChannelType",
    "POST",
    "/channeltypes",
    type,
  ),
  getChannelType: row<ByName, object, undefined, ChannelType>(
    "GetChannelType",
    "GET",
    "/channeltypes/{name}",
    type,
  ),
  updateChannelType: row<ByName, object, Body<"updateChannelType">, NamedChannelType>(
    "UpdateChannelType",
    "PUT",
    "/channeltypes/{name}",
    type,
  ),
  deleteChannelType: row<ByName>("DeleteChannelType", "DELETE", "/channeltypes/{name}", type),

  listCommands: row<object, object, undefined, { commands: CommandInfo[] }>(
    "ListCommands",
    "GET",
    "/commands",
  ),
  createCommand: row<object, object, Body<"createCommand">, { command: CommandInfo }>(
    "CreateCommand",
    "POST",
    "/commands",
    server,
  ),
  getCommand: row<ByName, object, undefined, CommandInfo>("GetCommand", "GET", "/commands/{name}", server),
  updateCommand: row<ByName, object, Body<"updateCommand">, { command: CommandInfo }>(
    "UpdateCommand",
    "PUT",
    "/commands/{name}",
    server,
  ),
  deleteCommand: row<ByName, object, undefined, ByName>(
    "DeleteCommand",
    "DELETE",
    "/commands/{name}",
    server,
  ),

  listPermissions: row<object, object, undefined, { permissions: Permission[] }>(
    "ListPermissions",
    "GET",
    "/permissions",
    server,
  ),
  getPermission: row<{ id: string }, object, undefined, { permission: Permission }>(
    "GetPermission",
    "GET",
    "/permissions/{id}",
    server,
  ),
  createPermission: row<object, object, Body<"createPermission">>(
    "CreatePermission",
    "POST",
    "/permissions",
    server,
  ),
  updatePermission: row<{ id: string }, object, Body<"updatePermission">>(
    "UpdatePermission",
    "PUT",
    "/permissions/{id}",
    server,
  ),
  deletePermission: row<{ id: string }>("DeletePermission", "DELETE", "/permissions/{id}", server),

  listRoles: row<object, object, undefined, { roles: Role[] }>("ListRoles", "GET", "/roles", server),
  createRole: row<object, object, Body<"createRole">, { role: Role }>("CreateRole", "POST", "/roles", server),
  deleteRole: row<ByName>("DeleteRole", "DELETE", "/roles/{name}", server),

  listBlocklists: row<object, object, undefined, { blocklists: Blocklist[] }>(
    "ListBlocklists",
    "GET",
    "/blocklists",
    server,
  ),
  createBlocklist: row<object, object, Body<"createBlocklist">, { blocklist: Blocklist }>(
    "CreateBlocklist",
    "POST",
    "/blocklists",
    server,
  ),
  getBlocklist: row<ByName, object, undefined, { blocklist: Blocklist }>(
    "GetBlocklist",
    "GET",
    "/blocklists/{name}",
    server,
  ),
  updateBlocklist: row<ByName, object, Body<"updateBlocklist">, { blocklist: Blocklist }>(
    "UpdateBlocklist",
    "PUT",
    "/blocklists/{name}",
    server,
  ),
  deleteBlocklist: row<ByName>("DeleteBlocklist", "DELETE", "/blocklists/{name}", server),

  listPushProviders: row<object, object, undefined, { push_providers: PushProvider[] }>(
    "ListPushProviders",
    "GET",
    "/push_providers",
    server,
  ),
  upsertPushProvider: row<object, object, Body<"upsertPushProvider">, { push_provider: PushProvider }>(
    "UpsertPushProvider",
    "POST",
    "/push_providers",
    { ...server, idempotent: true },
  ),
  deletePushProvider: row<{ type: string; name: string }>(
    "DeletePushProvider",
    "DELETE",
    "/push_providers/{type}/{name}",
    server,
  ),
  checkPush: row<object, object, Body<"checkPush">, CheckPushReply>("CheckPush", "POST", "/check_push", {
    ...server,
    safe: true,
    perMinute: 60,
  }),
  checkSqs: row<object, object, Body<"checkSqs">, QueueCheck>("CheckSQS", "POST", "/check_sqs", {
    ...server,
    safe: true,
  }),
  checkSns: row<object, object, Body<"checkSns">, QueueCheck>("CheckSNS", "POST", "/check_sns", {
    ...server,
    safe: true,
  }),
} as const;
