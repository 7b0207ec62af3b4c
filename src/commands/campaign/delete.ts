/** Deletes a campaign with its statistics; sent messages stay. */
import { CAMPAIGN, CAMPAIGN_WORD } from "./args/campaign.ts";
import { command } from "../base/define-command.ts";

export default command({
  summary: "Delete a campaign; the messages it sent are kept",
  changes: "provider",
  examples: ["campaign delete spring", "campaign delete spring --confirm spring"],
  aliases: ["rm"],
  args: { campaign: CAMPAIGN },
  confirmWord: CAMPAIGN_WORD,
  needs: "secret",
  confirm: ({ campaign }) => ({
    level: "severe",
    question: `Delete campaign ${campaign} and its numbers?`,
    word: campaign,
  }),
  async run(call) {
    await call.core.call("deleteCampaign", { path: { id: call.args.campaign } });
    return { id: call.args.campaign, deleted: true };
  },
  show: ({ id }) => `campaign ${id} deleted`,
});
