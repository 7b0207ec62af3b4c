/** Discord, as DiscordChatExporter writes it: a JSON file for each channel or thread, and perhaps folders of files beside them. */
import { isObject } from "../../../wire/json-object.ts";
import { Tally } from "../../tally.ts";
import type { ExportFiles } from "../base/foreign-files.ts";
import type {
  ForeignFormat,
  ForeignMessage,
  ForeignReaction,
  ForeignReader,
  ForeignScope,
} from "../base/format.ts";
import { foreignId, shortHash } from "../base/ids.ts";
import { jsonParts } from "../base/json-stream.ts";
import { documentsLike } from "../base/outline.ts";
import { pickFields, shapedList } from "../base/shapes.ts";
import { microsOfIso } from "../base/times.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { discordContent } from "./content.ts";
import {
  DISCORD_CHANNEL,
  DISCORD_GUILD,
  DISCORD_MESSAGE,
  DISCORD_REACTION,
  DISCORD_USER,
  type DiscordChannel,
  type DiscordMessage,
  type DiscordUser,
} from "./shapes.ts";

export default {
  title: "Discord",
  reads: "JSON of DiscordChatExporter, one file or the folder or zip of many",
  help: `Discord is read from the JSON of DiscordChatExporter: one file, or a folder or
zip of many with the folders of their files. A thread goes to the message that
began it, if that is in the export, else it is a channel. Everybody who wrote is
a member; ids are discord-<id>. Reactions need the option that names who gave
them. Not in such a file: polls, roles, deleted messages, read marks. Files that
were not downloaded stay at Discord, at addresses that expire.`,
  detect: async (files) => (await documentsLike(files, isDiscord)).length > 0,
  open: openDiscord,
} satisfies ForeignFormat;

/** Whether it begins like the exporter writes it. */
const isDiscord = (outline: ReadonlyMap<string, unknown>): boolean =>
  isObject(outline.get("guild")) && isObject(outline.get("channel"));

/** One file: a channel, a thread or a part of one. */
interface DiscordDocument {
  file: ExportFile;
  guild: string;
  channel: DiscordChannel & { id: string };
}

