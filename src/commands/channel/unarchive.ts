/** Takes a channel out of the archive. */
import { command } from "../base/define-command.ts";
import { setOwn } from "./own.ts";

export default command({
  summary: "Take a channel out of the archive",
  examples: ["channel unarchive messaging:ops"],
  args: { channel: { kind: "channel", place: "positional", here: true, help: "The channel" } },
  run: (call) => setOwn(call, { archived: false }),
});
