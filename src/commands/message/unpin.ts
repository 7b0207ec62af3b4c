/** Unpins a message. */
import { command } from "../base/define-command.ts";
import { messageIs } from "../base/bulk/left-state.ts";
import { changeMessages, MESSAGE_OR_FILE } from "../base/bulk/names.ts";

export default command({
  summary: "Unpin a message",
  changes: "provider",
  chatAlias: "unpin",
  examples: ["message unpin ana-7f3c", "message unpin ana-7f3c --json=pinned"],
  args: MESSAGE_OR_FILE,
  run: (call) =>
    changeMessages(call, {
      async send(id) {
        const body = { set: { pinned: false } };
        return (await call.core.call("updateMessagePartial", { path: { id }, body })).message;
      },
      isDone: messageIs(call.core, ({ pinned }) => pinned !== true),
      result: "unpinned",
    }),
});
