/** Selects and orders the messages of an export: ranges, threads, duplicates, pseudonyms. */
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import { channelsIn, membersIn, readsIn, usersIn } from "../archive/tables.ts";
import type { ArchivedMessage, ArchiveReader, Range } from "../archive/read.ts";
import { timeKey } from "../archive/writer.ts";
import type { Pseudonyms } from "./pseudonyms.ts";
import type { Exported, ExportedChannel, ExportedAll } from "./form.ts";
import { exportTitle } from "./texts.ts";

export interface Selection extends Range {
  /** The cids; an empty list stands for all. */
  channels: readonly string[];
  /** `nested`: replies stand with their message, and belong to it whatever the range; `flat`: all by their own time. */
  threads: "nested" | "flat" | "none";
  reactions: boolean;
  attachments: "none" | "link" | "download";
  /** What the same person wrote twice within a second is given once. */
  dedupe: boolean;
  pseudonyms?: Pseudonyms;
}

const NO_REACTIONS = {
  reaction_groups: {},
  reaction_counts: {},
  reaction_scores: {},
  latest_reactions: [],
  own_reactions: [],
};
const NOTHING: ReadonlyMap<number, string> = new Map();

export class Selected implements ExportedAll {
  readonly #reader: ArchiveReader;
  readonly #how: Selection;

  constructor(reader: ArchiveReader, how: Selection) {
    this.#reader = reader;
    this.#how = how;
  }

  *users(): Iterable<User> {
    for (const user of usersIn(this.#reader.db)) yield this.#how.pseudonyms?.user(user) ?? user;
  }

  *channels(): Iterable<ExportedChannel> {
    const { db } = this.#reader;
    const { pseudonyms } = this.#how;
    for (const found of channelsIn(db, this.#how.channels)) {
      const { cid } = found;
      const channel: Channel = pseudonyms?.channel(found) ?? found;
      function* members(): Iterable<Member> {
        for (const member of membersIn(db, cid)) yield pseudonyms?.member(member) ?? member;
      }
      const reads = (): Read[] => readsIn(db, cid).map((read) => pseudonyms?.read(read) ?? read);
      yield { channel, members, reads, title: exportTitle(channel, members()) };
    }
  }

  /** Of a channel by the cid that the archive has. */
  *messages(cid: string): Iterable<Exported> {
    const { threads } = this.#how;
    const found = this.#reader.messages(cid, this.#how, { replies: threads === "flat" });
    for (const one of this.#once(found)) {
      const nested = threads === "nested" && one.message.reply_count > 0;
      const replies = nested ? [...this.#once(this.#reader.replies(one.message.id))] : [];
      yield { ...this.#shown(one), replies: replies.map((reply) => this.#shown(reply)) };
    }
  }

  *reactions(): Iterable<Reaction> {
    for (const channel of channelsIn(this.#reader.db, this.#how.channels))
      for (const one of this.messages(channel.cid))
        for (const { reactions } of [one, ...one.replies]) yield* reactions;
  }

  /** Whether the export holds a message, and before another one. */
  readonly isHere = (id: string, before: Message): boolean => {
    const one = this.#reader.message(this.#how.pseudonyms?.realMessage(id) ?? id);
    if (!one) return false;
    const at = timeKey(one.message.created_at);
    const { since, until } = this.#how;
    const inRange = at >= timeKey(since) && (until === undefined || at <= timeKey(until));
    const { parent_id: parent } = one.message;
    const shown = parent === undefined || this.#how.threads !== "none";
    return inRange && shown && at <= timeKey(before.created_at);
  };

  /** Messages come by time: those of one second are remembered, and no more. */
  *#once(messages: Iterable<ArchivedMessage>): Iterable<ArchivedMessage> {
    const seen = new Set<string>();
    let second = "";
    for (const one of messages) {
      const { created_at, user, text, parent_id, attachments } = one.message;
      if (!this.#how.dedupe) {
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

  /** Without what is not wanted, in the message that it quotes, too. */
  #bare(message: Message): Message {
    const { reactions, attachments } = this.#how;
    const { quoted_message: quoted } = message;
    return {
      ...message,
      ...(attachments === "none" && { attachments: [] }),
      ...(!reactions && NO_REACTIONS),
      ...(quoted && { quoted_message: this.#bare(quoted) }),
    };
  }

  #shown(one: ArchivedMessage): Exported {
    const { reactions, attachments, pseudonyms } = this.#how;
    const shown: Exported = {
      ...one,
      message: this.#bare(one.message),
      reactions: reactions ? one.reactions : [],
      files: attachments === "download" ? one.files : [],
      replies: [],
      paths: NOTHING,
    };
    return pseudonyms ? pseudonyms.message(shown) : shown;
  }
}
