/** Unpins a channel. */
import { command } from "../base/define-command.ts";
import { setOwnMembership } from "./own-membership.ts";

export default command({
  summary: "Unpin a channel",
  changes: "provider",
  examples: ["channel unpin messaging:ops", "channel unpin @ana"],
  args: { channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" } },
  run: (call) => setOwnMembership(call, { pinned: false }),
});
