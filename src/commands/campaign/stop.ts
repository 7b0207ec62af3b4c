/** Stops a campaign that waits or runs. */
import { inState, withConflicts } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Stop a scheduled or running campaign",
  examples: ["campaign stop spring", "campaign stop spring --json=status"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" } },
  needs: "secret",
  async run(call) {
    const { campaign } = call.args;
    const reply = await withConflicts(call.core.call("stopCampaign", { path: { id: campaign }, body: {} }), {
      status: inState(campaign),
    });
    return reply.campaign;
  },
  show: statsView,
});
