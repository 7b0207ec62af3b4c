/** The state of the search: the typed line, the results, and the selected one. */
import type { SearchSource } from "../../core/lists/search.ts";
import type { SearchIds, SearchQuery } from "../../model/search-query.ts";
import { createEditor, type EditorState } from "../editor/state.ts";

export const SEARCH = "search";

export interface SearchState {
  readonly editor: EditorState;
  /** The parsed line. */
  readonly query: SearchQuery;
  readonly narrowed: SearchIds;
  /** The parts of the line that cannot be parsed; while there are any, nothing is searched. */
  readonly faults: readonly string[];
  /** The state of core's search list. */
  readonly found: ReturnType<SearchSource["state"]>;
  /** Key of the selected line; absent = the first message, else the first line. */
  readonly selected?: string;
  /** Recent searches, newest first. */
  readonly recent: readonly string[];
}

const EMPTY_QUERY: SearchQuery = { words: "", from: [], in: [], has: [], is: [], sort: "newest", faults: [] };

export const EMPTY_SEARCH: SearchState = {
  editor: createEditor(),
  query: EMPTY_QUERY,
  narrowed: { users: [], cids: [] },
  faults: [],
  found: { query: "", results: [], loading: false },
  recent: [],
};

/** Applies a change to the search; a new query clears the selection. */
export function withSearch<S extends { search: SearchState }>(screen: S, change: Partial<SearchState>): S {
  const { selected, ...rest } = { ...screen.search, ...change };
  const isNewQuery = change.query !== undefined;
  return { ...screen, search: selected === undefined || isNewQuery ? rest : { ...rest, selected } };
}
