/** Reads ids of users, messages or channels from the command line, a file or standard input, without duplicates. */
import { isMessageId, isUserId } from "../../../wire/ids.ts";
import { USERS_PER_CALL } from "../../../wire/constants.ts";
import { readChannel } from "../args.ts";
import type { Core } from "../../../core/core.ts";
import { lookUpChannel } from "../../../model/look-up-channel.ts";
import { cidOf, type ChannelContext } from "../resolve-channel.ts";
import { userNow } from "./left-state.ts";
import { exists } from "./report-run.ts";
import { BULK_ARGS, runBulk, nameOrCount, type BulkCall, type BulkItem, type ParsedItem } from "./bulk.ts";
import { CommandError, type Args, type FileReading, type ArgValues } from "../define-command.ts";
import { idOfRecord, PERSON_FIELDS, readRecords, recordError } from "./records.ts";

/** How names of one kind are parsed. */
export interface NameReader {
  /** Plural noun: `users`. */
  unit: string;
  /** Fields of a record that may hold the id, in order of preference. */
  fields: readonly string[];
  /** Throws `CommandError` for an invalid name. */
  read(text: string): string;
  /** Whether the provider has it. */
  exists?(core: Pick<Core, "call" | "userId">, id: string): Promise<boolean>;
}

/** Ids with or without a leading `@`. Throws `CommandError` (usage). */
export const userIds = (texts: readonly string[]): string[] => texts.map(userId);

function userId(text: string): string {
  const id = text.startsWith("@") ? text.slice(1) : text;
  if (!isUserId(id)) throw new CommandError("usage", `'${text}' is not a user id.`);
  return id;
}

/** Deactivated users exist, deleted ones do not. */
export const userExists = async (core: Pick<Core, "call">, id: string): Promise<boolean> =>
  (await userNow(core, id)) !== undefined;

export const USERS: NameReader = {
  unit: "users",
  fields: PERSON_FIELDS,
  read: userId,
  exists: userExists,
};

/** Message ids, also from lists of flags and reactions. */
export const MESSAGES: NameReader = {
  unit: "messages",
  fields: ["id", "message_id", "parent_message_id", "message"],
  read(text) {
    if (!isMessageId(text)) throw new CommandError("usage", `'${text}' is not a message id.`);
    return text;
  },
  exists: async (core, id) => {
    let type: string | undefined;
    const read = async (): Promise<void> =>
      void ({ type } = (await core.call("getMessage", { path: { id } })).message);
    return (await exists(read())) && type !== "deleted";
  },
};

/** Cids; `@user` stays, to be looked up later. */
export const channelsOf = (channelType: string): NameReader => ({
  unit: "channels",
  fields: ["cid", "target_id", "channel"],
  read: (text) => readChannel(text, channelType),
  exists: (core, cid) => exists(lookUpChannel(core, cid)),
});

/** Arguments of commands for many users. */
export const USERS_ARGS = {
  users: { kind: "list", positional: true, optional: true, help: "The users" },
  ...BULK_ARGS,
} as const satisfies Args;

type BulkArgs = Pick<ArgValues<typeof BULK_ARGS>, "file">;
type NamesCall = FileReading & { args: BulkArgs };

async function* namesInFile(
  call: NamesCall,
  file: string,
  { fields, read }: NameReader,
): AsyncIterable<ParsedItem> {
  for await (const { number: line, cells, json, fault } of readRecords(call, file, { ids: fields })) {
    const text = fault ? undefined : idOfRecord(cells ?? json, fields);
    if (fault) yield { line, fault };
    else if (text === undefined) yield { line, fault: recordError(line, `has no ${fields[0]}`) };
    else yield readName(line, () => read(text));
  }
}

function readName(line: number, read: () => string): ParsedItem {
  try {
    return { line, id: read() };
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    return { line, fault: new CommandError("rejected", `Record ${line}: ${error.message}`) };
  }
}

