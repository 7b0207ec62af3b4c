/** Prints the permalink of a message. */
import { command } from "../base/define-command.ts";
import { messageId, permalink } from "./permalink.ts";

export default command({
  summary: "Print the link to a message",
  changes: "nothing",
  examples: ["message link ana-7f3c", "message link ana-7f3c --json=link"],
  args: { message: { kind: "message", positional: true, help: "The message" } },
  async run(call) {
    const id = messageId(call.args.message);
    const { message } = await call.core.call("getMessage", { path: { id } });
    return { id: message.id, cid: message.cid, link: permalink(message) };
  },
  show: ({ link }) => link,
});
