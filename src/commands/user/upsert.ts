/** Makes users or replaces them, from flags or from a file of many, a hundred a call. */
import type { User } from "../../wire/user.ts";
import { USERS_PER_CALL } from "../../wire/constants.ts";
import { CommandError, command, rowView } from "../base/define-command.ts";
import type { Args, CommandCall } from "../base/define-command.ts";
import { userIds } from "../member/remove.ts";
import { readPairs } from "../base/custom-fields.ts";
import { REPORT_ARGS, Report } from "../base/report.ts";
import { isOfSome } from "../base/several.ts";
import { readPeople } from "./people-file.ts";
import type { Person } from "./people-file.ts";

type Given = Record<string, unknown> & { id: string };

/** A person of the file, or one who was named on the line. */
type Wanted = Person | { at: undefined; user: Given; fault?: undefined };

/** Users on their way, as many at a time as a call takes. A group that is refused is sent in halves, down to who is refused. */
class Upserts {
  readonly #call: Pick<CommandCall<Args>, "core" | "dry" | "progress">;
  readonly #report: Report;
  readonly #shared: Record<string, unknown>;
  #roles: Promise<ReadonlySet<unknown>> | undefined;
  #group: { line?: number; user: Given }[] = [];
  #over = 0;

  constructor(
    call: Pick<CommandCall<Args>, "core" | "dry" | "progress">,
    report: Report,
    shared: Record<string, unknown>,
  ) {
    this.#call = call;
    this.#report = report;
    this.#shared = shared;
  }

  /** Throws for the first record that is wrong: nothing of a file is written that is not right as a whole. */
  async check(people: AsyncIterable<Person>): Promise<void> {
    for await (const { fault } of people) if (fault) throw fault;
  }

  async *add({ at: line, user, fault }: Wanted): AsyncIterable<User> {
    const where = line === undefined ? {} : { line };
    if (fault) return this.#report.failed(where, fault);
    if (this.#report.has(user)) return;
    const whole = { ...managed(user), ...this.#shared, id: user.id };
    const wrong = this.#call.dry ? await this.#strangeRole(whole) : undefined;
    if (wrong) return this.#report.failed({ ...where, id: user.id }, wrong);
    this.#group.push({ ...where, user: whole });
    if (this.#group.length === USERS_PER_CALL) yield* this.#send(this.#group.splice(0));
  }

  /** Ends as `Report` does. */
  async *end(): AsyncIterable<User> {
    yield* this.#send(this.#group.splice(0));
    this.#report.end();
  }

  async *#send(group: { line?: number; user: Given }[]): AsyncIterable<User> {
    if (group.length === 0) return;
    const users = Object.fromEntries(group.map(({ user }) => [user.id, user]));
    const rows = group.map(({ line, user: { id } }) => ({ ...(line === undefined ? {} : { line }), id }));
    try {
      const there = await this.#there(Object.keys(users));
      const reply = await this.#call.core.call("upsertUsers", { body: { users } });
      this.#report.done(rows.map((row) => ({ ...row, result: there.has(row.id) ? "replaced" : "created" })));
      this.#over += group.length;
      this.#call.progress(this.#over, this.#over, "users");
      yield* Object.values(reply.users);
    } catch (error) {
      const half = Math.ceil(group.length / 2);
      if (group.length === 1 || !isOfSome(error)) {
        for (const row of rows) this.#report.failed(row, error);
        return;
      }
      yield* this.#send(group.slice(0, half));
      yield* this.#send(group.slice(half));
    }
  }

  /** Who of them is there already; asked only for a report. */
  async #there(ids: readonly string[]): Promise<ReadonlySet<string>> {
    if (!this.#report.isKept) return new Set();
    const query = {
      filter_conditions: { id: { $in: ids } },
      limit: ids.length,
      include_deactivated_users: true,
    };
    const { users } = await this.#call.core.call("queryUsers", { query });
    return new Set(users.map(({ id }) => id));
  }

  /** A dry run finds by itself what the provider would refuse. */
  async #strangeRole({ id, role }: Given): Promise<CommandError | undefined> {
    if (role === undefined || role === "") return undefined;
    this.#roles ??= this.#call.core
      .call("listRoles")
      .then(({ roles }) => new Set(roles.map(({ name }) => name)));
    if ((await this.#roles).has(role)) return undefined;
    return new CommandError("rejected", `users.${id}.role is not a role of this app.`);
  }
}

export default command({
  summary: "Make users or replace them: fields not named are removed",
  examples: [
    "user upsert ana --name Ana --role moderator",
    "user upsert --file people.csv",
    "parley user list --ndjson | parley user upsert --file -",
    "user upsert --file people.csv --report done.ndjson --max-errors 10",
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
    ...REPORT_ARGS,
  },
  needs: "secret",
  async *run(call): AsyncIterable<User> {
    const { args } = call;
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
    const writing = new Upserts(call, await Report.open(args, "id", call.dry), shared);
    if (args.file !== undefined && args.file !== "-") await writing.check(readPeople(call, args.file));
    for (const id of ids) yield* writing.add({ at: undefined, user: { id } });
    if (args.file !== undefined)
      for await (const person of readPeople(call, args.file)) yield* writing.add(person);
    yield* writing.end();
  },
  show: (user) => rowView({ user: user.id, name: user.name, role: user.role }, { user: "id" }),
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
