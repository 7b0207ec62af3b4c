/** Searches for channels the user can join while a name is typed. */
import type { Core } from "../../core/core.ts";
import { channelTopic } from "../../model/channels.ts";
import { fold } from "../../model/matching.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import { SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { StoreClock } from "./store.ts";

export interface OpenChannel {
  cid: string;
  title: string;
  topic: string;
  /** Number of members, if the provider sends it. */
  members: number | undefined;
}

function summaryOf(channel: Channel): OpenChannel {
  const { cid, id, name, member_count: members } = channel;
  return { cid, title: `#${name || id}`, topic: channelTopic(channel), members };
}

/** Page size: somewhat more than a list shows without scrolling. */
const PAGE = 30;

/** Number of queries whose results are cached. */
const CACHE_SIZE = 50;

export class OpenChannels {
  readonly #core: Pick<Core, "call">;
  readonly #pace: StoreClock;
  readonly #listeners: (() => void)[] = [];
  /** Results by query. */
  readonly #found = new Map<string, readonly OpenChannel[]>();
  #timer: unknown;
  #pending: string | undefined;

  constructor(core: Pick<Core, "call">, pace: StoreClock) {
    this.#core = core;
    this.#pace = pace;
  }

  /** `came` is called when results arrive. */
  subscribe(onResults: () => void): void {
    this.#listeners.push(onResults);
  }

  /** The cached channels for a word; requests them if there are none yet. */
  search(word: string): readonly OpenChannel[] {
    const query = fold(word);
    const found = this.#found.get(query);
    if (found === undefined && this.#pending !== query) this.#schedule(query);
    return found ?? [];
  }

  /** Cancels the pending request. */
  cancel(): void {
    this.#pace.clearTimeout(this.#timer);
    this.#pending = undefined;
  }

  #schedule(query: string): void {
    this.cancel();
    this.#pending = query;
    this.#timer = this.#pace.setTimeout(() => void this.#request(query), SUGGESTION_DEBOUNCE);
  }

  /** A failed request counts as an empty result. */
  async #request(query: string): Promise<void> {
    const named = query === "" ? {} : { $or: [{ name: { $autocomplete: query } }, { id: { $eq: query } }] };
    const body = {
      filter_conditions: { joined: false, ...named },
      sort: [{ field: "last_message_at", direction: -1 as const }],
      state: false,
      limit: PAGE,
    };
    const { channels = [] } = await this.#core
      .call("queryChannels", { body })
      .catch(() => ({ channels: [] }));
    const results = channels.flatMap(({ channel }) => (channel === undefined ? [] : [summaryOf(channel)]));
    if (this.#found.size >= CACHE_SIZE) this.#found.clear();
    this.#found.set(query, results);
    if (this.#pending !== query) return;
    this.#pending = undefined;
    for (const came of this.#listeners) came();
  }
}
