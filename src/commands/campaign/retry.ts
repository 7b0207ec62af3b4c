/** Sends an ended campaign to the people it missed. */
import { followUpCommand } from "./follow-up-command.ts";

export default followUpCommand(["completed", "stopped"], {
  summary: "Retry a finished campaign for those it missed",
  examples: ["campaign retry spring --confirm spring", "campaign retry spring --dry-run"],
});
