/** Runs the typed search through core's list, and shows its results. */
import type { Core } from "../../core/core.ts";
import type { SearchSource } from "../../core/lists/search.ts";
import { searchNames } from "../../model/search-names.ts";
import { requestsOf, localSearch, isEmptySearch, readSearch } from "../../model/search-query.ts";
import type { EditorState } from "../editor/state.ts";
import { withSearch } from "./search.ts";
import type { ScreenStore } from "./store.ts";

/** Searches that are kept for the next time. */
const KEPT = 20;

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

  /** A key changed the line, or moved the cursor in it. */
  put(editor: EditorState): void {
    const before = this.#store.screen.search.editor;
    if (editor === before) return;
    this.#store.update((s) => withSearch(s, { editor }), false);
    if (editor.text !== before.text) this.#look();
  }

  /** The next page of what was found; false when there is none or it is on its way. */
  more(): boolean {
    return this.#list?.more() ?? false;
  }

  /** The line has led somewhere: it is offered again. */
  keep(): void {
    const text = this.#store.screen.search.editor.text.trim();
    if (text === "") return;
    const recent = [text, ...this.#store.screen.search.recent.filter((one) => one !== text)].slice(0, KEPT);
    this.#store.update((s) => withSearch(s, { recent }), false);
    this.#core.keep("searches", recent);
  }

  #look(): void {
    const me = this.#core.userId;
    const { state, screen, look } = this.#store.get();
    const query = readSearch(screen.search.editor.text, { now: this.#now(), utc: look.utc });
    const { faults: unknown, ...narrowed } = searchNames(query, state, { me, here: screen.cid });
    const faults = [...query.faults, ...unknown];
    this.#store.update((s) => withSearch(s, { query, narrowed, faults }), false);
    const asked = requestsOf(query, narrowed, me);
    const list = this.#listIn(asked.scope);
    if (faults.length > 0 || isEmptySearch(query)) list.clear();
    else list.type(asked.query, { ...asked.scope, held: localSearch(query, narrowed) });
  }

  /** Core's list, made when something is looked for the first time. */
  #listIn(scope: Parameters<Core["search"]>[0]): SearchSource {
    if (this.#list) return this.#list;
    const list = this.#core.search(scope);
    list.subscribe(() => this.#store.update((s) => withSearch(s, { found: list.state() })));
    return (this.#list = list);
  }
}
