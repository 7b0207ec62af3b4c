/** Searches for channels the user can join while a name is typed. */
import type { Core } from "../../core/core.ts";
import { channelTopic } from "../../model/channels.ts";
import { fold } from "../../text/fold.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import { SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { StoreClock } from "./store.ts";

export interface JoinableChannel {
  cid: string;
  title: string;
  topic: string;
  /** Number of members, if the provider sends it. */
  members: number | undefined;
}

function summaryOf(channel: Channel): JoinableChannel {
  const { cid, id, name, member_count: members } = channel;
  return { cid, title: `#${name || id}`, topic: channelTopic(channel), members };
}

/** Page size: somewhat more than a list shows without scrolling. */
const PAGE = 30;

/** Number of queries whose results are cached. */
const CACHE_SIZE = 50;

export class JoinableChannels {
  readonly #core: Pick<Core, "call">;
  readonly #clock: StoreClock;
  readonly #listeners: (() => void)[] = [];
  /** Results by query. */
  readonly #results = new Map<string, readonly JoinableChannel[]>();
  #timer: unknown;
  #pending: string | undefined;

  constructor(core: Pick<Core, "call">, clock: StoreClock) {
    this.#core = core;
    this.#clock = clock;
  }

  /** `onResults` is called when results arrive. */
  subscribe(onResults: () => void): void {
    this.#listeners.push(onResults);
  }

  /** The cached channels for a word; requests them if there are none yet. */
  search(word: string): readonly JoinableChannel[] {
    const query = fold(word);
    const results = this.#results.get(query);
    if (results === undefined && this.#pending !== query) this.#schedule(query);
    return results ?? [];
  }

  /** Cancels the pending request. */
  cancel(): void {
    this.#clock.clearTimeout(this.#timer);
    this.#pending = undefined;
  }

  #schedule(query: string): void {
    this.cancel();
    this.#pending = query;
    this.#timer = this.#clock.setTimeout(() => void this.#request(query), SUGGESTION_DEBOUNCE);
  }

  /** A failed request counts as an empty result. */
  async #request(query: string): Promise<void> {
    const nameFilter =
      query === "" ? {} : { $or: [{ name: { $autocomplete: query } }, { id: { $eq: query } }] };
    const body = {
      filter_conditions: { joined: false, ...nameFilter },
      sort: [{ field: "last_message_at", direction: -1 as const }],
      state: false,
      limit: PAGE,
    };
    const { channels = [] } = await this.#core
      .call("queryChannels", { body })
      .catch(() => ({ channels: [] }));
    const results = channels.flatMap(({ channel }) => (channel === undefined ? [] : [summaryOf(channel)]));
    if (this.#results.size >= CACHE_SIZE) this.#results.clear();
    this.#results.set(query, results);
    if (this.#pending !== query) return;
    this.#pending = undefined;
    for (const listener of this.#listeners) listener();
  }
}
