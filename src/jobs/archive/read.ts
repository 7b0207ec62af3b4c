/** Reads an archive: channels, people, and messages by time, with replies, reactions and files. */
import type { DatabaseSync } from "node:sqlite";
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { PollVote } from "../../wire/entities/poll.ts";
import type { User } from "../../wire/entities/user.ts";
import { ArchivedRows, ROW_KEYS, type RowTable } from "./rows.ts";
import { timeKey } from "./writer.ts";

/** An attached file stored in the archive. */
export interface ArchivedFile {
  n: number;
  name: string | null;
  hash: string;
  bytes: number;
  mime: string | null;
}

/** A message with its reactions, votes and stored files. */
export interface ArchivedMessage {
  message: Message;
  reactions: Reaction[];
  votes: PollVote[];
  files: ArchivedFile[];
  /** When a run noticed that the provider no longer has it. */
  gone?: string;
}

/** A message as `show` and `search` return it. */
export type MessageCopy = Message & { gone_at?: string };

export const copyOf = (message: Message, gone: unknown): MessageCopy =>
  gone === null || gone === undefined ? message : { ...message, gone_at: String(gone) };

/** RFC 3339; both bounds are inclusive. */
export interface TimeRange {
  since?: string | undefined;
  until?: string | undefined;
}

/** The place of a message in its channel: its `timeKey`, then its id. */
export interface MessagePosition {
  at: string;
  id: string;
}

/** Comes after every id. */
export const LAST_ID = "\u{10ffff}";

const COLUMNS = "id AS key, raw, gone_at";

/** A channel with what is shown in it, or the replies of a thread. */
export type ArchivedPlace = { cid: string } | { parent: string };

/** One side of a position, which itself belongs to it with `=`. */
export interface PageBound extends MessagePosition {
  side: "<" | "<=" | ">" | ">=";
}

const REPLIES = {
  all: "",
  inChannel:
    "AND (parent_id IS NULL OR CASE WHEN json_valid(raw) THEN raw ->> '$.show_in_channel' ELSE 1 END)",
  none: "AND parent_id IS NULL",
};

const inRange = (replies: keyof typeof REPLIES): string =>
  `FROM messages WHERE cid = ? AND at >= ? AND at <= ? ${REPLIES[replies]}`;

const boundsOf = ({ since, until }: TimeRange): [since: string, until: string] => [
  timeKey(since),
  until === undefined ? "9999" : timeKey(until),
];

/** Keeps its statements prepared. Damaged rows are left out and named in `rows`. */
export class ArchiveReader {
  readonly #reactions;
  readonly #votes;
  readonly #files;
  readonly #replies;
  readonly #byId;
  readonly db: DatabaseSync;
  readonly rows = new ArchivedRows();

