/** Campaigns: one templated message to many users or channels (specification/campaigns.md §3–7). */
import {
  any,
  choice,
  entity,
  flag,
  list,
  map,
  need,
  number,
  object,
  shape,
  orBlank,
  orNull,
  text,
  time,
  whole,
  type Infer,
} from "./fields.ts";

/** CA-1, CA-4. */
export const CAMPAIGNS_ARE_SERVER_SIDE = "Campaigns is a server-side only feature";
/** CA-2, CA-3. */
export const CAMPAIGN_ID_MISSING = "Campaign id is missing. Create the campaign first or pass an id.";
export const SEGMENT_ID_MISSING = "Segment id is missing. Create the segment first or pass an id.";

export const CAMPAIGN_STATUSES = ["draft", "scheduled", "in_progress", "stopped", "completed"] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** In which states a campaign can be changed, started and stopped. */
export const CAMPAIGN_STATES: Readonly<Record<"change" | "start" | "stop", readonly CampaignStatus[]>> = {
  change: ["draft", "scheduled", "stopped"],
  start: ["draft", "scheduled", "stopped"],
  stop: ["scheduled", "in_progress"],
};

export const SENDER_MODES = ["include", "exclude"] as const;
export const SENDER_VISIBILITIES = ["hidden", "archived"] as const;

export const MessageTemplate = shape(() => ({
  text: need(text()),
  attachments: list(entity("Attachment")),
  poll_id: text(),
  searchable: flag(),
  custom: map(any()),
}));
export interface MessageTemplate extends Infer<typeof MessageTemplate> {}

export const ChannelTemplate = shape(() => ({
  type: need(text()),
  id: text(),
  team: text(),
  members: list(text()),
  members_template: list(object({ user_id: need(text()), channel_role: text(), "*": any() })),
  custom: map(any()),
}));
export interface ChannelTemplate extends Infer<typeof ChannelTemplate> {}

export const CampaignStats = shape(() => ({
  /** 0…1 */
  progress: need(number()),
  stats_started_at: need(orNull(time())),
  stats_completed_at: need(orNull(time())),
  stats_messages_sent: need(whole()),
  stats_users_sent: need(whole()),
  stats_users_read: need(whole()),
  stats_channels_created: need(whole()),
}));

export interface CampaignStats extends Infer<typeof CampaignStats> {}

export const Campaign = shape(() => ({
  id: need(text()),
  name: need(text()),
  description: need(text()),
  sender_id: need(text()),
  sender_mode: need(orBlank(choice(...SENDER_MODES))),
  sender_visibility: need(orBlank(choice(...SENDER_VISIBILITIES))),
  message_template: need(entity("MessageTemplate")),
  create_channels: need(flag()),
  show_channels: need(flag()),
  skip_push: need(flag()),
  skip_webhook: need(flag()),
  segment_ids: need(list(text())),
  user_ids: need(list(text())),
  channel_template: entity("ChannelTemplate"),
  status: need(choice(...CAMPAIGN_STATUSES)),
  scheduled_for: time(),
  stop_at: time(),
  /** Read only expansions; `users` is one page of them. */
  segments: need(list(entity("Segment"))),
  users: need(list(entity("User"))),
  sender: entity("User"),
  stats: need(entity("CampaignStats")),
  created_at: need(time()),
  updated_at: need(time()),
}));
export interface Campaign extends Infer<typeof Campaign> {}

/** Unscheduled before it began, so nothing was sent. */
export const isUnbegun = ({ status, stats }: Pick<Campaign, "status" | "stats">): boolean =>
  status === "stopped" && !stats.stats_started_at && stats.stats_users_sent === 0;

/** The campaign has ended. */
export const isOver = (status: string | undefined): boolean => status === "completed" || status === "stopped";
