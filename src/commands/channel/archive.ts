/** Archives a channel for the current user, which also unpins it. */
import { command } from "../base/define-command.ts";
import { setOwn } from "./own.ts";

export default command({
  summary: "Archive a channel",
  changes: "provider",
  examples: ["channel archive messaging:ops", "channel archive '#builds'"],
  args: { channel: { kind: "channel", place: "positional", here: true, help: "The channel" } },
  run: (call) => setOwn(call, { archived: true }),
});
