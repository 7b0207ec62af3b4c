/** Sets when a campaign is sent. */
import { inState, orUnknown, withConflicts } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { STOP_AT } from "./stop-at.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Send a campaign at a time",
  examples: ["campaign schedule spring 2030-05-01T09:00Z", "campaign schedule spring 2h --stop-at 5h"],
  args: {
    campaign: { kind: "text", place: "positional", help: "The campaign" },
    at: { kind: "time", direction: "future", measured: true, place: "positional", help: "When it is sent" },
    stopAt: STOP_AT,
  },
  needs: "secret",
  confirm({ campaign, at: { at, ms } }) {
    if (ms <= 0) throw new CommandError("usage", `${at} is over: a campaign is sent at a time to come.`);
    return { level: "moderate", question: `Send campaign ${campaign} to everybody it names at ${at}?` };
  },
  async run(call) {
    const { campaign, at, stopAt } = call.args;
    const asked = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: { scheduled_for: at.at, ...(stopAt === undefined ? {} : { stop_at: stopAt }) },
      }),
      { status: inState(campaign) },
    );
    return (await orUnknown(asked, `parley campaign get ${campaign}`)).campaign;
  },
  show: campaignFieldsView,
});
