/** Endpoints of channel types, commands, permissions, roles, blocklists and push providers. */
import { ChannelType, NamedChannelType } from "../entities/channel-type.ts";
import { CommandInfo } from "../entities/channel.ts";
import { CheckPushReply, PUSH_PROVIDER_TYPES, QueueCheck } from "../entities/push-provider.ts";
import { choice, entity, id, list, map, need, text } from "../entities/fields.ts";
import { row, withOperations } from "./row.ts";

const server = { serverOnly: true } as const;
const type = { serverOnly: true, perMinute: 60 } as const;

/** Which push provider; without a name the app's first of the type. */
export const ofPushProvider = {
  push_provider_type: need(choice(...PUSH_PROVIDER_TYPES)),
  push_provider_name: id(64),
};

export const adminEndpoints = withOperations({
  listChannelTypes: row("GET /channeltypes", {
    ...type,
    answer: () => ({ channel_types: need(map(entity("ChannelType"))) }),
  }),
  createChannelType: row("POST /channeltypes", { ...type, answer: NamedChannelType }),
  getChannelType: row("GET /channeltypes/{name}", { ...type, answer: ChannelType }),
  updateChannelType: row("PUT /channeltypes/{name}", { ...type, answer: NamedChannelType }),
  deleteChannelType: row("DELETE /channeltypes/{name}", type),

  listCommands: row("GET /commands", { answer: () => ({ commands: need(list(entity("CommandInfo"))) }) }),
  createCommand: row("POST /commands", {
    ...server,
    answer: () => ({ command: need(entity("CommandInfo")) }),
  }),
  getCommand: row("GET /commands/{name}", { ...server, answer: CommandInfo }),
  updateCommand: row("PUT /commands/{name}", {
    ...server,
    answer: () => ({ command: need(entity("CommandInfo")) }),
  }),
  deleteCommand: row("DELETE /commands/{name}", { ...server, answer: () => ({ name: need(text()) }) }),

  listPermissions: row("GET /permissions", {
    ...server,
    answer: () => ({ permissions: need(list(entity("Permission"))) }),
  }),
  getPermission: row("GET /permissions/{id}", {
    ...server,
    answer: () => ({ permission: need(entity("Permission")) }),
  }),
  createPermission: row("POST /permissions", server),
  updatePermission: row("PUT /permissions/{id}", server),
  deletePermission: row("DELETE /permissions/{id}", server),

  listRoles: row("GET /roles", { ...server, answer: () => ({ roles: need(list(entity("Role"))) }) }),
  createRole: row("POST /roles", { ...server, answer: () => ({ role: need(entity("Role")) }) }),
  deleteRole: row("DELETE /roles/{name}", server),

  listBlocklists: row("GET /blocklists", {
    ...server,
    answer: () => ({ blocklists: need(list(entity("Blocklist"))) }),
  }),
  createBlocklist: row("POST /blocklists", {
    ...server,
    answer: () => ({ blocklist: need(entity("Blocklist")) }),
  }),
  getBlocklist: row("GET /blocklists/{name}", {
    ...server,
    answer: () => ({ blocklist: need(entity("Blocklist")) }),
  }),
  updateBlocklist: row("PUT /blocklists/{name}", {
    ...server,
    answer: () => ({ blocklist: need(entity("Blocklist")) }),
  }),
  deleteBlocklist: row("DELETE /blocklists/{name}", server),

  listPushProviders: row("GET /push_providers", {
    ...server,
    answer: () => ({ push_providers: need(list(entity("PushProvider"))) }),
  }),
  upsertPushProvider: row("POST /push_providers", {
    ...server,
    idempotent: true,
    answer: () => ({ push_provider: need(entity("PushProvider")) }),
  }),
  deletePushProvider: row("DELETE /push_providers/{type}/{name}", server),
  getPushTemplates: row("GET /push_templates", {
    ...server,
    source: "v2",
    query: ofPushProvider,
    answer: () => ({ templates: need(list(entity("PushTemplate"))) }),
  }),
  upsertPushTemplate: row("POST /push_templates", {
    ...server,
    source: "v2",
    idempotent: true,
    answer: () => ({ template: need(entity("PushTemplate")) }),
  }),
  checkPush: row("POST /check_push", { ...server, safe: true, perMinute: 60, answer: CheckPushReply }),
  checkSqs: row("POST /check_sqs", { op: "CheckSQS", ...server, safe: true, answer: QueueCheck }),
  checkSns: row("POST /check_sns", { op: "CheckSNS", ...server, safe: true, answer: QueueCheck }),
});
