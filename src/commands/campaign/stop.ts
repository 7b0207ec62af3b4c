/** Stops a scheduled or running campaign. */
import { wrongStatus, withConflicts } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { atProvider } from "./at-provider.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Stop a scheduled or running campaign",
  changes: "provider",
  examples: ["campaign stop spring", "campaign stop spring --json=status"],
  args: { campaign: { kind: "text", positional: true, help: "The campaign" } },
  needs: "secret",
  async run(call) {
    const { campaign } = call.args;
    const request = call.core.call("stopCampaign", { path: { id: campaign }, body: {} });
    const stopped = withConflicts(request, { status: wrongStatus(campaign) });
    return (await atProvider(call, campaign, stopped)).campaign;
  },
  show: statsView,
});