/** Throws `CommandError` (usage) without names and without a file. */
function requireNames(texts: readonly string[], file: string | undefined, unit: string): void {
  if (texts.length === 0 && file === undefined)
    throw new CommandError("usage", `No ${unit} are named.`, "Name them, or give --file.");
}

/** Names from the command line, then from the file. Throws `CommandError` (usage) for no names or an invalid one on the command line. */
export async function* readBulkNames(
  call: NamesCall,
  texts: readonly string[],
  kind: NameReader = USERS,
): AsyncIterable<ParsedItem> {
  const { file } = call.args;
  requireNames(texts, file, kind.unit);
  const seen = new Set<string>();
  for (const text of texts) {
    const id = kind.read(text);
    if (!seen.has(id)) yield { id };
    seen.add(id);
  }
  if (file === undefined) return;
  for await (const item of namesInFile(call, file, kind)) {
    if ("fault" in item) yield item;
    else if (!seen.has(item.id)) yield item;
    if ("id" in item) seen.add(item.id);
  }
}

/** All names at once, for a single request. Throws the error of the first invalid one. */
export async function readAllNames(
  call: NamesCall,
  texts: readonly string[],
  kind: NameReader,
): Promise<string[]> {
  const names: string[] = [];
  for await (const item of readBulkNames(call, texts, kind)) {
    if ("fault" in item) throw item.fault;
    names.push(item.id);
  }
  return names;
}

/** The channels of the command line and those of the file; none where none are named. */
export const namedChannels = async (
  call: FileReading & Pick<BulkCall, "channelType"> & { args: BulkArgs & { channels: string[] } },
): Promise<string[]> =>
  call.args.channels.length === 0 && call.args.file === undefined
    ? []
    : readAllNames(call, call.args.channels, channelsOf(call.channelType));

const baseName = (file: string): string => file.replace(/^.*[\\/]/, "");

/** `ana, bo`, `9 users` or `the users of people.csv`, for questions. Throws `CommandError` (usage) without names. */
export function describeNames(texts: readonly string[], { file }: BulkArgs, unit = "users"): string {
  requireNames(texts, file, unit);
  const named = texts.length > 5 ? nameOrCount(texts, unit) : texts.join(", ");
  if (file === undefined) return named;
  const fromFile = `the ${unit} of ${file === "-" ? "standard input" : baseName(file)}`;
  return texts.length === 0 ? fromFile : `${named} and ${fromFile}`;
}

/** The word to type for a severe question: the only name, the number of names, or the file name. */
export function confirmationWord(texts: readonly string[], { file }: BulkArgs): string {
  if (file !== undefined) return baseName(file);
  return texts.length === 1 ? texts[0]! : String(texts.length);
}

/** What {@link confirmationWord} is, for the help; `one`: what a single name is. */
export const confirmationHelp = (one: string): string =>
  `${one}, of several their number, and of a file its name`;

/** How a finished item is looked up: it exists, or does not if the change removes it. */
export const isDoneOf = (
  { core }: Pick<BulkCall, "core">,
  { exists: isThere }: NameReader,
  gone = false,
): ((id: string) => Promise<boolean>) | undefined =>
  isThere && (async (id) => (await isThere(core, id)) !== gone);

/** A change of many users; `leftOut` finds those a response left out. */
interface UserChange<T> {
  /** `goesOn`: an earlier run has changed other users. */
  send(ids: string[], goesOn: boolean): Promise<T>;
  /** The result of each user, for the report. */
  result: string;
  /** The users are gone afterwards. */
  gone?: boolean;
  /** Whether a user is as this change leaves one; else they need only exist, or be gone. */
  isDone?: ((id: string) => Promise<boolean>) | undefined;
  leftOut?(reply: T): { id: string; error: CommandError }[];
  batchSize?: number;
}

/** Like `changeUsers`, yielding one result per user. */
export async function* changeEachUser<T, R>(
  call: BulkCall<typeof USERS_ARGS>,
  { resultOf, ...change }: UserChange<T> & { resultOf(user: string): R },
): AsyncIterable<R> {
  for await (const { ids } of changeUsers(call, change)) for (const id of ids) yield resultOf(id);
}

