/** Stops a campaign that waits or runs. */
import { command } from "../kit.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Stop a campaign that waits or runs",
  examples: ["campaign stop spring"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" } },
  needs: "secret",
  run: async (call) =>
    (await call.core.call("stopCampaign", { path: { id: call.args.campaign }, body: {} })).campaign,
  show: statsView,
});
