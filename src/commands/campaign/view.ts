/** Shows campaigns. */
import { rowView, fieldsView, type View } from "../base/define-command.ts";
import { thousands } from "../../text/thousands.ts";
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

/** `2 (1 deactivated, 1 opted out)` */
const leftOutCell = ({ left_out: left }: Pick<CampaignOutcome, "left_out">): string | undefined =>
  leftOutWords(left)?.replace(" left out", "");

function ownFieldsView(campaign: OwnCampaign): View {
  const { id, plan, file, sender_id: sender, stats, created_at: created, audience, waiting } = campaign;
  const isOver = campaign.status === "completed";
  return fieldsView({
    campaign: id,
    status: stateWords(campaign),
    sender,
    file,
    ...(plan ? { when: planWords(plan) } : {}),
    progress: percent(stats.progress),
    audience,
    sent: stats.stats_messages_sent,
    "people not reached": campaign.missed?.length,
    ...(isOver ? {} : { waiting }),
    "left out": leftOutCell(campaign),
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
    "left out": leftOutCell(campaign),
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
    "left out": leftOutCell(campaign),
    "people who read it": stats.stats_users_read,
    "channels made": stats.stats_channels_created,
    started: stats.stats_started_at ?? undefined,
    completed: stats.stats_completed_at ?? undefined,
  });
}

/** All of them, whatever the reason. */
const totalOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, n) => sum + n, 0);

/** `2 left out (1 deactivated, 1 opted out)`; undefined for nobody. */
function leftOutWords(counts: Readonly<Record<string, number>> = {}): string | undefined {
  const reasons = Object.entries(counts).map(([reason, n]) => `${n} ${reason.replaceAll("_", " ")}`);
  return reasons.length === 0 ? undefined : `${totalOf(counts)} left out (${reasons.join(", ")})`;
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
    "not reached": campaign.missed?.length,
    "left out": campaign.left_out && totalOf(campaign.left_out),
  });

/** `in_progress`, `stalled`, `waiting until …`, or how it ended. */
export const watchStatus = (campaign: ShownCampaign): string =>
  campaign.stalled && isSending(campaign) ? "stalled" : stateWords(campaign);

/** Whether it sends now: a run by messages may wait instead. */
export const isSending = (campaign: CampaignOutcome | OwnCampaign): boolean =>
  campaign.status === "in_progress" && !("waiting_until" in campaign && campaign.waiting_until !== undefined);

/** `1,204 of 5,000 sent`, and who is not reached and left out, if anybody. */
export function countWords(campaign: CampaignOutcome | OwnCampaign): string {
  const { missed = [], left_out: left, stats } = campaign;
  const of = "mode" in campaign ? ` of ${thousands(campaign.audience)}` : "";
  return [
    `${thousands(stats.stats_messages_sent)}${of} sent`,
    ...(missed.length > 0 ? [`${thousands(missed.length)} not reached`] : []),
    ...(left && totalOf(left) > 0 ? [`${thousands(totalOf(left))} left out`] : []),
  ].join(", ");
}

/** The command that comes next; undefined while the provider sends it. */
export function nextLine(campaign: CampaignOutcome | OwnCampaign): string | undefined {
  const { id, status } = campaign;
  if (status === "draft") return `parley campaign start ${id}`;
  if (status === "scheduled") return `parley campaign unschedule ${id}`;
  if (status === "completed") return `parley campaign report ${id}`;
  if (status === "in_progress") return undefined;
  return "mode" in campaign ? campaign.again : `parley campaign continue ${id}`;
}

const BAR_WIDTH = 40;

/** The live view of a campaign on a terminal. */
function watchBoard(campaign: ShownCampaign): string[] {
  const { id, status, stats, rate, eta, missed = [] } = campaign;
  const left = leftOutWords(campaign.left_out);
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
    ...(missed.length > 0 ? [`not reached ${missed.length}`] : []),
    ...(left === undefined ? [] : [left]),
    ...(isRunning && watchStatus(campaign) === "stalled"
      ? ["nothing was sent for 30 s or more: parley campaign stop, or look at the provider"]
      : []),
    ...(isRunning ? ["Ctrl-C ends the watching, not the campaign"] : []),
  ];
}

/** A row for scripts and logs, and a board for terminals. */
export const watchRow = (campaign: ShownCampaign): View =>
  ({ ...watchCells(campaign), board: watchBoard(campaign) }) as View;
