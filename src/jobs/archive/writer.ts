/** Writes pages into an archive, each in one transaction with its checkpoint, so that a killed run loses or repeats nothing. */
import { createHash } from "node:crypto";
import type { Attachment } from "../../wire/entities/attachment.ts";
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll, PollVote } from "../../wire/entities/poll.ts";
import { isFilledText, isObject } from "../../wire/json-object.ts";
import { normalTime } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import { withArchiveFailure, type OpenArchive } from "./open.ts";
import { statements } from "./statements.ts";
import { unreadPart, type GapRow, type UnreadKind } from "./counts.ts";

/** Users remembered as already written. */
const MAX_KNOWN_USERS = 20_000;

/** A message with its reactions and votes. */
export interface MessageWithDetails {
  message: Message;
  /** All reactions, not only the latest. */
  reactions: readonly Reaction[];
  votes?: readonly PollVote[];
  /** When a run noticed that the provider no longer has it. */
  gone?: string;
}

/** The run that writes, and the time now, as RFC 3339. */
interface WritingRun {
  n: number;
  now(): string;
}

/** Progress in a part of a channel: `members`, `messages`, or `thread:<id>`. */
export interface ArchiveCheckpoint {
  cid: string;
  part: string;
  /** Id of the last item. */
  cursor?: string;
  /** Time of the last item. */
  at?: string;
  done?: boolean;
}

/** What names an item that could not be read: its id, or that of its person or channel. */
function idOf(item: unknown): string | undefined {
  if (!isObject(item)) return undefined;
  const { id, user_id, user, channel, type } = item;
  const named = [id, user_id, isObject(user) && user.id, isObject(channel) && channel.cid].find(isFilledText);
  return named !== undefined && id === undefined && isFilledText(type) ? `${type}:${named}` : named;
}

/** A text that sorts by time; invalid dates sort first. */
export const timeKey = (text: string | undefined): string => (text && normalTime(text)) || "";

/** The address of a file that somebody sent; the picture of a link preview is none. */
export const sentFile = (one: Attachment): string | undefined =>
  one.og_scrape_url === undefined && one.type !== "giphy"
    ? (one.asset_url ?? one.image_url ?? one.thumb_url)
    : undefined;

export class ArchiveWriter {
  readonly #archive: OpenArchive;
  readonly #run: number;
  readonly #now: () => string;
  readonly #statement: ReturnType<typeof statements>;
  readonly #users = new Map<string, string>();
  readonly #attachmentState: "pending" | "link";
  readonly #rowsPerCommit: number;
  /** Rows in the open transaction. */
  #rows = 0;

  /** `download` marks attachments for downloading. `rowsPerCommit`: each commit waits for the disk; call `flush` after the last row. */
  constructor(archive: OpenArchive, { n, now }: WritingRun, download: boolean, rowsPerCommit = 1) {
    this.#archive = archive;
    this.#run = n;
    this.#now = now;
    this.#statement = statements(archive.db);
    this.#attachmentState = download ? "pending" : "link";
    this.#rowsPerCommit = rowsPerCommit;
  }

