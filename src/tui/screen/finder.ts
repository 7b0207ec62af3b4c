/** Runs the typed search with core's search list and puts the results into the screen state. */
import type { Core } from "../../core/core.ts";
import type { SearchSource } from "../../core/lists/search.ts";
import { searchNames } from "../../model/search-names.ts";
import { requestsOf, localSearch, isEmptySearch, readSearch } from "../../model/search-query.ts";
import type { EditorState } from "../editor/state.ts";
import { withSearch } from "./search.ts";
import type { ScreenStore } from "./store.ts";

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