/** Runs a change over the users from the command line and the file. */
export async function* changeUsers<T>(
  call: BulkCall<typeof USERS_ARGS>,
  { send, batchSize = USERS_PER_CALL, gone, isDone = isDoneOf(call, USERS, gone), ...rest }: UserChange<T>,
): AsyncIterable<{ ids: string[]; reply: T }> {
  const idsOf = (items: readonly BulkItem[]): string[] => items.map(({ id }) => id);
  const batches = runBulk(call, {
    ...rest,
    read: () => readBulkNames(call, call.args.users),
    unit: "users",
    batchSize,
    isDone,
    send: (items: BulkItem[], goesOn) => send(idsOf(items), goesOn),
  });
  for await (const { items, reply } of batches) yield { ids: idsOf(items), reply };
}

/** A change of many items with one request each. */
interface ItemChange<T> {
  kind: NameReader;
  /** Names from the command line. */
  names: readonly string[];
  send(id: string): Promise<T>;
  /** The result of each item, for the report. */
  result: string;
  /** The items are gone afterwards. */
  gone?: boolean;
  /** Whether an item is as this change leaves one; else it need only exist, or be gone. */
  isDone?: ((id: string) => Promise<boolean>) | undefined;
}

/** Arguments of commands about one message, or those of a file. */
export const MESSAGE_OR_FILE = {
  message: { kind: "message", positional: true, orFile: true, help: "The message" },
  ...BULK_ARGS,
} as const satisfies Args;

/** Arguments of commands about one channel, or those of a file. */
export const CHANNEL_OR_FILE = {
  channel: {
    kind: "channel",
    positional: true,
    defaultsToCurrent: true,
    orFile: true,
    help: "The channel",
  },
  ...BULK_ARGS,
} as const satisfies Args;

/** Changes one thing and returns the response; with `--file` or a report each of many, and yields theirs. */
function changeOneOrFile<T>(
  call: BulkCall,
  { name, ...change }: Omit<ItemChange<T>, "names"> & { name: string | undefined },
): Promise<T> | AsyncIterable<T> {
  const { file, report, resume } = call.args;
  if (name !== undefined && [file, report, resume].every((one) => one === undefined))
    return change.send(name);
  return changeEach(call, { ...change, names: name === undefined ? [] : [name] });
}

/** Like `changeOneOrFile`, for channels; `send` gets the cid of each. */
export const changeChannels = <T>(
  call: BulkCall & ChannelContext & { args: { channel?: string } },
  { send, result, isDone }: Pick<ItemChange<T>, "send" | "result" | "isDone">,
): Promise<T> | AsyncIterable<T> =>
  changeOneOrFile(call, {
    kind: channelsOf(call.channelType),
    name: call.args.channel,
    send: async (channel) => send(await cidOf(call, channel)),
    isDone: isDone && (async (channel) => isDone(await cidOf(call, channel))),
    result,
  });

/** Like `changeOneOrFile`, for messages. */
export const changeMessages = <T>(
  call: BulkCall & { args: { message?: string } },
  change: Pick<ItemChange<T>, "send" | "result" | "isDone">,
): Promise<T> | AsyncIterable<T> =>
  changeOneOrFile(call, { kind: MESSAGES, name: call.args.message, ...change });

/** Runs the change and yields the responses in order. */
export async function* changeEach<T>(
  call: BulkCall,
  { kind, names, send, result, gone, isDone = isDoneOf(call, kind, gone) }: ItemChange<T>,
): AsyncIterable<T> {
  const batches = runBulk(call, {
    read: () => readBulkNames(call, names, kind),
    unit: kind.unit,
    batchSize: 1,
    send: ([item]) => send(item!.id),
    isDone,
    result,
  });
  for await (const { reply } of batches) yield reply;
}
