/** Sends a campaign that is over to those whom it missed. */
import { followUpCommand } from "./follow-up-command.ts";

export default followUpCommand(["completed", "stopped"], {
  summary: "Send a campaign that is over to those whom it missed",
  examples: ["campaign retry spring --confirm spring", "campaign retry spring --dry-run"],
});
