/** Gets the user's draft of a channel or thread. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Get a draft that the provider keeps",
  changes: "nothing",
  examples: ["draft get -c messaging:ops", "draft get -c '#ops' --thread ana-7f3c"],
  args: {
    channel: { kind: "channel", short: "c", defaultsToCurrent: true, help: "The channel" },
    thread: { kind: "message", help: "Use the draft of this thread" },
  },
  async run(call) {
    const path = pathOf(await cidOf(call, call.args.channel));
    const { thread } = call.args;
    const query = thread === undefined ? {} : { parent_id: thread };
    return (await call.core.call("getDraft", { path, query })).draft;
  },
  show: (draft) => draft.message.text,
});
