/** Converts the zip of a Slack export into import items: users, channels, members, messages, threads, reactions. */
import { ATTACHMENTS_LIMIT } from "../../wire/constants.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import { channelIdProblem, isUserId } from "../../wire/ids.ts";
import { slackText, type SlackNames } from "./slack-text.ts";
import type { Tally } from "../tally.ts";
import { BadZip, Zip } from "./zip.ts";

/** Lists of conversations; a full export has all of them. */
const CHANNEL_LISTS = ["channels.json", "groups.json", "dms.json", "mpims.json"];
/** Subtypes of messages that Slack writes about a channel. */
const SYSTEM_SUBTYPE = /^(channel|group)_|^(bot_add|bot_remove|pinned_item|reminder_add)$/;
const DELETED_SUBTYPES = new Set(["tombstone", "message_deleted"]);
/** Maximum text length of an import; Slack allows twice as much. */
const MAX_TEXT = 20_000;
/** For users deactivated at an unknown time. */
const UNKNOWN_TIME = "2000-01-01T00:00:00Z";

interface ValueKinds {
  string: string;
  number: number;
  boolean: boolean;
  list: unknown[];
}
type Shape = { readonly [field: string]: keyof ValueKinds | Shape };
/** A value with only fields of the right type; any may be missing. */
type Shaped<S extends Shape> = {
  [F in keyof S]?: S[F] extends keyof ValueKinds
    ? ValueKinds[S[F]]
    : S[F] extends Shape
      ? Shaped<S[F]>
      : never;
};

const USER = {
  id: "string",
  name: "string",
  deleted: "boolean",
  /** Seconds since 1970. */
  updated: "number",
  profile: { display_name: "string", real_name: "string", image_192: "string" },
} as const;
const CHANNEL = {
  id: "string",
  name: "string",
  created: "number",
  creator: "string",
  members: "list",
  topic: { value: "string" },
  purpose: { value: "string" },
  is_archived: "boolean",
} as const;
const FILE = {
  name: "string",
  title: "string",
  mimetype: "string",
  size: "number",
  url_private: "string",
} as const;
const REACTION = { name: "string", users: "list" } as const;
const MESSAGE = {
  ts: "string",
  type: "string",
  subtype: "string",
  text: "string",
  user: "string",
  bot_id: "string",
  username: "string",
  thread_ts: "string",
  files: "list",
  reactions: "list",
} as const;

type SlackChannel = Shaped<typeof CHANNEL> & { id: string };
type SlackMessage = Shaped<typeof MESSAGE>;

/** Keeps fields that have the expected type: the file is untrusted, and Slack writes null for missing values. */
function pickFields<S extends Shape>(value: object, shape: S): Shaped<S> {
  const fields = value as Record<string, unknown>;
  const picked = Object.fromEntries(
    Object.entries<Shape[string]>(shape).flatMap(([field, kind]): [string, unknown][] => {
      const one = fields[field];
      if (typeof kind === "object") return isObject(one) ? [[field, pickFields(one, kind)]] : [];
      return (kind === "list" ? Array.isArray(one) : typeof one === kind) ? [[field, one]] : [];
    }),
  );
  return picked as Shaped<S>;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const listOf = <const S extends Shape>(value: unknown, shape: S): Shaped<S>[] =>
  Array.isArray(value) ? value.filter(isObject).map((one) => pickFields(one, shape)) : [];

const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];

