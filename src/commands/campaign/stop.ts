/** Stops a scheduled or running campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { wrongStatus, withConflicts } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { atProvider } from "./at-provider.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Stop a scheduled or running campaign",
  changes: "provider",
  examples: ["campaign stop spring", "campaign stop spring --json=status"],
  args: { campaign: CAMPAIGN },
  needs: "secret",
  async run(call) {
    const { campaign } = call.args;
    const request = call.core.call("stopCampaign", { path: { id: campaign }, body: {} });
    const stopped = withConflicts(request, { status: wrongStatus(campaign) });
    return (await atProvider(call, campaign, stopped)).campaign;
  },
  show: statsView,
});
