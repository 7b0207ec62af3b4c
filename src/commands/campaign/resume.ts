/** Sends a stopped campaign to the people who have not received it. */
import { followUpCommand } from "./follow-up-command.ts";

export default followUpCommand(["stopped"], {
  summary: "Resume a stopped campaign for those who have not received it",
  examples: ["campaign resume spring --confirm spring", "campaign resume spring --dry-run"],
});
