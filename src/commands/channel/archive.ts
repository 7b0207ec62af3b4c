/** Archives a channel for the current user, which also unpins it. */
import { command } from "../base/define-command.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Archive a channel",
  changes: "provider",
  chatAlias: "archive",
  examples: ["channel archive messaging:ops", "channel archive '#builds'"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  run: (call) => setOwnMembership(call, { archived: true }),
});
