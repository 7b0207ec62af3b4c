/** Sends what is left of a stopped campaign to those who have not got it. */
import { followUpCommand } from "./follow-up-command.ts";

export default followUpCommand(["stopped"], {
  summary: "Send what is left of a stopped campaign, as one of its own",
  examples: ["campaign resume spring --confirm spring", "campaign resume spring --dry-run"],
});
