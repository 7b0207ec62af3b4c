/** Reads one channel into an archive: its data, members and messages, oldest first, with threads. */
import { QUERY_MEMBERS_LIMIT, QUERY_MESSAGES_LIMIT } from "../../../wire/constants.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { MessagePagination } from "../../../wire/entities/query.ts";
import { EPOCH, timeToMs } from "../../../wire/time.ts";
import type { ArchiveWriter, ArchiveCheckpoint, MessageWithDetails } from "../../../jobs/archive/writer.ts";
import type { ArchiveRun } from "../../../jobs/archive/meta.ts";
import { reasonText } from "../../base/bulk/outcomes.ts";
import { freshCursors } from "../../base/lists/fresh-pages.ts";
import { pathOf } from "../../base/resolve-channel.ts";
import { fetchChannel } from "./channels.ts";
import { inParallel, concernsPartOnly, retryRateLimited, type ReadContext } from "./requests.ts";
import { withIncluded, isComplete, reactionsOf, votesOf } from "./complete-message.ts";

const PAGE = QUERY_MESSAGES_LIMIT[1];
/** Threads and messages completed in parallel. */
const PARALLEL = 4;

type Fetch = (page: MessagePagination) => Promise<Message[]>;

interface ReaderDeps extends ReadContext {
  writer: ArchiveWriter;
  run: ArchiveRun;
  /** Called with the number of messages just read. */
  onMessages(messages: number): void;
}

export class ChannelReader {
  readonly #deps: ReaderDeps;
  readonly #cid: string;

  constructor(deps: ReaderDeps, cid: string) {
    this.#deps = deps;
    this.#cid = cid;
  }

