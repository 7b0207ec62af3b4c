/** Starts a campaign now by its file or id, or continues a stopped one. */
import { CAMPAIGN, CAMPAIGN_WORD } from "./args/campaign.ts";
import { wrongStatus, orUnknownOutcome, withConflicts } from "../base/conflicts.ts";
import { CommandError, command, type Args, type ArgValues, type Call } from "../base/define-command.ts";
import { GUARD_ARGS } from "./args/guards.ts";
import { isFileName, MESSAGES_ARGS, messageOptions, START_ARGS, startOptions } from "./args/flow.ts";
import { PLAN_ARGS, refusePlan } from "./args/plan.ts";
import { requireStopAfter, STOP_AT } from "./stop-at.ts";
import type { Campaign } from "../../wire/entities/campaign.ts";
import type { MessagesSent } from "./flow/send-messages.ts";
import { sentError, sentView } from "./sent-view.ts";
import { startLines } from "./start-lines.ts";
import { campaignFieldsView } from "./view.ts";

export const START_BY_FILE = {
  campaign: { ...CAMPAIGN, help: "A campaign file, or the id of a campaign" },
  stopAt: STOP_AT,
  ...START_ARGS,
  ...MESSAGES_ARGS,
  ...GUARD_ARGS,
  ...PLAN_ARGS,
} as const;

/** Sends a file as its mode says. */
export async function startByFile(
  call: Omit<Call<Args>, "args">,
  args: ArgValues<typeof START_BY_FILE>,
): Promise<Campaign | MessagesSent> {
  const { campaign, stopAt, mode: flag, concurrency: _c, maxErrors: _m, rate: _r, ...others } = args;
  const { pauseOutside, spread, atLocal, againTo, ...rest } = others;
  const plan = {
    pauseOutside,
    ...(spread !== undefined && { spread }),
    ...(atLocal !== undefined && { atLocal }),
  };
  const { fileToStart, startFile } = await import("./flow/start-file.ts");
  const { againId, onlyUnread } = await import("./flow/again-to.ts");
  const idFor = (id: string): string => (againTo === undefined ? id : againId(call, id));
  const { file, mode, of } = await fileToStart(call, campaign, flag, idFor);
  refusePlan(args, mode);
  const options = { ...startOptions(rest), mode, lines: startLines("campaign start", START_BY_FILE, args) };
  if (mode === "campaign") return startFile(call, file, { ...options, ...(stopAt && { stopAt: stopAt.at }) });
  if (stopAt !== undefined)
    throw new CommandError("usage", "--stop-at is for campaigns that the provider sends.");
  const { sendMessages } = await import("./flow/send-messages.ts");
  const sought = againTo === undefined ? file : await onlyUnread(call, file, of);
  return sendMessages(call, sought, { ...options, ...messageOptions(args), plan });
}

export default command({
  summary: "Start a campaign now, or continue a stopped one",
  changes: "provider",
  examples: [
    "campaign start spring.yaml --expect 900..1100",
    "campaign start spring --stop-at 2h",
    "campaign start spring.yaml --confirm spring --skip-wrong",
    "campaign start spring.yaml --mode messages --window 09:00-18:00 --tz Europe/Berlin --pause-outside",
  ],
  args: START_BY_FILE,
  confirmWord: CAMPAIGN_WORD,
  needs: "secret",
  asksWhileRunning: true,
  async run(call): Promise<Campaign | MessagesSent> {
    const { campaign, stopAt, mode } = call.args;
    requireStopAfter(0, stopAt);
    if (isFileName(campaign)) return startByFile(call, call.args);
    refusePlan(call.args, "id");
    if (mode === "messages") throw new CommandError("usage", "--mode messages sends a campaign file, now.");
    const { confirmById } = await import("./flow/guard-by-id.ts");
    await confirmById(call, campaign, call.args, {
      level: "severe",
      question: `Send campaign ${campaign} to everybody it names?`,
      word: campaign,
    });
    const request = withConflicts(
      call.core.call("startCampaign", {
        path: { id: campaign },
        body: stopAt === undefined ? {} : { stop_at: stopAt.at },
      }),
      { status: wrongStatus(campaign) },
    );
    return (await orUnknownOutcome(request, `parley campaign get ${campaign}`)).campaign;
  },
  show: (result) => ("mode" in result ? sentView(result) : campaignFieldsView(result)),
  fault: (result) => ("mode" in result ? sentError(result) : undefined),
});
