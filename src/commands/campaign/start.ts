/** Starts a campaign now, or goes on with a stopped one. */
import { inState, orUnknown, withConflicts } from "../base/conflicts.ts";
import { command } from "../base/define-command.ts";
import { STOP_AT } from "./stop-at.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Send a campaign now, or go on with a stopped one",
  examples: ["campaign start spring", "campaign start spring --stop-at 2h"],
  args: { campaign: { kind: "text", place: "positional", help: "The campaign" }, stopAt: STOP_AT },
  needs: "secret",
  confirm: ({ campaign }) => ({
    level: "severe",
    question: `Send campaign ${campaign} to everybody it names?`,
    word: campaign,
  }),
  async run(call) {
    const { campaign, stopAt } = call.args;
    const asked = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: stopAt === undefined ? {} : { stop_at: stopAt },
      }),
      { status: inState(campaign) },
    );
    return (await orUnknown(asked, `parley campaign get ${campaign}`)).campaign;
  },
  show: campaignFieldsView,
});
