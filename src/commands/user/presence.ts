/** Shows who is online, and changes the current user's visibility and status (specification/users.md §12). */
import { noSuchUser } from "../base/user-not-found.ts";
import type { User } from "../../wire/entities/user.ts";
import { QUERY_USERS_LIMIT } from "../../wire/constants.ts";
import { CommandError, command, rowOf } from "../base/define-command.ts";
import { BULK_ARGS } from "../base/bulk/bulk.ts";
import { readAllNames, USERS } from "../base/bulk/names.ts";

export default command({
  summary: "Show who is online, or make yourself invisible",
  changes: "nothing",
  chatAlias: "presence",
  examples: [
    "user presence ana bo",
    "user presence --invisible",
    'user presence --visible --status "back at 3"',
  ],
  args: {
    users: { kind: "list", positional: true, optional: true, help: "The users (default: you)" },
    file: BULK_ARGS.file,
    invisible: { kind: "flag", help: "Appear offline to others from now on" },
    visible: { kind: "flag", help: "Be visible to others again" },
    status: { kind: "text", value: "text", help: "Your status text" },
  },
  async *run(call): AsyncIterable<User> {
    const { args, core } = call;
    if (args.invisible && args.visible)
      throw new CommandError("usage", "--invisible and --visible cannot be combined.");
    const me = core.userId;
    const changes = {
      ...(args.invisible ? { invisible: true } : {}),
      ...(args.visible ? { invisible: false } : {}),
      ...(args.status === undefined ? {} : { status: args.status }),
    };
    const isAsking = args.users.length > 0 || args.file !== undefined;
    const requested = isAsking ? await readAllNames(call, args.users, USERS) : [];
    if (me === undefined && requested.length === 0)
      throw new CommandError("usage", "This needs a user to ask for.", "Add --as <user>.");
    if (Object.keys(changes).length > 0) {
      if (me === undefined || requested.some((id) => id !== me))
        throw new CommandError("usage", "Only your own presence can be changed.");
      const reply = await core.call("updateUsersPartial", { body: { users: [{ id: me, set: changes }] } });
      yield reply.users[me]!;
      return;
    }
    const ids = requested.length > 0 ? requested : [me!];
    for (let i = 0; i < ids.length; i += QUERY_USERS_LIMIT[1]) {
      const part = ids.slice(i, i + QUERY_USERS_LIMIT[1]);
      const { users } = await core.call("queryUsers", {
        query: { filter_conditions: { id: { $in: part } }, limit: part.length, presence: false },
      });
      const missing = part.find((id) => !users.some((user) => user.id === id));
      if (missing !== undefined) throw noSuchUser(missing);
      yield* part.map((id) => users.find((user) => user.id === id)!);
    }
  },
  show: (user) =>
    rowOf(user, {
      user: "id",
      presence: { cell: presenceOf(user) },
      "last active": "last_active",
      status: "status",
    }),
});

const presenceOf = (user: User): string =>
  user.invisible ? "invisible" : user.online ? "online" : "offline";
