/** Delivers the messages of channels in order: existing ones, new ones, and after a reconnect the missed ones. */
import type { PageCall } from "../../../model/page-size.ts";
import type { State } from "../../../model/state.ts";
import { pathOf } from "../../../commands/base/resolve-channel.ts";
import { pagesForward, newest } from "../../../commands/base/lists/paginate.ts";
import type { Core } from "../../../core/core.ts";
import { QUERY_MESSAGES_LIMIT } from "../../../wire/constants.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { ChannelLabel } from "./event-text.ts";

/** Called for each event to print; the calls do not overlap. */
export type HandleEvent = (event: AnyEvent, label: ChannelLabel, state: State) => Promise<void>;

/** What has been printed of a channel: the newest message's id, and recent ids to detect duplicates. */
interface ChannelProgress {
  last?: string;
  since: string;
  seen: Set<string>;
}

const MAX_SEEN = 2000;
const PAGES = { limit: Infinity };

export class Follower {
  readonly #core: Core;
  readonly #handle: HandleEvent;
  readonly #threads: boolean;
  readonly #channels = new Map<string, ChannelProgress>();
  /** Events that wait while channels catch up, to preserve their order. */
  #queued: AnyEvent[] | undefined;
  /** Counts interruptions: a catch-up that began before the latest one must not release the queue. */
  #interruptions = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `threads`: also deliver the replies to existing messages. */
  constructor(core: Core, handle: HandleEvent, threads: boolean) {
    this.#core = core;
    this.#handle = handle;
    this.#threads = threads;
  }

  follow(cid: string, since: string): void {
    if (!this.#channels.has(cid)) this.#channels.set(cid, { since, seen: new Set() });
  }

  get size(): number {
    return this.#channels.size;
  }

  follows(cid: string | undefined): boolean {
    return cid !== undefined && this.#channels.has(cid);
  }

  /** Queues events until `catchUp` or `release`. */
  hold(): void {
    this.#interruptions++;
    this.#queued ??= [];
  }

  /** Delivers existing messages: the newest `last`, or all from `since` on. */
  async printHistory(cid: string, last: number, since: string | undefined): Promise<void> {
    const fetch = this.#fetch(cid);
    const page = { limit: last };
    if (since !== undefined)
      for await (const m of pagesForward(fetch, PAGES, QUERY_MESSAGES_LIMIT[1], { since }))
        await this.#printWithReplies(m);
    else if (last > 0)
      for await (const m of newest(fetch, page, QUERY_MESSAGES_LIMIT[1])) await this.#printWithReplies(m);
  }

  async #printWithReplies(message: Message): Promise<void> {
    this.#printMessage(message);
    if (!this.#threads || !message.reply_count) return;
    const path = { parent_id: message.id };
    const fetch = async (query: object, once: PageCall): Promise<Message[]> =>
      (await this.#core.call("getReplies", { path, query, ...once })).messages;
    const since = message.created_at;
    for await (const m of pagesForward(fetch, PAGES, QUERY_MESSAGES_LIMIT[1], { since }))
      this.#printMessage(m);
  }

  /** Delivers everything after the last printed message, then the queued events. */
  async catchUp(): Promise<void> {
    this.hold();
    const breaks = this.#interruptions;
    for (const [cid, mark] of this.#channels) {
      try {
        await this.#printAfter(cid, mark, mark.last);
      } catch (error) {
        const { status } = error as { status?: number };
        if (status !== 400 && status !== 404) throw error;
        // The last printed message was hard-deleted: continue by time instead.
        await this.#printAfter(cid, mark, undefined);
      }
    }
    if (breaks === this.#interruptions) this.release();
  }

  async #printAfter(cid: string, { since }: ChannelProgress, last: string | undefined): Promise<void> {
    const page = last === undefined ? PAGES : { ...PAGES, next: last };
    for await (const m of pagesForward(this.#fetch(cid), page, QUERY_MESSAGES_LIMIT[1], { since }))
      this.#printMessage(m);
  }

  release(): void {
    const events = this.#queued ?? [];
    this.#queued = undefined;
    for (const event of events) this.event(event);
  }

  event(event: AnyEvent): void {
    if (this.#queued) {
      this.#queued.push(event);
      return;
    }
    if (event.type === "message.new") this.#printMessage(event.message as Message, event);
    else this.#print(event);
  }

  async drained(): Promise<void> {
    await this.#writing;
  }

  #fetch(cid: string) {
    const path = pathOf(cid);
    return async (messages: object, once: PageCall): Promise<Message[]> =>
      (
        await this.#core.call("queryChannel", {
          path,
          body: { state: true, watch: false, messages },
          ...once,
        })
      ).messages;
  }

  #printMessage(message: Message, event?: AnyEvent): void {
    const mark = this.#channels.get(message.cid);
    if (!mark || mark.seen.has(message.id)) return;
    mark.seen.add(message.id);
    if (mark.seen.size > MAX_SEEN) mark.seen.delete(mark.seen.values().next().value!);
    // A reply that is not shown in the channel cannot be used as a cursor of the channel.
    if (!message.parent_id || message.show_in_channel) mark.last = message.id;
    mark.since = message.created_at > mark.since ? message.created_at : mark.since;
    this.#print(
      event ?? {
        type: "message.new",
        cid: message.cid,
        created_at: message.created_at,
        user: message.user,
        message,
      },
    );
  }

  #print(event: AnyEvent): void {
    const label = { name: this.#name(event.cid), hasOthers: this.#channels.size > 1 };
    this.#writing = this.#writing.then(() => this.#handle(event, label, this.#core.state()));
  }

  #name(cid: string | undefined): string {
    if (cid === undefined) return "";
    const name = this.#core.state().channels.get(cid)?.channel.name;
    return `#${name ?? cid}`;
  }
}
