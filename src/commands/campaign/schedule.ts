/** Schedules a campaign by its file or id. */
import { wrongStatus, orUnknownOutcome, withConflicts } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { isFileName, START_ARGS, startOptions } from "./args/flow.ts";
import { GUARD_ARGS } from "./args/guards.ts";
import { STOP_AT } from "./stop-at.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Schedule a campaign",
  changes: "provider",
  examples: ["campaign schedule spring.yaml 2030-05-01T09:00Z", "campaign schedule spring 2h --stop-at 5h"],
  args: {
    campaign: { kind: "text", positional: true, help: "A campaign file, or the id of a campaign" },
    at: { kind: "time", direction: "future", measured: true, positional: true, help: "When to send it" },
    stopAt: STOP_AT,
    ...START_ARGS,
    ...GUARD_ARGS,
  },
  needs: "secret",
  asksWhileRunning: true,
  confirm({ campaign, at: { at, ms } }) {
    if (ms <= 0)
      throw new CommandError("usage", `${at} is in the past: a campaign is scheduled for a future time.`);
    return isFileName(campaign)
      ? undefined
      : { level: "moderate", question: `Send campaign ${campaign} to everybody it names at ${at}?` };
  },
  async run(call) {
    const { campaign, at, stopAt } = call.args;
    if (isFileName(campaign)) {
      const { startFile } = await import("./flow/start-file.ts");
      const options = startOptions(call.args);
      return startFile(call, campaign, { ...options, at, ...(stopAt === undefined ? {} : { stopAt }) });
    }
    const { guardById } = await import("./flow/guard-by-id.ts");
    await guardById(call, campaign, call.args, at.ms);
    const request = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: { scheduled_for: at.at, ...(stopAt === undefined ? {} : { stop_at: stopAt }) },
      }),
      { status: wrongStatus(campaign) },
    );
    return (await orUnknownOutcome(request, `parley campaign get ${campaign}`)).campaign;
  },
  show: campaignFieldsView,
});
