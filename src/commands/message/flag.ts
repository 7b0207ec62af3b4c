/** Reports a message to the moderators. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Report a message to the moderators",
  changes: "provider",
  chatAlias: "report",
  examples: ["message flag bo-7f3c --reason spam", "message flag bo-7f3c"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    reason: { kind: "text", value: "text", help: "The reason" },
  },
  async run({ args, core }) {
    const { flag } = await core.call("flag", {
      body: {
        target_message_id: args.message,
        ...(args.reason === undefined ? {} : { reason: args.reason }),
      },
    });
    return flag;
  },
});
