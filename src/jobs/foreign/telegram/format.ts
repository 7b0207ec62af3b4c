/** Telegram, as Telegram Desktop writes it: `result.json` of one chat or of a whole account, and the folders of its files. */
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
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
import { microsOf, microsOfIso, UNKNOWN_TIME } from "../base/times.ts";
import { BadExport, type ExportFile } from "../base/zip.ts";
import { telegramContent } from "./content.ts";
import {
  TELEGRAM_CHAT,
  TELEGRAM_GIVER,
  TELEGRAM_MESSAGE,
  TELEGRAM_REACTION,
  type TelegramMessage,
} from "./shapes.ts";
import { mendTelegram } from "./text.ts";

export default {
  title: "Telegram",
  reads: "result.json of Telegram Desktop, or the folder or zip of it",
  help: `Telegram is read from the JSON of Telegram Desktop, of one chat or of the whole
account, with the folders of its files. Chats become channels with everybody who
wrote as members, an answer quotes what it answers, a topic is kept as a field.
Ids are tg-<type><id>. Not in such a file: who voted in a poll, and all who
reacted beside the last few.`,
  detect: async (files) => (await documentsLike(files, isTelegram)).length > 0,
  open: async (files, scope) => {
    const documents = await documentsLike(files, isTelegram);
    if (documents.length === 0) throw new BadExport(`${files.source} holds no JSON of Telegram Desktop.`);
    return new TelegramReader(files, documents, scope);
  },
} satisfies ForeignFormat;

const CHAT_TYPE =
  /^(saved_messages|replies|verification_codes|personal_chat|bot_chat|(private|public)_(group|supergroup|channel))$/;
/** What a whole account has beside its chats. */
const ACCOUNT = [
  "personal_information",
  "profile_pictures",
  "contacts",
  "frequent_contacts",
  "sessions",
  "chats",
  "left_chats",
];

const isTelegram = (outline: ReadonlyMap<string, unknown>): boolean => {
  const type = outline.get("type");
  const isChat = typeof type === "string" && CHAT_TYPE.test(type) && outline.has("id");
  const isAccount = typeof outline.get("about") === "string" && ACCOUNT.some((key) => outline.has(key));
  return isChat || isAccount;
};

/** Where the members of a chat are. */
const CHAT_PATH = /^((left_)?chats\/list\/\*)?$/;
const ENTERED = /^((left_)?chats(\/list(\/\*(\/messages)?)?)?|messages)$/;

interface TelegramChat {
  id: string;
  type: string;
  name: string | undefined;
}

/** A message as it is in the file, with the chat that was named before it. */
interface FoundMessage {
  chat: TelegramChat;
  raw: Record<string, unknown>;
  message: TelegramMessage;
}

async function* messagesOf(file: ExportFile, tally: Tally): AsyncGenerator<FoundMessage> {
  let known: Record<string, unknown> = {};
  for await (const parts of jsonParts(file.read(), {
    enter: (path) => ENTERED.test(path),
    mend: mendTelegram,
  }))
    for (const part of parts) {
      if ("problem" in part) tally.add("message", `${file.name}: ${part.problem}`);
      if ("opened" in part && CHAT_PATH.test(part.path)) known = {};
      if (!("key" in part)) continue;
      if (CHAT_PATH.test(part.path)) known[part.key] = part.value;
      if (!/(^|\/)messages$/.test(part.path)) continue;
      const { id = "", type = "unknown", name } = pickFields(known, TELEGRAM_CHAT);
      if (isObject(part.value))
        yield {
          chat: { id, type, name },
          raw: part.value,
          message: pickFields(part.value, TELEGRAM_MESSAGE),
        };
      else tally.add("entry", "in a list of messages, but no message");
    }
}

/** Two groups may have one id, of different types; a group that became a supergroup keeps its own. */
const channelId = ({ type, id }: TelegramChat): string => {
  const letter = /supergroup|channel/.test(type)
    ? "c"
    : type.endsWith("group")
      ? "g"
      : type.startsWith("s")
        ? "s"
        : "p";
  return foreignId("tg-", `${letter}${id}`);
};

/** `user12`; old files have the number only. */
const personId = (id: string): string => foreignId("tg-", /^\d/.test(id) ? `user${id}` : id);

class TelegramReader implements ForeignReader {
  readonly joinsAuthors = true;
  readonly #files: ExportFiles;
  readonly #documents: readonly ExportFile[];
  readonly #scope: ForeignScope;

  constructor(files: ExportFiles, documents: readonly ExportFile[], scope: ForeignScope) {
    this.#files = files;
    this.#documents = documents;
    this.#scope = scope;
  }

