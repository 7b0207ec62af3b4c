/** Schedules a campaign by its file or id. */
import { CAMPAIGN, CAMPAIGN_WORD } from "./args/campaign.ts";
import { wrongStatus, orUnknownOutcome, withConflicts } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { isFileName, START_ARGS, startOptions } from "./args/flow.ts";
import { momentIn } from "./file/moment.ts";
import { startLines } from "./start-lines.ts";
import { GUARD_ARGS } from "./args/guards.ts";
import { requireStopAfter, STOP_AT } from "./stop-at.ts";
import { campaignFieldsView } from "./view.ts";

const ARGS = {
  campaign: { ...CAMPAIGN, help: "A campaign file, or the id of a campaign" },
  at: { kind: "time", direction: "future", measured: true, positional: true, help: "When to send it" },
  stopAt: STOP_AT,
  ...START_ARGS,
  ...GUARD_ARGS,
} as const;

export default command({
  summary: "Schedule a campaign",
  changes: "provider",
  examples: ["campaign schedule spring.yaml 2030-05-01T09:00Z", "campaign schedule spring 2h --stop-at 5h"],
  args: ARGS,
  confirmWord: CAMPAIGN_WORD,
  needs: "secret",
  asksWhileRunning: true,
  async run(call) {
    const { campaign, at, stopAt, ...rest } = call.args;
    if (at.ms <= 0)
      throw new CommandError("usage", `${at.at} is in the past: a campaign is scheduled for a future time.`);
    requireStopAfter(at.ms, stopAt);
    if (isFileName(campaign)) {
      const { fileToStart, startFile } = await import("./flow/start-file.ts");
      const { file, mode } = await fileToStart(call, campaign, undefined);
      if (mode === "messages")
        throw new CommandError(
          "usage",
          `${campaign} says mode: messages, and this program sends it only now.`,
          `parley campaign start ${campaign}`,
        );
      const options = {
        ...startOptions(rest),
        mode,
        lines: startLines("campaign schedule", ARGS, call.args),
      };
      return startFile(call, file, { ...options, at, ...(stopAt && { stopAt: stopAt.at }) });
    }
    const { confirmById } = await import("./flow/guard-by-id.ts");
    const question = {
      level: "moderate",
      question: `Send campaign ${campaign} to everybody it names at ${momentIn(at.at, call.args.tz)}?`,
    } as const;
    await confirmById(call, campaign, rest, question, at.ms);
    const request = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: { scheduled_for: at.at, ...(stopAt === undefined ? {} : { stop_at: stopAt.at }) },
      }),
      { status: wrongStatus(campaign) },
    );
    return (await orUnknownOutcome(request, `parley campaign get ${campaign}`)).campaign;
  },
  show: campaignFieldsView,
});
