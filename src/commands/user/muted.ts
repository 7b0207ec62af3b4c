/** Lists those one has muted (specification/users.md §2, entry shapes). */
import { CommandError, command } from "../base/define-command.ts";

export default command({
  summary: "List the users you muted",
  examples: ["user muted"],
  args: {},
  async *run({ core }) {
    const me = core.userId;
    if (me === undefined) throw new CommandError("usage", "Nobody to ask for.", "Add --as <user>.");
    const { users } = await core.call("queryUsers", {
      query: { filter_conditions: { id: me }, limit: 1, presence: false },
    });
    yield* users[0]?.mutes ?? [];
  },
  show: (mute) => ({
    kind: "table",
    columns: ["user", "name", "until"],
    rows: [[mute.target.id, mute.target.name, mute.expires ?? undefined]],
  }),
});
