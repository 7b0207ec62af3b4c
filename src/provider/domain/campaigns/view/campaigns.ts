/** Campaigns in answers and events, with their statistics (specification/campaigns.md §3, §7). */
import type { Campaign, ChannelTemplate, MessageTemplate } from "../../../../wire/entities/campaign.ts";
import { timeFromMicros, maybeTime } from "../../../../wire/time.ts";
import type { RouteCall } from "../../../base/handler.ts";
import type { Database } from "../../../base/database.ts";
import type { Cursor } from "../../query/cursor.ts";
import { publicUser } from "../../users/view/users.ts";
import { findUser } from "../../users/storage/rows.ts";
import { segmentView } from "./segments.ts";
import { storedSegments } from "../storage/segments.ts";
import { type CampaignRow, campaignUsersPage } from "../storage/campaigns.ts";
import { countTargets, campaignReceivers, countReaders } from "../storage/targets.ts";

type CampaignViewContext = Pick<RouteCall, "db" | "emit" | "now">;

/** The share of the targets that were served, 0 to 1. */
function progressOf(db: Database, row: CampaignRow): number {
  if (row.status === "completed") return 1;
  const { served, total } = countTargets(db, row.id);
  return total === 0 ? 0 : served / total;
}

const statsOf = (db: Database, row: CampaignRow): Campaign["stats"] => ({
  progress: progressOf(db, row),
  stats_started_at: maybeTime(row.started_at) ?? null,
  stats_completed_at: maybeTime(row.completed_at) ?? null,
  stats_messages_sent: row.messages_sent,
  stats_users_sent: campaignReceivers.count(db, { campaign_id: row.id }),
  stats_users_read: countReaders(db, row.id),
  stats_channels_created: row.channels_created,
});

/** `page`: which of the campaign's users are included. */
export function campaignView(
  context: CampaignViewContext,
  row: CampaignRow,
  page: { limit: number; cursor?: Cursor | undefined },
): { campaign: Campaign; users: { next?: string; prev?: string } } {
  const { db, emit } = context;
  const { rows, ...users } = campaignUsersPage(db, row.id, page);
  const sender = findUser(db, row.sender_id);
  const segmentIds = JSON.parse(row.segment_ids) as string[];
  const now = context.now();
  const campaign: Campaign = {
    id: row.id,
    name: row.name,
    description: row.description,
    sender_id: row.sender_id,
    sender_mode: row.sender_mode as Campaign["sender_mode"],
    sender_visibility: row.sender_visibility as Campaign["sender_visibility"],
    message_template: JSON.parse(row.message_template) as MessageTemplate,
    ...(row.channel_template === null
      ? {}
      : { channel_template: JSON.parse(row.channel_template) as ChannelTemplate }),
    create_channels: row.create_channels === 1,
    show_channels: row.show_channels === 1,
    skip_push: row.skip_push === 1,
    skip_webhook: row.skip_webhook === 1,
    segment_ids: segmentIds,
    user_ids: JSON.parse(row.user_ids) as string[],
    status: row.status,
    ...(row.scheduled_for === null ? {} : { scheduled_for: timeFromMicros(row.scheduled_for) }),
    ...(row.stop_at === null ? {} : { stop_at: timeFromMicros(row.stop_at) }),
    segments: segmentIds.flatMap((id) => {
      const segment = storedSegments.find(db, { id });
      return segment ? [segmentView(db, segment, now)] : [];
    }),
    users: rows.map((user) => publicUser(user, emit.online(user.id))),
    ...(sender ? { sender: publicUser(sender, emit.online(sender.id)) } : {}),
    stats: statsOf(db, row),
    created_at: timeFromMicros(row.created_at),
    updated_at: timeFromMicros(row.updated_at),
  };
  return { campaign, users };
}
