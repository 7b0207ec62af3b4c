/** Marks a channel unread from a message on. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Mark a channel unread from a message on",
  changes: "provider",
  chatAlias: "mark-unread",
  examples: ["channel unread messaging:ops ana-7f3c", "channel unread '#ops' bo-7f3c"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    message: { kind: "message", positional: true, help: "The first unread message" },
  },
  async run(call) {
    const cid = await cidOf(call, call.args.channel);
    await call.core.call("markUnread", { path: pathOf(cid), body: { message_id: call.args.message } });
    return { channel: cid, read: false };
  },
});
