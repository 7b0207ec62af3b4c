/** Delivers the messages of channels in order: earlier ones, new ones, and after a reconnect those in between. */
import { pathOf } from "../../../commands/base/resolve-channel.ts";
import { pagesForward, newest } from "../../../commands/base/lists/paginate.ts";
import type { Core } from "../../../core/core.ts";
import { QUERY_MESSAGES_LIMIT } from "../../../wire/constants.ts";
import type { AnyEvent } from "../../../wire/events.ts";
import type { Message } from "../../../wire/entities/message.ts";
import type { ShownChannel } from "./event-text.ts";

/** Is given what is shown, one after the other. */
export type Take = (event: AnyEvent, where: ShownChannel) => Promise<void>;

/** What has been printed of a channel: the newest message's id, and recent ids so that nothing comes twice. */
interface Mark {
  last?: string;
  since: string;
  seen: Set<string>;
}

const REMEMBERED = 2000;
const PAGES = { limit: Infinity };

/** The channels that are followed, and what of them has been printed: nothing twice, nothing left out. */
export class Follower {
  readonly #core: Core;
  readonly #take: Take;
  readonly #threads: boolean;
  readonly #marks = new Map<string, Mark>();
  /** Events wait here while a channel catches up, so that the order of a channel holds. */
  #held: AnyEvent[] | undefined;
  /** Counts the breaks: what was begun before the last one does not end the holding. */
  #breaks = 0;
  #writing: Promise<void> = Promise.resolve();

  /** `threads`: replies, too, under the messages it begins with. */
  constructor(core: Core, take: Take, threads: boolean) {
    this.#core = core;
    this.#take = take;
    this.#threads = threads;
  }

  follow(cid: string, since: string): void {
    if (!this.#marks.has(cid)) this.#marks.set(cid, { since, seen: new Set() });
  }

  follows(cid: string | undefined): boolean {
    return cid !== undefined && this.#marks.has(cid);
  }

  hold(): void {
    this.#breaks++;
    this.#held ??= [];
  }

  /** Messages that were there before: the newest `last`, or all from `since` on. */
  async begin(cid: string, last: number, since: string | undefined): Promise<void> {
    const fetch = this.#fetch(cid);
    const page = { limit: last };
    if (since !== undefined)
      for await (const m of pagesForward(fetch, PAGES, QUERY_MESSAGES_LIMIT[1], { since }))
        await this.#old(m);
    else if (last > 0) for await (const m of newest(fetch, page, QUERY_MESSAGES_LIMIT[1])) await this.#old(m);
  }

  /** A message that was there before, with the replies in its thread. */
  async #old(message: Message): Promise<void> {
    this.#message(message);
    if (!this.#threads || !message.reply_count) return;
    const path = { parent_id: message.id };
    const fetch = async (query: object): Promise<Message[]> =>
      (await this.#core.call("getReplies", { path, query })).messages;
    const since = message.created_at;
    for await (const m of pagesForward(fetch, PAGES, QUERY_MESSAGES_LIMIT[1], { since })) this.#message(m);
  }

  /** Everything after what was printed last; then what was held meanwhile. */
  async catchUp(): Promise<void> {
    this.hold();
    const breaks = this.#breaks;
    for (const [cid, mark] of this.#marks) {
      try {
        await this.#goOn(cid, mark, mark.last);
      } catch (error) {
        const { status } = error as { status?: number };
        if (status !== 400 && status !== 404) throw error;
        // The message that marks the place was deleted for good: go by time.
        await this.#goOn(cid, mark, undefined);
      }
    }
    if (breaks === this.#breaks) this.release();
  }

  async #goOn(cid: string, { since }: Mark, last: string | undefined): Promise<void> {
    const page = last === undefined ? PAGES : { ...PAGES, next: last };
    for await (const m of pagesForward(this.#fetch(cid), page, QUERY_MESSAGES_LIMIT[1], { since }))
      this.#message(m);
  }

  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const event of held) this.event(event);
  }

  event(event: AnyEvent): void {
    if (this.#held) {
      this.#held.push(event);
      return;
    }
    if (event.type === "message.new") this.#message(event.message as Message, event);
    else this.#show(event);
  }

  async drained(): Promise<void> {
    await this.#writing;
  }

  #fetch(cid: string) {
    const path = pathOf(cid);
    return async (messages: object): Promise<Message[]> =>
      (await this.#core.call("queryChannel", { path, body: { state: true, watch: false, messages } }))
        .messages;
  }

  #message(message: Message, event?: AnyEvent): void {
    const mark = this.#marks.get(message.cid);
    if (!mark || mark.seen.has(message.id)) return;
    mark.seen.add(message.id);
    if (mark.seen.size > REMEMBERED) mark.seen.delete(mark.seen.values().next().value!);
    // A reply that is not shown in the channel is no place to go on from.
    if (!message.parent_id || message.show_in_channel) mark.last = message.id;
    mark.since = message.created_at > mark.since ? message.created_at : mark.since;
    this.#show(
      event ?? {
        type: "message.new",
        cid: message.cid,
        created_at: message.created_at,
        user: message.user,
        message,
      },
    );
  }

  #show(event: AnyEvent): void {
    const where = { name: this.#name(event.cid), many: this.#marks.size > 1 };
    this.#writing = this.#writing.then(() => this.#take(event, where));
  }

  #name(cid: string | undefined): string {
    if (cid === undefined) return "";
    const name = this.#core.state().channels.get(cid)?.channel.name;
    return `#${name ?? cid}`;
  }
}
