/** Creates or replaces users from flags or a file, a hundred per request. */
import { USERS_PER_CALL } from "../../wire/constants.ts";
import type { User } from "../../wire/entities/user.ts";
import { firstFew } from "../../text/words.ts";
import { BULK_ARGS, runBulk, type BulkItem, type ParsedItem } from "../base/bulk/bulk.ts";
import {
  CommandError,
  command,
  rowOf,
  type Args,
  type Call,
  type ArgValues,
} from "../base/define-command.ts";
import { CUSTOM, readPairs } from "../base/custom-fields.ts";
import { userExists, userIds } from "../base/bulk/names.ts";
import { RecordProblems } from "../base/bulk/record-problems.ts";
import { readPeople } from "./people-file.ts";
import { usersNow } from "./settable-users.ts";
import {
  completed,
  isUnchanged,
  ReplacementCheck,
  withoutManaged,
  type PersonToWrite,
  type UserInput,
} from "./replacement-check.ts";

type UpsertItem = BulkItem & PersonToWrite;
type UpsertCall = Pick<Call<Args>, "core" | "machine" | "input" | "localFile" | "note" | "dry"> & {
  args: ArgValues<typeof ARGS>;
};

const ARGS = {
  users: { kind: "list", positional: true, optional: true, help: "The users" },
  ...BULK_ARGS,
  name: { kind: "text", help: "Their name" },
  image: { kind: "text", value: "url", help: "Address of their picture" },
  role: { kind: "text", value: "role", help: "Their role in the app" },
  team: { kind: "list", value: "team", help: "A team (repeatable)" },
  language: { kind: "text", value: "code", help: "Their language, such as en" },
  custom: CUSTOM,
} as const satisfies Args;

/** Fields from flags, for all users. */
function sharedFields({
  custom,
  name,
  image,
  role,
  language,
  team,
}: ArgValues<typeof ARGS>): Record<string, unknown> {
  return {
    ...readPairs(custom, "--custom"),
    ...(name === undefined ? {} : { name }),
    ...(image === undefined ? {} : { image }),
    ...(role === undefined ? {} : { role }),
    ...(language === undefined ? {} : { language }),
    ...(team.length ? { teams: team } : {}),
  };
}

/** What a request has written, and the users of whom it has changed nothing. */
interface Written {
  users: User[];
  same: ReadonlySet<string>;
}

/** Reads and writes the users, and warns before data of existing users is lost. */
class Upserts {
  readonly #call: UpsertCall;
  readonly #replacementCheck: ReplacementCheck;
  readonly #repeated = new Set<string>();
  #unchanged = 0;

  constructor(call: UpsertCall) {
    this.#call = call;
    this.#replacementCheck = new ReplacementCheck(call);
  }

  async *read(): AsyncIterable<ParsedItem<UpsertItem>> {
    const { args } = this.#call;
    const shared = sharedFields(args);
    const toItem = (user: UserInput): UpsertItem => ({
      id: user.id,
      user: { ...withoutManaged(user), ...shared, id: user.id },
    });
    for (const id of userIds(args.users)) yield toItem({ id });
    if (args.file === undefined) return;
    for await (const { number: line, user, columns, fault } of readPeople(this.#call, args.file))
      yield fault ? { line, fault } : { line, ...toItem(user), ...(columns && { columns }) };
  }

  /** For a file, checks all users before the first write; for standard input, `send` checks each batch. */
  async checkFirst(): Promise<void> {
    if (this.#call.args.file === "-") return;
    const problems = new RecordProblems();
    for await (const item of this.read()) if ("fault" in item) problems.add(item.fault);
    problems.end();
    let batch: UpsertItem[] = [];
    for await (const item of this.read()) {
      if ("fault" in item) throw item.fault;
      batch.push(item);
      if (batch.length < USERS_PER_CALL) continue;
      await this.#replacementCheck.check(batch);
      batch = [];
    }
    if (batch.length > 0) await this.#replacementCheck.check(batch);
    await this.#replacementCheck.ask();
  }

  /** Those whom it changes nothing of are not sent. */
  async send(items: readonly UpsertItem[]): Promise<Written> {
    const before = await usersNow(
      this.#call.core,
      items.map(({ id }) => id),
    );
    await this.#replacementCheck.check(items, before);
    await this.#replacementCheck.ask();
    const all = new Map(items.map((item) => [item.id, completed(item, before.get(item.id))]));
    const same = new Set([...all.keys()].filter((id) => isUnchanged(all.get(id)!, before.get(id))));
    const users = Object.fromEntries([...all].filter(([id]) => !same.has(id)));
    const { users: written }: { users: Record<string, User> } =
      same.size === all.size ? { users: {} } : await this.#call.core.call("upsertUsers", { body: { users } });
    this.#unchanged += same.size;
    return { users: [...all.keys()].flatMap((id) => written[id] ?? before.get(id) ?? []), same };
  }

  /** A user repeated in the input counts as created only once. */
  resultOf(id: string, { same }: Written): string {
    const before = this.#replacementCheck.markWritten(id);
    if (before === "written") this.#repeated.add(id);
    if (same.has(id)) return "unchanged";
    return before === false ? "created" : "replaced";
  }

  /** Says to people how many of whom nothing was to be changed; in a pipe the report and the summary tell. */
  noteUnchanged(): void {
    const { dry, machine, note } = this.#call;
    if (this.#unchanged > 0 && (dry || machine?.terminal)) note?.(`${this.#unchanged} unchanged`);
  }

  /** Says which users stood in the input more than once. */
  noteRepeated(): void {
    if (this.#repeated.size > 0)
      this.#call.note?.(`Named more than once, the last time counts: ${firstFew([...this.#repeated])}.`);
  }
}

export default command({
  summary: "Create or replace users; fields not given are removed, those without a column stay",
  changes: "provider",
  examples: [
    "user upsert ana --name Ana --role moderator",
    "user upsert --file people.csv",
    "parley user list --ndjson | parley user upsert --file -",
    "user upsert --file people.csv --report done.ndjson --max-errors 10",
  ],
  args: ARGS,
  needs: "secret",
  asksWhileRunning: true,
  async *run(call): AsyncIterable<User> {
    const { args } = call;
    if (args.users.length === 0 && args.file === undefined)
      throw new CommandError("usage", "No users are named.", "Name them, or give --file.");
    const upserts = new Upserts(call);
    await upserts.checkFirst();
    const written = runBulk(call, {
      read: () => upserts.read(),
      unit: "users",
      batchSize: USERS_PER_CALL,
      send: (items) => upserts.send(items),
      result: ({ id }, reply) => upserts.resultOf(id, reply),
      isDone: (id) => userExists(call.core, id),
    });
    for await (const { reply } of written)
      yield* call.dry ? reply.users.filter(({ id }) => !reply.same.has(id)) : reply.users;
    upserts.noteUnchanged();
    upserts.noteRepeated();
  },
  show: (user) =>
    rowOf(user, {
      user: "id",
      name: "name",
      role: "role",
    }),
});