async function openDiscord(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader> {
  const documents: DiscordDocument[] = [];
  for (const file of await documentsLike(files, isDiscord)) {
    const document = await documentOf(file);
    if (document) documents.push(document);
    else scope.tally.add("channel", `${file.name}: without a valid id`);
  }
  if (documents.length === 0) throw new BadExport(`${files.source} holds no JSON of DiscordChatExporter.`);
  return new DiscordReader(files, documents, await firstsOf(documents), scope);
}

/** A thread has the id of the message that began it: thread → the channel of that message. */
async function firstsOf(documents: readonly DiscordDocument[]): Promise<Map<string, string>> {
  const threads = new Set(documents.flatMap(({ channel }) => (isThread(channel) ? [channel.id] : [])));
  const firsts = new Map<string, string>();
  if (threads.size === 0) return firsts;
  for (const document of documents)
    if (!isThread(document.channel))
      for await (const { id } of messagesIn(document, new Tally()))
        if (id !== undefined && threads.has(id)) firsts.set(id, document.channel.id);
  return firsts;
}

async function* messagesIn({ file }: DiscordDocument, tally: Tally): AsyncGenerator<DiscordMessage> {
  for await (const parts of jsonParts(file.read(), { enter: (path) => path === "messages" }))
    for (const part of parts) {
      if ("problem" in part) tally.add("message", `${file.name}: ${part.problem}`);
      if (!("key" in part) || part.path !== "messages") continue;
      if (isObject(part.value)) yield pickFields(part.value, DISCORD_MESSAGE);
      else tally.add("entry", "in a list of messages, but no message");
    }
}

/** Reads up to the messages; the rest is not needed for it. */
async function documentOf(file: ExportFile): Promise<DiscordDocument | undefined> {
  let guild = "";
  for await (const parts of jsonParts(file.read(), { enter: (path) => path === "messages" }))
    for (const part of parts) {
      if (!("key" in part) || part.path !== "" || !isObject(part.value)) continue;
      if (part.key === "guild") guild = pickFields(part.value, DISCORD_GUILD).name ?? "";
      if (part.key !== "channel") continue;
      const channel = pickFields(part.value, DISCORD_CHANNEL);
      return channel.id === undefined ? undefined : { file, guild, channel: { ...channel, id: channel.id } };
    }
  return undefined;
}

const messageId = (id: string): string => foreignId("discord-", id);
const isThread = ({ type }: DiscordChannel): boolean => type?.endsWith("Thread") === true;
const isDirect = ({ type }: DiscordChannel): boolean => type?.startsWith("Direct") === true;
/** Types that people's messages have; all others are written by Discord about something that happened. */
const WRITTEN = new Set(["Default", "Reply", "20", "23"]);
/** The number of a thread's first message, which repeats that of the channel. */
const THREAD_STARTER = "21";
/** So many messages are not all empty by chance. */
const MANY = 5;

/** Without anything that the exporter could read. */
const isBare = ({ content, attachments, embeds, stickers, forwardedMessage }: DiscordMessage): boolean =>
  !content && !attachments?.length && !embeds?.length && !stickers?.length && !forwardedMessage;

class DiscordReader implements ForeignReader {
  readonly joinsAuthors = true;
  readonly #files: ExportFiles;
  readonly #documents: readonly DiscordDocument[];
  readonly #scope: ForeignScope;
  /** Channels and their names, also of threads. */
  readonly #names = new Map<string, string>();
  /** Thread → the channel that has its first message. */
  readonly #firsts: ReadonlyMap<string, string>;

  constructor(
    files: ExportFiles,
    documents: readonly DiscordDocument[],
    firsts: ReadonlyMap<string, string>,
    scope: ForeignScope,
  ) {
    this.#firsts = firsts;
    this.#files = files;
    this.#documents = documents;
    this.#scope = scope;
    for (const { channel } of documents) this.#names.set(channel.id, channel.name ?? channel.id);
  }

  finish(): void {
    const { media, tally } = this.#scope;
    const used = new Set(this.#documents.map(({ file }) => file));
    for (const file of this.#files.files)
      if (!used.has(file) && !media.isUsed(file))
        tally.add("notice", "a file in the export that no message shows");
  }

  async *messages(tally: Tally): AsyncIterable<ForeignMessage> {
    for (const document of this.#documents) {
      let [found, empty] = [0, 0];
      for await (const message of messagesIn(document, tally)) {
        found++;
        if (isBare(message)) empty++;
        if (message.type === THREAD_STARTER && isBare(message))
          tally.add("notice", "a mark for the first message of a thread, which is a message of its channel");
        else yield await this.#converted(document, message, tally);
      }
      if (found >= MANY && empty === found)
        tally.add(
          "notice",
          "a channel of empty messages: the exporter was not allowed to read their contents",
        );
    }
  }

  /** The channel that messages of a document go to. */
  #channelOf({ channel, guild }: DiscordDocument): string {
    const { channels } = this.#scope;
    const { id, name, category, topic } = channel;
    const home = this.#documents.find((one) => one.channel.id === this.#firsts.get(id));
    if (home) return this.#channelOf(home);
    return channels.add(foreignId("discord-", id), {
      name: isThread(channel) && category ? `${category} › ${name ?? id}` : name,
      custom: {
        topic,
        category: isThread(channel) ? undefined : category,
        server: isDirect(channel) ? undefined : guild,
      },
    });
  }

  async #converted(
    document: DiscordDocument,
    message: DiscordMessage,
    tally: Tally,
  ): Promise<ForeignMessage> {
    const { people } = this.#scope;
    const { channel } = document;
    const {
      id = "",
      type = "Default",
      author = {},
      timestamp,
      timestampEdited,
      isPinned,
      reference,
    } = message;
    const first = this.#firsts.has(channel.id) ? messageId(channel.id) : undefined;
    const mentions = shapedList(message.mentions, DISCORD_USER).map((user) => this.#person(user));
    const content = await discordContent(message, {
      files: this.#files,
      document: document.file.name,
      scope: this.#scope,
      tally,
      userName: (one) => people.name(personId(one)),
      channelName: (one) => this.#names.get(one),
    });
    const isEmpty = content.text === "" && content.attachments.length === 0;
    const isWritten = WRITTEN.has(type);
    if (isEmpty && isWritten)
      tally.add("text", "empty in the export: a poll, or what the exporter was not allowed to read");
    const at = microsOfIso(timestamp);
    return {
      id: id === "" ? `discord-${shortHash(JSON.stringify(message))}` : messageId(id),
      channel: this.#channelOf(document),
      user: this.#person(author),
      at,
      text: isEmpty && isWritten ? "_Empty message_" : content.text,
      kind: isWritten || type === THREAD_STARTER || (message.embeds?.length ?? 0) > 0 ? undefined : "system",
      parent: first === messageId(id) ? undefined : first,
      quoted: type === "Reply" && reference?.messageId ? messageId(reference.messageId) : undefined,
      attachments: content.attachments,
      mentioned: [...mentions, ...content.mentioned.map(personId)],
      edited: microsOfIso(timestampEdited),
      pinned: isPinned ? {} : undefined,
      reactions: this.#reactionsOf(message),
    };
  }

  #reactionsOf(message: DiscordMessage): ForeignReaction[] {
    return shapedList(message.reactions, DISCORD_REACTION).map(({ emoji = {}, count, users }) => ({
      // A custom emoji has an id, and only a name.
      name: emoji.id ? (emoji.name ?? "") : (emoji.name ?? emoji.code ?? ""),
      count,
      users: shapedList(users, DISCORD_USER).map((user) => this.#person(user)),
    }));
  }

  /** The id of somebody, who becomes a user; a webhook may speak under any name, and each is somebody. */
  #person({ id = "", name = "", nickname, discriminator, isBot, avatarUrl }: DiscordUser): string {
    const { people } = this.#scope;
    const isWebhook = isBot === true && discriminator === "0000";
    const person = personId(isWebhook ? `${id}-${shortHash(name)}` : id);
    people.put(person, {
      name: nickname || undefined,
      username: nickname && nickname !== name ? name : undefined,
      image: avatarUrl,
      bot: isBot ? true : undefined,
    });
    // Who gave a reaction has no nickname there.
    people.add(person, { name });
    return person;
  }
}

const personId = (id: string): string => (id === "" ? "discord-unknown" : foreignId("discord-", id));
