/** Gets one message by its id. */
import { command } from "../kit.ts";

export default command({
  summary: "Get one message",
  examples: ["message get ana-7f3c --json=text,user"],
  args: { message: { kind: "message", place: "positional", help: "The message" } },
  needs: "api",
  async run(call) {
    return (await call.core.call("getMessage", { path: { id: call.args.message } })).message;
  },
  show: (message) => ({ kind: "messages", messages: [message] }),
});
