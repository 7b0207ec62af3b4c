/** Reads the messages of a Slack workspace, wherever they are: in the files of an export or in an archive of slackdump. */
import { crc32 } from "node:zlib";
import { channelIdProblem } from "../../../wire/ids.ts";
import { isObject } from "../../../wire/json-object.ts";
import type { Tally } from "../../tally.ts";
import type { ForeignMessage, ForeignReaction, ForeignReader, ForeignScope } from "../base/format.ts";
import { pickFields, shapedList, textsOf } from "../base/shapes.ts";
import { microsOf, microsOfSeconds, pastTime } from "../base/times.ts";
import type { ExportFile } from "../base/zip.ts";
import { contentOf, type ContentSources } from "./content.ts";
import { SlackPeople } from "./people.ts";
import { CHANNEL, MESSAGE, REACTION, type SlackChannelFields, type SlackMessage } from "./shapes.ts";
import { slackText } from "./text.ts";

/** Subtypes of messages that Slack writes about a channel. */
const SYSTEM_SUBTYPE =
  /^(channel|group)_|^(bot_add|bot_remove|pinned_item|unpinned_item|reminder_add|huddle_thread|sh_room_created)$/;
/** Notices about another message, which the export has itself. */
const NOTICE_SUBTYPES = new Set(["message_deleted", "message_replied"]);

export interface SlackConversation extends SlackChannelFields {
  id: string;
  /** A direct conversation: it is called by its members. */
  isDirect: boolean;
}

/** Where the parts of a workspace are. */
export interface SlackSource {
  /** By id; known before messages are read. */
  channels: ReadonlyMap<string, SlackConversation>;
  /** The messages of a channel in their order; what is none is counted. */
  messagesIn(channel: string, tally: Tally): AsyncIterable<SlackMessage>;
  /** The content of an uploaded file. */
  fileOf(id: string): ExportFile | undefined;
  /** Authors are members: not every source lists those. */
  joinsAuthors: boolean;
  /** Counts files that are not used. */
  finish(): void;
  close?(): void;
}

/** From the channel and Slack's time: `1600000002.000200` → `slack-C1-1600000002-000200`. */
const messageId = (channel: string, at: number): string =>
  `slack-${channel}-${Math.floor(at / 1e6)}-${String(at % 1e6).padStart(6, "0")}`;

export class SlackReader implements ForeignReader {
  readonly #source: SlackSource;
  readonly #scope: ForeignScope;
  readonly #people: SlackPeople;

  constructor(source: SlackSource, scope: ForeignScope, people: SlackPeople) {
    this.#source = source;
    this.#scope = scope;
    this.#people = people;
    for (const channel of source.channels.values()) this.#addChannel(channel);
  }

  get joinsAuthors(): boolean {
    return this.#source.joinsAuthors;
  }

  finish(): void {
    this.#source.finish();
  }

  close(): void {
    this.#source.close?.();
  }

