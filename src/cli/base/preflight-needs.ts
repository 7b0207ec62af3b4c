/** Lists, for each write, the objects that have to exist and those that must not exist yet. */
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { PreflightKind } from "./preflight-kinds.ts";
import type { Fields } from "../../wire/json-object.ts";

export interface PlannedArgs {
  path?: Record<string, string>;
  query?: Fields;
  body?: Fields;
}

/** Names that have to exist; `missing` is the kind of error when one does not. `taken`: the names must not exist yet. */
export interface Need {
  kind: PreflightKind;
  names: unknown;
  missing: "notFound" | "rejected" | "partial" | "taken";
}

const missing = (kind: PreflightKind, names: unknown): Need => ({ kind, names, missing: "notFound" });
const refused = (kind: PreflightKind, names: unknown): Need => ({ kind, names, missing: "rejected" });
/** The existing ones are still changed. */
const partly = (kind: PreflightKind, names: unknown): Need => ({ kind, names, missing: "partial" });
const taken = (kind: PreflightKind, names: unknown): Need => ({ kind, names, missing: "taken" });

export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The top-level fields that a partial update names. */
export const updatedFields = ({ set, unset }: Fields): string[] =>
  [...Object.keys(asFields(set)), ...(asList(unset) as string[])].map((path) => path.split(".")[0]!);
const fieldOfEach = (list: unknown, field: string): unknown[] =>
  asList(list).map((one) => asFields(one)[field]);
/** Members are given as ids or as objects with `user_id`. */
export const memberIdsIn = (list: unknown): unknown[] =>
  asList(list).map((one) => (typeof one === "string" ? one : asFields(one).user_id));

function grantNeeds(grants: unknown): Need[] {
  const byRole = asFields(grants);
  return [refused("role", Object.keys(byRole)), refused("permission", Object.values(byRole).flat())];
}

const typeNeeds = ({ grants, commands, blocklist }: Fields): Need[] => [
  ...grantNeeds(grants),
  refused(
    "command",
    asList(commands).map((one) => (typeof one === "string" ? one : asFields(one).name)),
  ),
  refused("blocklist", [blocklist]),
];

const newChannelNeeds = ({ path, body }: PlannedArgs): Need[] => {
  const { members, invites } = asFields(body?.data);
  return [
    missing("channelType", [path?.type]),
    refused("user", [...memberIdsIn(members), ...memberIdsIn(invites)]),
  ];
};

const usersIn =
  (...fields: string[]) =>
  ({ body, query }: PlannedArgs): Need[] => [
    missing(
      "user",
      fields.flatMap((field) => body?.[field] ?? query?.[field]),
    ),
  ];

const flagNeeds = ({ body }: { body: Fields }): Need[] => [
  missing("user", [body.target_user_id]),
  missing("message", [body.target_message_id]),
];

const campaignNeeds = (body: Fields): Need[] => [
  refused("channelType", [asFields(body.channel_template).type]),
  refused("user", [body.sender_id]),
  refused("segment", body.segment_ids),
  refused("poll", [asFields(body.message_template).poll_id]),
];

export const NEEDS: Partial<Record<EndpointName, (args: PlannedArgs & { body: Fields }) => Need[]>> = {
  queryChannel: newChannelNeeds,
  queryDistinctChannel: newChannelNeeds,
  updateChannel: ({ body }) => [
    refused("user", [
      ...memberIdsIn(body.add_members),
      ...memberIdsIn(body.invites),
      ...memberIdsIn(body.add_moderators),
      ...memberIdsIn(body.assign_roles),
    ]),
    refused("role", [
      ...fieldOfEach(body.assign_roles, "channel_role"),
      ...fieldOfEach(body.add_members, "channel_role"),
    ]),
  ],
  upsertUsers: ({ body }) => [refused("role", fieldOfEach(Object.values(asFields(body.users)), "role"))],
  updateUsersPartial: ({ body }) => [
    missing("user", fieldOfEach(body.users, "id")),
    refused("role", fieldOfEach(fieldOfEach(body.users, "set"), "role")),
  ],
  sendMessage: ({ body }) => {
    const { id, parent_id, quoted_message_id } = asFields(body.message);
    return [refused("message", [parent_id, quoted_message_id]), taken("message", [id])];
  },
  muteUser: usersIn("target_id", "target_ids"),
  blockUser: usersIn("blocked_user_id"),
  ban: usersIn("target_user_id", "banned_by_id"),
  unban: usersIn("target_user_id"),
  flag: flagNeeds,
  unblockUser: usersIn("blocked_user_id"),
  unflag: flagNeeds,
  deleteUsers: ({ body }) => [
    missing("knownUser", body.user_ids),
    missing("user", [body.new_channel_owner_id]),
  ],
  deactivateUsers: usersIn("user_ids", "created_by_id"),
  reactivateUsers: usersIn("user_ids", "created_by_id"),
  restoreUsers: ({ body }) => [missing("knownUser", body.user_ids)],
  deactivateUser: ({ path, body }) => [missing("user", [path?.id, body.created_by_id])],
  reactivateUser: ({ path, body }) => [missing("user", [path?.id, body.created_by_id])],
  undeleteMessage: usersIn("undeleted_by"),
  sendUserEvent: ({ path }) => [missing("user", [path?.id])],
  createChannelType: ({ body }) => [taken("channelType", [body.name]), ...typeNeeds(body)],
  updateChannelType: ({ body }) => typeNeeds(body),
  updateApp: ({ body }) => [...grantNeeds(body.grants), refused("role", body.user_search_disallowed_roles)],
  createRole: ({ body }) => [taken("role", [body.name])],
  deleteRole: ({ path }) => [missing("role", [path?.name])],
  createPermission: ({ body }) => [taken("permission", [body.id]), refused("action", [body.action])],
  updatePermission: ({ body }) => [refused("action", [body.action])],
  updateMemberPartial: ({ body }) => [refused("role", [asFields(body.set).channel_role])],
  translateMessage: ({ body }) => [refused("language", [body.language])],
  batchChannels: ({ body }) => [
    refused("user", memberIdsIn(body.members)),
    refused("role", fieldOfEach(body.members, "channel_role")),
    partly("channel", asFields(asFields(body.filter).cids).$in),
  ],
  exportChannels: ({ body }) =>
    body.include_soft_deleted_channels ? [] : [refused("channel", fieldOfEach(body.channels, "cid"))],
  createCommand: ({ body }) => [taken("command", [body.name])],
  createBlocklist: ({ body }) => [taken("blocklist", [body.name])],
  createSegment: ({ body }) => [taken("segment", [body.id])],
  createCampaign: ({ body }) => [taken("campaign", [body.id]), ...campaignNeeds(body)],
  updateCampaign: ({ body }) => campaignNeeds(body),
};
