/** How a campaign is shown. */
import { rowView } from "../base/define-command.ts";
import type { Campaign } from "../../wire/campaign.ts";
import type { View } from "../base/define-command.ts";
import { statusOf } from "./audience/missed.ts";
import type { Judged } from "./audience/missed.ts";

/** Numbers may be missing in an answer: then there is nothing to show. */
export const percent = (progress: number | undefined): string | undefined =>
  progress === undefined ? undefined : `${Math.floor(progress * 100)} %`;

export function campaignFieldsView(campaign: Campaign): View {
  const { stats } = campaign;
  return {
    kind: "fields",
    fields: [
      ["campaign", campaign.id],
      ["name", campaign.name || undefined],
      ["status", campaign.status],
      ["sender", campaign.sender_id],
      ["receivers", campaign.user_ids.length || undefined],
      ["segments", campaign.segment_ids.join(", ") || undefined],
      ["text", campaign.message_template.text],
      ["scheduled for", campaign.scheduled_for],
      ["stops at", campaign.stop_at],
      ["progress", percent(stats.progress)],
      ["sent", stats.stats_messages_sent],
      ["created", campaign.created_at],
    ],
  };
}

export function statsView(campaign: Judged): View {
  const { stats } = campaign;
  return {
    kind: "fields",
    fields: [
      ["campaign", campaign.id],
      ["status", statusOf(campaign)],
      ["progress", percent(stats.progress)],
      ["messages sent", stats.stats_messages_sent],
      ["people reached", stats.stats_users_sent],
      ["people not reached", campaign.missed?.length],
      ["people who read it", stats.stats_users_read],
      ["channels made", stats.stats_channels_created],
      ["started", stats.stats_started_at ?? undefined],
      ["completed", stats.stats_completed_at ?? undefined],
    ],
  };
}

export const progressRow = (campaign: Judged): View =>
  rowView({
    status: statusOf(campaign),
    progress: percent(campaign.stats.progress),
    sent: campaign.stats.stats_messages_sent,
    people: campaign.stats.stats_users_sent,
    read: campaign.stats.stats_users_read,
    "channels made": campaign.stats.stats_channels_created,
  });
