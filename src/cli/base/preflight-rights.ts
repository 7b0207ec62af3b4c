/** The permissions that changes of channels and messages need; a dry run compares them with the capabilities of the channel. */
import { CommandError } from "../../commands/base/define-command.ts";
import { RANKS_OF_USERS } from "../../wire/bodies/users.ts";
import type { Capability } from "../../wire/entities/capabilities.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { reasonOf } from "../../wire/errors.ts";
import { makeCid, splitCid } from "../../wire/ids.ts";
import { exitOf } from "./exit.ts";
import type { PreflightCore } from "./preflight-kinds.ts";
import { asFields, asList, memberIdsIn, updatedFields, type PlannedArgs } from "./preflight-needs.ts";
import type { Fields } from "../../wire/json-object.ts";

/** Capabilities of which one is enough, and the action, which completes "You are not allowed to …". */
type Right = readonly [Capability | readonly Capability[], string];

/** The channel of a change, and the rights needed in it. */
interface Requirement {
  cid: string;
  rights: (channel: Fields, isMember: boolean) => Right[];
}

type CompleteArgs = PlannedArgs & { path: Record<string, string>; body: Fields };
type FindRequirement = (core: PreflightCore, call: CompleteArgs) => Requirement | Promise<Requirement>;

const DATA_RIGHTS: Readonly<Record<string, Right>> = {
  frozen: ["freeze-channel", "freeze or unfreeze messages"],
  cooldown: ["set-channel-cooldown", "change slow mode"],
};
const OTHER_DATA_RIGHT: Right = ["update-channel", "change the data"];
/** Clients send the whole channel back: fields with unchanged values need no permission. */
const changedFields = (data: Fields, channel: Fields): string[] =>
  Object.keys(data).filter((key) => JSON.stringify(data[key]) !== JSON.stringify(channel[key]));

const dataRights = (names: readonly string[]): Right[] =>
  names.map((name) => DATA_RIGHTS[name] ?? OTHER_DATA_RIGHT);

const cidOf = ({ path }: CompleteArgs): string => makeCid(path.type ?? "", path.id ?? "");

/** Joining or leaving has its own capability; `own` is undefined where it cannot be checked. */
function memberRights(
  list: unknown,
  me: string | undefined,
  selfCapability: Capability | undefined,
  action: string,
): Right[] {
  const ids = memberIdsIn(list);
  const isSelf = ids.length === 1 && ids[0] === me;
  if (ids.length === 0 || (isSelf && selfCapability === undefined)) return [];
  return [
    [isSelf ? [selfCapability!, "update-channel-members"] : "update-channel-members", `${action} members`],
  ];
}

/** A refused read also refuses the change: throws `CommandError` (notAllowed). */
export async function refusedUnlessReadable<T>(read: Promise<T>): Promise<T> {
  return read.catch((error: Error) => {
    throw exitOf(error) === 5 ? new CommandError("notAllowed", reasonOf(error.message)) : error;
  });
}

/** Changing one's own messages and changing any message are separate capabilities. */
const messageRight =
  (ownCapability: Capability, anyCapability: Capability, action: string): FindRequirement =>
  async (core, { path, body }) => {
    const { message } = await refusedUnlessReadable(
      core.call("getMessage", { path: { id: path.id ?? "" }, query: {} }),
    );
    const names = [...Object.keys(asFields(body.set)), ...(asList(body.unset) as string[])];
    const onlyPins = names.length > 0 && names.every((name) => name.startsWith("pin"));
    const right: Right = onlyPins
      ? ["pin-message", "pin messages"]
      : [message.user.id === core.userId ? ownCapability : anyCapability, action];
    return { cid: message.cid ?? "", rights: () => [right] };
  };

const changeMessage = messageRight("update-own-message", "update-any-message", "change this message");

/** Needs permission to read the message, and nothing else. */
const readableMessage: FindRequirement = async (core, { path }) => {
  const { message } = await refusedUnlessReadable(
    core.call("getMessage", { path: { id: path.id ?? "" }, query: {} }),
  );
  return { cid: message.cid ?? "", rights: () => [] };
};

const deleteMessage = messageRight("delete-own-message", "delete-any-message", "delete this message");