  constructor(db: DatabaseSync) {
    this.db = db;
    this.#reactions = db.prepare(
      `SELECT ${ROW_KEYS.reactions} AS key, raw FROM reactions WHERE message_id = ?`,
    );
    this.#votes = db.prepare("SELECT id AS key, raw FROM votes WHERE poll_id = ? ORDER BY id");
    this.#files = db.prepare(
      `SELECT a.n, a.name, a.hash, f.bytes, f.mime FROM attachments a JOIN files f ON f.hash = a.hash
       WHERE a.message_id = ? ORDER BY a.n`,
    );
    this.#replies = db.prepare(`SELECT ${COLUMNS} FROM messages WHERE parent_id = ? ORDER BY at, id`);
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM messages WHERE id = ?`);
  }

  /** `cids`: empty = all. */
  *channels(cids: readonly string[] = []): Iterable<Channel> {
    for (const cid of cids.length > 0 ? cids : cidsIn(this.db)) yield* this.#table<Channel>("channels", cid);
  }

  members(cid: string): Iterable<Member> {
    return this.#table("members", cid);
  }

  reads(cid: string): Iterable<Read> {
    return this.#table("reads", cid);
  }

  users(): Iterable<User> {
    return this.#table("users");
  }

  #table<T>(table: RowTable, cid?: string): Iterable<T> {
    const key = ROW_KEYS[table];
    const where = cid === undefined ? "" : "WHERE cid = ?";
    const query = this.db.prepare(`SELECT ${key} AS key, raw FROM ${table} ${where} ORDER BY ${key}`);
    return this.rows.all<T>(table, query.iterate(...(cid === undefined ? [] : [cid])));
  }

  /** Messages by time, with all replies of threads among them, those also shown in the channel, or none. */
  *messages(cid: string, range: TimeRange, replies: keyof typeof REPLIES): Iterable<ArchivedMessage> {
    const statement = this.db.prepare(`SELECT ${COLUMNS} ${inRange(replies)} ORDER BY at, id`);
    yield* this.complete(statement.iterate(cid, ...boundsOf(range)));
  }

  /** The first of the newest `count` messages that `messages` lists; undefined if there are no more than that. */
  startOfNewest(
    cid: string,
    range: TimeRange,
    replies: keyof typeof REPLIES,
    count: number,
  ): MessagePosition | undefined {
    const [first, older] = this.db
      .prepare(`SELECT at, id ${inRange(replies)} ORDER BY at DESC, id DESC LIMIT 2 OFFSET ?`)
      .all(cid, ...boundsOf(range), count - 1);
    return older && { at: String(first!.at), id: String(first!.id) };
  }

  /** The messages of a place that lie next to a bound, or its newest ones without one; oldest first. */
  page(place: ArchivedPlace, bound: PageBound | undefined, count: number): ArchivedMessage[] {
    const [where, key] =
      "cid" in place ? [`cid = ? ${REPLIES.inChannel}`, place.cid] : ["parent_id = ?", place.parent];
    const isAfter = bound?.side.startsWith(">") === true;
    const order = isAfter ? "at, id" : "at DESC, id DESC";
    const beside = bound === undefined ? "" : `AND (at, id) ${bound.side} (?, ?)`;
    // The sign keeps SQLite from planning anew for each bound limit.
    const rows = this.db
      .prepare(`SELECT ${COLUMNS} FROM messages WHERE ${where} ${beside} ORDER BY ${order} LIMIT +?`)
      .all(key, ...(bound === undefined ? [] : [bound.at, bound.id]), count);
    return [...this.complete(isAfter ? rows : rows.toReversed())];
  }

  /** Where a message stands in its channel and in its thread; undefined if it is not archived. */
  positionOf(id: string): MessagePosition | undefined {
    const row = this.db.prepare("SELECT at, id FROM messages WHERE id = ?").get(id);
    return row && { at: String(row.at), id: String(row.id) };
  }

  replies(parent: string): Iterable<ArchivedMessage> {
    return this.complete(this.#replies.iterate(parent));
  }

  message(id: string): ArchivedMessage | undefined {
    const [found] = this.complete(this.#byId.all(id));
    return found;
  }

  /** The messages of rows with the columns `key`, `raw` and `gone_at`. */
  *complete(rows: Iterable<Record<string, unknown>>): Iterable<ArchivedMessage> {
    for (const row of rows) {
      const message = this.rows.one<Message>("messages", row);
      if (message === undefined) continue;
      const hasFiles = (message.attachments?.length ?? 0) > 0;
      yield {
        message,
        reactions: [...this.rows.all<Reaction>("reactions", this.#reactions.all(message.id))],
        votes: message.poll ? [...this.rows.all<PollVote>("votes", this.#votes.all(message.poll.id))] : [],
        files: hasFiles ? (this.#files.all(message.id) as unknown as ArchivedFile[]) : [],
        ...(row.gone_at === null ? {} : { gone: String(row.gone_at) }),
      };
    }
  }
}

export const cidsIn = (db: DatabaseSync): string[] =>
  db
    .prepare("SELECT cid FROM channels ORDER BY cid")
    .all()
    .map((row) => String(row.cid));
