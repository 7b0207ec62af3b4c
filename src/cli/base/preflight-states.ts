/** The state that each change needs its target to be in; a dry run checks it and fails as the provider would. */
import { CommandError } from "../../commands/base/define-command.ts";
import { noInvite } from "../../commands/channel/answer-invite.ts";
import { SETTABLE_OF_MEMBERS, settableData } from "../../wire/bodies/channels.ts";
import { poll as POLL } from "../../wire/bodies/polls.ts";
import { SETTABLE_OF_USERS } from "../../wire/bodies/users.ts";
import { BUILT_IN_FIELDS } from "../../wire/custom.ts";
import { TEAM_NAME_BYTES, USERS_PER_CALL } from "../../wire/constants.ts";
import { RESERVED_EVENT, TYPING_EVENTS } from "../../wire/event-names.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { makeCid, splitCid } from "../../wire/ids.ts";
import type { Shape } from "../../wire/fields.ts";
import type { Message } from "../../wire/entities/message.ts";
import { CHAT_PREFERENCES } from "../../wire/entities/user.ts";
import { exitOf } from "./exit.ts";
import { ifExists, KINDS, type PreflightCore } from "./preflight-kinds.ts";
import { asFields, asList, updatedFields } from "./preflight-needs.ts";
import { refusedUnlessReadable } from "./preflight-rights.ts";
import { APP_STATES } from "./preflight-app.ts";
import { rejected, missing, type StateCheck } from "./preflight-check.ts";
import type { Fields } from "../../wire/json-object.ts";

/** How long the address of a file may take to answer, ms. */
const FILE_ANSWER_MS = 3000;

const messageOf = async (core: PreflightCore, id: string): Promise<Message> =>
  (await core.call("getMessage", { path: { id }, query: {} })).message;

const memberOf = async (core: PreflightCore, path: Record<string, string>, id: string) => {
  const { type = "", id: channel = "" } = path;
  const query = { type, id: channel, filter_conditions: { id }, limit: 1 };
  return (await core.call("queryMembers", { query })).members[0];
};

const requireReminder: StateCheck = async (core, { path }) => {
  const { id = "" } = path;
  const { reminders } = await core.call("queryReminders", { body: { filter: { message_id: id }, limit: 1 } });
  if (reminders.length === 0) throw missing(`There is no reminder of message ${id}.`);
};

const requireUndeletedMessage: StateCheck = async (core, { path: { id = "" } }) => {
  if ((await messageOf(core, id)).type === "deleted") throw rejected("A deleted message cannot be changed.");
};

/** Throws when the file's address answers 404 or 410; no answer in time proves nothing. */
const requireFile: StateCheck = async (_core, { query }) => {
  const url = String(query?.url);
  const signal = AbortSignal.timeout(FILE_ANSWER_MS);
  const answer = await fetch(url, { method: "HEAD", signal }).catch(() => undefined);
  if (answer?.status === 404 || answer?.status === 410) throw missing(`There is no file at ${url}.`);
};

/** Actions that users cannot apply to themselves. */
const forbidSelf =
  (...fields: string[]): StateCheck =>
  (core, { body }) => {
    const me = core.userId;
    const field = fields.find((one) => me !== undefined && [body[one]].flat().includes(me));
    if (field !== undefined) throw rejected(`${field} must not be yourself.`);
  };

/** Options are compared without case and surrounding spaces. */
const sameOption = (one: string, other: string): boolean =>
  one.trim().toLowerCase() === other.trim().toLowerCase();

const requireMembership = async (core: PreflightCore, cid: string): Promise<void> => {
  const { type, id } = splitCid(cid) ?? {};
  if (core.userId === undefined || type === undefined || id === undefined) return;
  if ((await core.call("getChannel", { path: { type, id }, query: {} })).membership === undefined)
    throw new CommandError("notAllowed", `You are not a member of channel ${cid}.`);
};

const requirePathMembership: StateCheck = (core, { path: { type = "", id = "" } }) =>
  requireMembership(core, makeCid(type, id));

/** A parent or quoted message has to be in the same channel, and a reply has no replies. */
const requireValidParents: StateCheck = async (core, { path: { type = "", id = "" }, body }) => {
  const { parent_id, quoted_message_id } = asFields(body.message);
  for (const messageId of [parent_id, quoted_message_id]) {
    if (typeof messageId !== "string" || messageId === "") continue;
    const message = await ifExists(messageOf(core, messageId)).catch((error: unknown) => {
      // A message that the user may not read is in another channel.
      if (exitOf(error) !== 5) throw error;
      return undefined;
    });
    if (message?.cid !== makeCid(type, id))
      throw rejected(`There is no message ${messageId} in this channel.`);
    if (messageId === parent_id && message.parent_id)
      throw rejected("A reply cannot have replies of its own.");
  }
};

async function requireMembers(
  core: PreflightCore,
  path: Record<string, string>,
  roles: unknown,
): Promise<void> {
  for (const { user_id } of asList(roles).map(asFields))
    if (!(await memberOf(core, path, String(user_id))))
      throw rejected(`Not members of this channel: ${String(user_id)}.`);
}

