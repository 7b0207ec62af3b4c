/** Reads the messages of an archive by time, with replies, reactions and files. */
import type { DatabaseSync } from "node:sqlite";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { PollVote } from "../../wire/entities/poll.ts";
import { timeKey } from "./writer.ts";

/** An attached file stored in the archive. */
interface ArchivedFile {
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

/** RFC 3339; both bounds are inclusive. */
export interface TimeRange {
  since?: string | undefined;
  until?: string | undefined;
}

const parsed = <T>(row: Record<string, unknown>): T => JSON.parse(String(row.raw)) as T;

const COLUMNS = "id, raw, gone_at";

const REPLIES = {
  all: "",
  inChannel: "AND (parent_id IS NULL OR raw ->> '$.show_in_channel')",
  none: "AND parent_id IS NULL",
};

/** Keeps its statements prepared. */
export class ArchiveReader {
  readonly #reactions;
  readonly #votes;
  readonly #files;
  readonly #replies;
  readonly #byId;
  readonly db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.db = db;
    this.#reactions = db.prepare("SELECT raw FROM reactions WHERE message_id = ?");
    this.#votes = db.prepare("SELECT raw FROM votes WHERE poll_id = ? ORDER BY id");
    this.#files = db.prepare(
      `SELECT a.n, a.name, a.hash, f.bytes, f.mime FROM attachments a JOIN files f ON f.hash = a.hash
       WHERE a.message_id = ? ORDER BY a.n`,
    );
    this.#replies = db.prepare(`SELECT ${COLUMNS} FROM messages WHERE parent_id = ? ORDER BY at, id`);
    this.#byId = db.prepare(`SELECT ${COLUMNS} FROM messages WHERE id = ?`);
  }

  /** Messages by time, with all replies of threads among them, those also shown in the channel, or none. */
  *messages(cid: string, range: TimeRange, replies: keyof typeof REPLIES): Iterable<ArchivedMessage> {
    const statement = this.db.prepare(
      `SELECT ${COLUMNS} FROM messages WHERE cid = ? AND at >= ? AND at <= ?
       ${REPLIES[replies]} ORDER BY at, id`,
    );
    const until = range.until === undefined ? "9999" : timeKey(range.until);
    for (const row of statement.iterate(cid, timeKey(range.since), until)) yield this.#complete(row);
  }

  *replies(parent: string): Iterable<ArchivedMessage> {
    for (const row of this.#replies.iterate(parent)) yield this.#complete(row);
  }

  message(id: string): ArchivedMessage | undefined {
    const row = this.#byId.get(id);
    return row && this.#complete(row);
  }

  #complete(row: Record<string, unknown>): ArchivedMessage {
    const message = parsed<Message>(row);
    const reactions = this.#reactions.all(message.id).map((one) => parsed<Reaction>(one));
    const hasFiles = (message.attachments?.length ?? 0) > 0;
    return {
      message,
      reactions,
      votes: message.poll ? this.#votes.all(message.poll.id).map((one) => parsed<PollVote>(one)) : [],
      files: hasFiles ? (this.#files.all(message.id) as unknown as ArchivedFile[]) : [],
      ...(row.gone_at === null ? {} : { gone: String(row.gone_at) }),
    };
  }
}