/** `1512085950.000216` → RFC 3339 with microseconds; undefined if invalid. */
function timeOf(ts: unknown): string | undefined {
  const [, seconds, micros = ""] =
    /^(\d{1,11})(?:\.(\d{1,6}))?$/.exec(typeof ts === "string" ? ts : "") ?? [];
  if (seconds === undefined) return undefined;
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}.${micros.padEnd(6, "0")}Z`;
}

const messageId = (channel: string, ts: string): string => `slack-${channel}-${ts.replace(".", "-")}`;

/** Replaces characters not allowed in ids by underscores. */
const plainId = (text: string): string => text.replace(/[^\w@-]/g, "_").slice(0, 60);

interface SlackOptions {
  /** Type of the created channels. */
  channelType: string;
  signal: AbortSignal;
  tally: Tally;
}

export class SlackExport implements SlackNames {
  readonly #zip: Zip;
  readonly #users = new Map<string, ImportItem["data"]>();
  readonly #channels = new Map<string, SlackChannel>();
  /** Channel id → its message files. */
  readonly #folders = new Map<string, string[]>();
  /** Ids of messages with a thread. */
  readonly #parents = new Set<string>();
  readonly #options: SlackOptions;

  private constructor(zip: Zip, options: SlackOptions) {
    this.#zip = zip;
    this.#options = options;
  }

  /** Throws `BadZip`, also for a zip that is not a Slack export. */
  static async open(file: string, options: SlackOptions): Promise<SlackExport> {
    const zip = await Zip.open(file);
    const slack = new SlackExport(zip, options);
    try {
      await slack.#readLists(file);
      return slack;
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.#zip.close();
  }

  user(id: string): string | undefined {
    return this.#users.get(id)?.name as string | undefined;
  }

  channel(id: string): string | undefined {
    return this.#channels.get(id)?.name;
  }

  /** Items in the order an import needs; messages are read three times, so that only users and threads are held in memory. */
  async *items(): AsyncIterable<ImportItem> {
    for (const data of this.#users.values()) yield { type: "user", data };
    for (const one of this.#channels.values()) yield this.#channelItem(one);
    for (const { id, members = [] } of this.#channels.values())
      for (const user of new Set(textsOf(members)))
        if (this.#users.has(user)) yield { type: "member", data: { ...this.#channelOf(id), user_id: user } };
    for await (const [channel, message] of this.#messages()) {
      const item = this.#messageItem(channel, message);
      if (item) yield item;
      else this.#options.tally.add("message", "without a valid time");
    }
    for await (const [channel, message] of this.#messages()) yield* this.#reactionItems(channel, message);
  }

  async #readLists(file: string): Promise<void> {
    const users = [
      ...listOf(await this.#zip.json("users.json"), USER),
      ...listOf(await this.#zip.json("org_users.json"), USER),
    ];
    for (const one of users) this.#addUser(one);
    for (const list of CHANNEL_LISTS)
      for (const one of listOf(await this.#zip.json(list), CHANNEL))
        if (one.id !== undefined && channelIdProblem(one.id) === undefined)
          this.#channels.set(one.id, { ...one, id: one.id });
    if (this.#users.size === 0) throw notSlack(file, "users.json");
    if (this.#channels.size === 0) throw notSlack(file, "channels.json");
    this.#findFolders();
    for await (const [channel, message] of this.#messages()) {
      if (message.thread_ts !== undefined && message.thread_ts === message.ts)
        this.#parents.add(messageId(channel, message.ts));
      this.#addAuthor(message);
    }
  }

  /** A folder is named like its channel; direct conversations use the id. */
  #findFolders(): void {
    const byFolder = Map.groupBy(
      this.#zip.names().filter((name) => name.endsWith(".json")),
      (name) => name.slice(0, name.lastIndexOf("/")),
    );
    for (const { id, name = id } of this.#channels.values())
      this.#folders.set(id, byFolder.get(name) ?? byFolder.get(id) ?? []);
  }

  #channelOf(id: string): { channel_type: string; channel_id: string } {
    return { channel_type: this.#options.channelType, channel_id: id };
  }

  #addUser({ id, name, deleted, updated, profile = {} }: Shaped<typeof USER>): void {
    if (id === undefined || !isUserId(id)) return;
    const displayName = profile.display_name || profile.real_name || name || id;
    this.#users.set(id, {
      id,
      name: displayName,
      ...(profile.image_192 ? { image: profile.image_192 } : {}),
      ...(deleted ? { deactivated_at: timeOf(String(updated)) ?? UNKNOWN_TIME } : {}),
    });
  }

  /** Bots and users of other workspaces are in no user list, so they are added from their messages. */
  #addAuthor(message: SlackMessage): void {
    const id = authorOf(message);
    if (this.#users.has(id)) return;
    this.#users.set(id, { id, name: message.username || id });
  }

  async *#messages(): AsyncIterable<[channel: string, message: SlackMessage]> {
    for (const [channel, files] of this.#folders)
      for (const file of files) {
        this.#options.signal.throwIfAborted();
        for (const message of listOf(await this.#zip.json(file), MESSAGE))
          if (message.type === "message") yield [channel, message];
      }
  }

  #channelItem({
    id,
    name,
    created,
    creator,
    members = [],
    topic,
    purpose,
    is_archived,
  }: SlackChannel): ImportItem {
    const creatorId = [creator, ...textsOf(members)].find((one) => one !== undefined && this.#users.has(one));
    return {
      type: "channel",
      data: {
        type: this.#options.channelType,
        id,
        created_by: creatorId ?? [...this.#users.keys()][0]!,
        ...(typeof created === "number" ? { created_at: timeOf(String(created)) } : {}),
        ...(name ? { name } : {}),
        ...(topic?.value ? { topic: topic.value } : {}),
        ...(purpose?.value ? { purpose: purpose.value } : {}),
        ...(is_archived ? { frozen: true } : {}),
      },
    };
  }

  /** Undefined without a valid time. A reply whose parent is missing becomes a regular message. */
  #messageItem(channel: string, message: SlackMessage): ImportItem | undefined {
    const at = timeOf(message.ts);
    if (at === undefined || message.ts === undefined) return undefined;
    const { subtype = "", thread_ts: thread } = message;
    const parent = thread === undefined || thread === message.ts ? undefined : messageId(channel, thread);
    const isReply = parent !== undefined && this.#parents.has(parent);
    const type = typeOf(subtype, isReply);
    const { text, mentioned } = slackText(message.text ?? "", this);
    if (text.length > MAX_TEXT)
      this.#options.tally.add("text", `longer than ${MAX_TEXT} characters, and cut there`);
    const attachments = listOf(message.files, FILE).slice(0, ATTACHMENTS_LIMIT).flatMap(attachmentOf);
    const known = mentioned.filter((id) => this.#users.has(id));
    return {
      type: "message",
      data: {
        id: messageId(channel, message.ts),
        ...this.#channelOf(channel),
        user: authorOf(message),
        type,
        text: text.slice(0, MAX_TEXT).toWellFormed(),
        created_at: at,
        ...(type === "deleted" ? { deleted_at: at } : {}),
        ...(isReply ? { parent_id: parent } : {}),
        ...(isReply && subtype === "thread_broadcast" ? { show_in_channel: true } : {}),
        ...(attachments.length > 0 ? { attachments } : {}),
        ...(known.length > 0 ? { mentioned_users_ids: known } : {}),
      },
    };
  }

  *#reactionItems(channel: string, { ts, reactions }: SlackMessage): Iterable<ImportItem> {
    const at = timeOf(ts);
    if (at === undefined || ts === undefined) return;
    for (const { name, users } of listOf(reactions, REACTION))
      for (const user of new Set(textsOf(users)))
        if (name !== undefined && name !== "" && this.#users.has(user))
          yield {
            type: "reaction",
            // Slack does not export the time: use that of the message.
            data: { message_id: messageId(channel, ts), type: name, user_id: user, created_at: at },
          };
  }
}

function typeOf(subtype: string, isReply: boolean): string {
  if (DELETED_SUBTYPES.has(subtype)) return "deleted";
  if (SYSTEM_SUBTYPE.test(subtype)) return "system";
  return isReply ? "reply" : "regular";
}

const notSlack = (file: string, missing: string): BadZip =>
  new BadZip(`${file} is not a Slack export: ${missing} is missing or empty in it.`);

function authorOf({ user, bot_id: bot, username }: SlackMessage): string {
  if (typeof user === "string" && isUserId(user)) return user;
  return plainId(bot ?? (username ? `slack-${username}` : "slackbot"));
}

/** Files are linked, not copied: their addresses need a Slack token that expires. */
function attachmentOf({ name, title, mimetype, size, url_private: url }: Shaped<typeof FILE>): object[] {
  if (typeof url !== "string") return [];
  const image = mimetype?.startsWith("image/") === true;
  return [
    {
      type: image ? "image" : "file",
      title: title || name || "file",
      ...(image ? { image_url: url } : { asset_url: url }),
      ...(mimetype ? { mime_type: mimetype } : {}),
      ...(typeof size === "number" ? { file_size: size } : {}),
    },
  ];
}
