/** Resolves a channel argument: a cid stays, `@user` is looked up without creating a channel. */
import type { ChannelState } from "../../wire/entities/channel.ts";
import { lookUpChannel } from "../../model/look-up-channel.ts";
import { INPUT_ERROR } from "../../wire/errors.ts";
import { splitCid } from "../../wire/ids.ts";
import { type Args, type Call, CommandError } from "./define-command.ts";
import { PlannedSteps } from "./planned-steps.ts";
import { existingUser } from "./user-not-found.ts";

/** The parts of a call that resolving needs. */
export type ChannelContext = Pick<Call<Args>, "core" | "dry" | "channelType">;

/** Type and id of a cid. Throws `CommandError` (usage). */
export function pathOf(cid: string): { type: string; id: string } {
  const parts = splitCid(cid);
  if (!parts)
    throw new CommandError(
      "usage",
      `'${cid}' is not a channel.`,
      "Write a channel as type:id, #id or @user.",
    );
  return parts;
}

/** The cid; a dry run also checks that the channel exists. `create` allows opening a direct channel. */
export async function cidOf(call: ChannelContext, channel: string, create = false): Promise<string> {
  if (channel.startsWith("@")) return directCid(call, channel.slice(1), create);
  pathOf(channel);
  if (call.dry)
    await lookUpChannel(call.core, channel).catch((error: { status?: number }) => {
      // Reading may be forbidden although the write is allowed; a provider that is asked refuses a missing channel itself.
      if (error.status !== 403 && !(error.status === 404 && call.core.answersDryRuns())) throw error;
    });
  return channel;
}

async function directCid(call: ChannelContext, user: string, create: boolean): Promise<string> {
  const me = call.core.userId;
  if (me === undefined)
    throw new CommandError("usage", `@${user} needs a user to be direct with.`, "Add --as <user>.");
  const members = [...new Set([me, user])];
  const { channels } = await call.core.call("queryChannels", {
    body: {
      filter_conditions: { type: call.channelType, members: { $eq: members } },
      sort: [{ field: "last_message_at", direction: -1 }],
      limit: 30,
      message_limit: 1,
      member_limit: 1,
      state: true,
      watch: false,
    },
  });
  const distinct = channels.find((state) => state.channel.id.startsWith("!members"));
  if (distinct) return distinct.channel.cid;
  if (!create)
    throw new CommandError(
      "notFound",
      `There is no direct channel with ${user} yet.`,
      `parley channel create @${user}`,
    );
  return plannedCid(call, () => openDirect(call, user));
}

/** Opens the direct channel with a user. A provider refuses an unknown one as it refuses any wrong input; then the user is looked up. */
async function openDirect({ core, channelType }: ChannelContext, user: string): Promise<string> {
  try {
    return await core.openDirect([user], channelType);
  } catch (error) {
    if ((error as { code?: unknown }).code === INPUT_ERROR) await existingUser(core, user);
    throw error;
  }
}

/** The cid of the channel that `open` opens; in a dry run the one that the provider says it would be. Throws the plan where it cannot be asked. */
async function plannedCid(call: ChannelContext, open: () => Promise<string>): Promise<string> {
  const steps = new PlannedSteps(call.dry);
  const cid = await steps.take(open, ({ channel }: ChannelState) => channel.cid);
  if (cid === undefined) steps.end();
  return cid!;
}
