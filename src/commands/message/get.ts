/** Gets one message by its id. */
import { command } from "../base/define-command.ts";
import { messageId } from "./permalink.ts";

export default command({
  summary: "Get one message",
  changes: "nothing",
  examples: ["message get ana-7f3c --json=text,user", "message get ana-7f3c --jq .text"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    deleted: { kind: "flag", help: "Show what a deleted message contained (needs the secret)" },
  },
  async run(call) {
    const { message, deleted } = call.args;
    const query = deleted ? { show_deleted_message: true } : {};
    return (await call.core.call("getMessage", { path: { id: messageId(message) }, query })).message;
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