  channel(channel: Channel, reads: readonly Read[]): void {
    this.#write(() => {
      const { cid, type, id, name } = channel;
      this.#statement("channel").run(cid, type, id, name ?? null, JSON.stringify(channel), this.#now());
      this.#saveUser(channel.created_by);
      for (const read of reads) {
        this.#saveUser(read.user);
        this.#statement("read").run(cid, read.user.id, read.last_read, JSON.stringify(read));
      }
    });
  }

  user(user: User): void {
    this.#write(() => this.#saveUser(user));
  }

  members(cid: string, page: readonly Member[], checkpoint: ArchiveCheckpoint): void {
    this.#write(() => {
      for (const member of page) {
        this.#saveUser(member.user ?? { id: member.user_id });
        this.#statement("member").run(cid, member.user_id, this.#run, JSON.stringify(member));
      }
      if (checkpoint.done) this.#statement("deleteFormerMembers").run(cid, this.#run);
      this.#saveCheckpoint(checkpoint);
    }, page.length + 1);
  }

  /** Removes the checkpoints of `threads`, whose replies are complete with this page. */
  messages(
    page: readonly MessageWithDetails[],
    checkpoint: ArchiveCheckpoint,
    threads: readonly string[] = [],
  ): void {
    this.#write(() => {
      for (const one of page) this.#saveMessage(one);
      for (const id of threads) this.#statement("deleteCheckpoint").run(checkpoint.cid, `thread:${id}`);
      this.#saveCheckpoint(checkpoint);
    }, page.length + 1);
  }

  /** Marks messages between two times that this run did not see as gone at the provider, and their replies; the rows stay. */
  markGone(cid: string, from: string, to: string): void {
    this.#write(() => {
      this.#statement("markMessagesGone").run(this.#now(), cid, timeKey(from), timeKey(to), this.#run);
      this.#statement("markOrphansGone").run(this.#now(), cid, this.#run);
    });
  }

  /** Whether the archive has a channel of this id that was made at another time: the provider deleted that one. */
  isMadeAgain({ cid, created_at }: Channel): boolean {
    const row = this.#statement("selectChannel").get(cid);
    const before = row && (JSON.parse(String(row.raw)) as Channel).created_at;
    return before !== undefined && timeKey(before) !== timeKey(created_at);
  }

  /** Marks everything up to a time that this run did not see, also replies to messages that are not archived. */
  markAllGone(cid: string, to: string): void {
    this.#write(() => {
      this.#statement("markAllGone").run(this.#now(), cid, timeKey(to), this.#run);
      this.#statement("markOrphansGone").run(this.#now(), cid, this.#run);
    });
  }

  /** Marks the replies to a message that this run did not see. */
  markRepliesGone(parent: string): void {
    this.#write(() => void this.#statement("markRepliesGone").run(this.#now(), parent, this.#run));
  }

  /** Marks a message that the provider does not know any more, and its replies. */
  markMessageGone(id: string): void {
    this.#write(() => {
      this.#statement("markMessageGone").run(this.#now(), id);
      this.#statement("markRepliesGone").run(this.#now(), id, this.#run);
    });
  }

  /** Parents of archived replies from `from` on that this run has not seen yet. */
  unseenParents(cid: string, from: string): string[] {
    return this.#statement("unseenParents")
      .all(cid, timeKey(from), this.#run)
      .map((row) => String(row.parent_id));
  }

  /** Archived replies to a message that this run has not seen yet. */
  unseenReplies(parent: string): string[] {
    return this.#statement("unseenReplies")
      .all(parent, this.#run)
      .map((row) => String(row.id));
  }

  hasReplies(id: string): boolean {
    return this.#statement("hasReplies").get(id) !== undefined;
  }

  /** Whether a message is in the archive, and whether this run has seen it. */
  stateOf(id: string): "missing" | "unseen" | "seen" {
    const row = this.#statement("messageState").get(id);
    return row === undefined ? "missing" : Number(row.run) < this.#run ? "unseen" : "seen";
  }

  gap(gap: GapRow): void {
    this.#write(() => this.#saveGap(gap));
  }

  /** Keeps items that could not be read as a whole, as they came; `message`: what reactions and votes belong to. */
  unread(cid: string, kind: UnreadKind, items: readonly unknown[], message?: string): void {
    if (items.length === 0) return;
    const at = this.#now();
    this.#write(() => {
      for (const item of items) {
        const raw = JSON.stringify(item);
        const id = idOf(item) ?? createHash("sha256").update(raw).digest("hex").slice(0, 16);
        const after = kind === "message" ? id : message;
        if (kind === "message") this.#statement("seeUnread").run(this.#run, id);
        const reason = "not written as documented, kept as it came";
        const gap = { cid, part: unreadPart(kind, id), reason, at, ...(after !== undefined && { after }) };
        this.#saveGap(gap, raw);
      }
    }, items.length);
  }

  /** Forgets the items that this run could read, which began at `since`. */
  forgetRead(since: string): void {
    this.#write(() => void this.#statement("deleteReadGaps").run(since, this.#run));
  }

  #saveGap({ cid, part, after, reason, at }: GapRow, raw?: string): void {
    this.#statement("gap").run(cid, part, after ?? null, reason, at, raw ?? null);
  }

  saveCheckpoint(checkpoint: ArchiveCheckpoint): void {
    this.#write(() => this.#saveCheckpoint(checkpoint));
  }

  checkpoint(cid: string, part: string): (ArchiveCheckpoint & { run: number }) | undefined {
    const row = this.#statement("selectCheckpoint").get(cid, part);
    if (!row) return undefined;
    const { cursor, at, run, done } = row;
    return {
      cid,
      part,
      ...(cursor === null ? {} : { cursor: String(cursor) }),
      ...(at === null ? {} : { at: String(at) }),
      run: Number(run),
      done: done === 1,
    };
  }

  /** Commits everything written so far. */
  flush(): void {
    const { db, folder } = this.#archive;
    if (db.isTransaction) withArchiveFailure(folder, () => db.exec("COMMIT"));
  }

  /** Adds the writes of `work` to the open transaction, committing when enough rows have gathered; rolls all of it back on errors. */
  #write(work: () => void, rows = 1): void {
    const { db, folder } = this.#archive;
    withArchiveFailure(folder, () => {
      if (!db.isTransaction) {
        db.exec("BEGIN IMMEDIATE");
        this.#rows = 0;
      }
      try {
        work();
        this.#rows += rows;
        if (this.#rows >= this.#rowsPerCommit) db.exec("COMMIT");
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        this.#users.clear();
        throw error;
      }
    });
  }

  #saveCheckpoint({ cid, part, cursor, at, done = false }: ArchiveCheckpoint): void {
    this.#statement("checkpoint").run(cid, part, cursor ?? null, at ?? null, this.#run, done ? 1 : 0);
    if (done) this.#statement("deleteGap").run(cid, part);
  }

  #saveUser(user: User | null | undefined): void {
    if (!user) return;
    const version = timeKey(user.updated_at);
    const known = this.#users.get(user.id);
    if (known !== undefined && known >= version) return;
    if (this.#users.size >= MAX_KNOWN_USERS) this.#users.clear();
    this.#users.set(user.id, version);
    this.#statement("user").run(user.id, user.name ?? null, version, JSON.stringify(user));
  }

  #saveMessage({ message, reactions, votes = [], gone }: MessageWithDetails): void {
    const { id, cid, user, type, text, parent_id, created_at, updated_at } = message;
    this.#saveUser(user);
    for (const one of message.mentioned_users ?? []) this.#saveUser(one);
    this.#statement("message").run(
      id,
      cid,
      parent_id ?? null,
      user.id,
      type,
      text ?? "",
      timeKey(created_at),
      timeKey(updated_at),
      gone ?? null,
      this.#run,
      JSON.stringify(message),
      this.#now(),
    );
    this.#statement("deleteReactions").run(id);
    for (const one of reactions) {
      this.#saveUser(one.user);
      this.#statement("reaction").run(id, one.type, one.user_id, JSON.stringify(one));
    }
    if (message.poll) this.#savePoll(id, message.poll, votes);
    this.#saveAttachments(message);
  }

  #savePoll(message: string, poll: Poll, votes: readonly PollVote[]): void {
    this.#statement("poll").run(poll.id, message, JSON.stringify(poll));
    this.#statement("deleteVotes").run(poll.id);
    for (const vote of votes) {
      this.#saveUser(vote.user);
      this.#statement("vote").run(vote.id, poll.id, JSON.stringify(vote));
    }
  }

  #saveAttachments({ id, attachments = [] }: Message): void {
    for (const [n, one] of attachments.entries()) {
      const url = one.asset_url ?? one.image_url ?? one.thumb_url;
      const sent = sentFile(one) !== undefined;
      const name = one.title ?? one.fallback ?? null;
      this.#statement("attachment").run(
        id,
        n,
        one.type ?? null,
        name,
        url ?? null,
        sent ? this.#attachmentState : "link",
      );
    }
    this.#statement("deleteExtraAttachments").run(id, attachments.length);
  }
}