const banRequirement = ({ type, id, channel_cid }: Fields): Requirement => ({
  cid: typeof type === "string" ? makeCid(type, String(id)) : String(channel_cid ?? ""),
  rights: () => [["ban-channel-members", "ban members"]],
});

const RIGHTS: Partial<Record<EndpointName, FindRequirement>> = {
  updateChannel: (core, call) => {
    const { data, cooldown, add_members, remove_members, invites } = call.body;
    return {
      cid: cidOf(call),
      rights: (channel, isMember) => [
        // Members do not receive the capability to join.
        ...memberRights(add_members, core.userId, isMember ? undefined : "join-channel", "add"),
        ...memberRights(remove_members, core.userId, "leave-channel", "remove"),
        ...memberRights(invites, undefined, "update-channel-members", "invite"),
        ...dataRights(cooldown === undefined ? [] : ["cooldown"]),
        ...dataRights(changedFields(asFields(data), channel)),
      ],
    };
  },
  updateChannelPartial: (_core, call) => ({
    cid: cidOf(call),
    rights: () =>
      dataRights([...Object.keys(asFields(call.body.set)), ...(asList(call.body.unset) as string[])]),
  }),
  deleteChannel: (_core, call) => ({ cid: cidOf(call), rights: () => [["delete-channel", "delete it"]] }),
  ban: (_core, { body }) => banRequirement(body),
  unban: (_core, { query }) => banRequirement(query ?? {}),
  updateMessage: changeMessage,
  updateMessagePartial: changeMessage,
  // Anybody may delete a message for themselves.
  deleteMessage: (core, call) =>
    (call.query?.delete_for_me === true ? readableMessage : deleteMessage)(core, call),
  sendMessage: (_core, call) => ({
    cid: cidOf(call),
    rights: () => [
      asFields(call.body.message).parent_id === undefined
        ? ["send-message", "send messages"]
        : ["send-reply", "reply"],
    ],
  }),
  sendReaction: async (core, call) => ({
    cid: (await readableMessage(core, call)).cid,
    rights: () => [["send-reaction", "react"]],
  }),
  deleteReaction: readableMessage,
  updateReminder: readableMessage,
  deleteReminder: readableMessage,
};

/** Throws `CommandError` (notAllowed) for a user banned from the app, who may only read. */
export async function requireUnbannedCaller(core: PreflightCore): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  const query = { filter_conditions: { id: me }, limit: 1 };
  if ((await core.call("queryUsers", { query })).users[0]?.banned === true)
    throw new CommandError("notAllowed", "You are banned from this app.");
}

/** Users may change only themselves, and not the fields reserved to servers. */
function requireOnlySelf(me: string | undefined, users: unknown): void {
  if (me === undefined) return;
  for (const user of asList(users).map(asFields)) {
    const reserved = updatedFields(user).find((name) => RANKS_OF_USERS.has(name));
    if (reserved !== undefined)
      throw new CommandError("notAllowed", `You are not allowed to change the ${reserved} of a user.`);
    if (user.id !== me) throw new CommandError("notAllowed", "You are not allowed to change other users.");
  }
}

/** Throws `CommandError` (notAllowed). Servers may do everything; a channel without capabilities in its answer is not checked. */
export async function requireRights(
  core: PreflightCore,
  name: EndpointName,
  call: CompleteArgs,
): Promise<void> {
  if (core.userId === undefined) return;
  if (name === "updateUsersPartial") requireOnlySelf(core.userId, call.body.users);
  const required = await RIGHTS[name]?.(core, call);
  const { type, id } = (required && splitCid(required.cid)) ?? {};
  if (required === undefined || type === undefined || id === undefined) return;
  const { channel, membership } = await core.call("getChannel", { path: { type, id }, query: {} });
  const capabilities: readonly string[] | undefined = channel.own_capabilities;
  const missingRight =
    capabilities &&
    required
      .rights(channel as unknown as Fields, membership !== undefined)
      .find(([alternatives]) => ![alternatives].flat().some((one) => capabilities.includes(one)));
  if (missingRight)
    throw new CommandError(
      "notAllowed",
      `You are not allowed to ${missingRight[1]} in channel ${required.cid}.`,
    );
}
