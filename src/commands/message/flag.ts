/** Reports a message to the moderators. */
import { command } from "../base/define-command.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Report a message to the moderators",
  changes: "provider",
  chatAlias: "report",
  examples: ["message flag bo-7f3c --reason spam", "message flag bo-7f3c"],
  args: {
    ...MESSAGE_OR_FILE,
    reason: { kind: "text", value: "text", help: "The reason" },
  },
  run(call) {
    const { reason } = call.args;
    return changeMessages(call, {
      async send(target_message_id) {
        const body = { target_message_id, ...(reason === undefined ? {} : { reason }) };
        return (await call.core.call("flag", { body })).flag;
      },
      result: "flagged",
    });
  },
});
