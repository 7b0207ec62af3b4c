/** What state things must be in for each change: a dry run looks at them and refuses as the provider would. */
import { CommandError } from "../../commands/base/define-command.ts";
import { noInvite } from "../../commands/channel/answer-invite.ts";
import { SETTABLE_OF_MEMBERS, settableData } from "../../wire/bodies/channels.ts";
import { SETTABLE_OF_USERS } from "../../wire/bodies/users.ts";
import { BUILT_IN_COMMANDS } from "../../wire/built-in-commands.ts";
import { CAMPAIGN_STATES } from "../../wire/campaign.ts";
import { BUILT_IN_CHANNEL_TYPES } from "../../wire/channel-type.ts";
import { BUILT_IN } from "../../wire/custom.ts";
import { USERS_PER_CALL } from "../../wire/constants.ts";
import { RESERVED_EVENT, TYPING_EVENTS } from "../../wire/event-names.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import {
  channelTypeProblem,
  makeCid,
  NAME,
  NAME_FORM,
  OWN_ID,
  OWN_ID_FORM,
  splitCid,
} from "../../wire/ids.ts";
import type { Message } from "../../wire/message.ts";
import { exitOf } from "./exit.ts";
import { ifThere } from "./foresee-kinds.ts";
import type { Calls } from "./foresee-kinds.ts";
import { fieldsOf, listOf, namesIn } from "./foresee-needs.ts";
import type { CallArgs, Fields } from "./foresee-needs.ts";

/** A call that the dry run has planned before. */
export type Planned = CallArgs & { name: EndpointName };

type StateCheck = (
  core: Calls,
  asked: CallArgs & { path: Record<string, string>; body: Fields },
  planned: readonly Planned[],
) => Promise<void> | void;

const rejected = (message: string): CommandError => new CommandError("rejected", message);
const notFound = (message: string): CommandError => new CommandError("notFound", message);

/** Milliseconds in which the address of a file has to answer. */
const FILE_ANSWER_MS = 3000;

const messageOf = async (core: Calls, id: string): Promise<Message> =>
  (await core.call("getMessage", { path: { id }, query: {} })).message;

const memberOf = async (core: Calls, path: Record<string, string>, id: string) => {
  const { type = "", id: channel = "" } = path;
  const query = { type, id: channel, filter_conditions: { id }, limit: 1 };
  return (await core.call("queryMembers", { query })).members[0];
};

const needReminder: StateCheck = async (core, { path }) => {
  const { id = "" } = path;
  const { reminders } = await core.call("queryReminders", { body: { filter: { message_id: id }, limit: 1 } });
  if (reminders.length === 0) throw notFound(`There is no reminder of message ${id}.`);
};

const needOwnPermission: StateCheck = async (core, { path }) => {
  const { id = "" } = path;
  const { permission } = await core.call("getPermission", { path: { id } });
  if (!permission.custom) throw rejected(`Permission ${id} is built in and stays as it is.`);
};

const needOwnCommand: StateCheck = (_core, { path: { name = "" } }) => {
  if (BUILT_IN_COMMANDS.some((one) => one.name === name))
    throw rejected(`Command ${name} is built in and stays as it is.`);
};

const needLiving: StateCheck = async (core, { path: { id = "" } }) => {
  if ((await messageOf(core, id)).type === "deleted") throw rejected("A deleted message cannot be changed.");
};

/** Its address answers that it is gone, within the seconds that a plan may wait; silence says nothing. */
const needFile: StateCheck = async (_core, { query }) => {
  const url = String(query?.url);
  const signal = AbortSignal.timeout(FILE_ANSWER_MS);
  const answer = await fetch(url, { method: "HEAD", signal }).catch(() => undefined);
  if (answer?.status === 404 || answer?.status === 410) throw notFound(`There is no file at ${url}.`);
};

/** Throws `CommandError` (rejected) where a name that is made has not the form of one. */
const needForm =
  (field: "id" | "name", form: RegExp, says: string): StateCheck =>
  (_core, { body }) => {
    const name = body[field];
    if (typeof name === "string" && name !== "" && !form.test(name)) throw rejected(`${field} ${says}.`);
  };

