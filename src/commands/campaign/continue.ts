/** Sends a stopped or ended campaign to the people who have not received it. */
import { CAMPAIGN_WORD } from "./args/campaign.ts";
import type { Campaign } from "../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../wire/bodies/campaigns.ts";
import { valuesOfHint } from "../base/command-hint.ts";
import { CommandError, command, type ArgValues, type Call } from "../base/define-command.ts";
import { isFileName } from "./args/flow.ts";
import { FOLLOW_UP_ARGS, followUpLine, type FollowUp } from "./args/follow-up.ts";
import { withoutManagedKeys } from "./fields.ts";
import type { MessagesSent } from "./flow/send-messages.ts";
import { sentError, sentView } from "./sent-view.ts";
import { START_BY_FILE, startByFile } from "./start.ts";
import { campaignFieldsView } from "./view.ts";

type ContinueCall = Call<typeof FOLLOW_UP_ARGS>;
type StartValues = ArgValues<typeof START_BY_FILE>;

/** How this machine sent a campaign by messages; undefined for one that the provider sends. */
async function ownStart({ args, machine, now }: ContinueCall): Promise<StartValues | undefined> {
  const { readJournal } = await import("./receipts/journal.ts");
  const journal = readJournal(machine, args.campaign);
  if (journal.begun?.mode !== "messages") return undefined;
  const { ended } = journal;
  const { againOf } = await import("./receipts/own-campaign.ts");
  const values = valuesOfHint(againOf(journal), "campaign start", START_BY_FILE, now());
  // The line would begin the next one, which nobody has been asked for.
  if (values.againTo !== undefined && ended !== undefined)
    throw new CommandError(
      "conflict",
      `Campaign ${args.campaign} has ended at ${ended}.`,
      `${againOf(journal)} sends it again to those who have not read it`,
    );
  return values;
}

/** Starts a file again, which sends to those who are left; the question has been answered. */
function startAgain(call: ContinueCall, values: StartValues): ReturnType<typeof startByFile> {
  const { machine } = call;
  const answered = machine && { ...machine, requireAnswer: () => {}, ask: async () => {} };
  return startByFile({ ...call, ...(answered && { machine: answered }) }, values);
}

export default command({
  summary: "Send a campaign to those who have not received it",
  changes: "provider",
  examples: [
    "campaign continue spring --confirm spring",
    "campaign continue spring.yaml --confirm spring",
    "campaign continue spring --dry-run",
  ],
  aliases: ["resume", "retry"],
  args: FOLLOW_UP_ARGS,
  confirmWord: CAMPAIGN_WORD,
  needs: "secret",
  asksWhileRunning: true,
  confirm: ({ campaign }) =>
    isFileName(campaign)
      ? undefined
      : {
          level: "severe",
          question: `Send campaign ${campaign} to everybody who has not received it?`,
          word: campaign,
        },
  async run(call): Promise<FollowUp | Campaign | MessagesSent> {
    const { campaign, acceptDuplicates } = call.args;
    const isFile = isFileName(campaign);
    const own = isFile ? undefined : await ownStart(call);
    if (acceptDuplicates && (isFile || own !== undefined))
      throw new CommandError(
        "usage",
        "--accept-duplicates goes with the id of a campaign that the provider sends.",
      );
    if (isFile) return startByFile(call, { campaign, skipWrong: false, quietDay: [], pauseOutside: false });
    if (own !== undefined) return startAgain(call, own);
    const { followUp } = await import("./flow/follow-up.ts");
    const fields = (old: Campaign): Promise<Partial<CampaignInput>> => withoutManagedKeys({ ...old });
    return followUp(call, campaign, { accept: acceptDuplicates, fields });
  },
  show(result) {
    if ("of" in result) return followUpLine(result);
    return "mode" in result ? sentView(result) : campaignFieldsView(result);
  },
  fault: (result) => ("mode" in result ? sentError(result) : undefined),
});
