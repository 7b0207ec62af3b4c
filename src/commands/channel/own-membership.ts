/** Pins or archives a channel for the current user only. */
import type { Member } from "../../wire/entities/channel.ts";
import { CommandError } from "../base/define-command.ts";
import { cidOf, pathOf, type ChannelContext } from "../base/resolve-channel.ts";

export async function setOwnMembership(
  call: ChannelContext & { args: { channel: string } },
  set: { pinned: boolean } | { archived: boolean },
): Promise<Member & { channel: string }> {
  const { core } = call;
  if (core.userId === undefined)
    throw new CommandError("usage", "This list needs a user.", "Add --as <user>.");
  const cid = await cidOf(call, call.args.channel);
  const { channel_member: member } = await core.call("updateMemberPartial", {
    path: { ...pathOf(cid), user_id: core.userId },
    body: { set },
  });
  return { ...member, channel: cid };
}
