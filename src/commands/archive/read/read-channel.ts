/** Reads one channel into an archive: its data, members and messages, oldest first, with threads. */
import { SEARCH_LIMIT } from "../../../wire/constants.ts";
import type { Channel, ChannelState } from "../../../wire/entities/channel.ts";
import { isNotFound } from "../../../wire/errors.ts";
import type { Message } from "../../../wire/entities/message.ts";
import { FEW_PEOPLE, type MessagePagination } from "../../../wire/entities/query.ts";
import { isFilledText, isObject } from "../../../wire/json-object.ts";
import { receivedAs, unreadItems } from "../../../wire/raw-items.ts";
import { distinctLength, itemName } from "../../../wire/reading.ts";
import { EPOCH, timeToMs } from "../../../wire/time.ts";
import type { ArchiveWriter, ArchiveCheckpoint, MessageWithDetails } from "../../../jobs/archive/writer.ts";
import type { UnreadKind } from "../../../jobs/archive/counts.ts";
import type { ArchiveRun } from "../../../jobs/archive/meta.ts";
import { reasonText } from "../../base/bulk/outcomes.ts";
import type { PageCall, PageSize } from "../../../model/page-size.ts";
import { isFullPage, oldestFirst, PageWalk, straighten } from "../../../model/page-walk.ts";
import { byCursor, repeatedPage } from "../../base/lists/cursor.ts";
import { pathOf } from "../../base/resolve-channel.ts";
import { fetchChannel } from "./channels.ts";
import { inParallel, concernsPartOnly, retryRateLimited, type ReadContext } from "./requests.ts";
import { withIncluded, isComplete, reactionsOf, votesOf } from "./complete-message.ts";

/** Threads and messages completed in parallel. */
const PARALLEL = 4;
const END_OF_TIME = "9999-01-01T00:00:00Z";
/** Milliseconds by which the clocks of provider and machine may differ when replies since the last run are looked for. */
const CLOCK_DIFFERENCE = 5 * 60_000;

type Fetch = (page: MessagePagination & { limit: number }, once: PageCall) => Promise<Message[]>;

/** A page, and how many messages it was asked for. */
interface Page {
  answer: Message[];
  limit: number;
}

/** The place of a message that cannot be read, where that much can be; the next page begins behind it. */
function anchorIn(item: unknown): Pick<Message, "id" | "created_at"> | undefined {
  if (!isObject(item)) return undefined;
  const { id, created_at } = item;
  return isFilledText(id) && isFilledText(created_at) ? { id, created_at } : undefined;
}

