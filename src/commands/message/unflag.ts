/** Withdraws a report of a message. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Withdraw your report of a message",
  changes: "provider",
  examples: ["message unflag bo-7f3c", "message unflag bo-7f3c --json"],
  args: { message: { kind: "message", positional: true, help: "The message" } },
  async run({ args, core }) {
    const { flag } = await core.call("unflag", { body: { target_message_id: args.message } });
    return flag;
  },
});
