/** Finds out who of a campaign's audience received no message, and why; the provider reports such campaigns as completed. */
import { isOver, type Campaign } from "../../../wire/entities/campaign.ts";
import type { User } from "../../../wire/entities/user.ts";
import { readProgress, reasonCounts } from "./journal.ts";
import type { CampaignOutcome, MissedPerson } from "./outcome.ts";
import {
  audienceOf,
  isForChannels,
  reachedAll,
  receptionOf,
  type Reception,
  type ReceptionCall,
} from "./received.ts";

/** Adds whom an ended campaign and its follow-ups did not reach, and whom this machine left out; not possible for audiences of channels. */
export async function withMissed(call: ReceptionCall, campaign: Campaign): Promise<CampaignOutcome> {
  const { begun, created } = readProgress(call.machine, campaign.id);
  const outcome = await withThoseMissed(call, campaign);
  if (begun?.mode !== "campaign" || created !== campaign.created_at) return outcome;
  const reasons = Object.entries(begun.left).flatMap(([reason, ids]) => ids.map(() => reason));
  return { ...outcome, left_out: reasonCounts(reasons, begun.counts) };
}

async function withThoseMissed(call: ReceptionCall, campaign: Campaign): Promise<CampaignOutcome> {
  // Responses may lack fields: then nothing is known.
  const { status, stats, sender_id }: Partial<Campaign> = campaign;
  if (!isOver(status) || isForChannels(campaign) || stats?.stats_users_sent === undefined) return campaign;
  const audience = await audienceOf(call, campaign);
  audience.delete(sender_id!);
  if (reachedAll(campaign, audience)) return campaign;
  const { missed, unproved } = missedOf(campaign, await receptionOf(call, campaign.id, campaign));
  if (missed.length + unproved.length === 0) return campaign;
  return {
    ...campaign,
    status: status === "completed" ? "incomplete" : campaign.status,
    ...(missed.length > 0 ? { missed } : {}),
    ...(unproved.length > 0 ? { unproved } : {}),
  };
}

/** Whom a campaign is for and who has not received it, those who cannot be reached first. */
export function missedOf(
  campaign: Campaign,
  { audiences, received, waiting, unproved, users }: Omit<Reception, "byRun" | "family">,
): { missed: MissedPerson[]; unproved: string[] } {
  const left = [...(audiences.get(campaign.id) ?? [])].filter((id) => !received.has(id) && !waiting.has(id));
  const unreachable: MissedPerson[] = [];
  const passedOver: MissedPerson[] = [];
  const reason = campaign.status === "stopped" ? "it was stopped before" : skippedReason(campaign);
  for (const id of left.filter((one) => !unproved.has(one))) {
    const user = users.get(id);
    const why = unavailableReason(user);
    (why === undefined ? passedOver : unreachable).push({ id, ...named(user), reason: why ?? reason });
  }
  return { missed: [...unreachable, ...passedOver], unproved: left.filter((id) => unproved.has(id)) };
}

const named = (user: User | undefined): { name?: string } => (user?.name ? { name: user.name } : {});

/** Why nobody can write to a user. */
function unavailableReason(user: User | undefined): string | undefined {
  if (user === undefined) return "there is no such user";
  if (user.deleted_at) return "the user is deleted";
  return user.deactivated_at ? "the user is deactivated" : undefined;
}

/** The likely reason why the provider skipped somebody (RUN-4, RUN-5). */
function skippedReason({ create_channels, channel_template }: Campaign): string {
  if (channel_template === undefined)
    return "there is no channel with the sender, or the message was refused";
  if (!create_channels) return "the channel is not there, or the message was refused";
  return "the channel or the message was refused";
}
