/** Lists campaigns, newest first by default. */
import { CAMPAIGN_STATUSES } from "../../wire/entities/campaign.ts";
import { QUERY_CAMPAIGNS_LIMIT } from "../../wire/constants.ts";
import { byCursor, remainingPage } from "../base/lists/cursor.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf, type Args, type Call } from "../base/define-command.ts";
import { SORT, sortedBy } from "../base/lists/order.ts";
import type { CampaignOutcome } from "./receipts/outcome.ts";
import type { OwnCampaign } from "./receipts/own-campaign.ts";
import { percent, stateWords } from "./view.ts";
import { itemName } from "../../wire/reading.ts";

/** Those that this machine sends by message stand first. */
async function ownOf(
  call: Pick<Call<Args>, "machine" | "now">,
  status: string | undefined,
  sort: string | undefined,
): Promise<OwnCampaign[]> {
  const { ownCampaigns } = await import("./receipts/own-campaign.ts");
  const all = ownCampaigns(call).filter((one) => status === undefined || one.status === status);
  return sort === "oldest" ? all.toReversed() : all;
}

export default command({
  summary: "List campaigns",
  changes: "nothing",
  examples: ["campaign list", "campaign list --status in_progress --sort oldest"],
  aliases: ["ls"],
  args: {
    status: { kind: "choice", choices: CAMPAIGN_STATUSES, help: "Only campaigns with this status" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    sort: SORT,
  },
  needs: "secret",
  async *run(call): AsyncIterable<CampaignOutcome | OwnCampaign> {
    const { status, filter, sort } = call.args;
    const { withMissed } = await import("./receipts/missed.ts");
    const where = filterWith(filter, status === undefined ? {} : { status });
    const own = filter === undefined && call.page.next === undefined ? await ownOf(call, status, sort) : [];
    yield* own;
    yield* byCursor(
      remainingPage(call.page, own.length),
      QUERY_CAMPAIGNS_LIMIT[1],
      itemName("campaigns"),
      async (pageQuery, once) => {
        const { campaigns, next } = await call.core.call("queryCampaigns", {
          body: { filter: where, user_limit: 1, ...sortedBy(sort), ...pageQuery },
          ...once,
        });
        return { items: await Promise.all(campaigns.map((one) => withMissed(call, one))), next };
      },
    );
  },
  show: (campaign) =>
    rowOf(campaign, {
      campaign: "id",
      name: "name",
      status: { field: "status", cell: stateWords(campaign) },
      sender: "sender_id",
      progress: { field: "stats.progress", cell: percent(campaign.stats.progress) },
      sent: "stats.stats_messages_sent",
      created: "created_at",
    }),
});
