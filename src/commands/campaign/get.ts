/** Shows one campaign. */
import { command } from "../base/define-command.ts";
import { atProvider } from "./at-provider.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Show a campaign",
  changes: "nothing",
  examples: ["campaign get spring", "campaign get spring --json > spring.json"],
  args: { campaign: { kind: "text", positional: true, help: "The campaign" } },
  needs: "secret",
  async run(call) {
    const { campaign: id } = call.args;
    return (await atProvider(call, id, call.core.call("getCampaign", { path: { id }, query: {} }))).campaign;
  },
  show: campaignFieldsView,
});
