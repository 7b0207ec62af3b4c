/** Lists users by id; words filter by name. */
import type { PageCall } from "../../model/page-size.ts";
import type { QueryOf } from "../../wire/endpoints/index.ts";
import type { User } from "../../wire/entities/user.ts";
import type { Filter } from "../../wire/entities/query.ts";
import { QUERY_USERS_LIMIT } from "../../wire/constants.ts";
import { byOffset, NEVER, withinBound } from "../base/lists/by-offset.ts";
import { afterId, byItem } from "../base/lists/cursor.ts";
import { filterWith } from "../base/lists/filter.ts";
import { command, rowOf, type PageRequest } from "../base/define-command.ts";
import { itemName } from "../../wire/reading.ts";

type UsersQuery = NonNullable<QueryOf<"queryUsers">>;

/** Users in a sort order; those never active come last. */
function usersByDate(
  page: PageRequest,
  sort: string,
  filter: Filter,
  fetch: (span: Partial<UsersQuery>, once: PageCall) => Promise<User[]>,
): AsyncIterable<User> {
  const field = sort === "active" ? "last_active" : "created_at";
  const direction = sort === "oldest" ? 1 : -1;
  return byOffset<User>(
    page,
    QUERY_USERS_LIMIT[1],
    itemName("users"),
    (span, bound, once) => {
      const { sort: order, ...rest } = withinBound({ filter, field, direction, key: "id" }, bound);
      return fetch(
        {
          ...span,
          ...rest,
          sort: order[0]!.field === "id" ? order : [...order, { field: "id", direction: 1 }],
        },
        once,
      );
    },
    {
      dateOf: (user) => (sort === "active" ? user.last_active : user.created_at) ?? NEVER,
      byKey: true,
      ...(sort === "active" && { ends: NEVER }),
    },
  );
}

export default command({
  summary: "List users",
  changes: "nothing",
  chatAlias: "users",
  examples: [
    "user list",
    "user list ana --json=id,name",
    "user list --role admin --deactivated",
    "user list --sort newest --limit 5",
  ],
  aliases: ["ls"],
  args: {
    words: { kind: "words", positional: "rest", optional: true, help: "The beginning of a name or an id" },
    role: { kind: "text", value: "role", help: "Only users with this role" },
    team: { kind: "text", value: "team", help: "Only users of this team" },
    deactivated: { kind: "flag", help: "Include deactivated users" },
    filter: { kind: "text", value: "json", help: "Filter as JSON" },
    sort: { kind: "choice", choices: ["newest", "oldest", "active"], help: "Sort order (default: by id)" },
  },
  async *run(call): AsyncIterable<User> {
    const { core, page, args } = call;
    const { words } = args;
    const filter = filterWith(args.filter, {
      ...(args.role === undefined ? {} : { role: args.role }),
      ...(args.team === undefined ? {} : { teams: { $contains: args.team } }),
      ...(words ? { $or: [{ name: { $autocomplete: words } }, { id: { $autocomplete: words } }] } : {}),
    });
    const fetch = async (span: Partial<UsersQuery>, once: PageCall): Promise<User[]> => {
      const deactivated = args.deactivated ? { include_deactivated_users: true } : {};
      const query = { filter_conditions: filter, ...span, presence: false, ...deactivated };
      return (await core.call("queryUsers", { query, ...once })).users;
    };
    if (args.sort !== undefined) yield* usersByDate(page, args.sort, filter, fetch);
    else
      yield* byItem<User>(afterId(page), {
        maxPageSize: QUERY_USERS_LIMIT[1],
        fetch: ({ limit, after }, once) =>
          fetch(
            {
              sort: [{ field: "id", direction: 1 }],
              limit,
              ...(after === undefined ? {} : { id_gt: after }),
            },
            once,
          ),
        cursorOf: ({ id }) => id,
        compare: (a, b) => (a.id < b.id ? -1 : 1),
      });
  },
  show: (user) =>
    rowOf(user, {
      user: "id",
      name: "name",
      role: "role",
      online: { field: "online", cell: user.online ? "online" : "" },
      "last active": "last_active",
    }),
});