/** Checks the members in each named channel; a failure is partial, since the other channels are still changed. */
async function requireMembersInAll(
  core: PreflightCore,
  cids: unknown,
  roles: unknown,
): Promise<CommandError | undefined> {
  for (const cid of asList(asFields(cids).$in).map(String)) {
    const { type = "", id = "" } = splitCid(cid) ?? {};
    const problem = await requireMembers(core, { type, id }, roles).catch((error: Error) => error);
    if (problem instanceof CommandError) return new CommandError("partial", `${cid}: ${problem.message}`);
  }
  return undefined;
}

/** Throws for built-in channel fields that cannot be updated. */
function requireSettable(names: readonly string[]): void {
  for (const name of names)
    if (BUILT_IN_FIELDS.channel.has(name) && !Object.hasOwn(settableData, name))
      throw rejected(`${name} cannot be changed.`);
}

/** Throws for the role `anonymous`, and for team names that are blank or too long. */
function requireValidRoles(users: readonly Fields[]): void {
  for (const { role, teams } of users) {
    if (role === "anonymous") throw rejected("anonymous is not a role that a user has.");
    for (const team of asList(teams))
      if (typeof team === "string" && (team.trim() === "" || Buffer.byteLength(team) > TEAM_NAME_BYTES))
        throw rejected(`teams must be names of at most ${TEAM_NAME_BYTES} bytes.`);
  }
}

/** How many unknown users are looked up among the deleted ones: each takes a call. */
const MAX_DELETED_LOOKUPS = 10;

const requireUndeletedUsers: StateCheck = async (core, { body: { users } }) => {
  requireValidRoles(Object.values(asFields(users)).map(asFields));
  const ids = Object.keys(asFields(users));
  const active = new Set(await KINDS.user.findExisting(core, ids));
  for (const id of ids.filter((one) => !active.has(one)).slice(0, MAX_DELETED_LOOKUPS)) {
    const found = await ifExists(core.call("exportUser", { path: { id } }));
    if (found?.user.deleted_at) throw rejected(`User ${id} is deleted.`);
  }
};

