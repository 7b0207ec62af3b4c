/** Lists users, by id; words narrow them by name. */
import type { User } from "../../wire/user.ts";
import type { Filter } from "../../wire/query.ts";
import { QUERY_USERS_LIMIT } from "../../wire/constants.ts";
import { byItem } from "../base/cursor.ts";
import { readFilter } from "../base/filter.ts";
import { command, rowView } from "../base/define-command.ts";

export default command({
  summary: "List users",
  examples: ["user list", "user list ana --json=id,name", "user list --role admin --deactivated"],
  aliases: ["ls"],
  args: {
    words: { kind: "words", place: "rest", optional: true, help: "The beginning of a name or an id" },
    role: { kind: "text", value: "role", help: "Only users with this role" },
    team: { kind: "text", value: "team", help: "Only users of this team" },
    deactivated: { kind: "flag", help: "Include deactivated users" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
  },
  async *run(call): AsyncIterable<User> {
    const { core, page, args } = call;
    const base: Filter = {
      ...(args.filter ? readFilter(args.filter) : {}),
      ...(args.role === undefined ? {} : { role: args.role }),
      ...(args.team === undefined ? {} : { teams: { $contains: args.team } }),
    };
    const filter: Filter = args.words
      ? { ...base, $or: [{ name: { $autocomplete: args.words } }, { id: { $autocomplete: args.words } }] }
      : base;
    yield* byItem<User>(page, {
      biggest: QUERY_USERS_LIMIT[1],
      async fetch({ limit, after }) {
        const { users } = await core.call("queryUsers", {
          query: {
            filter_conditions: filter,
            sort: [{ field: "id", direction: 1 }],
            limit,
            presence: false,
            ...(args.deactivated ? { include_deactivated_users: true } : {}),
            ...(after === undefined ? {} : { id_gt: after }),
          },
        });
        return users;
      },
      cursorOf: ({ id }) => id,
    });
  },
  show: (user) =>
    rowView(
      {
        user: user.id,
        name: user.name,
        role: user.role,
        online: user.online ? "online" : "",
        "last active": user.last_active,
      },
      { user: "id", online: "online", "last active": "last_active" },
    ),
});
