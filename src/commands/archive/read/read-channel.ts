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
import { lookUp } from "./channels.ts";
import { inParallel, isRefusedHere, retryRateLimited, type ReadContext } from "./requests.ts";
import { completeMessage, isComplete, reactionsOf, votesOf } from "./complete-message.ts";

const PAGE = QUERY_MESSAGES_LIMIT[1];
/** Threads and messages completed in parallel. */
const WIDTH = 4;

type Fetch = (page: MessagePagination) => Promise<Message[]>;

interface ReaderDeps extends ReadContext {
  writer: ArchiveWriter;
  run: ArchiveRun;
  /** Called with the number of messages just read. */
  counted(messages: number): void;
}

export class ChannelReader {
  readonly #with: ReaderDeps;
  readonly #cid: string;

  constructor(deps: ReaderDeps, cid: string) {
    this.#with = deps;
    this.#cid = cid;
  }

  /** Parts the provider refuses become gaps. Throws errors that concern all channels. */
  async read(): Promise<void> {
    await this.#part("channel", async () => {
      const { channel, read = [] } = await lookUp(this.#with, this.#cid);
      this.#with.writer.channel(channel, read);
      await this.#part("members", () => this.#members());
      await this.#part("messages", () => this.#messages());
      this.#with.writer.saveCheckpoint({ cid: this.#cid, part: "channel", done: true });
    });
  }

  /** Reads a message with a gap again, with its reactions, votes and thread. */
  async repair(id: string, gap: string): Promise<void> {
    await this.#part(gap, async () => {
      const { core, writer } = this.#with;
      const { message } = await retryRateLimited(this.#with, () => core.call("getMessage", { path: { id } }));
      const reactions = await reactionsOf(this.#with, message);
      const votes = message.poll ? await votesOf(this.#with, message.poll) : [];
      if (message.reply_count > 0) await this.#thread(message);
      writer.messages([{ message, reactions, votes }], { cid: this.#cid, part: gap, done: true });
    });
  }

  async #part(part: string, work: () => Promise<void>): Promise<void> {
    const { writer, run, signal, now } = this.#with;
    signal.throwIfAborted();
    const before = writer.checkpoint(this.#cid, part);
    if (before?.done && before.run === run.n) return;
    try {
      await work();
    } catch (error) {
      if (!isRefusedHere(error)) throw error;
      const after = writer.checkpoint(this.#cid, part)?.cursor;
      const at = new Date(now()).toISOString();
      const reason = reasonText(error);
      writer.gap({ cid: this.#cid, part, reason, at, ...(after === undefined ? {} : { after }) });
    }
  }

  async #members(): Promise<void> {
    const { core, writer, run } = this.#with;
    const part = "members";
    const before = writer.checkpoint(this.#cid, part);
    let next = before?.run === run.n ? before.cursor : undefined;
    const list = core.members(this.#cid);
    const fresh = freshCursors();
    do {
      const at = { limit: QUERY_MEMBERS_LIMIT[1], ...(next === undefined ? {} : { next }) };
      const page = await retryRateLimited(this.#with, () => list.page(at));
      ({ next } = page);
      if (next !== undefined) fresh(next);
      const checkpoint = {
        cid: this.#cid,
        part,
        ...(next === undefined ? { done: true } : { cursor: next }),
      };
      writer.members(this.#cid, page.items, checkpoint);
    } while (next !== undefined);
  }

  async #messages(): Promise<void> {
    const { core, writer, run, now } = this.#with;
    const path = pathOf(this.#cid);
    const fetch: Fetch = async (messages) =>
      (await core.call("queryChannel", { path, body: { state: true, watch: false, messages } })).messages;
    const { from, at } = this.#begin();
    await this.#pages(fetch, at, async (page, checkpoint) => {
      const threads = run.options.threads ? page.filter(({ reply_count }) => reply_count > 0) : [];
      const whole = await this.#allWhole(page);
      await inParallel(threads, WIDTH, (parent) =>
        this.#part(`thread:${parent.id}`, () => this.#thread(parent)),
      );
      writer.messages(
        whole,
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
  #begin(): { from: string; at: string } {
    const { writer, run } = this.#with;
    const { since = EPOCH, lookBack = 0 } = run.options;
    const before = writer.checkpoint(this.#cid, "messages");
    const begun = writer.checkpoint(this.#cid, "from");
    if (begun?.run === run.n) {
      const from = begun.at ?? since;
      return { from, at: (before?.run === run.n ? before.at : undefined) ?? from };
    }
    const back = before?.at === undefined ? since : new Date(timeToMs(before.at) - lookBack).toISOString();
    const from = timeToMs(back) > timeToMs(since) ? back : since;
    writer.saveCheckpoint({ cid: this.#cid, part: "from", at: from });
    return { from, at: from };
  }

  /** Reads pages forward from a time; the next one is requested while one is written. */
  async #pages(
    fetch: Fetch,
    from: string,
    take: (page: Message[], checkpoint: ArchiveCheckpoint) => Promise<void>,
    part = "messages",
  ): Promise<void> {
    const { until } = this.#with.run.options;
    const fresh = freshCursors();
    const inRange = ({ created_at }: Message): boolean =>
      until === undefined || part !== "messages" || timeToMs(created_at) <= timeToMs(until);
    let coming = this.#fetched(fetch, { created_at_after_or_equal: from }, from);
    for (;;) {
      const got = await coming;
      const last = got.at(-1);
      const page = got.filter(inRange);
      const more = last !== undefined && got.length >= PAGE && page.length === got.length;
      if (more) {
        fresh(last.id);
        coming = this.#fetched(fetch, { id_gt: last.id }, last.created_at);
        coming.catch(() => {});
      }
      const end = page.at(-1);
      if (end) {
        await take(page, { cid: this.#cid, part, cursor: end.id, at: end.created_at });
        this.#with.counted(page.length);
      }
      if (!more) return;
    }
  }

  /** The page after a message, or after its time if the message has been deleted meanwhile. */
  async #fetched(fetch: Fetch, anchor: MessagePagination, at: string): Promise<Message[]> {
    const page = (where: MessagePagination): Promise<Message[]> =>
      retryRateLimited(this.#with, () => fetch({ limit: PAGE, ...where }));
    try {
      return await page(anchor);
    } catch (error) {
      const { status } = error as { status?: number };
      if (anchor.id_gt === undefined || (status !== 400 && status !== 404)) throw error;
      return page({ created_at_after_or_equal: at });
    }
  }

  async #thread(parent: Message): Promise<void> {
    const { core, writer, run, now } = this.#with;
    const part = `thread:${parent.id}`;
    const before = writer.checkpoint(this.#cid, part);
    const path = { parent_id: parent.id };
    const fetch: Fetch = async (query) => (await core.call("getReplies", { path, query })).messages;
    const from = before?.run === run.n ? (before.at ?? EPOCH) : EPOCH;
    await this.#pages(
      fetch,
      from,
      async (page, checkpoint) => writer.messages(await this.#allWhole(page), checkpoint),
      part,
    );
    if (run.kind === "update") writer.markRepliesGone(parent.id, new Date(now()).toISOString());
    writer.saveCheckpoint({ cid: this.#cid, part, done: true });
  }

  async #allWhole(page: readonly Message[]): Promise<MessageWithDetails[]> {
    const whole = page.map(completeMessage);
    const rest = [...whole.entries()].filter(([, { message }]) => !isComplete(message));
    await inParallel(rest, WIDTH, async ([n, { message }]) => {
      whole[n] = await this.#whole(message);
    });
    return whole;
  }

  /** If loading reactions or votes is refused, those included in the message are used. */
  async #whole(message: Message): Promise<MessageWithDetails> {
    const whole = completeMessage(message);
    await this.#part(`message:${message.id}`, async () => {
      whole.reactions = await reactionsOf(this.#with, message);
      if (message.poll) whole.votes = await votesOf(this.#with, message.poll);
    });
    return whole;
  }
}
