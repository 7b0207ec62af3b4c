/** Looks up by its id whether a write was made whose success was answered without JSON (specification/errors.md §3). */
import { endpoints, type EndpointName, type EndpointRow } from "../../wire/endpoints/index.ts";
import type { ChannelState, Member } from "../../wire/entities/channel.ts";
import type { Reaction } from "../../wire/entities/message.ts";
import type { Reminder } from "../../wire/entities/reminder.ts";
import type { User } from "../../wire/entities/user.ts";
import { NOT_FOUND } from "../../wire/errors.ts";
import { makeCid } from "../../wire/ids.ts";
import type { Fields } from "../../wire/json-object.ts";
import { answerProblem } from "../../wire/reading.ts";
import { ApiError } from "../../model/errors.ts";
import type { ApiCall, CallArgs } from "../base/api-types.ts";
import { isAsSent, isUnset } from "./as-sent.ts";

/** What was written, and how to read: as the user, or with the server token, like the write itself. */
interface Written {
  path: Record<string, string>;
  /** With the query of a call that has no body. */
  body: Fields;
  /** Who wrote it. */
  me: string | undefined;
  read: ApiCall;
}
/** Resolves to as much of the answer as can be read, or to undefined where what is stored is not what was written. */
type LookUp = (written: Written) => Promise<Fields | undefined>;

/** Reactions or members that one look reads: what is not among so many is not known to be absent. */
const MOST = 100;

const onlyIf = (holds: boolean, answer: Fields = {}): Fields | undefined => (holds ? answer : undefined);

/** Whether a look was answered with "does not exist". */
const isAbsent = (look: Promise<unknown>): Promise<boolean> =>
  look.then(
    () => false,
    (error: unknown) => {
      if (error instanceof ApiError && error.code === NOT_FOUND) return true;
      throw error;
    },
  );

/** Whether an object has what a partial update sets, and lacks what it unsets. */
const isChanged = (entity: object | undefined, { set = {}, unset = [] }: Fields): boolean =>
  entity !== undefined && isAsSent(entity, set) && (unset as string[]).every((path) => isUnset(entity, path));

const pollOf = ({ path, body, read }: Written) =>
  read("getPoll", { path: { poll_id: path.poll_id ?? String(body.id) } });

const messageOf = ({ path, read }: Written) => read("getMessage", { path: { id: path.id! } });

async function reactionOf(
  { path, me, read }: Written,
  type: unknown,
): Promise<Reaction | "none" | undefined> {
  const { reactions } = await read("getReactions", { path: { id: path.id! }, query: { limit: MOST } });
  const found = reactions.find((one) => one.type === type && one.user_id === me);
  return found ?? (reactions.length < MOST ? "none" : undefined);
}

async function channelOf({ path, read }: Written, hidden = false): Promise<ChannelState | undefined> {
  const filter_conditions = { cid: makeCid(path.type!, path.id!), ...(hidden && { hidden }) };
  const { channels } = await read("queryChannels", { body: { filter_conditions, state: true, limit: 1 } });
  return channels[0];
}

/** Which of these people are members. */
async function membersOf({ path, read }: Written, ids: string[]): Promise<Member[]> {
  const filter_conditions = { id: { $in: ids } };
  const query = { type: path.type!, id: path.id!, filter_conditions, limit: MOST };
  return (await read("queryMembers", { query })).members;
}

/** The people with these ids who exist, by id. */
async function peopleOf({ read }: Written, ids: string[]): Promise<Record<string, User>> {
  const query = { filter_conditions: { id: { $in: ids } }, limit: MOST, include_deactivated_users: true };
  return Object.fromEntries((await read("queryUsers", { query })).users.map((one) => [one.id, one]));
}

const reminderOf = async ({ path, read }: Written): Promise<Reminder | undefined> =>
  (await read("queryReminders", { body: { filter: { message_id: path.id! }, limit: 1 } })).reminders[0];

const draftOf = ({ path: { type, id }, body, read }: Written) => {
  const parent_id = (body.message as Fields | undefined)?.parent_id ?? body.parent_id;
  const query = typeof parent_id === "string" ? { parent_id } : {};
  return read("getDraft", { path: { type: type!, id: id! }, query });
};

/** Changes of members that can be told by who is one afterwards. */
const MEMBER_CHANGES = new Set(["add_members", "invites", "remove_members", "hide_history", "message"]);
const idsOf = (people: unknown): string[] =>
  ((people ?? []) as (string | { user_id: string })[]).map((one) =>
    typeof one === "string" ? one : one.user_id,
  );

