/** Reads many names from the command line, a file or standard input, each once. */
import { isMessageId, isUserId } from "../../../wire/ids.ts";
import { USERS_PER_CALL } from "../../../wire/constants.ts";
import { readChannel } from "../args.ts";
import { BULK_ARGS, inBulk, nameOrCount, type BulkCall, type BulkItem, type BulkRead } from "./bulk.ts";
import { CommandError, type Args, type Reading, type ArgValues } from "../define-command.ts";
import { idIn, PERSON_FIELDS, readRecords, wrongRecord } from "./records.ts";

/** What one kind of thing is called, and how its name is read. */
export interface NameReader {
  /** `users` */
  unit: string;
  /** The fields of a record that may hold the name, the best first: what the lists of this kind print. */
  fields: readonly string[];
  /** Throws `CommandError` for what is no name. */
  read(text: string): string;
}

/** Ids with or without a leading `@`. Throws `CommandError` (usage). */
export const userIds = (texts: readonly string[]): string[] => texts.map(userId);

function userId(text: string): string {
  const id = text.startsWith("@") ? text.slice(1) : text;
  if (!isUserId(id)) throw new CommandError("usage", `'${text}' is not a user id.`);
  return id;
}

const USERS: NameReader = {
  unit: "users",
  fields: PERSON_FIELDS,
  read: userId,
};

/** Messages, also as lists of flags and reactions name them. */
export const MESSAGES: NameReader = {
  unit: "messages",
  fields: ["id", "message_id", "message"],
  read(text) {
    if (!isMessageId(text)) throw new CommandError("usage", `'${text}' is not a message id.`);
    return text;
  },
};

/** By their cids; `@user` is left for the provider to find. */
export const channelsOf = (channelType: string): NameReader => ({
  unit: "channels",
  fields: ["cid", "target_id", "channel"],
  read: (text) => readChannel(text, channelType),
});

/** The arguments of a command for many users. */
export const USERS_ARGS = {
  users: { kind: "list", place: "positional", optional: true, help: "The users" },
  ...BULK_ARGS,
} as const satisfies Args;

type Given = ArgValues<typeof BULK_ARGS>;
type Naming = Reading & { args: Given };

async function* inFile(call: Naming, file: string, { fields, read }: NameReader): AsyncIterable<BulkRead> {
  for await (const { at: line, cells, json, fault } of readRecords(call, file, { ids: fields })) {
    const text = fault ? undefined : idIn(cells ?? json, fields);
    if (fault) yield { line, fault };
    else if (text === undefined) yield { line, fault: wrongRecord(line, `has no ${fields[0]}`) };
    else yield readAt(line, () => read(text));
  }
}

function readAt(line: number, read: () => string): BulkRead {
  try {
    return { line, id: read() };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { line, fault: new CommandError("rejected", `Record ${line}: ${error.message}`) };
  }
}

/** Throws `CommandError` (usage) where neither the line nor a file names any. */
function needNames(texts: readonly string[], file: string | undefined, unit: string): void {
  if (texts.length === 0 && file === undefined)
    throw new CommandError("usage", `No ${unit} are named.`, "Name them, or give --file.");
}

/** Those of the line, then those of the file. Throws `CommandError` (usage) for none and for a wrong name on the line. */
export async function* readBulkNames(
  call: Naming,
  texts: readonly string[],
  kind: NameReader = USERS,
): AsyncIterable<BulkRead> {
  const { file } = call.args;
  needNames(texts, file, kind.unit);
  const seen = new Set<string>();
  for (const text of texts) {
    const id = kind.read(text);
    if (!seen.has(id)) yield { id };
    seen.add(id);
  }
  if (file === undefined) return;
  for await (const item of inFile(call, file, kind)) {
    if ("fault" in item) yield item;
    else if (!seen.has(item.id)) yield item;
    if ("id" in item) seen.add(item.id);
  }
}

/** All of them at once, where one call takes them whole. Throws what is wrong with the first that is wrong. */
export async function allNames(call: Naming, texts: readonly string[], kind: NameReader): Promise<string[]> {
  const names: string[] = [];
  for await (const item of readBulkNames(call, texts, kind)) {
    if ("fault" in item) throw item.fault;
    names.push(item.id);
  }
  return names;
}

const baseName = (file: string): string => file.replace(/^.*[\\/]/, "");

/** `ana, bo`, `9 users`, `the users of people.csv`: for questions. Throws `CommandError` (usage) where there is nothing to ask about. */
export function whom(texts: readonly string[], { file }: Given, unit = "users"): string {
  needNames(texts, file, unit);
  const few = texts.length > 5 ? nameOrCount(texts, unit) : texts.join(", ");
  if (file === undefined) return few;
  const those = `the ${unit} of ${file === "-" ? "standard input" : baseName(file)}`;
  return texts.length === 0 ? those : `${few} and ${those}`;
}

/** What is typed to go on where it is severe: the only name, or how many, or the name of the file. */
export function wordFor(texts: readonly string[], { file }: Given): string {
  if (file !== undefined) return baseName(file);
  return texts.length === 1 ? texts[0]! : String(texts.length);
}

/** One change of many users; `left` finds those whom an answer leaves out. */
interface OfUsers<T> {
  ask(ids: string[]): Promise<T>;
  /** What became of each, for the report. */
  result: string;
  left?(reply: T): { id: string; error: CommandError }[];
  /** How many one call takes. */
  most?: number;
}

/** What is told of each user who is changed alone. */
export async function* ofEachUser<T, R>(
  call: BulkCall<typeof USERS_ARGS>,
  { told, ...change }: OfUsers<T> & { told(user: string): R },
): AsyncIterable<R> {
  for await (const { ids } of eachUser(call, change)) for (const id of ids) yield told(id);
}

/** The users whom the line and the file name, as `inBulk` takes them. */
export async function* eachUser<T>(
  call: BulkCall<typeof USERS_ARGS>,
  { ask, most = USERS_PER_CALL, ...rest }: OfUsers<T>,
): AsyncIterable<{ ids: string[]; reply: T }> {
  const idsOf = (items: readonly BulkItem[]): string[] => items.map(({ id }) => id);
  const written = inBulk(call, {
    ...rest,
    read: () => readBulkNames(call, call.args.users),
    unit: "users",
    most,
    ask: (items: BulkItem[]) => ask(idsOf(items)),
  });
  for await (const { items, reply } of written) yield { ids: idsOf(items), reply };
}

/** One change of many things that takes a call for each. */
interface OfEach<T> {
  kind: NameReader;
  /** Those of the line. */
  names: readonly string[];
  ask(id: string): Promise<T>;
  /** What became of each, for the report. */
  result: string;
}

/** The answers, in the order of the things. */
export async function* eachOne<T>(call: BulkCall, { kind, names, ask, result }: OfEach<T>): AsyncIterable<T> {
  const written = inBulk(call, {
    read: () => readBulkNames(call, names, kind),
    unit: kind.unit,
    most: 1,
    ask: ([item]) => ask(item!.id),
    result,
  });
  for await (const { reply } of written) yield reply;
}
