/** Watches a campaign until it has ended; stopping the command does not stop the campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { CommandError, command } from "../base/define-command.ts";
import { pollUntil, WITHIN } from "../base/poll-task.ts";
import { orOwn } from "./at-provider.ts";
import { hasEnded, incompleteError, type CampaignOutcome } from "./receipts/outcome.ts";
import { PaceMeter, type Pace } from "./pace.ts";
import type { OwnCampaign } from "./receipts/own-campaign.ts";
import { stateWords, watchRow, type ShownCampaign } from "./view.ts";

/** `in_progress, 12.5/s, 40 s left`. */
const progressWords = (campaign: CampaignOutcome | OwnCampaign, { rate, eta, stalled }: Pace): string =>
  [
    stalled && !hasEnded(campaign) ? `${stateWords(campaign)}, stalled` : stateWords(campaign),
    ...(rate === undefined || hasEnded(campaign) ? [] : [`${rate}/s`]),
    ...(eta === undefined || hasEnded(campaign) ? [] : [`${eta} s left`]),
  ].join(", ");

/** The error (partial) of a run by messages that ended before everybody had it. */
const stoppedError = ({ id, status, again, audience, stats }: OwnCampaign): CommandError | undefined =>
  status === "completed"
    ? undefined
    : new CommandError(
        "partial",
        `Campaign ${id} was stopped: ${audience - stats.stats_messages_sent} of ${audience} have not got it.`,
        `${again} sends it to them`,
      );

export default command({
  summary: "Watch a campaign until it finishes",
  changes: "nothing",
  examples: ["campaign watch spring", "campaign watch spring --ndjson --within 1h"],
  args: { campaign: CAMPAIGN, within: WITHIN },
  needs: "secret",
  streams: () => "finite",
  async *run(call): AsyncIterable<ShownCampaign> {
    const { campaign: id, within } = call.args;
    const { withMissed } = await import("./receipts/missed.ts");
    const poll = async (): Promise<CampaignOutcome | OwnCampaign> => {
      const found = await orOwn(
        call,
        id,
        call.core.call("getCampaign", { path: { id }, query: { limit: 1 } }),
      );
      return "mode" in found ? found : withMissed(call, found.campaign);
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
      const now = JSON.stringify([stateWords(campaign), campaign.stats, pace.stalled]);
      const ended = hasEnded(campaign);
      if (ended || now !== lastShown) yield { ...campaign, ...pace };
      lastShown = now;
      const fault = ended && ("mode" in campaign ? stoppedError(campaign) : incompleteError(campaign));
      if (fault) throw fault;
    }
  },
  show: watchRow,
});