interface ReaderDeps extends ReadContext {
  writer: ArchiveWriter;
  run: ArchiveRun;
  /** On a slow line all channels ask for fewer. */
  pageSizes: Record<"messages" | "members", PageSize>;
  /** When the last finished run began: no archived message or reply is newer than what it could see. RFC 3339. */
  lastRunAt?: string | undefined;
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
      const found = await this.#fetchOrMarkGone();
      if (found) {
        this.#deps.writer.channel(found.channel, found.read ?? []);
        this.#keepUnread("read", unreadItems(found.read ?? []));
        this.#keepUnread("channel", [receivedAs(found.channel) ?? []].flat());
        await this.#readPart("members", () => this.#keepOrReadMembers(found));
        await this.#readPart("messages", () => this.#readMessages(found.channel));
      }
      this.#deps.writer.saveCheckpoint({ cid: this.#cid, part: "channel", done: true });
    });
  }

  /** Marks all messages as gone if the provider does not have the channel any more; an archive of it stays unread otherwise. */
  async markIfGone(): Promise<void> {
    try {
      await this.#fetchOrMarkGone();
    } catch (error) {
      if (!concernsPartOnly(error)) throw error;
    }
  }

  /** The channel; undefined if an archived one no longer exists. Its messages are marked then, and also if another one has its id since. */
  async #fetchOrMarkGone(): Promise<ChannelState | undefined> {
    const { run, writer } = this.#deps;
    try {
      const found = await fetchChannel(this.#deps, this.#cid);
      if (run.kind === "update" && writer.isMadeAgain(found.channel))
        writer.markAllGone(this.#cid, END_OF_TIME);
      return found;
    } catch (error) {
      if (run.kind !== "update" || !isNotFound(error)) throw error;
      writer.markAllGone(this.#cid, END_OF_TIME);
      return undefined;
    }
  }

  /** Reads a message with a gap again, with its reactions, votes and thread. */
  async repair(id: string, gap: string): Promise<void> {
    await this.#readPart(gap, () => this.#readWithThread(id, gap));
  }

  async #repairAll(ids: readonly string[]): Promise<void> {
    await inParallel(ids, PARALLEL, (id) => this.repair(id, `message:${id}`));
  }

  /** Reads one message with everything that belongs to it; marks it as gone if the provider does not have it. Of one outside the archive's range, only archived replies. */
  async #readWithThread(id: string, part: string): Promise<void> {
    const { core, writer } = this.#deps;
    const done = { cid: this.#cid, part, done: true };
    try {
      const path = { id };
      const found = await retryRateLimited(this.#deps, () => core.call("getMessage", { path }));
      const { channel: _channel, ...message } = found.message;
      this.#keepUnread("message", [receivedAs(found.message) ?? []].flat());
      if (writer.stateOf(id) === "missing" && !this.#isSelected(message))
        return await this.#repairAll(writer.unseenReplies(id));
      const reactions = await reactionsOf(this.#deps, message);
      const votes = message.poll ? await votesOf(this.#deps, message, message.poll) : [];
      if (this.#hasThread(message)) await this.#readThread(message);
      writer.messages([{ message, reactions, votes }], done, [id]);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      writer.markMessageGone(id);
      writer.saveCheckpoint(done);
    }
  }

  /** Whether a message of the channel is in the range that the archive reads. */
  #isSelected({ created_at }: Message): boolean {
    const { since = EPOCH, until = END_OF_TIME } = this.#deps.run.options;
    const at = timeToMs(created_at);
    return at >= timeToMs(since) && at <= timeToMs(until);
  }

  /** Whether it has replies, or had some that the archive knows. */
  #hasThread({ id, reply_count: count, deleted_reply_count: deleted = 0 }: Message): boolean {
    const { run, writer } = this.#deps;
    return count + deleted > 0 || (run.kind === "update" && writer.hasReplies(id));
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
      // Deleted while it was read: nothing is missing, and the next update marks what is archived.
      if (isNotFound(error) && (run.kind === "update" || /^(?:message|thread):/.test(part)))
        return writer.saveCheckpoint({ cid: this.#cid, part, done: true });
      const after = writer.checkpoint(this.#cid, part)?.cursor;
      const at = new Date(now()).toISOString();
      const reason = reasonText(error);
      writer.gap({ cid: this.#cid, part, reason, at, ...(after === undefined ? {} : { after }) });
    }
  }

  #keepUnread(kind: UnreadKind, items: readonly unknown[]): void {
    this.#deps.onUnread?.(this.#cid, kind, items);
  }

  /** The members that came with the channel, where these are all of them: one call less for most channels. */
  async #keepOrReadMembers({ channel, members }: ChannelState): Promise<void> {
    if (distinctLength(members) < (channel.member_count ?? Infinity)) return this.#readMembers();
    this.#keepUnread("member", unreadItems(members));
    this.#deps.writer.members(this.#cid, members, { cid: this.#cid, part: "members", done: true });
  }

  async #readMembers(): Promise<void> {
    const { core, writer, run, pageSizes } = this.#deps;
    const part = "members";
    const before = writer.checkpoint(this.#cid, part);
    let next = before?.run === run.n ? before.cursor : undefined;
    const list = core.members(this.#cid);
    const walk = new PageWalk(itemName("members"), next);
    do {
      const at = next === undefined ? {} : { next };
      const { answer: page } = await pageSizes.members.ask((limit, once) =>
        retryRateLimited(this.#deps, () => list.page({ ...at, limit, ...once })),
      );
      this.#keepUnread("member", unreadItems(page.items));
      const turn = walk.take(page.items, page.next);
      ({ next } = turn);
      if (turn.isStuck) throw repeatedPage();
      const checkpoint = {
        cid: this.#cid,
        part,
        ...(next === undefined ? { done: true } : { cursor: next }),
      };
      writer.members(this.#cid, page.items, checkpoint);
    } while (next !== undefined);
  }

  async #readMessages(channel: Channel): Promise<void> {
    const { core, writer, run } = this.#deps;
    const path = pathOf(this.#cid);
    const fetch: Fetch = async (messages, once) =>
      (
        await core.call("queryChannel", {
          path,
          body: { state: true, watch: false, ...FEW_PEOPLE, messages },
          ...once,
        })
      ).messages;
    const { from, at } = await this.#startPosition(channel, fetch);
    await this.#readPages(fetch, at, async (page, checkpoint) => {
      const threads = run.options.threads ? page.filter((message) => this.#hasThread(message)) : [];
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
    if (run.kind === "update") {
      writer.markGone(this.#cid, from, run.options.until ?? END_OF_TIME);
      if (channel.truncated_at) writer.markAllGone(this.#cid, channel.truncated_at);
      if (run.options.threads) await this.#readPart("replies", () => this.#readLateReplies(channel, from));
    }
    const last = writer.checkpoint(this.#cid, "messages");
    writer.saveCheckpoint({ ...last, cid: this.#cid, part: "messages", done: true });
  }

  /** Reads the threads of older messages that got replies since the last run, or whose replies are not older than `from`. */
  async #readLateReplies(channel: Channel, from: string): Promise<void> {
    const { writer, lastRunAt = EPOCH } = this.#deps;
    const parents = new Set(writer.unseenParents(this.#cid, from));
    const since = Math.min(timeToMs(from), timeToMs(lastRunAt) - CLOCK_DIFFERENCE);
    if (this.#canSearch(channel))
      for await (const id of this.#parentsOfReplies(new Date(Math.max(since, 0)).toISOString()))
        parents.add(id);
    await this.#repairAll([...parents].filter((id) => writer.stateOf(id) !== "seen"));
    writer.saveCheckpoint({ cid: this.#cid, part: "replies", done: true });
  }

  /** Whether the provider lists the channel's replies by time; where it does not, a search silently finds nothing. */
  #canSearch({ config, own_capabilities: own }: Channel): boolean {
    const isAllowed = this.#deps.core.userId === undefined || (own?.includes("search-messages") ?? true);
    return config?.search !== false && isAllowed;
  }

  async *#parentsOfReplies(since: string): AsyncIterable<string> {
    const query = {
      filter_conditions: { cid: this.#cid },
      // Every id is behind the empty text; whether a parent exists cannot be asked by what is documented.
      message_filter_conditions: { parent_id: { $gt: "" }, created_at: { $gte: since } },
      sort: [{ field: "created_at", direction: 1 as const }],
    };
    const results = byCursor(
      { limit: Infinity },
      SEARCH_LIMIT[1],
      itemName("results"),
      async (page, once) => {
        const found = await retryRateLimited(this.#deps, () =>
          this.#deps.core.call("search", { query: { ...query, ...page }, ...once }),
        );
        return { items: found.results, next: found.next };
      },
    );
    for await (const { message } of results) if (message.parent_id !== undefined) yield message.parent_id;
  }

  /** `from`: where this run started in the channel (for an update, usually `lookBack` before the last message); `at`: where it continues. */
  async #startPosition(channel: Channel, fetch: Fetch): Promise<{ from: string; at: string }> {
    const { writer, run } = this.#deps;
    const { since = EPOCH, lookBack = 0, newest } = run.options;
    const before = writer.checkpoint(this.#cid, "messages");
    const start = writer.checkpoint(this.#cid, "from");
    if (start?.run === run.n) {
      const from = start.at ?? since;
      return { from, at: (before?.run === run.n ? before.at : undefined) ?? from };
    }
    // Where replies cannot be searched for, all messages are asked for their threads.
    const readsAll = before?.at === undefined || (run.options.threads && !this.#canSearch(channel));
    const earliest = !readsAll
      ? new Date(timeToMs(before.at!) - lookBack).toISOString()
      : newest === undefined
        ? since
        : await this.#startOfNewest(fetch, newest);
    const from = timeToMs(earliest) > timeToMs(since) ? earliest : since;
    writer.saveCheckpoint({ cid: this.#cid, part: "from", at: from });
    return { from, at: from };
  }

  /** The time of the first of the newest `count` messages that are no replies. */
  async #startOfNewest(fetch: Fetch, count: number): Promise<string> {
    const { since = EPOCH, until } = this.#deps.run.options;
    const walk = new PageWalk<Message>(itemName("messages"));
    let anchor: MessagePagination = until === undefined ? {} : { created_at_before_or_equal: until };
    let last = until ?? END_OF_TIME;
    for (let missing = count; ;) {
      const { answer: page, limit } = await this.#fetchPage(fetch, anchor, last, missing);
      const { fresh } = walk.take(page);
      const found = fresh.filter((message) => message.parent_id === undefined);
      if (found.length >= missing) return found.at(-missing)!.created_at;
      missing -= found.length;
      if (!isFullPage(page, limit)) return since;
      const [oldest] = fresh;
      if (page.length > 0 && !oldest) throw repeatedPage();
      if (!oldest || timeToMs(oldest.created_at) < timeToMs(since)) return since;
      anchor = { id_lt: oldest.id };
      last = oldest.created_at;
    }
  }

  /** Reads pages forward from a time; the next one is requested while one is written. */
  async #readPages(
    fetch: Fetch,
    from: string,
    store: (page: Message[], checkpoint: ArchiveCheckpoint) => Promise<void>,
    part = "messages",
  ): Promise<void> {
    const { until } = this.#deps.run.options;
    const walk = new PageWalk<Message>(itemName("messages"));
    const inRange = ({ created_at }: Message): boolean =>
      until === undefined || part !== "messages" || timeToMs(created_at) <= timeToMs(until);
    let upcoming = this.#fetchPage(fetch, { created_at_after_or_equal: from }, from);
    for (;;) {
      const { answer: messages, limit } = await upcoming;
      this.#keepUnread("message", unreadItems(messages));
      const lastOf = (fresh: readonly Message[]) =>
        fresh.at(-1) ?? messages.at(-1) ?? anchorIn(unreadItems(messages).at(-1));
      const turn = walk.take(messages, (fresh) =>
        isFullPage(messages, limit) ? lastOf(fresh)?.id : undefined,
      );
      if (turn.isStuck) throw repeatedPage();
      const last = lastOf(turn.fresh);
      const page = turn.fresh.filter(inRange);
      const hasMore = last !== undefined && turn.next !== undefined && page.length === turn.fresh.length;
      if (hasMore) {
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

  /** The page after or before a message, or its time if the message has been deleted meanwhile. */
  async #fetchPage(fetch: Fetch, anchor: MessagePagination, at: string, needed = Infinity): Promise<Page> {
    const page = (position: MessagePagination): Promise<Page> =>
      this.#deps.pageSizes.messages.ask(
        async (limit, once) => {
          const messages = await retryRateLimited(this.#deps, () => fetch({ limit, ...position }, once));
          straighten(messages, oldestFirst);
          return messages;
        },
        { needed },
      );
    try {
      return await page(anchor);
    } catch (error) {
      const { status } = error as { status?: number };
      const isById = anchor.id_gt !== undefined || anchor.id_lt !== undefined;
      if (!isById || (status !== 400 && status !== 404)) throw error;
      const byTime = anchor.id_gt === undefined ? "created_at_before_or_equal" : "created_at_after_or_equal";
      return page({ [byTime]: at });
    }
  }

  async #readThread(parent: Message): Promise<void> {
    const { core, writer, run } = this.#deps;
    const part = `thread:${parent.id}`;
    const before = writer.checkpoint(this.#cid, part);
    const path = { parent_id: parent.id };
    const fetch: Fetch = async (query, once) =>
      (await core.call("getReplies", { path, query, ...once })).messages;
    const from = before?.run === run.n ? (before.at ?? EPOCH) : EPOCH;
    await this.#readPages(
      fetch,
      from,
      async (page, checkpoint) => writer.messages(await this.#completeAll(page), checkpoint),
      part,
    );
    if (run.kind === "update") writer.markRepliesGone(parent.id);
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
      if (message.poll) completed.votes = await votesOf(this.#deps, message, message.poll);
    });
    return completed;
  }
}
