/** Deletes the user's draft of a channel or thread. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Delete a draft that the provider keeps",
  changes: "provider",
  examples: ["draft delete -c messaging:ops", "draft delete -c '#ops' --thread ana-7f3c"],
  aliases: ["rm"],
  args: {
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    thread: { kind: "message", help: "Use the draft of this thread" },
  },
  confirm: (args) => ({ level: "mild", question: `Delete your draft in ${args.thread ?? args.channel}?` }),
  async run(call) {
    const cid = await cidOf(call, call.args.channel);
    const { thread } = call.args;
    const query = thread === undefined ? {} : { parent_id: thread };
    await call.core.call("deleteDraft", { path: pathOf(cid), query });
    return { channel: cid, ...(thread === undefined ? {} : { thread }), deleted: true };
  },
});