const needName = needForm("name", NAME, NAME_FORM);
const needOwnId = needForm("id", OWN_ID, OWN_ID_FORM);

/** What one does to others alone. */
const needOthers =
  (...fields: string[]): StateCheck =>
  (core, { body }) => {
    const me = core.userId;
    const field = fields.find((one) => me !== undefined && [body[one]].flat().includes(me));
    if (field !== undefined) throw rejected(`${field} must not be yourself.`);
  };

/** Options are told apart without case and outer spaces. */
const sameOption = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const needMembership = async (core: Calls, cid: string): Promise<void> => {
  const { type, id } = splitCid(cid) ?? {};
  if (core.userId === undefined || type === undefined || id === undefined) return;
  if ((await core.call("getChannel", { path: { type, id }, query: {} })).membership === undefined)
    throw new CommandError("notAllowed", `You are not a member of channel ${cid}.`);
};

const needMembershipOfPath: StateCheck = (core, { path: { type = "", id = "" } }) =>
  needMembership(core, makeCid(type, id));

/** The message that a new one answers or quotes stands in the same channel, and a reply has no replies. */
const needAnswerable: StateCheck = async (core, { path: { type = "", id = "" }, body }) => {
  const { parent_id, quoted_message_id } = fieldsOf(body.message);
  for (const named of [parent_id, quoted_message_id]) {
    if (typeof named !== "string" || named === "") continue;
    const message = await ifThere(messageOf(core, named)).catch((error: unknown) => {
      // What one may not read stands in another channel.
      if (exitOf(error) !== 5) throw error;
      return undefined;
    });
    if (message?.cid !== makeCid(type, id)) throw rejected(`There is no message ${named} in this channel.`);
    if (named === parent_id && message.parent_id) throw rejected("A reply cannot have replies of its own.");
  }
};

/** Whom a role is given has to be a member. */
async function needMembers(core: Calls, path: Record<string, string>, roles: unknown): Promise<void> {
  for (const { user_id } of listOf(roles).map(fieldsOf))
    if (!(await memberOf(core, path, String(user_id))))
      throw rejected(`Not members of this channel: ${String(user_id)}.`);
}

/** Built-in fields of a channel that no update changes. */
function needSettable(names: readonly string[]): void {
  for (const name of names)
    if (BUILT_IN.channel.has(name) && !Object.hasOwn(settableData, name))
      throw rejected(`${name} cannot be changed.`);
}

/** `how` is done to campaigns in some states alone. */
const needCampaign =
  (how: keyof typeof CAMPAIGN_STATES, done: string): StateCheck =>
  async (core, { path: { id = "" } }) => {
    const { status } = (await core.call("getCampaign", { path: { id }, query: { limit: 1 } })).campaign;
    if (!CAMPAIGN_STATES[how].includes(status))
      throw new CommandError(
        "conflict",
        `Campaign ${id} is ${status} and cannot be ${done}.`,
        `parley campaign get ${id}`,
      );
  };

/** The scope of grants that count outside of channels, as lists of roles call it. */
const APP_SCOPE = ".app";

/** Takes from a role what it was granted in a scope, or takes the scope itself away. */
function endsGrants({ name, path, body }: Planned, role: string, scope: string): boolean {
  if (name === "deleteChannelType") return path?.name === scope;
  const isOfScope = scope === APP_SCOPE ? name === "updateApp" : path?.name === scope;
  return isOfScope && listOf(fieldsOf(body?.grants)[role] ?? [role]).length === 0;
}

