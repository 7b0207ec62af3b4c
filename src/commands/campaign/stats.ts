/** Shows the numbers of a campaign. */
import { command } from "../base/define-command.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Show the numbers of a campaign",
  examples: ["campaign stats spring", "campaign stats spring --jq .stats.stats_users_read"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" } },
  needs: "secret",
  run: async (call) =>
    (await call.core.call("getCampaign", { path: { id: call.args.campaign }, query: { limit: 1 } })).campaign,
  show: statsView,
});
