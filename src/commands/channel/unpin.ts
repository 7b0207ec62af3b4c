/** Unpins a channel. */
import { command } from "../base/define-command.ts";
import { CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Unpin a channel",
  changes: "provider",
  examples: ["channel unpin messaging:ops", "channel unpin @ana"],
  args: CHANNEL_OR_FILE,
  run: (call) => setOwnMembership(call, "pinned", false),
});
