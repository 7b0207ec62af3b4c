/** Follows a campaign until it is over; stopping to look does not stop it. */
import type { Campaign } from "../../wire/campaign.ts";
import { CommandError, command } from "../base/define-command.ts";
import { asking, WITHIN } from "../base/poll-task.ts";
import { incomplete, judged } from "./audience/missed.ts";
import type { Judged } from "./audience/missed.ts";
import { progressRow } from "./view.ts";

const OVER = new Set(["completed", "stopped"]);

export default command({
  summary: "Follow a campaign until it is over",
  examples: ["campaign watch spring", "campaign watch spring --ndjson --within 1h"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" }, within: WITHIN },
  needs: "secret",
  streams: () => "to an end",
  async *run(call): AsyncIterable<Judged> {
    const { campaign: id, within } = call.args;
    const ask = async (): Promise<Campaign> =>
      (await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } })).campaign;
    let said = "";
    for await (const campaign of asking(
      call,
      { within, again: `parley campaign watch ${id}` },
      ask,
      ({ status }) => OVER.has(status),
    )) {
      if (campaign.status === "draft")
        throw new CommandError("conflict", `Campaign ${id} is a draft.`, `parley campaign start ${id}`);
      call.progress(Math.round(campaign.stats.progress * 1000), 1000, campaign.status);
      const now = JSON.stringify([campaign.status, campaign.stats]);
      const end = OVER.has(campaign.status) ? await judged(call, campaign) : undefined;
      if (end || now !== said) yield end ?? campaign;
      said = now;
      const fault = end && incomplete(end);
      if (fault) throw fault;
    }
  },
  show: progressRow,
});
