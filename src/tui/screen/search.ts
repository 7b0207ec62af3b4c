/** The state of the search: the typed line, results, and the chosen one. */
import type { SearchSource } from "../../core/lists/search.ts";
import type { SearchIds, SearchQuery } from "../../model/search-query.ts";
import { createEditor, type EditorState } from "../editor/state.ts";

export interface SearchState {
  readonly editor: EditorState;
  /** The line as it was read. */
  readonly query: SearchQuery;
  readonly narrowed: SearchIds;
  /** Why nothing is looked for: what of the line cannot be understood. */
  readonly faults: readonly string[];
  /** Core's list as it is now. */
  readonly found: ReturnType<SearchSource["state"]>;
  /** Key of the chosen line; absent = the first message, else the first line. */
  readonly selected?: string;
  /** What was searched for before, newest first. */
  readonly recent: readonly string[];
}

const NOTHING: SearchQuery = { words: "", from: [], in: [], has: [], is: [], sort: "best", faults: [] };

export const EMPTY_SEARCH: SearchState = {
  editor: createEditor(),
  query: NOTHING,
  narrowed: { users: [], cids: [] },
  faults: [],
  found: { query: "", results: [], loading: false },
  recent: [],
};

/** The search after a change; what was chosen is forgotten where the line is another. */
export function withSearch<S extends { search: SearchState }>(screen: S, change: Partial<SearchState>): S {
  const { selected, ...rest } = { ...screen.search, ...change };
  const other = change.query !== undefined;
  return { ...screen, search: selected === undefined || other ? rest : { ...rest, selected } };
}
