/** Makes users or replaces them, from flags or from a file of many, a hundred a call. */
import type { User } from "../../wire/user.ts";
import { USERS_PER_CALL } from "../../wire/constants.ts";
import { CommandError, command } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";
import { readPairs } from "../base/custom-fields.ts";
import { readPeople } from "./people-file.ts";

type Given = Record<string, unknown> & { id: string };

export default command({
  summary: "Make users or replace them: fields not named are removed",
  examples: [
    "user upsert ana --name Ana --role moderator",
    "user upsert --file people.csv",
    "parley user list --ndjson | parley user upsert --file -",
  ],
  args: {
    users: { kind: "list", place: "positional", optional: true, help: "The users" },
    file: {
      kind: "file",
      short: "f",
      help: "Users from a file (NDJSON, a JSON array or CSV with a header), or - for standard input",
    },
    name: { kind: "text", help: "Their name" },
    image: { kind: "text", value: "url", help: "Address of their picture" },
    role: { kind: "text", value: "role", help: "Their role in the app" },
    team: { kind: "list", value: "team", help: "A team (repeat for more)" },
    language: { kind: "text", value: "code", help: "Their language, such as en" },
    custom: { kind: "list", value: "name=value", help: "Custom field name=value (repeat for more)" },
  },
  needs: "secret",
  async *run(call): AsyncIterable<User> {
    const { args, core } = call;
    const ids = userIds(args.users ?? []);
    if (ids.length === 0 && args.file === undefined)
      throw new CommandError("usage", "Which users?", "Name them, or give --file.");
    const { name, image, role, language, team } = args;
    const shared = {
      ...readPairs(args.custom ?? [], "--custom"),
      ...(name === undefined ? {} : { name }),
      ...(image === undefined ? {} : { image }),
      ...(role === undefined ? {} : { role }),
      ...(language === undefined ? {} : { language }),
      ...(team?.length ? { teams: team } : {}),
    };
    let sent = 0;
    let group: Given[] = [];
    const send = async (): Promise<User[]> => {
      if (group.length === 0) return [];
      const users = Object.fromEntries(group.map((user) => [user.id, user]));
      const reply = await core.call("upsertUsers", { body: { users } });
      sent += group.length;
      group = [];
      call.progress(sent, sent, "users");
      return Object.values(reply.users);
    };
    for (const id of ids) {
      group.push({ ...shared, id });
      if (group.length === USERS_PER_CALL) yield* await send();
    }
    if (args.file !== undefined)
      for await (const { user } of readPeople(call, args.file)) {
        group.push({ ...managed(user), ...shared } as Given);
        if (group.length === USERS_PER_CALL) yield* await send();
      }
    yield* await send();
  },
  show: (user) => ({
    kind: "table",
    columns: ["user", "name", "role"],
    rows: [[user.id, user.name, user.role]],
  }),
});

/** Without what the provider manages: a list of users is this command's input. */
function managed(user: Record<string, unknown>): Record<string, unknown> {
  const {
    created_at: _created,
    updated_at: _updated,
    last_active: _active,
    online: _online,
    banned: _banned,
    blocked_user_ids: _blocked,
    mutes: _mutes,
    channel_mutes: _channels,
    devices: _devices,
    ...rest
  } = user;
  return rest;
}
