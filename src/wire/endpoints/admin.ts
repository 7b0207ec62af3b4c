/** Endpoints of channel types, commands, permissions, roles, blocklists and push providers. */
import type { Blocklist } from "../entities/blocklist.ts";
import type { ChannelType, NamedChannelType } from "../entities/channel-type.ts";
import type { CommandInfo } from "../entities/channel.ts";
import type { CheckPushReply, PushProvider, QueueCheck } from "../entities/push-provider.ts";
import type { Permission, Role } from "../entities/role.ts";
import type { adminBodies } from "../bodies/admin.ts";
import type { Infer } from "../entities/fields.ts";
import { withOperations, row } from "./row.ts";

type ByName = { name: string };
const server = { serverOnly: true } as const;
const type = { serverOnly: true, perMinute: 60 } as const;

type Body<K extends keyof typeof adminBodies> = Infer<(typeof adminBodies)[K]>;

export const adminEndpoints = withOperations({
  listChannelTypes: row<{ channel_types: Record<string, ChannelType> }>("GET /channeltypes", type),
  createChannelType: row<NamedChannelType, Body<"createChannelType">>("POST /channeltypes", type),
  getChannelType: row<ChannelType, undefined, ByName>("GET /channeltypes/{name}", type),
  updateChannelType: row<NamedChannelType, Body<"updateChannelType">, ByName>(
    "PUT /channeltypes/{name}",
    type,
  ),
  deleteChannelType: row<object, undefined, ByName>("DELETE /channeltypes/{name}", type),

  listCommands: row<{ commands: CommandInfo[] }>("GET /commands"),
  createCommand: row<{ command: CommandInfo }, Body<"createCommand">>("POST /commands", server),
  getCommand: row<CommandInfo, undefined, ByName>("GET /commands/{name}", server),
  updateCommand: row<{ command: CommandInfo }, Body<"updateCommand">, ByName>("PUT /commands/{name}", server),
  deleteCommand: row<ByName, undefined, ByName>("DELETE /commands/{name}", server),

  listPermissions: row<{ permissions: Permission[] }>("GET /permissions", server),
  getPermission: row<{ permission: Permission }, undefined, { id: string }>("GET /permissions/{id}", server),
  createPermission: row<object, Body<"createPermission">>("POST /permissions", server),
  updatePermission: row<object, Body<"updatePermission">, { id: string }>("PUT /permissions/{id}", server),
  deletePermission: row<object, undefined, { id: string }>("DELETE /permissions/{id}", server),

  listRoles: row<{ roles: Role[] }>("GET /roles", server),
  createRole: row<{ role: Role }, Body<"createRole">>("POST /roles", server),
  deleteRole: row<object, undefined, ByName>("DELETE /roles/{name}", server),

  listBlocklists: row<{ blocklists: Blocklist[] }>("GET /blocklists", server),
  createBlocklist: row<{ blocklist: Blocklist }, Body<"createBlocklist">>("POST /blocklists", server),
  getBlocklist: row<{ blocklist: Blocklist }, undefined, ByName>("GET /blocklists/{name}", server),
  updateBlocklist: row<{ blocklist: Blocklist }, Body<"updateBlocklist">, ByName>(
    "PUT /blocklists/{name}",
    server,
  ),
  deleteBlocklist: row<object, undefined, ByName>("DELETE /blocklists/{name}", server),

  listPushProviders: row<{ push_providers: PushProvider[] }>("GET /push_providers", server),
  upsertPushProvider: row<{ push_provider: PushProvider }, Body<"upsertPushProvider">>(
    "POST /push_providers",
    { ...server, idempotent: true },
  ),
  deletePushProvider: row<object, undefined, { type: string; name: string }>(
    "DELETE /push_providers/{type}/{name}",
    server,
  ),
  checkPush: row<CheckPushReply, Body<"checkPush">>("POST /check_push", {
    ...server,
    safe: true,
    perMinute: 60,
  }),
  checkSqs: row<QueueCheck, Body<"checkSqs">>("POST /check_sqs", { op: "CheckSQS", ...server, safe: true }),
  checkSns: row<QueueCheck, Body<"checkSns">>("POST /check_sns", { op: "CheckSNS", ...server, safe: true }),
});
