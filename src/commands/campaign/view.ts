/** Shows campaigns. */
import { rowView, fieldsView, type View } from "../base/define-command.ts";
import { momentIn } from "./file/moment.ts";
import { planWords } from "./plan/read-plan.ts";
import type { OwnCampaign } from "./receipts/own-campaign.ts";
import type { Pace } from "./pace.ts";
import type { CampaignOutcome } from "./receipts/outcome.ts";

/** Undefined when the response has no progress. */
export const percent = (progress: number | undefined): string | undefined =>
  progress === undefined ? undefined : `${Math.floor(progress * 100)} %`;

/** `in_progress`, or `waiting until 2026-12-01 09:00 Europe/Berlin` for a run by messages that waits. */
export const stateWords = ({
  status,
  waiting_until: until,
  plan,
}: Pick<OwnCampaign, "waiting_until" | "plan"> & { status: string }): string =>
  until === undefined ? status : `waiting until ${momentIn(until, plan?.hours?.zone ?? plan?.local?.zone)}`;

function ownFieldsView(campaign: OwnCampaign): View {
  const { id, plan, file, sender_id: sender, stats, created_at: created } = campaign;
  return fieldsView({
    campaign: id,
    status: stateWords(campaign),
    sender,
    file,
    ...(plan ? { when: planWords(plan) } : {}),
    progress: percent(stats.progress),
    sent: stats.stats_messages_sent,
    created,
  });
}

export function campaignFieldsView(campaign: CampaignOutcome | OwnCampaign): View {
  if ("mode" in campaign) return ownFieldsView(campaign);
  const { stats } = campaign;
  return fieldsView({
    campaign: campaign.id,
    name: campaign.name || undefined,
    status: campaign.status,
    sender: campaign.sender_id,
    receivers: campaign.user_ids.length || undefined,
    segments: campaign.segment_ids.join(", ") || undefined,
    text: campaign.message_template.text,
    "scheduled for": campaign.scheduled_for,
    "stops at": campaign.stop_at,
    progress: percent(stats.progress),
    sent: stats.stats_messages_sent,
    created: campaign.created_at,
  });
}

export function statsView(campaign: CampaignOutcome): View {
  const { stats } = campaign;
  return fieldsView({
    campaign: campaign.id,
    status: campaign.status,
    progress: percent(stats.progress),
    "messages sent": stats.stats_messages_sent,
    "people reached": stats.stats_users_sent,
    "people not reached": campaign.missed?.length,
    "people unproved": campaign.unproved?.length,
    "people who read it": stats.stats_users_read,
    "channels made": stats.stats_channels_created,
    started: stats.stats_started_at ?? undefined,
    completed: stats.stats_completed_at ?? undefined,
  });
}

/** One at the provider or of this machine, with its pace. */
export type ShownCampaign = (CampaignOutcome | OwnCampaign) & Pace;

const watchCells = (campaign: ShownCampaign): View =>
  rowView({
    status: watchStatus(campaign),
    progress: percent(campaign.stats.progress),
    sent: campaign.stats.stats_messages_sent,
    people: campaign.stats.stats_users_sent,
    read: campaign.stats.stats_users_read,
    "channels made": campaign.stats.stats_channels_created,
    "a second": campaign.rate,
    "seconds left": campaign.status === "in_progress" ? campaign.eta : undefined,
  });

const watchStatus = (campaign: ShownCampaign): string =>
  campaign.stalled && campaign.status === "in_progress" && !isWaiting(campaign)
    ? "stalled"
    : stateWords(campaign);

const isWaiting = (campaign: ShownCampaign): boolean =>
  "waiting_until" in campaign && campaign.waiting_until !== undefined;

const BAR_WIDTH = 40;

/** The live view of a campaign on a terminal. */
function watchBoard(campaign: ShownCampaign): string[] {
  const { id, status, stats, rate, eta, stalled } = campaign;
  const isRunning = status === "in_progress";
  const filled = Math.round(BAR_WIDTH * stats.progress);
  const pace = [
    ...(rate === undefined ? [] : [`${rate} a second`]),
    ...(isRunning && eta !== undefined ? [`${eta} s left`] : []),
  ];
  return [
    `${id}: ${watchStatus(campaign)}`,
    `[${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}] ${percent(stats.progress)}`,
    `sent ${stats.stats_messages_sent}${pace.length > 0 ? `, ${pace.join(", ")}` : ""}`,
    ...("mode" in campaign
      ? []
      : [
          `people ${stats.stats_users_sent}, read ${stats.stats_users_read}, channels made ${stats.stats_channels_created}`,
        ]),
    ...(isRunning && stalled && !isWaiting(campaign)
      ? ["nothing was sent for 30 s or more: parley campaign stop, or look at the provider"]
      : []),
    ...(isRunning ? ["Ctrl-C ends the watching, not the campaign"] : []),
  ];
}

/** A row for scripts and logs, and a board for terminals. */
export const watchRow = (campaign: ShownCampaign): View =>
  ({ ...watchCells(campaign), board: watchBoard(campaign) }) as View;