  finish(): void {
    const { media, tally } = this.#scope;
    for (const file of this.#files.files)
      if (!this.#documents.includes(file) && !media.isUsed(file))
        tally.add("notice", "a file in the export that no message shows");
  }

  async *messages(tally: Tally): AsyncIterable<ForeignMessage> {
    for (const document of this.#documents) {
      const topics = new Topics();
      for await (const found of messagesOf(document, tally)) {
        const { message } = found;
        if (message.type === "unsupported" || message.id === undefined)
          tally.add(
            "message",
            message.id === undefined ? "without an id" : "of a kind that Telegram Desktop cannot export",
          );
        else yield await this.#converted(found, document, topics, tally);
      }
    }
  }

  async #converted(
    { chat, raw, message }: FoundMessage,
    document: ExportFile,
    topics: Topics,
    tally: Tally,
  ): Promise<ForeignMessage> {
    const { channels } = this.#scope;
    const channel = channels.add(channelId(chat), {
      name: chat.name ?? (chat.type === "saved_messages" ? "Saved messages" : undefined),
      custom: { kind: chat.type },
    });
    const { id = "", reply_to_message_id: answered, reply_to_peer_id: elsewhere, author, via_bot } = message;
    const own = foreignId(`${channel}-`, id);
    const content = await telegramContent(message, raw, `${channel}-${id}`, {
      files: this.#files,
      document: document.name,
      scope: this.#scope,
      tally,
    });
    const topic = topics.of(channel, message);
    const isService = message.type === "service";
    if (/^(personal|bot)_chat$/.test(chat.type) && chat.id !== "")
      channels.join(channel, this.#person(`user${chat.id}`, chat.name));
    const at = timeOf(message.date_unixtime, message.date);
    if (at !== undefined && microsOf(message.date_unixtime) === undefined)
      tally.add("notice", "a time without its zone, which is taken for UTC");
    if (elsewhere !== undefined) tally.add("notice", "a message answers one of another chat");
    const isEmpty = content.text === "" && content.attachments.length === 0;
    if (isEmpty) tally.add("text", "empty in the export");
    return {
      id: own,
      channel,
      user: this.#author(message),
      at,
      text: isEmpty ? "_Empty message_" : content.text,
      kind: isService ? "system" : undefined,
      quoted:
        answered === undefined || elsewhere !== undefined || topics.isTopic(channel, answered)
          ? undefined
          : foreignId(`${channel}-`, answered),
      attachments: content.attachments,
      mentioned: content.mentioned.map((one) => this.#person(one)),
      edited: timeOf(message.edited_unixtime, message.edited),
      custom: { topic, signature: author, via_bot, forwarded_from: message.forwarded_from },
      reactions: this.#reactionsOf(message),
    };
  }

  /** Only the last of a reaction's givers are named. */
  #reactionsOf(message: TelegramMessage): ForeignReaction[] {
    const offset = offsetOf(message);
    return shapedList(message.reactions, TELEGRAM_REACTION).map(
      ({ type, emoji, document_id: custom, count, recent }) => {
        const givers = shapedList(recent, TELEGRAM_GIVER).filter(({ from_id: id }) => id !== undefined);
        return {
          name:
            emoji ?? (type === "paid" ? "star" : custom === undefined ? "" : `custom-${shortHash(custom)}`),
          count,
          users: givers.map(({ from_id: id, from }) => this.#person(id!, from)),
          at: givers.map(({ date }) => localTime(date, offset)),
        };
      },
    );
  }

  #author({ from_id, from, actor_id, actor }: TelegramMessage): string {
    const id = from_id ?? actor_id;
    if (id !== undefined) return this.#person(id, from ?? actor, true);
    const name = from ?? actor;
    return this.#person(name === undefined ? "unknown" : `name-${shortHash(name)}`, name);
  }

  /** The id of somebody, who becomes a user; an author without a name has deleted the account. */
  #person(id: string, name?: string, isAuthor = false): string {
    const { people } = this.#scope;
    const person = personId(id);
    if (name) people.put(person, { name });
    else people.add(person, isAuthor ? { name: "Deleted account", deactivated_at: UNKNOWN_TIME } : {});
    return person;
  }
}

/** Seconds since 1970 if they are there; else the local time of a machine whose zone is not known. */
const timeOf = (unix: string | undefined, local: string | undefined): number | undefined =>
  microsOf(unix) ?? localTime(local, 0);

/** Microseconds; `offset`: of the local time, in microseconds. */
function localTime(local: string | undefined, offset: number): number | undefined {
  const micros = microsOfIso(local === undefined ? undefined : `${local}Z`);
  return micros === undefined ? undefined : micros - offset;
}

/** How far the exporting machine's clock was from UTC at a message. */
function offsetOf({ date, date_unixtime: unix }: TelegramMessage): number {
  const [local, utc] = [localTime(date, 0), microsOf(unix)];
  return local === undefined || utc === undefined ? 0 : local - utc;
}

/** The topics of forums: no field names them, but answers lead to the message that began them. */
class Topics {
  readonly #titles = new Map<string, string>();
  readonly #topicOf = new Map<string, string>();

  isTopic(channel: string, id: string): boolean {
    return this.#titles.has(`${channel} ${id}`);
  }

  of(
    channel: string,
    { id, action, title, reply_to_message_id: answered }: TelegramMessage,
  ): string | undefined {
    const key = `${channel} ${id}`;
    if (action === "topic_created") this.#titles.set(key, title ?? "");
    const above = `${channel} ${answered}`;
    const topic = this.#titles.get(above) ?? this.#topicOf.get(above);
    if (topic) this.#topicOf.set(key, topic);
    return topic;
  }
}
