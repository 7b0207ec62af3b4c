/** Cancels the start of a scheduled campaign. */
import { CAMPAIGN } from "./args/campaign.ts";
import { wrongStatus, withConflicts } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Cancel the schedule of a campaign",
  changes: "provider",
  examples: ["campaign unschedule spring", "campaign unschedule spring --json=status"],
  args: { campaign: CAMPAIGN },
  needs: "secret",
  async run(call) {
    const { campaign: id } = call.args;
    const { campaign } = await call.core.call("getCampaign", { path: { id }, query: { limit: 1 } });
    // The same request would stop a running campaign.
    if (campaign.status === "in_progress")
      throw new CommandError("conflict", `Campaign ${id} is being sent.`, `parley campaign stop ${id}`);
    const reply = await withConflicts(call.core.call("stopCampaign", { path: { id }, body: {} }), {
      status: wrongStatus(id),
    });
    return reply.campaign;
  },
  show: campaignFieldsView,
});
