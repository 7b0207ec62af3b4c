/** Lists the channel types of the app. */
import { command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List channel types",
  changes: "nothing",
  examples: ["channel-type list", "channel-type list --json=name,commands"],
  aliases: ["ls"],
  needs: "secret",
  async *run({ core }) {
    yield* Object.values((await core.call("listChannelTypes")).channel_types);
  },
  show: (type) =>
    rowOf(type, {
      type: "name",
      longest: "max_message_length",
      uploads: "uploads",
      replies: "replies",
      polls: "polls",
      reads: "read_events",
      typing: "typing_events",
      commands: { cell: type.commands.map(({ name }) => name).join(" ") },
    }),
});
