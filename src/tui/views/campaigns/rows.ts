/** Draws a watched campaign: progress, rate, time left, and the people it did not reach. */
import { percent } from "../../../commands/campaign/view.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { thousands } from "../../../text/thousands.ts";
import { duration } from "../../../text/times.ts";
import { padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { Theme } from "../../render/theme.ts";
import type { CampaignPanel, WatchedCampaign } from "./state.ts";

const LABEL_WIDTH = 12;
/** Missed people listed by id. */
const MAX_NAMED = 5;

function bar({ stats }: WatchedCampaign, theme: Theme, width: number): string {
  const cells = Math.max(4, width - 10);
  const full = Math.round(cells * Math.min(1, Math.max(0, stats.progress)));
  return ` ${theme.accent("█".repeat(full))}${theme.dim("░".repeat(cells - full))} ${percent(stats.progress)}`;
}

/** `in_progress`, `stalled` or `incomplete`. */
const stateOf = (campaign: WatchedCampaign): string =>
  campaign.stalled && campaign.status === "in_progress" ? words.campaigns.stalled : campaign.status;

function fields(campaign: WatchedCampaign): [string, string | undefined][] {
  const { labels } = words.campaigns;
  const { stats, rate, eta, missed, status } = campaign;
  const runs = status === "in_progress";
  return [
    [labels.state, stateOf(campaign)],
    [labels.sent, thousands(stats.stats_messages_sent)],
    [labels.people, thousands(stats.stats_users_sent)],
    [labels.rate, runs && rate !== undefined ? words.campaigns.aSecond(rate) : undefined],
    [labels.left, runs && eta !== undefined ? duration(eta * 1000) : undefined],
    [labels.missed, missed && thousands(missed.length)],
    [labels.text, cleanLine(campaign.message_template.text)],
  ];
}

export function campaignRows(panel: CampaignPanel, theme: Theme, width: number): string[] {
  const { campaign, fault } = panel;
  const faultRows =
    fault === undefined
      ? []
      : wrapText(`! ${cleanLine(fault)}`, width - 2).map((row) => ` ${theme.bad(row)}`);
  if (!campaign) return faultRows.length > 0 ? faultRows : [` ${theme.dim(words.message.loading)}`];
  const fieldRows = fields(campaign).flatMap(([label, text]) =>
    text === undefined
      ? []
      : [` ${theme.dim(padEnd(label, LABEL_WIDTH))}${truncate(text, Math.max(1, width - LABEL_WIDTH - 2))}`],
  );
  const missed = (campaign.missed ?? [])
    .slice(0, MAX_NAMED)
    .map(({ id, reason }) => truncate(` ${cleanLine(id)}: ${reason}`, width));
  return [bar(campaign, theme, width), "", ...fieldRows, ...missed, ...faultRows];
}
