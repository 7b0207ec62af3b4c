/** Rejects an invite to a channel. */
import { command } from "../base/define-command.ts";
import { cidOf, pathOf } from "../base/place.ts";

export default command({
  summary: "Reject an invite",
  examples: ["channel reject messaging:ops", 'channel reject messaging:ops --say "on my way"'],
  args: {
    channel: { kind: "channel", place: "positional", here: true, help: "The channel" },
    say: { kind: "text", help: "Say this in the channel as well" },
  },
  async run(call) {
    const { say } = call.args;
    const { channel } = await call.core.call("updateChannel", {
      path: pathOf(await cidOf(call, call.args.channel)),
      body: { reject_invite: true, ...(say === undefined ? {} : { message: { text: say } }) },
    });
    return channel;
  },
});
