/** How a resumed run looks up what an earlier one changed: the state that the change has left behind (specification/command-line.md §1). */
import type { Core } from "../../../core/core.ts";
import { lookUpChannel } from "../../../model/look-up-channel.ts";
import type { Channel, Member } from "../../../wire/entities/channel.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { isNotFound } from "../../../wire/errors.ts";
import { pathOf } from "../resolve-channel.ts";

type Caller = Pick<Core, "call" | "userId">;
type IsDone = (id: string) => Promise<boolean>;

/** The user, a deactivated one too; undefined if there is none. */
export const userNow = async (core: Pick<Core, "call">, id: string) =>
  (
    await core.call("queryUsers", {
      query: { filter_conditions: { id }, limit: 1, presence: false, include_deactivated_users: true },
    })
  ).users[0];

/** What is gone or changed since is not as the run left it. */
const orGone = async (look: () => Promise<boolean>): Promise<boolean> =>
  look().catch((error: unknown) => {
    if (isNotFound(error)) return false;
    throw error;
  });

/** Of a person's membership of this channel; the test gets undefined for somebody who is no member. */
export const memberIs =
  (core: Caller, cid: string, test: (member: Member | undefined) => boolean): IsDone =>
  async (id) =>
    orGone(async () => {
      const query = { ...pathOf(cid), filter_conditions: { id }, limit: 1 };
      return test((await core.call("queryMembers", { query })).members[0]);
    });

/** Of the caller's own membership of a channel. */
export const ownMembershipIs =
  (core: Caller, test: (member: Member) => boolean): IsDone =>
  (cid) =>
    memberIs(core, cid, (member) => member !== undefined && test(member))(core.userId!);

/** Of bans: in a channel, or with `undefined` in the whole app. */
export const banIs =
  (core: Caller, cid: string | undefined, isBanned: boolean): IsDone =>
  async (user_id) => {
    const where = { channel_cid: cid ?? { $exists: false } };
    const query = { filter_conditions: { user_id, ...where }, limit: 1 };
    return (await core.call("queryBannedUsers", { query })).bans.length > 0 === isBanned;
  };

/** Of a message. */
export const messageIs =
  (core: Caller, test: (message: Message) => boolean): IsDone =>
  (id) =>
    orGone(async () => test((await core.call("getMessage", { path: { id } })).message as Message));

export const hasOwnReaction = ({ own_reactions = [] }: Message, type: string): boolean =>
  own_reactions.some((reaction) => reaction.type === type);

/** Of a channel. */
export const channelIs =
  (core: Caller, test: (channel: Channel) => boolean): IsDone =>
  (cid) =>
    orGone(async () => test((await lookUpChannel(core, cid)).channel));
