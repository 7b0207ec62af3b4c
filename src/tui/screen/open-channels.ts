/** Searches channels that could be joined while a name is typed. */
import type { Core } from "../../core/core.ts";
import { fold } from "../../model/matching.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import { SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { StoreClock } from "./store.ts";

export interface OpenChannel {
  cid: string;
  title: string;
  topic: string;
  /** How many are in it; undefined where the provider does not say. */
  members: number | undefined;
}

function read(channel: Channel): OpenChannel {
  const { cid, id, name, member_count: members } = channel;
  const { topic } = channel as { topic?: unknown };
  return { cid, title: `#${name || id}`, topic: typeof topic === "string" ? topic : "", members };
}

/** How many are asked for at once: as many as a list shows without scrolling, and some more. */
const PAGE = 30;

/** Words whose answers are kept. */
const KEPT = 50;

export class OpenChannels {
  readonly #core: Pick<Core, "call">;
  readonly #pace: StoreClock;
  readonly #listeners: (() => void)[] = [];
  /** By what was asked for. */
  readonly #found = new Map<string, readonly OpenChannel[]>();
  #timer: unknown;
  #asked: string | undefined;

  constructor(core: Pick<Core, "call">, pace: StoreClock) {
    this.#core = core;
    this.#pace = pace;
  }

  /** Told when an answer is there. */
  subscribe(came: () => void): void {
    this.#listeners.push(came);
  }

  /** What is known for a word by now; what is not is asked for. */
  for(word: string): readonly OpenChannel[] {
    const query = fold(word);
    const found = this.#found.get(query);
    if (found === undefined && this.#asked !== query) this.#ask(query);
    return found ?? [];
  }

  /** Nothing is waited for any more. */
  rest(): void {
    this.#pace.clearTimeout(this.#timer);
    this.#asked = undefined;
  }

  #ask(query: string): void {
    this.rest();
    this.#asked = query;
    this.#timer = this.#pace.setTimeout(() => void this.#look(query), SUGGESTION_DEBOUNCE);
  }

  /** Suggestions that do not come are none. */
  async #look(query: string): Promise<void> {
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
    const titled = channels.flatMap(({ channel }) => (channel === undefined ? [] : [read(channel)]));
    if (this.#found.size >= KEPT) this.#found.clear();
    this.#found.set(query, titled);
    if (this.#asked !== query) return;
    this.#asked = undefined;
    for (const came of this.#listeners) came();
  }
}
