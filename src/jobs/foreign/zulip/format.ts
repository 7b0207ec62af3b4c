/** Zulip, as an organization exports itself: a tar.gz or its folder with tables, messages and uploads. */
import { isObject } from "../../../wire/json-object.ts";
import { Tally } from "../../tally.ts";
import { fileAttachment, missingFileText } from "../base/attachments.ts";
import type { ExportFiles } from "../base/foreign-files.ts";
import type { ForeignFormat, ForeignMessage, ForeignReader, ForeignScope } from "../base/format.ts";
import { foreignId, shortHash } from "../base/ids.ts";
import { jsonParts } from "../base/json-stream.ts";
import { documentsLike } from "../base/outline.ts";
import { pickFields } from "../base/shapes.ts";
import { microsOfSeconds, pastTime, UNKNOWN_TIME } from "../base/times.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { ZULIP_MESSAGE, type ZulipMessage } from "./shapes.ts";
import { TO_PERSON, TO_STREAM, ZulipTables } from "./tables.ts";
import { widgetText, zulipText, type ZulipNames } from "./text.ts";

export default {
  title: "Zulip",
  reads: "the tar.gz or folder of an organization's export",
  help: `Zulip is read from the export of an organization, its tar.gz or its folder. Each
channel stays one, a topic is a thread below its first message, and people who
wrote to each other have a direct conversation. Quotes of a message become
answers to it, polls text with their votes. Ids are zulip-<id>. Not included:
stars and read marks, muted topics, edit histories, user groups, custom emoji.`,
  detect: async (files) => (await documentsLike(files, isZulip)).length > 0,
  open: openZulip,
} satisfies ForeignFormat;

const isZulip = (outline: ReadonlyMap<string, unknown>): boolean =>
  [...outline].some(([key, value]) => key.startsWith("zerver_") && Array.isArray(value));

const isMessages = (outline: ReadonlyMap<string, unknown>): boolean => outline.has("zerver_message");

async function openZulip(files: ExportFiles, scope: ForeignScope): Promise<ForeignReader> {
  const messages = await documentsLike(files, isMessages);
  const tables = new ZulipTables();
  const documents = await documentsLike(files, isZulip);
  for (const file of documents) if (!messages.includes(file)) await tables.read(file, scope.tally);
  if (documents.length === 0) throw new BadExport(`${files.source} holds no export of Zulip.`);
  for (const { name } of files.files)
    if (name.endsWith(".partial"))
      scope.tally.add("entry", "a file of messages that the export did not finish");
  const reader = new ZulipReader(files, { messages, documents }, tables, scope);
  await reader.findTopics();
  return reader;
}

const idOf = (id: string): string => foreignId("zulip-", id);

/** Direct messages have no topic, or a bell in its place. */
const topicOf = ({ subject = "" }: ZulipMessage): string => subject.replaceAll("\u0007", "").trim();

const NO_VOTES: ReadonlyMap<string, number> = new Map();

class ZulipReader implements ForeignReader {
  readonly joinsAuthors = true;
  readonly #files: ExportFiles;
  readonly #documents: { messages: readonly ExportFile[]; documents: readonly ExportFile[] };
  readonly #tables: ZulipTables;
  readonly #scope: ForeignScope;
  /** Channel and topic → the number of the first message. */
  readonly #topics = new Map<string, number>();
  /** Full names that one person alone has. */
  readonly #byName = new Map<string, string>();
  /** Messages that were found, of those with reactions. */
  readonly #reacted = new Set<string>();
  /** Where `uploads/` is. */
  readonly #top: string;

  constructor(
    files: ExportFiles,
    documents: { messages: readonly ExportFile[]; documents: readonly ExportFile[] },
    tables: ZulipTables,
    scope: ForeignScope,
  ) {
    this.#files = files;
    this.#documents = documents;
    this.#tables = tables;
    this.#scope = scope;
    const [first] = documents.documents;
    this.#top = first!.name.slice(0, first!.name.lastIndexOf("/") + 1);
    for (const id of tables.users.keys()) this.#person(id);
    for (const [id, { full_name: name = "" }] of tables.users)
      this.#byName.set(name, this.#byName.has(name) ? "" : id);
    for (const [recipient, { type, id }] of tables.recipients)
      if (type === TO_STREAM) this.#stream(id, recipient);
  }

