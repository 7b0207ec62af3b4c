/** Shows the numbers of a campaign. */
import { command } from "../base/define-command.ts";
import { incomplete, judged } from "./audience/missed.ts";
import type { Judged } from "./audience/missed.ts";
import { statsView } from "./view.ts";

export default command({
  summary: "Show a campaign's statistics and whom it missed",
  examples: ["campaign stats spring", "campaign stats spring --json=missed"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" } },
  needs: "secret",
  async run(call): Promise<Judged> {
    const asked = { path: { id: call.args.campaign }, query: { limit: 1 } };
    return judged(call, (await call.core.call("getCampaign", asked)).campaign);
  },
  show: statsView,
  fault: incomplete,
});
