/** Takes back a report of a message. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Take back your report of a message",
  examples: ["message unflag bo-7f3c"],
  args: { message: { kind: "message", place: "positional", help: "The message" } },
  async run({ args, core }) {
    const { flag } = await core.call("unflag", { body: { target_message_id: args.message } });
    return flag;
  },
});
