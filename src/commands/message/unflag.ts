/** Withdraws a report of a message. */
import { command } from "../base/define-command.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Withdraw your report of a message",
  changes: "provider",
  examples: ["message unflag bo-7f3c", "message unflag bo-7f3c --json"],
  args: MESSAGE_OR_FILE,
  run: (call) =>
    changeMessages(call, {
      send: async (target_message_id) =>
        (await call.core.call("unflag", { body: { target_message_id } })).flag,
      result: "unflagged",
    }),
});
