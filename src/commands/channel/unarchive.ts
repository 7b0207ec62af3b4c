/** Unarchives a channel for the current user. */
import { command } from "../base/define-command.ts";
import { CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Unarchive a channel",
  changes: "provider",
  chatAlias: "unarchive",
  examples: ["channel unarchive messaging:ops", "channel unarchive '#builds'"],
  args: CHANNEL_OR_FILE,
  run: (call) => setOwnMembership(call, "archived", false),
});