export const STATES: Partial<Record<EndpointName, StateCheck>> = {
  createRole: needName,
  createCommand: needName,
  createBlocklist: needName,
  createPermission: needForm("id", NAME, NAME_FORM),
  createChannelType(_core, { body: { name } }) {
    const problem = typeof name === "string" ? channelTypeProblem(name) : undefined;
    if (problem) throw rejected(`${problem}.`);
  },
  createCampaign: needOwnId,
  createSegment(core, asked, planned) {
    if (asked.body.all_users && asked.body.type === "channel")
      throw rejected("all_users is for segments of users.");
    return needOwnId(core, asked, planned);
  },
  muteUser: needOthers("target_ids", "target_id"),
  blockUser: needOthers("blocked_user_id"),
  flag: needOthers("target_user_id"),
  ban: needOthers("target_user_id"),
  markRead: needMembershipOfPath,
  muteChannel: async (core, { body }) => {
    for (const cid of [body.channel_cid, body.channel_cids].flat())
      if (typeof cid === "string") await needMembership(core, cid);
  },
  sendMessage: needAnswerable,
  saveDraft: needAnswerable,
  sendEvent(_core, { body }) {
    const { type } = fieldsOf(body.event);
    if (typeof type === "string" && RESERVED_EVENT.test(type) && !TYPING_EVENTS.has(type))
      throw rejected(`Event type ${type} is built in.`);
  },
  async commitMessage(core, { path: { id = "" } }) {
    const { cid, type } = await messageOf(core, id);
    // What is pending is shown to whoever asks for it by its id, and found by no search.
    const { results } = await core.call("search", {
      query: { filter_conditions: { cid }, message_filter_conditions: { id }, limit: 1 },
    });
    if (type === "deleted" || results.length > 0) throw rejected("The message is not pending.");
  },
  async createPoll(core, { body: { id } }) {
    if (typeof id === "string" && (await ifThere(core.call("getPoll", { path: { poll_id: id }, query: {} }))))
      throw rejected(`id names a poll that exists already: ${id}.`);
  },
  async createPollOption(core, { path: { poll_id = "" }, body: { text } }) {
    const { poll } = await core.call("getPoll", { path: { poll_id }, query: {} });
    if (poll.options.some((one) => sameOption(one.text, String(text))))
      throw rejected("text is there already.");
  },
  async deactivateUsers(core, { body: { user_ids } }) {
    const query = { include_deactivated_users: true, limit: USERS_PER_CALL };
    const { users } = await core.call("queryUsers", {
      query: { ...query, filter_conditions: { id: { $in: listOf(user_ids) as string[] } } },
    });
    const off = users.find(({ deactivated_at }) => deactivated_at);
    if (off) throw rejected(`user_ids names a user who is deactivated already: ${off.id}.`);
  },
  async reviewFlagReport(core, { path: { id = "" } }) {
    const { flag_reports } = await core.call("queryFlagReports", {
      body: { filter_conditions: { id }, limit: 1 },
    });
    if (flag_reports.length === 0) throw notFound(`Report ${id} does not exist.`);
  },
  async undeleteMessage(core, { path: { id = "" } }) {
    if ((await messageOf(core, id)).type !== "deleted") throw rejected(`Message ${id} is not deleted.`);
  },
  updateMessage: needLiving,
  updateMessagePartial: needLiving,
  // What waits for an action is no message yet: the provider shows it to nobody who asks.
  async runMessageAction(core, { path: { id = "" } }) {
    if (await ifThere(messageOf(core, id))) throw rejected(`Message ${id} does not wait for an action.`);
  },
  async translateMessage(core, { path: { id = "" } }) {
    const { type, text, command } = await messageOf(core, id);
    if (type === "deleted" || command !== undefined || !text?.trim())
      throw rejected(`Message ${id} has no text that can be translated.`);
  },
  async deleteReaction(core, { path: { id = "", reaction_type: type } }) {
    const { own_reactions } = await messageOf(core, id);
    if (!own_reactions?.some((one) => one.type === type))
      throw notFound(`There is no reaction ${type} of yours to message ${id}.`);
  },
  async markUnread(core, { path: { type = "", id: channel = "" }, body: { message_id } }) {
    if (typeof message_id !== "string") return;
    const cid = makeCid(type, channel);
    if ((await ifThere(messageOf(core, message_id)))?.cid !== cid)
      throw rejected(`There is no message ${message_id} in ${cid}.`);
  },
  deleteReminder: needReminder,
  updateReminder: needReminder,
  deleteFile: needFile,
  deleteImage: needFile,
  deleteChannelFile: needFile,
  deleteChannelImage: needFile,
  async deleteDevice(core, { query }) {
    const { devices } = await core.call("listDevices", {
      query: query?.user_id ? { user_id: String(query.user_id) } : {},
    });
    if (!devices.some(({ id }) => id === query?.id))
      throw notFound(`Device ${String(query?.id)} does not exist.`);
  },
  async updateChannel(core, { path, body: { accept_invite, reject_invite, assign_roles } }) {
    await needMembers(core, path, assign_roles);
    if (!accept_invite && !reject_invite) return;
    const me = core.userId && (await memberOf(core, path, core.userId));
    if (me && me.invited && !me.invite_accepted_at) return;
    const { message, hint } = noInvite(makeCid(path.type!, path.id!));
    throw new CommandError("conflict", message, hint);
  },
  updateChannelPartial: (_core, { body }) => needSettable(namesIn(body)),
  async updateMemberPartial(core, { path, body }) {
    for (const name of namesIn(body))
      if (BUILT_IN.member.has(name) && !SETTABLE_OF_MEMBERS.has(name))
        throw rejected(`${name} cannot be changed.`);
    const { type = "", id = "", user_id = "" } = path;
    if (!(await memberOf(core, path, user_id)))
      throw notFound(`User ${user_id} is not a member of channel ${makeCid(type, id)}.`);
  },
  batchChannels(_core, { body: { operation, members, data } }) {
    if (operation !== "updateData") {
      if (listOf(members).length === 0) throw rejected(`${String(operation)} needs members.`);
      if (operation === "assignRoles" && listOf(members).some((one) => !fieldsOf(one).channel_role))
        throw rejected("assignRoles needs a role for each member.");
      return;
    }
    const names = Object.keys(fieldsOf(data));
    if (names.length === 0) throw rejected("updateData needs a field to set.");
    needSettable(names);
  },
  updateCampaign: needCampaign("change", "changed"),
  startCampaign: needCampaign("start", "started"),
  stopCampaign: needCampaign("stop", "stopped"),
  updateUsersPartial(_core, { body: { users } }) {
    for (const user of listOf(users))
      for (const name of namesIn(fieldsOf(user)))
        if (BUILT_IN.user.has(name) && !SETTABLE_OF_USERS.has(name)) throw rejected(`${name} cannot be set.`);
  },
  async deletePushProvider(core, { path: { type, name } }) {
    const { push_providers: all } = await core.call("listPushProviders");
    if (!all.some((one) => one.type === type && one.name === name))
      throw notFound(`Push provider ${type} ${name} does not exist.`);
  },
  async deleteRole(core, { path: { name = "" } }, planned) {
    const role = (await core.call("listRoles")).roles.find((one) => one.name === name);
    if (role === undefined) return;
    if (!role.custom) throw rejected(`Role ${name} is built in and stays.`);
    const left = role.scopes.filter((scope) => !planned.some((call) => endsGrants(call, name, scope)));
    if (left.length > 0) throw rejected(`Role ${name} still has grants in ${left.join(", ")}.`);
    const holders = await core.call("queryUsers", { query: { filter_conditions: { role: name }, limit: 1 } });
    if (holders.users.length > 0) throw rejected(`Role ${name} is still held by users.`);
  },
  updatePermission: needOwnPermission,
  async deletePermission(core, asked, planned) {
    await needOwnPermission(core, asked, planned);
    const { id = "" } = asked.path;
    const { channel_types } = await core.call("listChannelTypes");
    const scope = Object.entries(channel_types).find(([, { grants }]) =>
      Object.values(grants ?? {}).some((names) => names.includes(id)),
    )?.[0];
    if (scope !== undefined) throw rejected(`id is still granted in ${scope}; take it away there first.`);
  },
  updateCommand: needOwnCommand,
  deleteCommand: needOwnCommand,
  async deleteChannelType(core, { path: { name = "" } }) {
    if (BUILT_IN_CHANNEL_TYPES.some((one) => one === name))
      throw rejected(`Channel type ${name} is built in and stays.`);
    const body = { filter_conditions: { type: name }, limit: 1, state: false };
    if ((await core.call("queryChannels", { body })).channels.length > 0)
      throw rejected(`Channel type ${name} has channels; delete them first.`);
  },
};
