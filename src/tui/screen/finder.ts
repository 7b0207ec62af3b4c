/** Searches while a text is typed: messages with core's search list, and channels the user can join. */
import type { Core } from "../../core/core.ts";
import { channelTopic } from "../../model/channels.ts";
import { fold } from "../../text/fold.ts";
import type { Channel } from "../../wire/entities/channel.ts";
import { SUGGESTION_DEBOUNCE } from "../../wire/constants.ts";
import type { StoreClock, ScreenStore } from "./store.ts";
import type { SearchSource } from "../../core/lists/search.ts";
import { searchNames } from "../../model/search-names.ts";
import { requestsOf, localSearch, isEmptySearch, readSearch } from "../../model/search-query.ts";
import type { EditorState } from "../editor/state.ts";
import { withSearch } from "./search.ts";

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

/** Number of recent searches saved. */
const MAX_RECENT = 20;

export class Finder {
  readonly #core: Core;
  readonly #store: ScreenStore;
  readonly #now: () => number;
  #list: SearchSource | undefined;

  constructor(core: Core, store: ScreenStore, now: () => number) {
    this.#core = core;
    this.#store = store;
    this.#now = now;
  }

  /** Takes a change of the search line or its cursor. */
  setEditor(editor: EditorState): void {
    const before = this.#store.screen.search.editor;
    if (editor === before) return;
    this.#store.update((s) => withSearch(s, { editor }), false);
    if (editor.text !== before.text) this.#run();
  }

  /** Loads the next page of results; false if there is none or it is being loaded. */
  loadMore(): boolean {
    return this.#list?.more() ?? false;
  }

  /** Saves the query among the recent searches. */
  saveRecent(): void {
    const text = this.#store.screen.search.editor.text.trim();
    if (text === "") return;
    const recent = [text, ...this.#store.screen.search.recent.filter((query) => query !== text)].slice(
      0,
      MAX_RECENT,
    );
    this.#store.update((s) => withSearch(s, { recent }), false);
    this.#core.keep("searches", recent);
  }

  #run(): void {
    const me = this.#core.userId;
    const { state, screen, look } = this.#store.get();
    const query = readSearch(screen.search.editor.text, { now: this.#now(), utc: look.utc });
    const { faults: unknownNames, ...narrowed } = searchNames(query, state, { me, here: screen.cid });
    const faults = [...query.faults, ...unknownNames];
    this.#store.update((s) => withSearch(s, { query, narrowed, faults }), false);
    const request = requestsOf(query, narrowed, me);
    const list = this.#listFor(request.scope);
    if (faults.length > 0 || isEmptySearch(query)) list.clear();
    else list.type(request.query, { ...request.scope, held: localSearch(query, narrowed) });
  }

  /** Core's search list, created with the first search. */
  #listFor(scope: Parameters<Core["search"]>[0]): SearchSource {
    if (this.#list) return this.#list;
    const list = this.#core.search(scope);
    list.subscribe(() => this.#store.update((s) => withSearch(s, { found: list.state() })));
    return (this.#list = list);
  }
}
