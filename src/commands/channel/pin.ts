/** Pins a channel to the top of the user's list, which also unarchives it. */
import { command } from "../base/define-command.ts";
import { CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Pin a channel to the top of your list",
  changes: "provider",
  examples: ["channel pin messaging:ops", "channel pin @ana"],
  args: CHANNEL_OR_FILE,
  run: (call) => setOwnMembership(call, "pinned", true),
});
