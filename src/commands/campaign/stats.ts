/** Shows the statistics of a campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { command } from "../base/define-command.ts";
import { atProvider } from "./at-provider.ts";
import { incompleteError, type CampaignOutcome } from "./receipts/outcome.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Show a campaign's statistics and whom it missed",
  changes: "nothing",
  examples: ["campaign stats spring", "campaign stats spring --json=missed"],
  args: { campaign: CAMPAIGN },
  needs: "secret",
  async run(call): Promise<CampaignOutcome> {
    const { campaign: id } = call.args;
    const { withMissed } = await import("./receipts/missed.ts");
    const request = call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
    return withMissed(call, (await atProvider(call, id, request)).campaign);
  },
  show: statsView,
  fault: incompleteError,
});
