/** Pins a channel to the top of the user's list, which also unarchives it. */
import { command } from "../base/define-command.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Pin a channel to the top of your list",
  changes: "provider",
  examples: ["channel pin messaging:ops", "channel pin @ana"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  run: (call) => setOwnMembership(call, { pinned: true }),
});
