/** Finds out who of a campaign's audience received no message, and why; the provider reports such campaigns as completed. */
import { firstFew } from "../../../text/words.ts";
import { isOver, type Campaign } from "../../../wire/entities/campaign.ts";
import { QUERY_CHANNELS_LIMIT, SEARCH_LIMIT } from "../../../wire/constants.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { User } from "../../../wire/entities/user.ts";
import { byCursor } from "../../base/lists/cursor.ts";
import { CommandError } from "../../base/define-command.ts";
import { idsOfSegment, inGroups, fetchUsers, type AudienceCall } from "./people.ts";

interface MissedPerson {
  id: string;
  name?: string;
  reason: string;
}

/** A campaign with the people it has not reached. */
export type CampaignOutcome = Campaign & { missed?: MissedPerson[] };

const ALL = { limit: Infinity };

/** Receivers per search request: a search covers at most 500 channels. */
const RECEIVERS_PER_SEARCH = 25;

/** Adds `missed` to an ended campaign; not possible for audiences of channels. */
export async function withMissed(call: AudienceCall, campaign: Campaign): Promise<CampaignOutcome> {
  // Responses may lack fields: then nothing is known.
  const { status, stats, sender_id }: Partial<Campaign> = campaign;
  if (!isOver(status) || isForChannels(campaign)) return campaign;
  if (stats?.stats_users_sent === undefined) return campaign;
  const audience = await audienceOf(call, campaign);
  audience.delete(sender_id!);
  if (stats.stats_users_sent >= audience.size) return campaign;
  const missed = await findMissed(call, campaign, [...audience]);
  return missed.length === 0 ? campaign : { ...campaign, missed };
}

export const isForChannels = ({ segments }: Partial<Pick<Campaign, "segments">>): boolean =>
  segments?.some(({ type }) => type === "channel") === true;

/** The user ids a campaign is for. Throws `CommandError` (conflict) for a campaign to channels. */
export async function audienceOf(call: AudienceCall, campaign: Campaign): Promise<Set<string>> {
  const { user_ids = [], segments = [] }: Partial<Campaign> = campaign;
  if (isForChannels(campaign))
    throw new CommandError(
      "conflict",
      `Campaign ${campaign.id} is sent to channels: whom it reaches there is not listed.`,
      `parley campaign stats ${campaign.id}`,
    );
  const ids = new Set(user_ids);
  for (const segment of segments) {
    call.signal.throwIfAborted();
    for (const id of await idsOfSegment(call, segment)) ids.add(id);
  }
  return ids;
}

async function findMissed(
  call: AudienceCall,
  campaign: Campaign,
  ids: readonly string[],
): Promise<MissedPerson[]> {
  const missed: MissedPerson[] = [];
  const living: User[] = [];
  const showProgress = (done: number): void => call.progress(done, ids.length, "receivers");
  const found = await fetchUsers({ ...call, progress: showProgress }, ids);
  for (const id of ids) {
    const user = found.get(id);
    const reason = unavailableReason(user);
    if (user && reason === undefined) living.push(user);
    else missed.push({ id, ...named(user), reason: reason! });
  }
  // Users may have been deleted after receiving the message, so the number of sent messages is decisive.
  if (campaign.stats.stats_users_sent >= living.length) return missed;
  const reached =
    campaign.stats.stats_users_sent === 0 ? new Map() : await messagesOf(call, campaign, living);
  const reason = campaign.status === "stopped" ? "it was stopped before" : skippedReason(campaign);
  for (const user of living) if (!reached.has(user.id)) missed.push({ id: user.id, ...named(user), reason });
  return missed;
}

const named = (user: User | undefined): { name?: string } => (user?.name ? { name: user.name } : {});

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

/** User id → the message of the campaign in a channel with that user. */
export async function messagesOf(
  { core, signal, progress }: AudienceCall,
  campaign: Pick<Campaign, "id">,
  living: readonly Pick<User, "id">[],
): Promise<Map<string, Message>> {
  const reached = new Map<string, Message>();
  let searched = 0;
  for (const group of inGroups(
    living.map(({ id }) => id),
    RECEIVERS_PER_SEARCH,
  )) {
    signal.throwIfAborted();
    const found = core.search({
      filter_conditions: { members: { $in: group } },
      message_filter_conditions: { campaign_id: campaign.id },
    });
    const byCid = new Map<string, Message>();
    for await (const message of byCursor(ALL, SEARCH_LIMIT[1], (at) => found.page("", at)))
      if (message.cid !== undefined) byCid.set(message.cid, message);
    for (const part of inGroups([...byCid.keys()], QUERY_CHANNELS_LIMIT[1])) {
      const { channels } = await core.call("queryChannels", {
        body: {
          filter_conditions: { cid: { $in: part } },
          limit: part.length,
          state: true,
          watch: false,
          message_limit: 1,
          member_limit: 100,
        },
      });
      for (const { channel, members } of channels)
        for (const { user_id } of members) if (user_id) reached.set(user_id, byCid.get(channel.cid)!);
    }
    progress((searched += group.length), living.length, "receivers");
  }
  return reached;
}

/** The error (partial) of a campaign that did not reach everybody. */
export function incompleteError({ id, missed }: CampaignOutcome): CommandError | undefined {
  if (missed === undefined) return undefined;
  const listed = firstFew(missed.map((one) => `${one.id} (${one.reason})`));
  return new CommandError(
    "partial",
    `Campaign ${id} is incomplete: not sent to ${listed}.`,
    `parley campaign stats ${id} --json=missed names all of them`,
  );
}

/** The shown status: `incomplete` if a completed campaign missed people. */
export const statusOf = ({ status, missed }: CampaignOutcome): string =>
  missed !== undefined && status === "completed" ? "incomplete" : status;