  #person(id: string): string {
    const { people, now } = this.#scope;
    const person = id === "" ? "zulip-unknown" : idOf(id);
    const user = this.#tables.users.get(id);
    people.add(person, {
      name: user?.full_name ?? this.#tables.serverBots.get(id),
      bot: user?.is_bot || this.#tables.serverBots.has(id) ? true : undefined,
      created_at: pastTime(microsOfSeconds(user?.date_joined), now),
      deactivated_at: user?.is_active === false ? UNKNOWN_TIME : undefined,
    });
    return person;
  }

  #stream(id: string, recipient: string): string {
    const { channels, now } = this.#scope;
    const stream = this.#tables.streams.get(id);
    const key = channels.add(idOf(`s${id}`), {
      name: stream?.name,
      created_at: pastTime(microsOfSeconds(stream?.date_created), now),
      frozen: stream?.deactivated,
      custom: { description: stream?.description, private: stream?.invite_only || undefined },
    });
    for (const user of this.#tables.members.get(recipient) ?? []) channels.join(key, this.#person(user));
    return key;
  }

  /** The channel or the conversation that a message was sent to. */
  #channelOf({ recipient = "", sender = "" }: ZulipMessage): string {
    const { type, id } = this.#tables.recipients.get(recipient) ?? { type: 0, id: recipient };
    if (type === TO_STREAM) return this.#stream(id, recipient);
    const others = type === TO_PERSON ? [id] : [...(this.#tables.members.get(recipient) ?? [])];
    // A group whose members are not in the export is a channel of its own.
    const own = others.length === 0 ? idOf(`r${recipient}`) : idOf(`self-${sender}`);
    return this.#scope.channels.direct(
      [sender, ...others].map((one) => this.#person(one)),
      own,
    );
  }

  async *#read(tally: Tally): AsyncGenerator<ZulipMessage> {
    for (const file of this.#documents.messages)
      for await (const parts of jsonParts(file.read(), {
        enter: (path) => path.startsWith("zerver_") && !path.includes("/"),
      }))
        for (const part of parts) {
          if ("problem" in part) tally.add("message", `${file.name}: ${part.problem}`);
          if (!("key" in part) || part.path !== "zerver_message") continue;
          if (isObject(part.value)) yield pickFields(part.value, ZULIP_MESSAGE);
          else tally.add("entry", "in a list of messages, but no message");
        }
  }

  /** A topic is a thread below its first message: that with the lowest number. */
  async findTopics(): Promise<void> {
    for await (const message of this.#read(new Tally())) {
      const topic = topicOf(message);
      const number = Number(message.id);
      if (
        topic === "" ||
        !Number.isSafeInteger(number) ||
        microsOfSeconds(message.date_sent ?? message.pub_date) === undefined
      )
        continue;
      const key = this.#topicKey(message, topic);
      const first = this.#topics.get(key);
      if (first === undefined || number < first) this.#topics.set(key, number);
    }
  }

  /** Case does not count in names of topics. */
  #topicKey({ recipient = "" }: ZulipMessage, topic: string): string {
    return `${recipient} ${topic.toLowerCase()}`;
  }

  async *messages(tally: Tally): AsyncIterable<ForeignMessage> {
    const names: ZulipNames = {
      person: (id, name) => {
        const found = id ?? this.#byName.get(name);
        return found && this.#tables.users.has(found) ? this.#person(found) : undefined;
      },
    };
    for await (const message of this.#read(tally)) yield await this.#converted(message, names, tally);
  }

  async #converted(message: ZulipMessage, names: ZulipNames, tally: Tally): Promise<ForeignMessage> {
    const { id = "", sender = "", content = "", date_sent, pub_date, last_edit_time } = message;
    const reactions = this.#tables.reactions.get(id) ?? [];
    if (reactions.length > 0) this.#reacted.add(id);
    const own = id === "" ? `zulip-${shortHash(JSON.stringify(message))}` : idOf(id);
    const { text, mentioned, uploads, quoted } = zulipText(content, names);
    const parts = [widgetText(content, this.#tables.polls.get(id)?.votes ?? NO_VOTES) ?? text];
    const attachments: object[] = [];
    for (const path of uploads) {
      const attachment = await this.#upload(path, tally);
      if (typeof attachment === "string") parts.push(attachment);
      else if (attachment) attachments.push(attachment);
    }
    const topic = topicOf(message);
    const first = topic === "" ? undefined : this.#topics.get(this.#topicKey(message, topic));
    const shown = parts.filter(Boolean).join("\n");
    const isEmpty = shown === "" && attachments.length === 0;
    if (isEmpty) tally.add("text", "empty in the export");
    return {
      id: own,
      channel: this.#channelOf(message),
      user: this.#person(sender),
      at: microsOfSeconds(date_sent ?? pub_date),
      text: isEmpty ? "_Empty message_" : shown,
      parent: first === undefined || idOf(String(first)) === own ? undefined : idOf(String(first)),
      quoted: quoted === undefined ? undefined : idOf(quoted),
      attachments,
      mentioned,
      edited: microsOfSeconds(last_edit_time),
      custom: { topic },
      reactions: reactions.map(({ name, user }) => ({ name, users: [this.#person(user)] })),
    };
  }

  /** An attachment, or a text that names a file that is not there. */
  async #upload(path: string, tally: Tally): Promise<object | string | undefined> {
    const known = this.#tables.uploads.get(path);
    const file = await this.#files.find(`${this.#top}uploads/${path}`);
    const name = known?.file_name ?? path.slice(path.lastIndexOf("/") + 1);
    const { content_type: mime_type, size } = known ?? {};
    const attachment = fileAttachment(
      { file, id: shortHash(path), name, mime_type, size },
      this.#scope,
      tally,
    );
    return attachment ?? (file ? undefined : missingFileText(name));
  }

  finish(): void {
    const { media, tally } = this.#scope;
    for (const file of this.#files.files)
      if (!this.#documents.documents.includes(file) && !media.isUsed(file))
        tally.add("notice", "a file in the export that no message shows");
    for (const [id, given] of this.#tables.reactions)
      if (!this.#reacted.has(id)) tally.add("reaction", "their message is not in the export", given.length);
  }
}
