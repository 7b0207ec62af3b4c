/** Pins a message to its channel. */
import { command } from "../base/define-command.ts";
import { messageIs } from "../base/bulk/left-state.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Pin a message",
  changes: "provider",
  chatAlias: "pin",
  examples: ["message pin ana-7f3c --until 7d", "message pin ana-7f3c"],
  args: {
    ...MESSAGE_OR_FILE,
    until: { kind: "time", direction: "future", help: "When the pin ends" },
  },
  run: (call) =>
    changeMessages(call, {
      async send(id) {
        const body = { set: { pinned: true, pin_expires: call.args.until ?? null } };
        return (await call.core.call("updateMessagePartial", { path: { id }, body })).message;
      },
      ...(call.args.until === undefined && { isDone: messageIs(call.core, ({ pinned }) => pinned === true) }),
      result: "pinned",
    }),
});
