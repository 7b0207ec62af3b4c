/** Defines the commands that finish a campaign, `resume` and `retry`. */
import type { Campaign } from "../../wire/entities/campaign.ts";
import type { CampaignInput } from "../../wire/bodies/campaigns.ts";
import { command, type Args, type Command } from "../base/define-command.ts";
import { FOLLOW_UP_ARGS, followUpLine, type FollowUp } from "./args/follow-up.ts";
import { withoutManagedKeys } from "./fields.ts";

type FollowUpTexts = Pick<Command<Args>, "summary" | "examples">;

/** `states`: allowed states of the campaign. */
export const followUpCommand = (states: readonly Campaign["status"][], texts: FollowUpTexts) =>
  command({
    ...texts,
    changes: "provider",
    args: FOLLOW_UP_ARGS,
    needs: "secret",
    confirm: ({ campaign }) => ({
      level: "severe",
      question: `Send campaign ${campaign} to everybody who has not received it?`,
      word: campaign,
    }),
    async run(call): Promise<FollowUp> {
      const { followUp } = await import("./flow/follow-up.ts");
      const { campaign, acceptDuplicates } = call.args;
      const fields = (old: Campaign): Promise<Partial<CampaignInput>> => withoutManagedKeys({ ...old });
      return followUp(call, campaign, { states, accept: acceptDuplicates, fields });
    },
    show: followUpLine,
  });
