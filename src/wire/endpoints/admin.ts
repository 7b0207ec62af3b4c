/** Endpoints of channel types, commands, permissions, roles, blocklists and push providers. */
import type { Blocklist, BlocklistType } from "../blocklist.ts";
import type { ChannelType, ChannelTypeInput, CommandInput, NamedChannelType } from "../channel-type.ts";
import type { CommandInfo } from "../channel.ts";
import type { CheckPushBody, CheckPushReply, PushProvider, QueueCheck } from "../push-provider.ts";
import type { Permission, PermissionInput, Role } from "../role.ts";
import { row } from "./row.ts";

type ByName = { name: string };
const server = { serverOnly: true } as const;
const type = { serverOnly: true, perMinute: 60 } as const;

export const adminEndpoints = {
  listChannelTypes: row<object, object, undefined, { channel_types: Record<string, ChannelType> }>(
    "ListChannelTypes",
    "GET",
    "/channeltypes",
    type,
  ),
  createChannelType: row<object, object, ChannelTypeInput & ByName, NamedChannelType>(
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
  updateChannelType: row<ByName, object, ChannelTypeInput, NamedChannelType>(
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
  createCommand: row<object, object, CommandInput, { command: CommandInfo }>(
    "CreateCommand",
    "POST",
    "/commands",
    server,
  ),
  getCommand: row<ByName, object, undefined, CommandInfo>("GetCommand", "GET", "/commands/{name}", server),
  updateCommand: row<ByName, object, Partial<CommandInput>, { command: CommandInfo }>(
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
  createPermission: row<object, object, PermissionInput>("CreatePermission", "POST", "/permissions", server),
  updatePermission: row<{ id: string }, object, Omit<PermissionInput, "id">>(
    "UpdatePermission",
    "PUT",
    "/permissions/{id}",
    server,
  ),
  deletePermission: row<{ id: string }>("DeletePermission", "DELETE", "/permissions/{id}", server),

  listRoles: row<object, object, undefined, { roles: Role[] }>("ListRoles", "GET", "/roles", server),
  createRole: row<object, object, ByName, { role: Role }>("CreateRole", "POST", "/roles", server),
  deleteRole: row<ByName>("DeleteRole", "DELETE", "/roles/{name}", server),

  listBlocklists: row<object, object, undefined, { blocklists: Blocklist[] }>(
    "ListBlocklists",
    "GET",
    "/blocklists",
    server,
  ),
  createBlocklist: row<
    object,
    object,
    { name: string; words: string[]; type?: BlocklistType },
    { blocklist: Blocklist }
  >("CreateBlocklist", "POST", "/blocklists", server),
  getBlocklist: row<ByName, object, undefined, { blocklist: Blocklist }>(
    "GetBlocklist",
    "GET",
    "/blocklists/{name}",
    server,
  ),
  updateBlocklist: row<ByName, object, { words: string[] }, { blocklist: Blocklist }>(
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
  upsertPushProvider: row<
    object,
    object,
    { push_provider: Partial<PushProvider> & { type: string; name: string } },
    { push_provider: PushProvider }
  >("UpsertPushProvider", "POST", "/push_providers", { ...server, idempotent: true }),
  deletePushProvider: row<{ type: string; name: string }>(
    "DeletePushProvider",
    "DELETE",
    "/push_providers/{type}/{name}",
    server,
  ),
  checkPush: row<object, object, CheckPushBody, CheckPushReply>("CheckPush", "POST", "/check_push", {
    ...server,
    safe: true,
    perMinute: 60,
  }),
  checkSqs: row<object, object, { sqs_url?: string; sqs_key?: string; sqs_secret?: string }, QueueCheck>(
    "CheckSQS",
    "POST",
    "/check_sqs",
    { ...server, safe: true },
  ),
  checkSns: row<
    object,
    object,
    { sns_topic_arn?: string; sns_key?: string; sns_secret?: string },
    QueueCheck
  >("CheckSNS", "POST", "/check_sns", { ...server, safe: true }),
} as const;
