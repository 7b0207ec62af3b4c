/** Shows one campaign. */
import { command } from "../base/define-command.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Show a campaign",
  examples: ["campaign get spring", "campaign get spring --json > spring.json"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" } },
  needs: "secret",
  run: async (call) =>
    (await call.core.call("getCampaign", { path: { id: call.args.campaign }, query: {} })).campaign,
  show: campaignFieldsView,
});
