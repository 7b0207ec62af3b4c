/** Lists the channel types of the app. */
import { command } from "../base/define-command.ts";

export default command({
  summary: "List the channel types",
  examples: ["channel-type list", "channel-type list --json=name,commands"],
  aliases: ["ls"],
  args: {},
  needs: "secret",
  async *run({ core }) {
    yield* Object.values((await core.call("listChannelTypes")).channel_types);
  },
  show: (type) => ({
    kind: "table",
    columns: ["type", "longest", "uploads", "replies", "polls", "reads", "typing", "commands"],
    rows: [
      [
        type.name,
        type.max_message_length,
        type.uploads,
        type.replies,
        type.polls,
        type.read_events,
        type.typing_events,
        type.commands.map(({ name }) => name).join(" "),
      ],
    ],
  }),
});
