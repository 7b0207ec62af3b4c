/** Shows one campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { command } from "../base/define-command.ts";
import { orOwn } from "./at-provider.ts";
import type { CampaignOutcome } from "./receipts/outcome.ts";
import type { OwnCampaign } from "./receipts/own-campaign.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Show a campaign",
  changes: "nothing",
  examples: ["campaign get spring", "campaign get spring --json > spring.json"],
  args: { campaign: CAMPAIGN },
  needs: "secret",
  async run(call): Promise<CampaignOutcome | OwnCampaign> {
    const { campaign: id } = call.args;
    const { withMissed } = await import("./receipts/missed.ts");
    const request = call.core.call("getCampaign", { path: { id }, query: {} });
    const found = await orOwn(call, id, request);
    return "mode" in found ? found : withMissed(call, found.campaign);
  },
  show: campaignFieldsView,
});
