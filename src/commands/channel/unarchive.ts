/** Unarchives a channel for the current user. */
import { command } from "../base/define-command.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Unarchive a channel",
  changes: "provider",
  chatAlias: "unarchive",
  examples: ["channel unarchive messaging:ops", "channel unarchive '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  run: (call) => setOwnMembership(call, { archived: false }),
});