const changeMembers: LookUp = async (written) => {
  const { body } = written;
  const added = [...idsOf(body.add_members), ...idsOf(body.invites)];
  const removed = idsOf(body.remove_members);
  const isTold = Object.keys(body).every((key) => MEMBER_CHANGES.has(key));
  if (!isTold || added.length + removed.length === 0) return undefined;
  const members = await membersOf(written, [...added, ...removed]);
  const are = new Set(members.map(({ user_id }) => user_id));
  const holds = added.every((id) => are.has(id)) && !removed.some((id) => are.has(id));
  return onlyIf(holds, { channel: (await channelOf(written))?.channel, members });
};

const setReminder: LookUp = async (written) => {
  const reminder = await reminderOf(written);
  const holds = reminder !== undefined && isAsSent(reminder, { remind_at: written.body.remind_at });
  return onlyIf(holds, { reminder });
};

/** An object of the app that is read by its name or id; `answerKey`: where the answer has it. */
const ofApp =
  (name: EndpointName, key: string, answerKey?: string): LookUp =>
  async ({ path, body, read }) => {
    const found: Fields = await read(name, { path: { [key]: path[key] ?? body[key] } as never });
    return onlyIf(isAsSent(answerKey === undefined ? found : found[answerKey], body), found);
  };
const gone =
  (name: EndpointName): LookUp =>
  async ({ path, read }) =>
    onlyIf(await isAbsent(read(name, { path: path as never })));

const LOOK_UPS: Partial<Record<EndpointName, LookUp>> = {
  createPoll: async (written) => (written.body.id === undefined ? undefined : pollOf(written)),
  async updatePollPartial(written) {
    const { poll } = await pollOf(written);
    return onlyIf(isChanged(poll, written.body), { poll });
  },
  deletePoll: gone("getPoll"),
  async createPollOption(written) {
    const { poll } = await pollOf(written);
    const poll_option = poll.options.find(({ text }) => text === written.body.text);
    return onlyIf(poll_option !== undefined, { poll_option });
  },
  async updatePollOption(written) {
    const { poll } = await pollOf(written);
    const poll_option = poll.options.find((option) => isAsSent(option, written.body));
    return onlyIf(poll_option !== undefined, { poll_option });
  },
  async deletePollOption(written) {
    const { options } = (await pollOf(written)).poll;
    return onlyIf(options.every(({ id }) => id !== written.path.option_id));
  },
  async castPollVote(written) {
    const { poll } = await pollOf(written);
    const vote = poll.own_votes?.find((one) => isAsSent(one, written.body.vote));
    return onlyIf(vote !== undefined, { poll, vote });
  },
  async removePollVote(written) {
    const { poll } = await pollOf(written);
    return onlyIf(poll.own_votes?.every(({ id }) => id !== written.path.vote_id) === true, { poll });
  },
  async updateMessagePartial(written) {
    const { message } = await messageOf(written);
    return onlyIf(isChanged(message, written.body), { message });
  },
  async undeleteMessage(written) {
    const { message } = await messageOf(written);
    return onlyIf(typeof message.deleted_at !== "string", { message });
  },
  async updateThreadPartial(written) {
    const { thread } = await written.read("getThread", { path: { message_id: written.path.message_id! } });
    return onlyIf(isChanged(thread, written.body), { thread });
  },
  async deleteMessage(written) {
    const look = messageOf(written);
    if (await isAbsent(look)) return {};
    const { message } = await look;
    return onlyIf(typeof message.deleted_at === "string", { message });
  },
  async sendReaction(written) {
    const { type, score } = written.body.reaction as Fields;
    const reaction = await reactionOf(written, type);
    const isSame = typeof reaction === "object" && (score === undefined || reaction.score === score);
    return isSame ? { ...(await messageOf(written)), reaction } : undefined;
  },
  async deleteReaction(written) {
    const isGone = (await reactionOf(written, written.path.reaction_type)) === "none";
    return isGone ? { ...(await messageOf(written)) } : undefined;
  },
  queryChannel: async (written) => (written.body.data === undefined ? undefined : channelOf(written)),
  updateChannel: changeMembers,
  async updateChannelPartial(written) {
    const channel = (await channelOf(written))?.channel;
    return onlyIf(isChanged(channel, written.body), { channel, members: [] });
  },
  deleteChannel: async (written) => onlyIf(!((await channelOf(written)) ?? (await channelOf(written, true)))),
  hideChannel: async (written) => onlyIf((await channelOf(written, true)) !== undefined),
  showChannel: async (written) => onlyIf((await channelOf(written)) !== undefined),
  async markRead(written) {
    if (written.body.thread_id !== undefined || written.body.message_id !== undefined) return undefined;
    const read = (await channelOf(written))?.read ?? [];
    return onlyIf(read.some(({ user, unread_messages }) => user.id === written.me && unread_messages === 0));
  },
  async updateMemberPartial(written) {
    const [channel_member] = await membersOf(written, [written.path.user_id!]);
    return onlyIf(isChanged(channel_member, written.body), { channel_member });
  },
  async blockUser({ body, me, read }) {
    const { blocks } = await read("getBlockedUsers");
    const block = blocks.find(({ blocked_user_id }) => blocked_user_id === body.blocked_user_id);
    return onlyIf(block !== undefined, { ...block, blocked_by_user_id: me });
  },
  async unblockUser({ body, read }) {
    const { blocks } = await read("getBlockedUsers");
    return onlyIf(blocks.every(({ blocked_user_id }) => blocked_user_id !== body.blocked_user_id));
  },
  async createDevice({ body, read }) {
    const { devices } = await read("listDevices");
    return onlyIf(devices.some(({ id }) => id === body.id));
  },
  async deleteDevice({ body, read }) {
    const { devices } = await read("listDevices");
    return onlyIf(devices.every(({ id }) => id !== body.id));
  },
  async upsertUsers(written) {
    const sent = written.body.users as Fields;
    const users = await peopleOf(written, Object.keys(sent));
    return onlyIf(isAsSent(users, sent), { users });
  },
  async updateUsersPartial(written) {
    const sent = written.body.users as ({ id: string } & Fields)[];
    const users = await peopleOf(
      written,
      sent.map(({ id }) => id),
    );
    return onlyIf(
      sent.every((one) => isChanged(users[one.id], one)),
      { users },
    );
  },
  async saveDraft(written) {
    const { draft } = await draftOf(written);
    const { text } = written.body.message as Fields;
    return onlyIf(draft.message.text === text, { draft });
  },
  deleteDraft: async (written) => onlyIf(await isAbsent(draftOf(written))),
  createReminder: setReminder,
  updateReminder: setReminder,
  deleteReminder: async (written) => onlyIf((await reminderOf(written)) === undefined),
  createChannelType: ofApp("getChannelType", "name"),
  updateChannelType: ofApp("getChannelType", "name"),
  deleteChannelType: gone("getChannelType"),
  createPermission: ofApp("getPermission", "id", "permission"),
  updatePermission: ofApp("getPermission", "id", "permission"),
  deletePermission: gone("getPermission"),
  createCommand: ofApp("getCommand", "name"),
  updateCommand: ofApp("getCommand", "name"),
  deleteCommand: gone("getCommand"),
  createBlocklist: ofApp("getBlocklist", "name", "blocklist"),
  updateBlocklist: ofApp("getBlocklist", "name", "blocklist"),
  deleteBlocklist: gone("getBlocklist"),
  createSegment: ofApp("getSegment", "id", "segment"),
  updateSegment: ofApp("getSegment", "id", "segment"),
  deleteSegment: gone("getSegment"),
  createCampaign: ofApp("getCampaign", "id", "campaign"),
  updateCampaign: ofApp("getCampaign", "id", "campaign"),
  deleteCampaign: gone("getCampaign"),
};

