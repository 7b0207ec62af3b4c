/** Starts a campaign now by its file or id, or continues a stopped one. */
import { wrongStatus, orUnknownOutcome, withConflicts } from "../base/conflicts.ts";
import { CommandError, command } from "../base/define-command.ts";
import { GUARD_ARGS } from "./args/guards.ts";
import { isFileName, MESSAGES_ARGS, messageOptions, START_ARGS, startOptions } from "./args/flow.ts";
import { STOP_AT } from "./stop-at.ts";
import type { Campaign } from "../../wire/entities/campaign.ts";
import type { MessagesSent } from "./flow/send-messages.ts";
import { sentError, sentView } from "./sent-view.ts";
import { campaignFieldsView } from "./view.ts";

export default command({
  summary: "Start a campaign now, or continue a stopped one",
  changes: "provider",
  examples: [
    "campaign start spring.yaml --expect 900..1100",
    "campaign start spring --stop-at 2h",
    "campaign start spring.yaml --confirm spring --skip-wrong",
  ],
  args: {
    campaign: { kind: "text", positional: true, help: "A campaign file, or the id of a campaign" },
    stopAt: STOP_AT,
    ...START_ARGS,
    ...MESSAGES_ARGS,
    ...GUARD_ARGS,
  },
  needs: "secret",
  asksWhileRunning: true,
  confirm: ({ campaign }) =>
    isFileName(campaign)
      ? undefined
      : { level: "severe", question: `Send campaign ${campaign} to everybody it names?`, word: campaign },
  async run(call): Promise<Campaign | MessagesSent> {
    const { campaign, stopAt, mode } = call.args;
    if (mode === "messages") {
      if (!isFileName(campaign) || stopAt !== undefined)
        throw new CommandError("usage", "--mode messages sends a campaign file, now.");
      const { sendMessages } = await import("./flow/send-messages.ts");
      const options = { ...startOptions(call.args), ...messageOptions(call.args), mode: "messages" as const };
      return sendMessages(call, campaign, options);
    }
    if (isFileName(campaign)) {
      const { startFile } = await import("./flow/start-file.ts");
      return startFile(call, campaign, {
        ...startOptions(call.args),
        ...(stopAt === undefined ? {} : { stopAt }),
      });
    }
    const { guardById } = await import("./flow/guard-by-id.ts");
    await guardById(call, campaign, call.args);
    const request = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: stopAt === undefined ? {} : { stop_at: stopAt },
      }),
      { status: wrongStatus(campaign) },
    );
    return (await orUnknownOutcome(request, `parley campaign get ${campaign}`)).campaign;
  },
  show: (result) => ("mode" in result ? sentView(result) : campaignFieldsView(result)),
  fault: (result) => ("mode" in result ? sentError(result) : undefined),
});
