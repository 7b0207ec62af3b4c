/** Pins or archives channels for the current user only. */
import type { Member } from "../../wire/entities/channel.ts";
import { ownMembershipIs } from "../base/bulk/left-state.ts";
import { changeChannels } from "../base/bulk/names.ts";
import { CommandError } from "../base/define-command.ts";
import { pathOf } from "../base/resolve-channel.ts";

type Membership = Member & { channel: string };

const RESULTS = { pinned: ["unpinned", "pinned"], archived: ["unarchived", "archived"] } as const;

export function setOwnMembership(
  call: Parameters<typeof changeChannels>[0],
  field: keyof typeof RESULTS,
  value: boolean,
): Promise<Membership> | AsyncIterable<Membership> {
  const { core } = call;
  const { userId: user_id } = core;
  if (user_id === undefined) throw new CommandError("usage", "This list needs a user.", "Add --as <user>.");
  return changeChannels(call, {
    async send(cid) {
      const { channel_member: member } = await core.call("updateMemberPartial", {
        path: { ...pathOf(cid), user_id },
        body: { set: { [field]: value } },
      });
      return { ...member, channel: cid };
    },
    isDone: ownMembershipIs(call.core, (member) => Boolean(member[`${field}_at`]) === value),
    result: RESULTS[field][Number(value) as 0 | 1],
  });
}
