/** Removes all messages of a channel, or those up to a time, for everybody or some members. */
import { command } from "../base/define-command.ts";
import { userIds } from "../base/bulk/names.ts";
import { cidOf, pathOf } from "../base/resolve-channel.ts";

export default command({
  summary: "Delete all messages of a channel",
  changes: "provider",
  examples: ["channel truncate messaging:ops", "channel truncate messaging:ops --until 30d --say 'swept'"],
  args: {
    channel: { kind: "channel", positional: true, defaultsToCurrent: true, help: "The channel" },
    until: { kind: "time", help: "Only messages up to this time" },
    user: { kind: "list", value: "user", help: "Only for this member (repeatable)" },
    say: { kind: "text", help: "Post this as a system message in their place" },
  },
  confirmWord: { word: "the channel" },
  confirm: (args) => ({
    level: "severe",
    question: `Remove the messages of ${args.channel} for ${args.user.length ? args.user.join(", ") : "everybody"}?`,
    word: args.channel,
  }),
  async run(call) {
    const { until, user, say } = call.args;
    const { channel } = await call.core.call("truncateChannel", {
      path: pathOf(await cidOf(call, call.args.channel)),
      body: {
        ...(until === undefined ? {} : { truncated_at: until }),
        ...(user.length ? { member_ids: userIds(user) } : {}),
        ...(say === undefined ? {} : { message: { text: say } }),
      },
    });
    return channel;
  },
});
