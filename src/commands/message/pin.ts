/** Pins a message to its channel. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "Pin a message",
  changes: "provider",
  chatAlias: "pin",
  examples: ["message pin ana-7f3c --until 7d", "message pin ana-7f3c"],
  args: {
    message: { kind: "message", positional: true, help: "The message" },
    until: { kind: "time", direction: "future", help: "When the pin ends" },
  },
  async run(call) {
    const { message: id, until } = call.args;
    const reply = await call.core.call("updateMessagePartial", {
      path: { id },
      body: { set: { pinned: true, pin_expires: until ?? null } },
    });
    return reply.message;
  },
});