export const STATES: Partial<Record<EndpointName, StateCheck>> = {
  ...APP_STATES,
  upsertUsers: requireUndeletedUsers,
  async setPushPreferences(core, { body: { preferences } }) {
    for (const [i, preference] of asList(preferences).map(asFields).entries()) {
      for (const [name, value] of Object.entries(asFields(preference.chat_preferences)))
        if (!CHAT_PREFERENCES.some((one) => one === name))
          throw rejected(`preferences.${i}.chat_preferences.${name} is not a push preference.`);
        else if (value !== "all" && value !== "none")
          throw rejected(`preferences.${i}.chat_preferences.${name} must be all or none.`);
      if (typeof preference.channel_cid === "string")
        await refusedUnlessReadable(
          core.call("getChannel", { path: splitCid(preference.channel_cid)!, query: {} }),
        );
    }
  },
  async updatePollPartial(core, { path: { poll_id = "" }, body }) {
    const fixed = updatedFields(body).find((name) => (POLL as Shape)[name]?.kind === "ignored");
    if (fixed !== undefined) throw rejected(`${fixed} cannot be changed.`);
    const { poll } = await core.call("getPoll", { path: { poll_id }, query: {} });
    const removed = new Set(asList(body.unset));
    const after: Fields = { ...poll, ...asFields(body.set) };
    if (after.enforce_unique_vote && after.max_votes_allowed != null && !removed.has("max_votes_allowed"))
      throw rejected("max_votes_allowed cannot be given together with enforce_unique_vote.");
    if (removed.has("name")) throw rejected("name is missing.");
  },
  muteUser: forbidSelf("target_ids", "target_id"),
  blockUser: forbidSelf("blocked_user_id"),
  flag: forbidSelf("target_user_id"),
  ban: forbidSelf("target_user_id"),
  markRead: requirePathMembership,
  muteChannel: async (core, { body }) => {
    for (const cid of [body.channel_cid, body.channel_cids].flat())
      if (typeof cid === "string") await requireMembership(core, cid);
  },
  sendMessage: requireValidParents,
  saveDraft: requireValidParents,
  sendEvent(_core, { body }) {
    const { type } = asFields(body.event);
    if (typeof type === "string" && RESERVED_EVENT.test(type) && !TYPING_EVENTS.has(type))
      throw rejected(`Event type ${type} is built in.`);
  },
  async commitMessage(core, { path: { id = "" } }) {
    const { cid, type } = await messageOf(core, id);
    // A pending message can be read by its id, but no search finds it.
    const { results } = await core.call("search", {
      query: { filter_conditions: { cid }, message_filter_conditions: { id }, limit: 1 },
    });
    if (type === "deleted" || results.length > 0) throw rejected("The message is not pending.");
  },
  async createPoll(core, { body: { id } }) {
    if (
      typeof id === "string" &&
      (await ifExists(core.call("getPoll", { path: { poll_id: id }, query: {} })))
    )
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
      query: { ...query, filter_conditions: { id: { $in: asList(user_ids) as string[] } } },
    });
    const deactivated = users.find(({ deactivated_at }) => deactivated_at);
    if (deactivated) throw rejected(`user_ids names a user who is deactivated already: ${deactivated.id}.`);
  },
  async reviewFlagReport(core, { path: { id = "" } }) {
    const { flag_reports } = await core.call("queryFlagReports", {
      body: { filter_conditions: { id }, limit: 1 },
    });
    if (flag_reports.length === 0) throw missing(`Report ${id} does not exist.`);
  },
  async undeleteMessage(core, { path: { id = "" } }) {
    if ((await messageOf(core, id)).type !== "deleted") throw rejected(`Message ${id} is not deleted.`);
  },
  updateMessage: requireUndeletedMessage,
  updateMessagePartial: requireUndeletedMessage,
  // The preview of a slash command is not a message yet, so a message that can be read has no pending action.
  async runMessageAction(core, { path: { id = "" } }) {
    if (await ifExists(messageOf(core, id))) throw rejected(`Message ${id} does not wait for an action.`);
  },
  async translateMessage(core, { path: { id = "" } }) {
    const { type, text, command } = await messageOf(core, id);
    if (type === "deleted" || command !== undefined || !text?.trim())
      throw rejected(`Message ${id} has no text that can be translated.`);
  },
  async deleteReaction(core, { path: { id = "", reaction_type: type } }) {
    const { own_reactions } = await messageOf(core, id);
    if (!own_reactions?.some((one) => one.type === type))
      throw missing(`There is no reaction ${type} of yours to message ${id}.`);
  },
  async markUnread(core, { path: { type = "", id: channel = "" }, body: { message_id } }) {
    if (typeof message_id !== "string") return;
    const cid = makeCid(type, channel);
    if ((await ifExists(messageOf(core, message_id)))?.cid !== cid)
      throw rejected(`There is no message ${message_id} in ${cid}.`);
  },
  deleteReminder: requireReminder,
  updateReminder: requireReminder,
  deleteFile: requireFile,
  deleteImage: requireFile,
  deleteChannelFile: requireFile,
  deleteChannelImage: requireFile,
  async deleteDevice(core, { query }) {
    const { devices } = await core.call("listDevices", {
      query: query?.user_id ? { user_id: String(query.user_id) } : {},
    });
    if (!devices.some(({ id }) => id === query?.id))
      throw missing(`Device ${String(query?.id)} does not exist.`);
  },
  async updateChannel(core, { path, body }) {
    const { accept_invite, reject_invite, assign_roles } = body;
    const ranked = ["assign_roles", "add_moderators", "demote_moderators"];
    if (core.userId !== undefined && ranked.some((field) => asList(body[field]).length > 0))
      throw new CommandError("notAllowed", "Only a server may change channel roles.");
    await requireMembers(core, path, assign_roles);
    if (!accept_invite && !reject_invite) return;
    const me = core.userId && (await memberOf(core, path, core.userId));
    if (me && me.invited && !me.invite_accepted_at) return;
    const { message, hint } = noInvite(makeCid(path.type!, path.id!));
    throw new CommandError("conflict", message, hint);
  },
  updateChannelPartial: (_core, { body }) => requireSettable(updatedFields(body)),
  async updateMemberPartial(core, { path, body }) {
    for (const name of updatedFields(body))
      if (BUILT_IN_FIELDS.member.has(name) && !SETTABLE_OF_MEMBERS.has(name))
        throw rejected(`${name} cannot be changed.`);
    const { type = "", id = "", user_id = "" } = path;
    if (core.userId !== undefined && updatedFields(body).includes("channel_role"))
      throw new CommandError("notAllowed", "Only a server may change channel roles.");
    if (!(await memberOf(core, path, user_id)))
      throw missing(`User ${user_id} is not a member of channel ${makeCid(type, id)}.`);
  },
  async batchChannels(core, { body: { operation, members, data, filter } }) {
    if (operation !== "updateData") {
      if (asList(members).length === 0) throw rejected(`${String(operation)} needs members.`);
      if (operation === "assignRoles" && asList(members).some((one) => !asFields(one).channel_role))
        throw rejected("assignRoles needs a role for each member.");
      return operation === "assignRoles"
        ? requireMembersInAll(core, asFields(filter).cids, members)
        : undefined;
    }
    const names = Object.keys(asFields(data));
    if (names.length === 0) throw rejected("updateData needs a field to set.");
    requireSettable(names);
    return undefined;
  },
  updateUsersPartial(_core, { body: { users } }) {
    requireValidRoles(asList(users).map((user) => asFields(asFields(user).set)));
    for (const user of asList(users))
      for (const name of updatedFields(asFields(user)))
        if (BUILT_IN_FIELDS.user.has(name) && !SETTABLE_OF_USERS.has(name))
          throw rejected(`${name} cannot be set.`);
  },
};
