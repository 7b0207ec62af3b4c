/** Unpins a message. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Unpin a message",
  changes: "provider",
  chatAlias: "unpin",
  examples: ["message unpin ana-7f3c", "message unpin ana-7f3c --json=pinned"],
  args: { message: { kind: "message", positional: true, help: "The message" } },
  async run(call) {
    const reply = await call.core.call("updateMessagePartial", {
      path: { id: call.args.message },
      body: { set: { pinned: false } },
    });
    return reply.message;
  },
});
