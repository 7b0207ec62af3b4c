/** What each change of a channel or a message has to be granted: a dry run asks the channel what its user may do there, as screens do. */
import { CommandError } from "../../commands/base/define-command.ts";
import { RANKS_OF_USERS } from "../../wire/bodies/users.ts";
import type { Capability } from "../../wire/entities/capabilities.ts";
import type { EndpointName } from "../../wire/endpoints/index.ts";
import { reasonOf } from "../../wire/errors.ts";
import { makeCid, splitCid } from "../../wire/ids.ts";
import { exitOf } from "./exit.ts";
import type { Calls } from "./foresee-kinds.ts";
import { asFields, asList, updatedFields, type PlannedArgs } from "./foresee-needs.ts";
import type { Fields } from "../../wire/json-object.ts";

/** Rights of which one is enough, and what for, behind "You are not allowed to". */
type Right = readonly [Capability | readonly Capability[], string];

/** Where something is done, and what it takes there. */
interface Wanted {
  cid: string;
  rights: (channel: Fields, isMember: boolean) => Right[];
}

type Whole = PlannedArgs & { path: Record<string, string>; body: Fields };
type Find = (core: Calls, asked: Whole) => Wanted | Promise<Wanted>;

const DATA: Readonly<Record<string, Right>> = {
  frozen: ["freeze-channel", "freeze or unfreeze messages"],
  cooldown: ["set-channel-cooldown", "change slow mode"],
};
const OTHER_DATA: Right = ["update-channel", "change the data"];
/** Clients send the whole channel back: what is as it was is not touched. */
const changedIn = (data: Fields, channel: Fields): string[] =>
  Object.keys(data).filter((key) => JSON.stringify(data[key]) !== JSON.stringify(channel[key]));

const ofData = (names: readonly string[]): Right[] => names.map((name) => DATA[name] ?? OTHER_DATA);

const cidOf = ({ path }: Whole): string => makeCid(path.type ?? "", path.id ?? "");

/** Whoever joins or leaves alone has a right of its own for it; nothing is known where none is named. */
function ofMembers(
  list: unknown,
  me: string | undefined,
  own: Capability | undefined,
  what: string,
): Right[] {
  const ids = asList(list).map((one) => (typeof one === "string" ? one : asFields(one).user_id));
  const isOwn = ids.length === 1 && ids[0] === me;
  if (ids.length === 0 || (isOwn && own === undefined)) return [];
  return [[isOwn ? [own!, "update-channel-members"] : "update-channel-members", `${what} members`]];
}

/** Who may not read a message changes none either. */
export async function refusedUnlessReadable<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((error: Error) => {
    throw exitOf(error) === 5 ? new CommandError("notAllowed", reasonOf(error.message)) : error;
  });
}

/** One's own messages are granted apart from those of others. */
const ofMessage =
  (own: Capability, any: Capability, what: string): Find =>
  async (core, { path, body }) => {
    const { message } = await refusedUnlessReadable(
      core.call("getMessage", { path: { id: path.id ?? "" }, query: {} }),
    );
    const names = [...Object.keys(asFields(body.set)), ...(asList(body.unset) as string[])];
    const onlyPins = names.length > 0 && names.every((name) => name.startsWith("pin"));
    const right: Right = onlyPins
      ? ["pin-message", "pin messages"]
      : [message.user.id === core.userId ? own : any, what];
    return { cid: message.cid ?? "", rights: () => [right] };
  };

const change = ofMessage("update-own-message", "update-any-message", "change this message");

/** Whoever may read the message may do it. */
const readableMessage: Find = async (core, { path }) => {
  const { message } = await refusedUnlessReadable(
    core.call("getMessage", { path: { id: path.id ?? "" }, query: {} }),
  );
  return { cid: message.cid ?? "", rights: () => [] };
};

const deletion = ofMessage("delete-own-message", "delete-any-message", "delete this message");

