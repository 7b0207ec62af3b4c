/** Campaigns: one templated message to many users or channels (specification/campaigns.md §3–7). */
import type { Attachment } from "./attachment.ts";
import type { Segment } from "./segment.ts";
import type { User } from "./user.ts";

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

export interface MessageTemplate {
  text: string;
  attachments?: Attachment[];
  poll_id?: string;
  searchable?: boolean;
  custom?: Record<string, unknown>;
}

export interface ChannelTemplate {
  type: string;
  id?: string;
  team?: string;
  members?: string[];
  members_template?: { user_id: string; channel_role?: string; [custom: string]: unknown }[];
  custom?: Record<string, unknown>;
}

export interface CampaignInput {
  id?: string;
  name?: string;
  description?: string;
  sender_id: string;
  sender_mode?: (typeof SENDER_MODES)[number] | "";
  sender_visibility?: (typeof SENDER_VISIBILITIES)[number] | "";
  message_template: MessageTemplate;
  channel_template?: ChannelTemplate;
  create_channels?: boolean;
  show_channels?: boolean;
  skip_push?: boolean;
  skip_webhook?: boolean;
  segment_ids?: string[];
  user_ids?: string[];
}

interface CampaignStats {
  /** 0…1 */
  progress: number;
  stats_started_at: string | null;
  stats_completed_at: string | null;
  stats_messages_sent: number;
  stats_users_sent: number;
  stats_users_read: number;
  stats_channels_created: number;
}

export interface Campaign extends Required<Omit<CampaignInput, "channel_template">> {
  channel_template?: ChannelTemplate;
  status: CampaignStatus;
  scheduled_for?: string;
  stop_at?: string;
  /** Read only expansions; `users` is one page of them. */
  segments: Segment[];
  users: User[];
  sender?: User;
  stats: CampaignStats;
  created_at: string;
  updated_at: string;
}

/** Unscheduled before it began, so nothing was sent. */
export const isUnbegun = ({ status, stats }: Pick<Campaign, "status" | "stats">): boolean =>
  status === "stopped" && !stats.stats_started_at && stats.stats_users_sent === 0;

/** The campaign has ended. */
export const isOver = (status: string | undefined): boolean => status === "completed" || status === "stopped";
