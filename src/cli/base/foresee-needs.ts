/** What each change names that has to be there, or must not be there yet. */
import type { EndpointName } from "../../wire/endpoints/index.ts";
import type { ForeseenKind } from "./foresee-kinds.ts";
import type { Fields } from "../../wire/json-object.ts";

/** What a call is given. */
export interface PlannedArgs {
  path?: Record<string, string>;
  query?: Fields;
  body?: Fields;
}

/** `taken`: these must not be there yet; `missing`: how the provider calls it when one is not there. */
export interface Need {
  kind: ForeseenKind;
  names: unknown;
  missing: "notFound" | "rejected" | "partial" | "taken";
}

const missing = (kind: ForeseenKind, names: unknown): Need => ({ kind, names, missing: "notFound" });
const refused = (kind: ForeseenKind, names: unknown): Need => ({ kind, names, missing: "rejected" });
/** The rest is changed all the same. */
const partly = (kind: ForeseenKind, names: unknown): Need => ({ kind, names, missing: "partial" });
const taken = (kind: ForeseenKind, names: unknown): Need => ({ kind, names, missing: "taken" });

export const asFields = (value: unknown): Fields =>
  typeof value === "object" && value !== null ? (value as Fields) : {};
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** The fields that an update in parts names, by the first step of their paths. */
export const updatedFields = ({ set, unset }: Fields): string[] =>
  [...Object.keys(asFields(set)), ...(asList(unset) as string[])].map((path) => path.split(".")[0]!);
/** One field of each entry. */
const each = (list: unknown, field: string): unknown[] => asList(list).map((one) => asFields(one)[field]);
/** Members are ids, or objects with one. */
const people = (list: unknown): unknown[] =>
  asList(list).map((one) => (typeof one === "string" ? one : asFields(one).user_id));

function granted(grants: unknown): Need[] {
  const given = asFields(grants);
  return [refused("role", Object.keys(given)), refused("permission", Object.values(given).flat())];
}

const typeNeeds = ({ grants, commands, blocklist }: Fields): Need[] => [
  ...granted(grants),
  refused(
    "command",
    asList(commands).map((one) => (typeof one === "string" ? one : asFields(one).name)),
  ),
  refused("blocklist", [blocklist]),
];

const newChannel = ({ path, body }: PlannedArgs): Need[] => {
  const { members, invites } = asFields(body?.data);
  return [missing("channelType", [path?.type]), refused("user", [...people(members), ...people(invites)])];
};

const named =
  (...fields: string[]) =>
  ({ body, query }: PlannedArgs): Need[] => [
    missing(
      "user",
      fields.flatMap((field) => body?.[field] ?? query?.[field]),
    ),
  ];

const flagged = ({ body }: { body: Fields }): Need[] => [
  missing("user", [body.target_user_id]),
  missing("message", [body.target_message_id]),
];

const campaignNeeds = (body: Fields): Need[] => [
  refused("channelType", [asFields(body.channel_template).type]),
  refused("user", [body.sender_id]),
  refused("segment", body.segment_ids),
  refused("poll", [asFields(body.message_template).poll_id]),
];

export const NEEDS: Partial<Record<EndpointName, (asked: PlannedArgs & { body: Fields }) => Need[]>> = {
  queryChannel: newChannel,
  queryDistinctChannel: newChannel,
  updateChannel: ({ body }) => [
    refused("user", [
      ...people(body.add_members),
      ...people(body.invites),
      ...people(body.add_moderators),
      ...people(body.assign_roles),
    ]),
    refused("role", [...each(body.assign_roles, "channel_role"), ...each(body.add_members, "channel_role")]),
  ],
  upsertUsers: ({ body }) => [refused("role", each(Object.values(asFields(body.users)), "role"))],
  updateUsersPartial: ({ body }) => [
    missing("user", each(body.users, "id")),
    refused("role", each(each(body.users, "set"), "role")),
  ],
  sendMessage: ({ body }) => {
    const { id, parent_id, quoted_message_id } = asFields(body.message);
    return [refused("message", [parent_id, quoted_message_id]), taken("message", [id])];
  },
  muteUser: named("target_id", "target_ids"),
  blockUser: named("blocked_user_id"),
  ban: named("target_user_id", "banned_by_id"),
  unban: named("target_user_id"),
  flag: flagged,
  unblockUser: named("blocked_user_id"),
  unflag: flagged,
  deleteUsers: ({ body }) => [
    missing("knownUser", body.user_ids),
    missing("user", [body.new_channel_owner_id]),
  ],
  deactivateUsers: named("user_ids", "created_by_id"),
  reactivateUsers: named("user_ids", "created_by_id"),
  restoreUsers: ({ body }) => [missing("knownUser", body.user_ids)],
  deactivateUser: ({ path, body }) => [missing("user", [path?.id, body.created_by_id])],
  reactivateUser: ({ path, body }) => [missing("user", [path?.id, body.created_by_id])],
  undeleteMessage: named("undeleted_by"),
  sendUserEvent: ({ path }) => [missing("user", [path?.id])],
  createChannelType: ({ body }) => [taken("channelType", [body.name]), ...typeNeeds(body)],
  updateChannelType: ({ body }) => typeNeeds(body),
  updateApp: ({ body }) => [...granted(body.grants), refused("role", body.user_search_disallowed_roles)],
  createRole: ({ body }) => [taken("role", [body.name])],
  deleteRole: ({ path }) => [missing("role", [path?.name])],
  createPermission: ({ body }) => [taken("permission", [body.id]), refused("action", [body.action])],
  updatePermission: ({ body }) => [refused("action", [body.action])],
  updateMemberPartial: ({ body }) => [refused("role", [asFields(body.set).channel_role])],
  translateMessage: ({ body }) => [refused("language", [body.language])],
  batchChannels: ({ body }) => [
    refused("user", people(body.members)),
    refused("role", each(body.members, "channel_role")),
    partly("channel", asFields(asFields(body.filter).cids).$in),
  ],
  exportChannels: ({ body }) =>
    body.include_soft_deleted_channels ? [] : [refused("channel", each(body.channels, "cid"))],
  createCommand: ({ body }) => [taken("command", [body.name])],
  createBlocklist: ({ body }) => [taken("blocklist", [body.name])],
  createSegment: ({ body }) => [taken("segment", [body.id])],
  createCampaign: ({ body }) => [taken("campaign", [body.id]), ...campaignNeeds(body)],
  updateCampaign: ({ body }) => campaignNeeds(body),
};
