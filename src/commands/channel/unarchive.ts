/** Unarchives a channel for the current user. */
import { command } from "../base/define-command.ts";
import { setOwn } from "./own.ts";

export default command({
  summary: "Unarchive a channel",
  changes: "provider",
  examples: ["channel unarchive messaging:ops", "channel unarchive '#builds'"],
  args: { channel: { kind: "channel", place: "positional", here: true, help: "The channel" } },
  run: (call) => setOwn(call, { archived: false }),
});
