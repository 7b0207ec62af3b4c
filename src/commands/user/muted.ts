/** Lists users the current user has muted (specification/users.md §2, entry shapes). */
import { CommandError, command, rowOf } from "../base/define-command.ts";

export default command({
  summary: "List the users you muted",
  changes: "nothing",
  examples: ["user muted", "user muted --json=target.id,expires"],
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
    rowOf(mute, {
      user: "target.id",
      name: "target.name",
      until: "expires",
    }),
});
