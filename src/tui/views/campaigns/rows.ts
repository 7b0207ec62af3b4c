/** Draws a watched campaign: progress, rate, time left, and the people it did not reach. */
import { planWords } from "../../../commands/campaign/plan/read-plan.ts";
import type { CampaignOutcome } from "../../../commands/campaign/receipts/outcome.ts";
import {
  isSending,
  nextLine,
  percent,
  watchStatus,
  type ShownCampaign,
} from "../../../commands/campaign/view.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { thousands } from "../../../text/thousands.ts";
import { duration } from "../../../text/times.ts";
import { padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { Theme } from "../../render/theme.ts";
import type { CampaignPanel } from "./state.ts";

const LABEL_WIDTH = 12;
/** Missed people listed by id. */
const MAX_NAMED = 5;

function bar({ stats }: ShownCampaign, theme: Theme, width: number): string {
  const cells = Math.max(4, width - 10);
  const full = Math.round(cells * Math.min(1, Math.max(0, stats.progress)));
  return ` ${theme.accent("█".repeat(full))}${theme.dim("░".repeat(cells - full))} ${percent(stats.progress)}`;
}

/** `1 deactivated, 1 opted out` */
function leftOut({ left_out: counts = {} }: ShownCampaign): string | undefined {
  const reasons = Object.entries(counts).map(
    ([reason, n]) => `${thousands(n)} ${reason.replaceAll("_", " ")}`,
  );
  return reasons.length === 0 ? undefined : reasons.join(", ");
}

function fields(campaign: ShownCampaign): [string, string | undefined][] {
  const { labels, of } = words.campaigns;
  const { stats, rate, eta, missed } = campaign;
  const own = "mode" in campaign ? campaign : undefined;
  const runs = isSending(campaign);
  const reached = thousands(stats.stats_users_sent);
  return [
    [labels.state, watchStatus(campaign)],
    [labels.when, own?.plan && planWords(own.plan)],
    [labels.sent, thousands(stats.stats_messages_sent)],
    [labels.people, own ? of(reached, thousands(own.audience)) : reached],
    [labels.waiting, own?.waiting ? thousands(own.waiting) : undefined],
    [labels.rate, runs && rate !== undefined ? words.campaigns.aSecond(rate) : undefined],
    [labels.left, runs && eta !== undefined ? duration(eta * 1000) : undefined],
    [labels.missed, missed && thousands(missed.length)],
    [labels.leftOut, leftOut(campaign)],
    own ? [labels.file, own.file] : [labels.text, (campaign as CampaignOutcome).message_template.text],
    [labels.next, own?.status === "in_progress" ? words.campaigns.endHere : nextLine(campaign)],
  ];
}

/** The rows of a field, wrapped so that a command can be copied; of the text only the first. */
function fieldRows([label, text]: [string, string | undefined], theme: Theme, width: number): string[] {
  if (text === undefined) return [];
  const room = Math.max(1, width - LABEL_WIDTH - 2);
  const clean = cleanLine(text);
  const lines = label === words.campaigns.labels.text ? [truncate(clean, room)] : wrapText(clean, room);
  return lines.map((line, n) => ` ${theme.dim(padEnd(n === 0 ? label : "", LABEL_WIDTH))}${line}`);
}

export function campaignRows(panel: CampaignPanel, theme: Theme, width: number): string[] {
  const { campaign, fault } = panel;
  const faultRows =
    fault === undefined
      ? []
      : wrapText(`! ${cleanLine(fault)}`, width - 2).map((row) => ` ${theme.bad(row)}`);
  if (!campaign) return faultRows.length > 0 ? faultRows : [` ${theme.dim(words.message.loading)}`];
  const missed = (campaign.missed ?? [])
    .slice(0, MAX_NAMED)
    .map(({ id, reason }) => truncate(` ${cleanLine(id)}: ${reason}`, width));
  return [
    bar(campaign, theme, width),
    "",
    ...fields(campaign).flatMap((field) => fieldRows(field, theme, width)),
    ...missed,
    ...faultRows,
  ];
}