/** Who acts in a call with the server token. */
function actorIn(asked: Fields): string | undefined {
  const { user_id, user, reaction } = asked;
  const named = [user_id, (user as Fields | undefined)?.id, (reaction as Fields | undefined)?.user_id];
  return named.find((id): id is string => typeof id === "string");
}

/** Reads like a write was made: with its token, as its user, within its time. */
const readLike =
  ({ server, timeout, signal }: CallArgs<EndpointName>, actor: string | undefined, call: ApiCall): ApiCall =>
  (name, args = {}) => {
    const given = args as { query?: object; body?: object };
    const acting = actor === undefined ? {} : { user_id: actor };
    const asked = given.body
      ? { body: { ...given.body, ...acting } }
      : { query: { ...given.query, ...acting } };
    const common = { ...(server && { server }), ...(timeout && { timeout }), ...(signal && { signal }) };
    return call(name, { ...common, ...args, ...asked } as never);
  };

/** The answer to a write that was made, as far as a look tells it; undefined where none does, or where the look fails. */
export async function lookUpWrite(
  name: EndpointName,
  args: CallArgs<EndpointName>,
  me: string | undefined,
  call: ApiCall,
): Promise<Fields | undefined> {
  const { path = {}, query, body } = args;
  const sent: Fields = { ...query, ...(body as object | undefined) };
  const actor = actorIn(sent);
  const { user_id: _userId, user: _user, ...written } = sent;
  const read = readLike(args, actor, call);
  const found = await LOOK_UPS[name]?.({ path, body: written, me: actor ?? me, read }).catch(() => undefined);
  if (!found) return undefined;
  const answer = { duration: "", ...found };
  answerProblem((endpoints[name] as EndpointRow).answer?.() ?? {}, answer, { done: true });
  return answer;
}
