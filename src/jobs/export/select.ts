/** Selects the messages of an export: ranges, threads, duplicates, pseudonyms. */
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import type { ArchivedMessage, ArchiveReader, MessagePosition, TimeRange } from "../archive/read.ts";
import { timeKey } from "../archive/writer.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import type { Exported, ExportedChannel, ExportedAll } from "./form.ts";
import { exportTitle } from "./texts.ts";

export interface Selection extends TimeRange {
  /** Cids; empty = all. */
  channels: readonly string[];
  /** `nested`: replies follow their parent, even outside the range; `flat`: every message by its own time. */
  threads: "nested" | "flat" | "none";
  reactions: boolean;
  attachments: "none" | "link" | "download";
  /** Drops repeats of the same text by the same person within a second. */
  dedupe: boolean;
  /** Only so many of each channel, the newest; nested replies come with their message and are not counted. */
  newest?: number | undefined;
  pseudonyms?: Pseudonyms;
}

const NO_REACTIONS = {
  reaction_groups: {},
  reaction_counts: {},
  reaction_scores: {},
  latest_reactions: [],
  own_reactions: [],
};
const NO_PATHS: ReadonlyMap<number, string> = new Map();

const positionOf = ({ created_at, id }: Message): MessagePosition => ({ at: timeKey(created_at), id });

function isFrom(start: MessagePosition | undefined, message: Message): boolean {
  if (start === undefined) return true;
  const { at, id } = positionOf(message);
  return at > start.at || (at === start.at && id >= start.id);
}

/** The position of the first of the last `count` messages; undefined if there are no more than that. */
function startOfLast(count: number, messages: Iterable<ArchivedMessage>): MessagePosition | undefined {
  const last: MessagePosition[] = [];
  let n = 0;
  for (const { message } of messages) last[n++ % count] = positionOf(message);
  return n > count ? last[n % count] : undefined;
}

export class SelectedMessages implements ExportedAll {
  readonly #reader: ArchiveReader;
  readonly #options: Selection;
  /** Cid → its first message, if `newest` leaves out older ones. */
  readonly #starts = new Map<string, MessagePosition | undefined>();

  constructor(reader: ArchiveReader, options: Selection) {
    this.#reader = reader;
    this.#options = options;
  }

  *users(): Iterable<User> {
    for (const user of this.#reader.users()) yield this.#options.pseudonyms?.user(user) ?? user;
  }

  *channels(): Iterable<ExportedChannel> {
    const reader = this.#reader;
    const { pseudonyms } = this.#options;
    for (const found of reader.channels(this.#options.channels)) {
      const { cid } = found;
      const channel: Channel = pseudonyms?.channel(found) ?? found;
      function* members(): Iterable<Member> {
        for (const member of reader.members(cid)) yield pseudonyms?.member(member) ?? member;
      }
      const reads = (): Read[] => [...reader.reads(cid)].map((read) => pseudonyms?.read(read) ?? read);
      yield { realCid: cid, channel, members, reads, title: exportTitle(channel, members()) };
    }
  }

  /** Messages of a channel, by its real cid. */
  *messages(cid: string): Iterable<Exported> {
    const { threads } = this.#options;
    for (const one of this.#newest(cid)) {
      const nested = threads === "nested" && one.message.reply_count > 0;
      const replies = nested ? [...this.#withoutDuplicates(this.#reader.replies(one.message.id))] : [];
      yield { ...this.#exported(one), replies: replies.map((reply) => this.#exported(reply)) };
    }
  }

  *reactions(): Iterable<Reaction> {
    for (const channel of this.#reader.channels(this.#options.channels))
      for (const one of this.messages(channel.cid))
        for (const { reactions } of [one, ...one.replies]) yield* reactions;
  }

  /** When a message was sent that the archive has, exported or not; undefined if it has it not. */
  sentAt(id: string): string | undefined {
    return this.#reader.message(this.#options.pseudonyms?.realMessageId(id) ?? id)?.message.created_at;
  }

  /** Whether the export contains a message before another one. */
  readonly isExported = (id: string, before: Message): boolean => {
    const one = this.#reader.message(this.#options.pseudonyms?.realMessageId(id) ?? id);
    if (!one) return false;
    const { threads, since, until } = this.#options;
    const { parent_id: parent, created_at } = one.message;
    if (parent !== undefined && threads === "none") return false;
    // A nested reply is where its message is.
    const placed = parent !== undefined && threads === "nested" ? this.#reader.message(parent) : one;
    if (placed === undefined) return false;
    const at = timeKey(placed.message.created_at);
    const inRange = at >= timeKey(since) && (until === undefined || at <= timeKey(until));
    const isNew = isFrom(this.#startOf(placed.message.cid), placed.message);
    return inRange && isNew && timeKey(created_at) <= timeKey(before.created_at);
  };

  /** Whether older messages of a channel are left out because of `newest`. */
  isCut(cid: string): boolean {
    return this.#startOf(cid) !== undefined;
  }

  *#newest(cid: string): Iterable<ArchivedMessage> {
    const start = this.#startOf(cid);
    // Duplicates are found from the beginning of their second on.
    const since = start?.at ? `${start.at.slice(0, 19)}Z` : this.#options.since;
    for (const one of this.#inRange(cid, since)) if (isFrom(start, one.message)) yield one;
  }

  #inRange(cid: string, since = this.#options.since): Iterable<ArchivedMessage> {
    const { until } = this.#options;
    return this.#withoutDuplicates(this.#reader.messages(cid, { since, until }, this.#replies));
  }

  get #replies(): "all" | "none" {
    return this.#options.threads === "flat" ? "all" : "none";
  }

  #startOf(cid: string): MessagePosition | undefined {
    const { newest, dedupe } = this.#options;
    if (newest === undefined) return undefined;
    if (!this.#starts.has(cid))
      this.#starts.set(
        cid,
        dedupe
          ? startOfLast(newest, this.#inRange(cid))
          : this.#reader.startOfNewest(cid, this.#options, this.#replies, newest),
      );
    return this.#starts.get(cid);
  }

  /** Drops duplicates; as messages come by time, only those of the current second are remembered. */
  *#withoutDuplicates(messages: Iterable<ArchivedMessage>): Iterable<ArchivedMessage> {
    const seen = new Set<string>();
    let second = "";
    for (const one of messages) {
      const { created_at, user, text, parent_id, attachments } = one.message;
      if (!this.#options.dedupe) {
        yield one;
        continue;
      }
      if (created_at.slice(0, 19) !== second) seen.clear();
      second = created_at.slice(0, 19);
      const key = JSON.stringify([user.id, text, parent_id, attachments]);
      if (!seen.has(key)) yield one;
      seen.add(key);
    }
  }

  /** Removes excluded attachments and reactions, in the quoted message, too. */
  #stripped(message: Message): Message {
    const { reactions, attachments } = this.#options;
    const { quoted_message: quoted } = message;
    return {
      ...message,
      ...(attachments === "none" && { attachments: [] }),
      ...(!reactions && NO_REACTIONS),
      ...(quoted && { quoted_message: this.#stripped(quoted) }),
    };
  }

  #exported(one: ArchivedMessage): Exported {
    const { reactions, attachments, pseudonyms } = this.#options;
    const shown: Exported = {
      ...one,
      message: this.#stripped(one.message),
      reactions: reactions ? one.reactions : [],
      files: attachments === "download" ? one.files : [],
      replies: [],
      paths: NO_PATHS,
    };
    return pseudonyms ? pseudonyms.message(shown) : shown;
  }
}