  /** Parts the provider refuses become gaps. Throws errors that concern all channels. */
  async read(): Promise<void> {
    await this.#readPart("channel", async () => {
      const { channel, read = [] } = await fetchChannel(this.#deps, this.#cid);
      this.#deps.writer.channel(channel, read);
      await this.#readPart("members", () => this.#readMembers());
      await this.#readPart("messages", () => this.#readMessages());
      this.#deps.writer.saveCheckpoint({ cid: this.#cid, part: "channel", done: true });
    });
  }

  /** Reads a message with a gap again, with its reactions, votes and thread. */
  async repair(id: string, gap: string): Promise<void> {
    await this.#readPart(gap, async () => {
      const { core, writer } = this.#deps;
      const { message } = await retryRateLimited(this.#deps, () => core.call("getMessage", { path: { id } }));
      const reactions = await reactionsOf(this.#deps, message);
      const votes = message.poll ? await votesOf(this.#deps, message.poll) : [];
      if (message.reply_count > 0) await this.#readThread(message);
      writer.messages([{ message, reactions, votes }], { cid: this.#cid, part: gap, done: true });
    });
  }

  async #readPart(part: string, work: () => Promise<void>): Promise<void> {
    const { writer, run, signal, now } = this.#deps;
    signal.throwIfAborted();
    const before = writer.checkpoint(this.#cid, part);
    if (before?.done && before.run === run.n) return;
    try {
      await work();
    } catch (error) {
      if (!concernsPartOnly(error)) throw error;
      const after = writer.checkpoint(this.#cid, part)?.cursor;
      const at = new Date(now()).toISOString();
      const reason = reasonText(error);
      writer.gap({ cid: this.#cid, part, reason, at, ...(after === undefined ? {} : { after }) });
    }
  }

  async #readMembers(): Promise<void> {
    const { core, writer, run } = this.#deps;
    const part = "members";
    const before = writer.checkpoint(this.#cid, part);
    let next = before?.run === run.n ? before.cursor : undefined;
    const list = core.members(this.#cid);
    const checkFresh = freshCursors();
    do {
      const at = { limit: QUERY_MEMBERS_LIMIT[1], ...(next === undefined ? {} : { next }) };
      const page = await retryRateLimited(this.#deps, () => list.page(at));
      ({ next } = page);
      if (next !== undefined) checkFresh(next);
      const checkpoint = {
        cid: this.#cid,
        part,
        ...(next === undefined ? { done: true } : { cursor: next }),
      };
      writer.members(this.#cid, page.items, checkpoint);
    } while (next !== undefined);
  }

  async #readMessages(): Promise<void> {
    const { core, writer, run, now } = this.#deps;
    const path = pathOf(this.#cid);
    const fetch: Fetch = async (messages) =>
      (await core.call("queryChannel", { path, body: { state: true, watch: false, messages } })).messages;
    const { from, at } = this.#startPosition();
    await this.#readPages(fetch, at, async (page, checkpoint) => {
      const threads = run.options.threads ? page.filter(({ reply_count }) => reply_count > 0) : [];
      const completed = await this.#completeAll(page);
      await inParallel(threads, PARALLEL, (parent) =>
        this.#readPart(`thread:${parent.id}`, () => this.#readThread(parent)),
      );
      writer.messages(
        completed,
        checkpoint,
        threads.map(({ id }) => id),
      );
    });
    const today = new Date(now()).toISOString();
    if (run.kind === "update")
      writer.markGone(this.#cid, from, run.options.until ?? "9999-01-01T00:00:00Z", today);
    const last = writer.checkpoint(this.#cid, "messages");
    writer.saveCheckpoint({ ...last, cid: this.#cid, part: "messages", done: true });
  }

  /** `from`: where this run started in the channel (for an update, `lookBack` before the last message); `at`: where it continues. */
  #startPosition(): { from: string; at: string } {
    const { writer, run } = this.#deps;
    const { since = EPOCH, lookBack = 0 } = run.options;
    const before = writer.checkpoint(this.#cid, "messages");
    const start = writer.checkpoint(this.#cid, "from");
    if (start?.run === run.n) {
      const from = start.at ?? since;
      return { from, at: (before?.run === run.n ? before.at : undefined) ?? from };
    }
    const earliest =
      before?.at === undefined ? since : new Date(timeToMs(before.at) - lookBack).toISOString();
    const from = timeToMs(earliest) > timeToMs(since) ? earliest : since;
    writer.saveCheckpoint({ cid: this.#cid, part: "from", at: from });
    return { from, at: from };
  }

  /** Reads pages forward from a time; the next one is requested while one is written. */
  async #readPages(
    fetch: Fetch,
    from: string,
    store: (page: Message[], checkpoint: ArchiveCheckpoint) => Promise<void>,
    part = "messages",
  ): Promise<void> {
    const { until } = this.#deps.run.options;
    const checkFresh = freshCursors();
    const inRange = ({ created_at }: Message): boolean =>
      until === undefined || part !== "messages" || timeToMs(created_at) <= timeToMs(until);
    let upcoming = this.#fetchPage(fetch, { created_at_after_or_equal: from }, from);
    for (;;) {
      const messages = await upcoming;
      const last = messages.at(-1);
      const page = messages.filter(inRange);
      const hasMore = last !== undefined && messages.length >= PAGE && page.length === messages.length;
      if (hasMore) {
        checkFresh(last.id);
        upcoming = this.#fetchPage(fetch, { id_gt: last.id }, last.created_at);
        upcoming.catch(() => {});
      }
      const end = page.at(-1);
      if (end) {
        await store(page, { cid: this.#cid, part, cursor: end.id, at: end.created_at });
        this.#deps.onMessages(page.length);
      }
      if (!hasMore) return;
    }
  }

  /** The page after a message, or after its time if the message has been deleted meanwhile. */
  async #fetchPage(fetch: Fetch, anchor: MessagePagination, at: string): Promise<Message[]> {
    const page = (position: MessagePagination): Promise<Message[]> =>
      retryRateLimited(this.#deps, () => fetch({ limit: PAGE, ...position }));
    try {
      return await page(anchor);
    } catch (error) {
      const { status } = error as { status?: number };
      if (anchor.id_gt === undefined || (status !== 400 && status !== 404)) throw error;
      return page({ created_at_after_or_equal: at });
    }
  }

  async #readThread(parent: Message): Promise<void> {
    const { core, writer, run, now } = this.#deps;
    const part = `thread:${parent.id}`;
    const before = writer.checkpoint(this.#cid, part);
    const path = { parent_id: parent.id };
    const fetch: Fetch = async (query) => (await core.call("getReplies", { path, query })).messages;
    const from = before?.run === run.n ? (before.at ?? EPOCH) : EPOCH;
    await this.#readPages(
      fetch,
      from,
      async (page, checkpoint) => writer.messages(await this.#completeAll(page), checkpoint),
      part,
    );
    if (run.kind === "update") writer.markRepliesGone(parent.id, new Date(now()).toISOString());
    writer.saveCheckpoint({ cid: this.#cid, part, done: true });
  }

  async #completeAll(page: readonly Message[]): Promise<MessageWithDetails[]> {
    const completed = page.map(withIncluded);
    const incomplete = [...completed.entries()].filter(([, { message }]) => !isComplete(message));
    await inParallel(incomplete, PARALLEL, async ([n, { message }]) => {
      completed[n] = await this.#complete(message);
    });
    return completed;
  }

  /** If loading reactions or votes is refused, those included in the message are used. */
  async #complete(message: Message): Promise<MessageWithDetails> {
    const completed = withIncluded(message);
    await this.#readPart(`message:${message.id}`, async () => {
      completed.reactions = await reactionsOf(this.#deps, message);
      if (message.poll) completed.votes = await votesOf(this.#deps, message.poll);
    });
    return completed;
  }
}
