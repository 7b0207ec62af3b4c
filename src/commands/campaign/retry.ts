/** Sends a campaign that is over to those whom it missed. */
import { command } from "../base/define-command.ts";
import { FOLLOW_UP_ARGS, followUpLine } from "./args/follow-up.ts";
import { withoutKept } from "./fields.ts";
import type { FollowUp } from "./flow/follow-up.ts";

export default command({
  summary: "Send a campaign that is over to those whom it missed",
  examples: ["campaign retry spring --confirm spring", "campaign retry spring --dry-run"],
  args: FOLLOW_UP_ARGS,
  needs: "secret",
  confirm: ({ campaign }) => ({
    level: "severe",
    question: `Send campaign ${campaign} to whoever has not got it?`,
    word: campaign,
  }),
  async run(call): Promise<FollowUp> {
    const { followUp } = await import("./flow/follow-up.ts");
    const { campaign, acceptDuplicates = false } = call.args;
    return followUp(call, campaign, {
      states: ["completed", "stopped"],
      accept: acceptDuplicates,
      fields: (old) => withoutKept({ ...old }),
    });
  },
  show: followUpLine,
});