const banIn = ({ type, id, channel_cid }: Fields): Wanted => ({
  cid: typeof type === "string" ? makeCid(type, String(id)) : String(channel_cid ?? ""),
  rights: () => [["ban-channel-members", "ban members"]],
});

const RIGHTS: Partial<Record<EndpointName, Find>> = {
  updateChannel: (core, asked) => {
    const { data, cooldown, add_members, remove_members, invites } = asked.body;
    return {
      cid: cidOf(asked),
      rights: (channel, isMember) => [
        // The right to join is not told to members.
        ...ofMembers(add_members, core.userId, isMember ? undefined : "join-channel", "add"),
        ...ofMembers(remove_members, core.userId, "leave-channel", "remove"),
        ...ofMembers(invites, undefined, "update-channel-members", "invite"),
        ...ofData(cooldown === undefined ? [] : ["cooldown"]),
        ...ofData(changedIn(asFields(data), channel)),
      ],
    };
  },
  updateChannelPartial: (_core, asked) => ({
    cid: cidOf(asked),
    rights: () =>
      ofData([...Object.keys(asFields(asked.body.set)), ...(asList(asked.body.unset) as string[])]),
  }),
  deleteChannel: (_core, asked) => ({ cid: cidOf(asked), rights: () => [["delete-channel", "delete it"]] }),
  ban: (_core, { body }) => banIn(body),
  unban: (_core, { query }) => banIn(query ?? {}),
  updateMessage: change,
  updateMessagePartial: change,
  // For oneself alone everybody may.
  deleteMessage: (core, asked) =>
    (asked.query?.delete_for_me === true ? readableMessage : deletion)(core, asked),
  sendMessage: (_core, asked) => ({
    cid: cidOf(asked),
    rights: () => [
      asFields(asked.body.message).parent_id === undefined
        ? ["send-message", "send messages"]
        : ["send-reply", "reply"],
    ],
  }),
  sendReaction: async (core, asked) => ({
    cid: (await readableMessage(core, asked)).cid,
    rights: () => [["send-reaction", "react"]],
  }),
  deleteReaction: readableMessage,
  updateReminder: readableMessage,
  deleteReminder: readableMessage,
};

/** Whoever is banned from the app may read, and changes nothing. */
export async function needUnbanned(core: Calls): Promise<void> {
  const me = core.userId;
  if (me === undefined) return;
  const query = { filter_conditions: { id: me }, limit: 1 };
  if ((await core.call("queryUsers", { query })).users[0]?.banned === true)
    throw new CommandError("notAllowed", "You are banned from this app.");
}

/** What only servers change of people, and that nobody else changes others. */
function needOwn(me: string | undefined, users: unknown): void {
  if (me === undefined) return;
  for (const user of asList(users).map(asFields)) {
    const rank = updatedFields(user).find((name) => RANKS_OF_USERS.has(name));
    if (rank !== undefined)
      throw new CommandError("notAllowed", `You are not allowed to change the ${rank} of a user.`);
    if (user.id !== me) throw new CommandError("notAllowed", "You are not allowed to change other users.");
  }
}

/** Throws `CommandError` (notAllowed). Servers may do everything, and a channel that tells nothing forbids nothing. */
export async function needRights(core: Calls, name: EndpointName, asked: Whole): Promise<void> {
  if (core.userId === undefined) return;
  if (name === "updateUsersPartial") needOwn(core.userId, asked.body.users);
  const wanted = await RIGHTS[name]?.(core, asked);
  const { type, id } = (wanted && splitCid(wanted.cid)) ?? {};
  if (wanted === undefined || type === undefined || id === undefined) return;
  const { channel, membership } = await core.call("getChannel", { path: { type, id }, query: {} });
  const has: readonly string[] | undefined = channel.own_capabilities;
  const lacking =
    has &&
    wanted
      .rights(channel as unknown as Fields, membership !== undefined)
      .find(([right]) => ![right].flat().some((one) => has.includes(one)));
  if (lacking)
    throw new CommandError("notAllowed", `You are not allowed to ${lacking[1]} in channel ${wanted.cid}.`);
}
