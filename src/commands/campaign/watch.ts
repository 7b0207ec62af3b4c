/** Watches a campaign until it has ended; stopping the command does not stop the campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { CommandError, command } from "../base/define-command.ts";
import { pollUntil, WITHIN } from "../base/poll-task.ts";
import { atProvider } from "./at-provider.ts";
import { hasEnded, incompleteError, type CampaignOutcome } from "./receipts/outcome.ts";
import { PaceMeter, type Pace } from "./pace.ts";
import { watchRow } from "./view.ts";

/** `in_progress, 12.5/s, 40 s left`. */
const progressWords = (campaign: CampaignOutcome, { rate, eta, stalled }: Pace): string =>
  [
    stalled && !hasEnded(campaign) ? `${campaign.status}, stalled` : campaign.status,
    ...(rate === undefined || hasEnded(campaign) ? [] : [`${rate}/s`]),
    ...(eta === undefined || hasEnded(campaign) ? [] : [`${eta} s left`]),
  ].join(", ");

export default command({
  summary: "Watch a campaign until it finishes",
  changes: "nothing",
  examples: ["campaign watch spring", "campaign watch spring --ndjson --within 1h"],
  args: { campaign: CAMPAIGN, within: WITHIN },
  needs: "secret",
  streams: () => "finite",
  async *run(call): AsyncIterable<CampaignOutcome & Pace> {
    const { campaign: id, within } = call.args;
    const { withMissed } = await import("./receipts/missed.ts");
    const poll = async (): Promise<CampaignOutcome> => {
      const request = call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
      return withMissed(call, (await atProvider(call, id, request)).campaign);
    };
    let lastShown = "";
    const meter = new PaceMeter();
    for await (const campaign of pollUntil(
      call,
      { within, again: `parley campaign watch ${id}` },
      poll,
      hasEnded,
    )) {
      if (campaign.status === "draft")
        throw new CommandError("conflict", `Campaign ${id} is a draft.`, `parley campaign start ${id}`);
      const { progress, stats_messages_sent: sent = 0 } = campaign.stats;
      const pace = meter.sample(call.now(), sent, progress);
      call.progress(Math.round(progress * 1000), 1000, progressWords(campaign, pace));
      const now = JSON.stringify([campaign.status, campaign.stats, pace.stalled]);
      const ended = hasEnded(campaign);
      if (ended || now !== lastShown) yield { ...campaign, ...pace };
      lastShown = now;
      const fault = ended && incompleteError(campaign);
      if (fault) throw fault;
    }
  },
  show: watchRow,
});