  #sources(tally: Tally): ContentSources {
    return {
      names: {
        user: (id) => this.#people.name(id),
        channel: (id) => this.#source.channels.get(id)?.name,
      },
      tally,
      inExport: (id, name) => {
        const file = this.#source.fileOf(id);
        return file && this.#scope.media.address(file, `${id}-${name}`, tally);
      },
    };
  }

  #addChannel({
    id,
    name,
    created,
    creator,
    members,
    topic,
    purpose,
    is_archived,
    isDirect,
  }: SlackConversation) {
    const { people, channels, tally, now } = this.#scope;
    const { names } = this.#sources(tally);
    const markdown = (text = ""): string => slackText(text, { names, mentioned: new Set() });
    for (const one of [creator, ...textsOf(members)])
      if (one !== undefined && !people.add(one)) tally.add("member", "without a valid id");
    const ids = textsOf(members).filter((one) => people.has(one));
    channels.add(id, {
      creator: creator !== undefined && people.has(creator) ? creator : ids[0],
      created_at: pastTime(microsOfSeconds(created), now),
      name: isDirect ? undefined : name,
      custom: { topic: markdown(topic?.value), purpose: markdown(purpose?.value) },
      frozen: is_archived,
    });
    for (const one of ids) channels.join(id, one);
  }

  async *messages(tally: Tally): AsyncIterable<ForeignMessage> {
    for (const id of this.#source.channels.keys()) yield* this.#messagesOf(id, tally);
  }

  /** Messages of a channel, each once: a second one of the same time is a copy, or has a mark of its content in its id. */
  async *#messagesOf(channel: string, tally: Tally): AsyncIterable<ForeignMessage> {
    const sources = this.#sources(tally);
    const digests = new Map<number, number>();
    const listed = new Map<number, number>();
    for await (const message of this.#source.messagesIn(channel, tally)) {
      const { subtype = "" } = message;
      const at = microsOf(message.ts);
      if (NOTICE_SUBTYPES.has(subtype)) {
        tally.add("notice", `${subtype}: a notice about another message`);
        continue;
      }
      const digest = digestOf(message);
      const before = at === undefined ? digest : (digests.get(at) ?? digest);
      if (at !== undefined) digests.set(at, before);
      const mark = before === digest ? "" : `-${digest.toString(16)}`;
      const first = threadOf(message, listed);
      yield {
        ...this.#converted(channel, message, { first, sources }),
        id: messageId(channel, at ?? 0) + mark,
        at,
      };
    }
  }

  #converted(
    channel: string,
    message: SlackMessage,
    { first, sources }: { first: number | undefined; sources: ContentSources },
  ): Omit<ForeignMessage, "id" | "at"> {
    const { subtype = "", thread_ts: thread, blocks, attachments } = message;
    const content = contentOf(message, sources);
    const text = content.text || roomText(message, sources.names.user);
    if (text === "" && content.attachments.length === 0 && (blocks?.length || attachments?.length))
      sources.tally.add("text", "in blocks or attachments of a form that is not known");
    return {
      channel,
      user: this.#people.addAuthor(message),
      text,
      kind:
        subtype === "tombstone"
          ? "deleted"
          : SYSTEM_SUBTYPE.test(subtype) && first === undefined
            ? "system"
            : undefined,
      attachments: content.attachments,
      mentioned: content.mentioned.filter((one) => this.#scope.people.has(one)),
      parent: first === undefined ? undefined : messageId(channel, first),
      shown: subtype === "thread_broadcast",
      orphan: { thread_ts: thread },
      edited: microsOf(message.edited?.ts),
      pinned: this.#pinOf(message),
      replies: message.reply_count,
      reactions: shapedList(message.reactions, REACTION).map(reactionOf),
    };
  }

  #pinOf({ pinned_to: places, pinned_info: info }: SlackMessage): ForeignMessage["pinned"] {
    if (!places?.length) return undefined;
    const at = microsOfSeconds(info?.pinned_ts);
    return { at: pastTime(at, this.#scope.now) === undefined ? undefined : at, by: info?.pinned_by };
  }
}

/**
 * The time of the first message of the thread that a message replies to, in µs. Older exports name a reply only in the list
 * that its first message has: `listed` takes these lists in, as the time of a reply to that of its first message.
 */
function threadOf(
  { ts, thread_ts: thread, replies }: SlackMessage,
  listed: Map<number, number>,
): number | undefined {
  const at = microsOf(ts);
  if (at === undefined) return undefined;
  for (const { ts: reply } of shapedList(replies, { ts: "string" })) {
    const replied = microsOf(reply);
    if (replied !== undefined && replied > at) listed.set(replied, at);
  }
  if (thread !== undefined) return thread === ts ? undefined : microsOf(thread);
  return listed.get(at);
}

/** A value of a file of messages, if it is a message; the notice of an edit stands for the edited message. */
export function slackMessageIn(value: unknown): SlackMessage | undefined {
  if (!isObject(value) || !("ts" in value || "type" in value)) return undefined;
  const message = pickFields(value, MESSAGE);
  if (message.subtype === "message_changed" && message.message)
    return slackMessageIn({ type: "message", ...message.message });
  if (message.type === undefined) return message.ts === undefined ? undefined : message;
  return message.type === "message" ? message : undefined;
}

/** An entry of a list of conversations; undefined without a valid id. */
export function conversationIn(listed: object, isDirect: boolean): SlackConversation | undefined {
  const channel = pickFields(listed, CHANNEL);
  const { id } = channel;
  return id === undefined || channelIdProblem(id) !== undefined ? undefined : { ...channel, id, isDirect };
}

const reactionOf = ({
  name = "",
  users,
  count,
}: {
  name?: string;
  users?: unknown[];
  count?: number;
}): ForeignReaction => ({
  name,
  users: textsOf(users),
  count,
});

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

/** What is known of a call that was held in the channel. */
function roomText({ room }: SlackMessage, nameOf: (id: string) => string | undefined): string {
  if (!room) return "";
  const { date_start: start = 0, date_end: end = 0, participant_history: people } = room;
  const minutes = end > start ? `, ${Math.ceil((end - start) / 60)} min` : "";
  const names = textsOf(people).map((id) => nameOf(id) ?? id);
  return `Huddle${minutes}${names.length > 0 ? `: ${names.join(", ")}` : ""}`;
}
