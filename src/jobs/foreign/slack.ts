/** Converts a Slack export, a zip or a folder, into import items: users, channels, members, messages, threads, reactions. */
import { crc32 } from "node:zlib";
import { emojiOf, shortcodeOf } from "../../text/emoji.ts";
import { ATTACHMENTS_LIMIT } from "../../wire/constants.ts";
import type { ImportItem } from "../../wire/entities/import.ts";
import { isObject } from "../../wire/json-object.ts";
import { channelIdProblem, POISONED_KEYS } from "../../wire/ids.ts";
import type { Tally } from "../tally.ts";
import { jsonElements, openForeign, type ExportFiles } from "./foreign-files.ts";
import { assignFolders, type SlackChannel } from "./slack-channels.ts";
import { contentOf, type ContentSources } from "./slack-content.ts";
import { CHANNEL_LISTS, layoutOf, USER_LISTS, type SlackListName, type SlackLayout } from "./slack-layout.ts";
import { SlackPeople } from "./slack-people.ts";
import {
  CHANNEL,
  shapedList,
  MESSAGE,
  microsOf,
  pickFields,
  REACTION,
  textsOf,
  timeOfSeconds,
  timeText,
  USER,
  type SlackMessage,
} from "./slack-shapes.ts";
import { slackText } from "./slack-text.ts";
import type { TakenFiles } from "./taken-files.ts";
import { BadZip, type ExportFile } from "./zip.ts";

/** Subtypes of messages that Slack writes about a channel. */
const SYSTEM_SUBTYPE =
  /^(channel|group)_|^(bot_add|bot_remove|pinned_item|unpinned_item|reminder_add|huddle_thread|sh_room_created)$/;
/** Notices about another message, which the export has itself. */
const NOTICE_SUBTYPES = new Set(["message_deleted", "message_replied"]);
/** Maximum text length of an import; Slack allows twice as much. */
const MAX_TEXT = 20_000;
/** Pins without an end are stored with this one. */
const NO_END = "2250-01-01T00:00:00Z";

interface SlackOptions {
  /** Type of the created channels. */
  channelType: string;
  signal: AbortSignal;
  /** Milliseconds since 1970: no date of an import may be later. */
  now: number;
  /** Everything that is not used is counted here. */
  tally: Tally;
  /** Takes the files that are in the export; without it their addresses at Slack are kept. */
  taken?: TakenFiles | undefined;
}

/** A message with a valid time. */
interface Found {
  /** Unique in the import; the same in every export of the message. */
  id: string;
  /** Microseconds since 1970. */
  at: number;
  message: SlackMessage;
}

/** From the channel and Slack's time: `1600000002.000200` → `slack-C1-1600000002-000200`. */
const messageId = (channel: string, at: number): string =>
  `slack-${channel}-${Math.floor(at / 1e6)}-${String(at % 1e6).padStart(6, "0")}`;

export class SlackExport {
  readonly #export: ExportFiles;
  readonly #layout: SlackLayout;
  readonly #people = new SlackPeople();
  readonly #channels = new Map<string, SlackChannel>();
  /** Ids of the first messages of threads; only of those that the export has. */
  readonly #threads = new Set<string>();
  /** Files of messages without reactions are not read again for them. */
  readonly #withReactions = new Set<ExportFile>();
  readonly #usedUploads = new Set<string>();
  readonly #sources: ContentSources;
  readonly #options: SlackOptions;

