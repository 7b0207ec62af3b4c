/** Archives a channel for the current user, which also unpins it. */
import { command } from "../base/define-command.ts";
import { CHANNEL_OR_FILE } from "../base/bulk/names.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Archive a channel",
  changes: "provider",
  chatAlias: "archive",
  examples: ["channel archive messaging:ops", "channel archive '#builds'"],
  args: CHANNEL_OR_FILE,
  run: (call) => setOwnMembership(call, "archived", true),
});
