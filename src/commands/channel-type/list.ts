/** Lists the channel types of the app. */
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List channel types",
  examples: ["channel-type list", "channel-type list --json=name,commands"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* Object.values((await core.call("listChannelTypes")).channel_types);
  },
  show: (type) =>
    rowView(
      {
        type: type.name,
        longest: type.max_message_length,
        uploads: type.uploads,
        replies: type.replies,
        polls: type.polls,
        reads: type.read_events,
        typing: type.typing_events,
        commands: type.commands.map(({ name }) => name).join(" "),
      },
      { type: "name", longest: "max_message_length", reads: "read_events", typing: "typing_events" },
    ),
});