  private constructor(opened: ExportFiles, options: SlackOptions) {
    this.#export = opened;
    this.#layout = layoutOf(opened.files);
    this.#options = options;
    this.#sources = {
      names: {
        user: (id) => this.#people.name(id),
        channel: (id) => this.#channels.get(id)?.name,
      },
      tally: options.tally,
      inExport: (id, name) => this.#uploadAddress(id, name),
    };
  }

  /** Throws `BadZip`, also for what is not a Slack export. */
  static async open(source: string, options: SlackOptions): Promise<SlackExport> {
    const opened = await openForeign(source);
    const slack = new SlackExport(opened, options);
    try {
      await slack.#readLists();
      await slack.#survey();
      return slack;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  close(): void {
    this.#export.close();
  }

  /** Items in the order an import needs; messages are read again, so that memory holds users and threads only. */
  async *items(): AsyncIterable<ImportItem> {
    for (const data of this.#people.items) yield { type: "user", data };
    for (const channel of this.#channels.values()) yield this.#channelItem(channel);
    for (const { id, members = [] } of this.#channels.values())
      for (const user of new Set(textsOf(members)))
        if (this.#people.has(user)) yield { type: "member", data: { ...this.#channelOf(id), user_id: user } };
    for (const channel of this.#channels.values())
      for await (const found of this.#messages(channel)) yield* this.#messageItems(channel.id, found);
    for (const channel of this.#channels.values())
      for await (const found of this.#messages(channel, this.#withReactions))
        yield* this.#reactionItems(found);
    await this.#options.taken?.copy(this.#options.signal);
    this.#countUnused();
  }

  async #readLists(): Promise<void> {
    const { source } = this.#export;
    const { tally } = this.#options;
    for (const one of await this.#list(USER_LISTS))
      if (!this.#people.addListed(pickFields(one.fields, USER), this.#options.now))
        tally.add("person", "without a valid id");
    for (const { name, root, fields } of await this.#list(CHANNEL_LISTS)) {
      const channel = pickFields(fields, CHANNEL);
      const { id } = channel;
      if (id === undefined || channelIdProblem(id) !== undefined) tally.add("channel", "without a valid id");
      else this.#channels.set(id, { ...channel, id, root, isDirect: DIRECT_LISTS.has(name), files: [] });
    }
    const hasDays = this.#layout.folders.some(({ files }) => files.length > 0);
    if (this.#channels.size === 0 && !hasDays) throw notSlack(source, "channels.json");
    if ([...this.#people.items].length === 0 && !hasDays) throw notSlack(source, "users.json");
    await assignFolders(this.#layout, {
      channels: this.#channels,
      tally,
      messagesOf: (folder) => this.#rawMessages(folder.files, false),
    });
  }

  /** The objects of some lists. Throws `BadZip` for a list that is damaged. */
  async #list(names: readonly string[]): Promise<{ name: SlackListName; root: string; fields: object }[]> {
    const found: { name: SlackListName; root: string; fields: object }[] = [];
    for (const { name, root, file } of this.#layout.lists) {
      if (!names.includes(name)) continue;
      for await (const elements of jsonElements(file, this.#export.source))
        for (const element of elements) {
          if ("problem" in element)
            throw new BadZip(`${file.name} in ${this.#export.source} cannot be read: ${element.problem}.`);
          if (isObject(element.value)) found.push({ name, root, fields: element.value });
          else this.#options.tally.add("entry", `${name}: not an object`);
        }
    }
    return found;
  }

  /** Finds authors and threads, and counts what is no message. */
  async #survey(): Promise<void> {
    for (const channel of this.#channels.values()) {
      for (const id of [channel.creator, ...textsOf(channel.members)])
        if (id !== undefined && !this.#people.addNamed(id))
          this.#options.tally.add("member", "without a valid id");
      await this.#surveyChannel(channel);
    }
  }

  async #surveyChannel(channel: SlackChannel): Promise<void> {
    const { tally } = this.#options;
    /** Times of first messages, and the replies that they count. */
    const firsts = new Set<number>();
    const expected = new Map<number, number>();
    /** Time of a first message → its replies. */
    const threads = new Map<number, number>();
    for await (const { at, message } of this.#messages(channel, undefined, true)) {
      this.#people.addAuthor(message);
      for (const { users } of shapedList(message.reactions, REACTION))
        for (const user of textsOf(users)) this.#people.addNamed(user);
      const first = firstOf(message);
      if (first !== undefined) threads.set(first, (threads.get(first) ?? 0) + 1);
      else {
        firsts.add(at);
        if (message.reply_count !== undefined) expected.set(at, message.reply_count);
      }
    }
    for (const [at, replies] of threads)
      if (firsts.has(at)) this.#threads.add(messageId(channel.id, at));
      else
        tally.add(
          "notice",
          "a reply whose first message is not in the export stands in the channel",
          replies,
        );
    for (const [at, count] of expected)
      tally.add(
        "notice",
        "a reply is counted by its thread and not in the export",
        Math.max(count - (threads.get(at) ?? 0), 0),
      );
  }

  /** `counted`: what cannot be used is added to the tally. */
  async *#rawMessages(files: readonly ExportFile[], counted: boolean): AsyncGenerator<SlackMessage> {
    for (const file of files) {
      this.#options.signal.throwIfAborted();
      for await (const elements of jsonElements(file, this.#export.source))
        for (const element of elements) {
          const message = "value" in element ? messageIn(element.value) : undefined;
          if (message === undefined) {
            if (counted) this.#countRefused(file, "problem" in element ? element.problem : undefined);
            continue;
          }
          if (counted && message.reactions?.length) this.#withReactions.add(file);
          yield message;
        }
    }
  }

  #countRefused({ name }: ExportFile, problem: string | undefined): void {
    const { tally } = this.#options;
    if (problem === undefined) tally.add("entry", "in a file of messages, but no message");
    else tally.add("message", `${name}: ${problem}`);
  }

  /** Messages of a channel, each once: a second one of the same time is a copy, or has a mark of its content in its id. */
  async *#messages(
    channel: SlackChannel,
    only?: ReadonlySet<ExportFile>,
    counted = false,
  ): AsyncGenerator<Found> {
    const { tally } = this.#options;
    const digests = new Map<number, number>();
    const others = new Set<string>();
    const files = only ? channel.files.filter((file) => only.has(file)) : channel.files;
    for await (const message of this.#rawMessages(files, counted)) {
      const { ts, subtype = "" } = message;
      const at = microsOf(ts);
      if (at === undefined || NOTICE_SUBTYPES.has(subtype)) {
        if (counted && at === undefined) {
          tally.add("message", "without a valid time");
          for (const { users } of shapedList(message.reactions, REACTION))
            tally.add("reaction", "their message is not imported", new Set(textsOf(users)).size);
        } else if (counted) tally.add("notice", `${subtype}: a notice about another message`);
        continue;
      }
      const digest = digestOf(message);
      const before = digests.get(at) ?? digest;
      const id = messageId(channel.id, at) + (before === digest ? "" : `-${digest.toString(16)}`);
      const isCopy = before === digest ? digests.has(at) : others.has(id);
      if (isCopy && counted) tally.add("notice", "a message is in the export twice");
      if (isCopy) continue;
      if (before === digest) digests.set(at, digest);
      else others.add(id);
      yield { id, at, message };
    }
  }

  #markdown(text: string): string {
    return slackText(text, { names: this.#sources.names, mentioned: new Set() });
  }

  #channelOf(id: string): { channel_type: string; channel_id: string } {
    return { channel_type: this.#options.channelType, channel_id: id };
  }

  #channelItem(channel: SlackChannel): ImportItem {
    const { id, name, created, creator, members = [], topic, purpose, is_archived, isDirect } = channel;
    const creatorId = [creator, ...textsOf(members)].find(
      (one) => one !== undefined && this.#people.has(one),
    );
    const createdAt = timeOfSeconds(created, this.#options.now);
    return {
      type: "channel",
      data: {
        type: this.#options.channelType,
        id,
        created_by: creatorId ?? this.#people.first,
        ...(createdAt === undefined ? {} : { created_at: createdAt }),
        ...(name && !isDirect ? { name } : {}),
        ...(topic?.value ? { topic: this.#markdown(topic.value) } : {}),
        ...(purpose?.value ? { purpose: this.#markdown(purpose.value) } : {}),
        ...(is_archived ? { frozen: true } : {}),
      },
    };
  }

  /** One message, and further ones for what is beyond the limits of one. */
  *#messageItems(channel: string, { id, at, message }: Found): Iterable<ImportItem> {
    const { subtype = "", thread_ts: thread } = message;
    const first = firstOf(message);
    const parent = first === undefined ? undefined : messageId(channel, first);
    const isReply = parent !== undefined && this.#threads.has(parent);
    const type = typeOf(subtype, isReply);
    const content = contentOf(message, this.#sources);
    const text = content.text || roomText(message, this.#sources.names.user);
    if (
      text === "" &&
      content.attachments.length === 0 &&
      (message.blocks?.length || message.attachments?.length)
    )
      this.#options.tally.add("text", "in blocks or attachments of a form that is not known");
    const texts = partsOf(text.toWellFormed(), MAX_TEXT);
    const count = Math.max(texts.length, Math.ceil(content.attachments.length / ATTACHMENTS_LIMIT));
    const edited = microsOf(message.edited?.ts);
    const mentioned = content.mentioned.filter((one) => this.#people.has(one));
    for (let n = 0; n < count; n++) {
      const attachments = content.attachments.slice(n * ATTACHMENTS_LIMIT, (n + 1) * ATTACHMENTS_LIMIT);
      const time = timeText(at + n);
      yield {
        type: "message",
        data: {
          id: n === 0 ? id : `${id}-part${n + 1}`,
          ...this.#channelOf(channel),
          user: this.#people.authorOf(message),
          type,
          text: texts[n] ?? "",
          created_at: time,
          ...(type === "deleted" ? { deleted_at: time } : this.#pinOf(message, time)),
          ...(isReply ? { parent_id: parent } : parent === undefined ? {} : { thread_ts: thread }),
          ...(isReply && subtype === "thread_broadcast" ? { show_in_channel: true } : {}),
          ...(attachments.length > 0 ? { attachments } : {}),
          ...(mentioned.length > 0 && n === 0 ? { mentioned_users_ids: mentioned } : {}),
          ...(edited === undefined ? {} : { edited_at: timeText(edited) }),
        },
      };
    }
  }

  #pinOf({ pinned_to: places, pinned_info: info, ...message }: SlackMessage, time: string): object {
    if (!places?.length) return {};
    const by = info?.pinned_by;
    return {
      pinned_at: timeOfSeconds(info?.pinned_ts, this.#options.now) ?? time,
      pin_expires: NO_END,
      pinned_by_id: by !== undefined && this.#people.has(by) ? by : this.#people.authorOf(message),
    };
  }

  /** Slack does not export the time of a reaction: it is that of the message. Tones and names of one emoji are one reaction. */
  *#reactionItems({ id, at, message }: Found): Iterable<ImportItem> {
    const { tally } = this.#options;
    const given = new Set<string>();
    for (const { name = "", users, count = 0 } of shapedList(message.reactions, REACTION)) {
      const type = reactionType(name);
      const known = [...new Set(textsOf(users))].filter((user) => this.#people.has(user));
      if (type === "" || POISONED_KEYS.has(type)) {
        tally.add("reaction", "without a valid name", Math.max(known.length, 1));
        continue;
      }
      const unknown = Math.max(textsOf(users).length, count) - textsOf(users).length;
      tally.add("reaction", "of people whom the export does not name", unknown);
      tally.add("reaction", "of people without a valid id", new Set(textsOf(users)).size - known.length);
      for (const user of known) {
        if (given.has(`${user} ${type}`)) continue;
        given.add(`${user} ${type}`);
        yield { type: "reaction", data: { message_id: id, type, user_id: user, created_at: timeText(at) } };
      }
    }
  }

  #uploadAddress(id: string, name: string): string | undefined {
    const file = this.#layout.uploads.get(id);
    if (!file) return undefined;
    this.#usedUploads.add(id);
    const { taken, tally } = this.#options;
    if (taken) return taken.address(file, `${id}-${name}`);
    tally.add("file", "in the export itself: --out writes them beside the import file");
    return undefined;
  }

  /** Counts the files of the export that nothing refers to. */
  #countUnused(): void {
    const { tally } = this.#options;
    for (const [id] of this.#layout.uploads)
      if (!this.#usedUploads.has(id)) tally.add("file", "in the export, but in no message");
    for (const { name } of this.#layout.others) tally.add(...unusedFile(name));
  }
}

const DIRECT_LISTS: ReadonlySet<SlackListName> = new Set(["dms.json", "mpims.json"] as const);

/** Lists about the workspace, and pictures of people, are not content. */
function unusedFile(name: string): Parameters<Tally["add"]> {
  const last = name.slice(name.lastIndexOf("/") + 1);
  if (name.includes("__avatars/")) return ["notice", "a picture of a person in the export"];
  return last.endsWith(".json") || last.endsWith(".txt")
    ? ["notice", `${last} has no place in an import`]
    : ["file", "in the export, but in no message"];
}

/** A value of a file of messages, if it is a message; the notice of an edit stands for the edited message. */
function messageIn(value: unknown): SlackMessage | undefined {
  if (!isObject(value) || !("ts" in value || "type" in value)) return undefined;
  const message = pickFields(value, MESSAGE);
  if (message.subtype === "message_changed" && message.message)
    return messageIn({ type: "message", ...message.message });
  if (message.type === undefined) return message.ts === undefined ? undefined : message;
  return message.type === "message" ? message : undefined;
}

/** Tells apart two messages of one time. */
const digestOf = (message: SlackMessage): number =>
  crc32(
    JSON.stringify([
      message.user ?? message.bot_id,
      message.text,
      message.blocks,
      message.attachments,
      message.files,
    ]),
  );

/** The time of the first message of the thread that this one replies to. */
const firstOf = ({ ts, thread_ts: thread }: SlackMessage): number | undefined =>
  thread === ts ? undefined : microsOf(thread);

function typeOf(subtype: string, isReply: boolean): string {
  if (subtype === "tombstone") return "deleted";
  if (SYSTEM_SUBTYPE.test(subtype) && !isReply) return "system";
  return isReply ? "reply" : "regular";
}

/** What is known of a call that was held in the channel. */
function roomText({ room }: SlackMessage, nameOf: (id: string) => string | undefined): string {
  if (!room) return "";
  const { date_start: start = 0, date_end: end = 0, participant_history: people } = room;
  const minutes = end > start ? `, ${Math.ceil((end - start) / 60)} min` : "";
  const names = textsOf(people).map((id) => nameOf(id) ?? id);
  return `Huddle${minutes}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
}

/** `wave::skin-tone-3` → `wave`; several names of one emoji become one. */
function reactionType(name: string): string {
  const plain = name.replace(/::skin-tone-\d$/, "");
  const flag = /^flag-([a-z]{2})$/.exec(plain)?.[1];
  const emoji = flag
    ? String.fromCodePoint(...[...flag].map((letter) => 0x1f1e6 + letter.charCodeAt(0) - 97))
    : (emojiOf(plain) ?? emojiOf(plain.replaceAll("-", "_")));
  return (emoji === undefined ? undefined : shortcodeOf(emoji)) ?? plain;
}

/** Parts of at most `limit` characters, cut at a line, else at a blank; at least one. */
function partsOf(text: string, limit: number): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > limit) {
    const line = rest.lastIndexOf("\n", limit);
    const blank = rest.lastIndexOf(" ", limit);
    const end = line > limit / 2 ? line : blank > limit / 2 ? blank : cutBefore(rest, limit);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end).replace(/^[\n ]/, "");
  }
  return [...parts, rest];
}

/** Not between the halves of a character. */
const cutBefore = (text: string, at: number): number => (/[\uD800-\uDBFF]/.test(text[at - 1]!) ? at - 1 : at);

const notSlack = (source: string, missing: string): BadZip =>
  new BadZip(`${source} is not a Slack export: ${missing} is missing or empty in it.`);
