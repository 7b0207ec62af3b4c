/** Writes pages into an archive, each together with its checkpoint, so that a killed run loses and doubles nothing. */
import type { Channel, Member, Read } from "../../wire/entities/channel.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { Poll, PollVote } from "../../wire/entities/poll.ts";
import { normalTime } from "../../wire/time.ts";
import type { User } from "../../wire/entities/user.ts";
import { withArchiveFailure, type OpenArchive } from "./open.ts";
import { statements } from "./statements.ts";
import type { GapRow } from "./counts.ts";

/** Users whose newest form was written are remembered up to this many. */
const KNOWN_USERS = 20_000;

/** One message with everything that hangs on it. */
export interface ReadMessage {
  message: Message;
  /** All of them. */
  reactions: readonly Reaction[];
  votes?: readonly PollVote[];
}

/** Where a part of a channel goes on: `members`, `messages`, or `thread:<id>`. */
export interface ArchiveCheckpoint {
  cid: string;
  part: string;
  /** The last item. */
  cursor?: string;
  /** Its time. */
  at?: string;
  done?: boolean;
}

/** Instants compare as these texts do; what is no date is older than every other. */
export const timeKey = (text: string | undefined): string => (text && normalTime(text)) || "";

export class ArchiveWriter {
  readonly #archive: OpenArchive;
  readonly #run: number;
  readonly #do: ReturnType<typeof statements>;
  readonly #users = new Map<string, string>();
  readonly #attachments: "pending" | "link";
  readonly #gather: number;
  /** Rows that the open transaction holds. */
  #rows = 0;

  /**
   * `download`: the files of attachments are to be fetched. `gather`: rows that are committed together, because each
   * commit waits for the disk; the last of them stand after `flush` alone.
   */
  constructor(archive: OpenArchive, run: number, download: boolean, gather = 1) {
    this.#archive = archive;
    this.#run = run;
    this.#do = statements(archive.db);
    this.#attachments = download ? "pending" : "link";
    this.#gather = gather;
  }

  channel(channel: Channel, reads: readonly Read[]): void {
    this.#together(() => {
      const { cid, type, id, name } = channel;
      this.#do("channel").run(cid, type, id, name ?? null, JSON.stringify(channel));
      this.#user(channel.created_by);
      for (const read of reads) {
        this.#user(read.user);
        this.#do("read").run(cid, read.user.id, read.last_read, JSON.stringify(read));
      }
    });
  }

  members(cid: string, page: readonly Member[], checkpoint: ArchiveCheckpoint): void {
    this.#together(() => {
      for (const member of page) {
        this.#user(member.user ?? { id: member.user_id });
        this.#do("member").run(cid, member.user_id, this.#run, JSON.stringify(member));
      }
      if (checkpoint.done) this.#do("leftMembers").run(cid, this.#run);
      this.#mark(checkpoint);
    }, page.length + 1);
  }

  /** `threads`: what is kept of their walks is forgotten, because the page is stored with them. */
  messages(
    page: readonly ReadMessage[],
    checkpoint: ArchiveCheckpoint,
    threads: readonly string[] = [],
  ): void {
    this.#together(() => {
      for (const one of page) this.#message(one);
      for (const id of threads) this.#do("noCheckpoint").run(checkpoint.cid, `thread:${id}`);
      this.#mark(checkpoint);
    }, page.length + 1);
  }

  /** What was there between two times and did not come again is gone at the provider; it stays here. */
  gone(cid: string, from: string, to: string, now: string): void {
    this.#together(() => void this.#do("goneMessages").run(now, cid, timeKey(from), timeKey(to), this.#run));
  }

  goneReplies(parent: string, now: string): void {
    this.#together(() => void this.#do("goneReplies").run(now, parent, this.#run));
  }

  gap(gap: GapRow): void {
    this.#together(() => void this.#do("gap").run(gap.cid, gap.part, gap.after ?? null, gap.reason, gap.at));
  }

  mark(checkpoint: ArchiveCheckpoint): void {
    this.#together(() => this.#mark(checkpoint));
  }

  checkpoint(cid: string, part: string): (ArchiveCheckpoint & { run: number }) | undefined {
    const row = this.#do("checkpointOf").get(cid, part);
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

  /** Everything that was written stands. */
  flush(): void {
    const { db, folder } = this.#archive;
    if (db.isTransaction) withArchiveFailure(folder, () => db.exec("COMMIT"));
  }

  /** What `work` writes, with what has gathered before it; none of it stays when the disk refuses it. */
  #together(work: () => void, rows = 1): void {
    const { db, folder } = this.#archive;
    withArchiveFailure(folder, () => {
      if (!db.isTransaction) {
        db.exec("BEGIN IMMEDIATE");
        this.#rows = 0;
      }
      try {
        work();
        this.#rows += rows;
        if (this.#rows >= this.#gather) db.exec("COMMIT");
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        this.#users.clear();
        throw error;
      }
    });
  }

  #mark({ cid, part, cursor, at, done = false }: ArchiveCheckpoint): void {
    this.#do("checkpoint").run(cid, part, cursor ?? null, at ?? null, this.#run, done ? 1 : 0);
    if (done) this.#do("noGap").run(cid, part);
  }

  #user(user: User | null | undefined): void {
    if (!user) return;
    const version = timeKey(user.updated_at);
    const known = this.#users.get(user.id);
    if (known !== undefined && known >= version) return;
    if (this.#users.size >= KNOWN_USERS) this.#users.clear();
    this.#users.set(user.id, version);
    this.#do("user").run(user.id, user.name ?? null, version, JSON.stringify(user));
  }

  #message({ message, reactions, votes = [] }: ReadMessage): void {
    const { id, cid, user, type, text, parent_id, created_at, updated_at } = message;
    this.#user(user);
    for (const one of message.mentioned_users ?? []) this.#user(one);
    this.#do("message").run(
      id,
      cid,
      parent_id ?? null,
      user.id,
      type,
      text ?? "",
      timeKey(created_at),
      timeKey(updated_at),
      this.#run,
      JSON.stringify(message),
    );
    this.#do("noReactions").run(id);
    for (const one of reactions) {
      this.#user(one.user);
      this.#do("reaction").run(id, one.type, one.user_id, JSON.stringify(one));
    }
    if (message.poll) this.#poll(id, message.poll, votes);
    this.#attached(message);
  }

  #poll(message: string, poll: Poll, votes: readonly PollVote[]): void {
    this.#do("poll").run(poll.id, message, JSON.stringify(poll));
    this.#do("noVotes").run(poll.id);
    for (const vote of votes) {
      this.#user(vote.user);
      this.#do("vote").run(vote.id, poll.id, JSON.stringify(vote));
    }
  }

  #attached({ id, attachments = [] }: Message): void {
    for (const [n, one] of attachments.entries()) {
      const url = one.asset_url ?? one.image_url ?? one.thumb_url;
      // A preview of a link is a picture of somebody else's page, not a file that was sent.
      const sent = url !== undefined && one.og_scrape_url === undefined && one.type !== "giphy";
      const name = one.title ?? one.fallback ?? null;
      this.#do("attachment").run(
        id,
        n,
        one.type ?? null,
        name,
        url ?? null,
        sent ? this.#attachments : "link",
      );
    }
    this.#do("fewerAttachments").run(id, attachments.length);
  }
}
