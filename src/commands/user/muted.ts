/** Lists those one has muted (specification/users.md §2, entry shapes). */
import { CommandError, command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List the users you muted",
  examples: ["user muted", "user muted --json=target.id,expires"],
  args: {},
  async *run({ core }) {
    const me = core.userId;
    if (me === undefined)
      throw new CommandError("usage", "This needs a user to ask for.", "Add --as <user>.");
    const { users } = await core.call("queryUsers", {
      query: { filter_conditions: { id: me }, limit: 1, presence: false },
    });
    yield* users[0]?.mutes ?? [];
  },
  show: (mute) =>
    rowView(
      { user: mute.target.id, name: mute.target.name, until: mute.expires ?? undefined },
      { user: "target.id", name: "target.name", until: "expires" },
    ),
});
