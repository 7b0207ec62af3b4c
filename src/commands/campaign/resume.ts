/** Sends what is left of a stopped campaign to those who have not got it. */
import { followUpCommand } from "./follow-up-command.ts";

export default followUpCommand(["stopped"], {
  summary: "Resume a stopped campaign for those who have not received it",
  examples: ["campaign resume spring --confirm spring", "campaign resume spring --dry-run"],
});
