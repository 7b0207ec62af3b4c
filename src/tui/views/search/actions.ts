/** Actions of the search: typing, moving through results, and opening one. */
import { words } from "../../../text/words.ts";
import { edit, insert } from "../../editor/edits.ts";
import { lineActions } from "../../editor/line-actions.ts";
import { createEditor, type EditorState } from "../../editor/state.ts";
import { openChannel, openDirect } from "../../navigation/open-channel.ts";
import { withFocus, panelPopped, panelPushed } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { withSearch } from "../../screen/search.ts";
import { isSearching, topPanel } from "../../screen/screen.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { goToMessage, jumpWithReturn } from "../messages/jump.ts";
import { isSelectableLine, selectedResult, foundLines, type SelectableLine } from "./lines.ts";

type SearchPorts = Pick<Ports, "store" | "finder">;

/** Opens the search panel with its text selected, so that typing replaces it; `text` starts a search. */
export function openSearch({ store, finder }: SearchPorts, text?: string): void {
  store.update((s) => {
    const below = { ...s, panels: s.panels.filter(({ kind }) => kind !== "search") };
    return withFocus(topPanel(s)?.kind === "search" ? s : panelPushed(below, { kind: "search" }), "panel");
  });
  if (text !== undefined) finder.setEditor(createEditor(text));
  else finder.setEditor(edit(store.screen.search.editor, "selectAll"));
}

/** Inserts the first line of typed or pasted text. */
export function searchTyped({ store, finder }: SearchPorts, text: string): void {
  const line = text.split(/[\r\n]/)[0] ?? "";
  if (line !== "") finder.setEditor(insert(store.screen.search.editor, line));
}

const editLine = ({ store, finder }: SearchPorts, to: (editor: EditorState) => EditorState): void =>
  finder.setEditor(to(store.screen.search.editor));

/** Ctrl-C: clears the line; an empty one closes the panel. */
function clearOrClose(ports: SearchPorts): void {
  if (ports.store.screen.search.editor.text === "") ports.store.update(panelPopped);
  else editLine(ports, (editor) => edit(editor, "killAll"));
}

/** Composer actions that also work in the search line. */
const SEARCH_EDITS = {
  ...lineActions(editLine),
  yank: (ports) => editLine(ports, (editor) => edit(editor, "yank")),
  clear: clearOrClose,
} satisfies Record<string, (ports: SearchPorts) => void>;

/** Combines the actions: each applies to the search line if it is focused, else to the composer. */
export function inFocusedLine<T extends Record<keyof typeof SEARCH_EDITS, Action>>(box: T): T {
  const names = Object.keys(SEARCH_EDITS) as (keyof typeof SEARCH_EDITS)[];
  const either = names.map((name): [string, Action] => [
    name,
    (ports) => (isSearching(ports.store.screen) ? SEARCH_EDITS[name] : box[name])(ports),
  ]);
  return { ...box, ...Object.fromEntries(either) };
}

/** The next page is loaded when fewer lines than this are left below the selected one. */
const PREFETCH_DISTANCE = 3;

function selectResult({ store, finder }: SearchPorts, key: string, after: number): void {
  store.update((s) => withSearch(s, { selected: key }));
  if (after < PREFETCH_DISTANCE) finder.loadMore();
}

export const searchStep =
  (by: number) =>
  (ports: SearchPorts): void => {
    const { state, screen } = ports.store.get();
    const lines = foundLines(state, screen.search);
    const all = lines.filter(isSelectableLine);
    const chosen = selectedResult(lines, screen.search.selected);
    const at = chosen ? all.indexOf(chosen) + by : by < 0 ? all.length - 1 : 0;
    const next = all[Math.max(0, Math.min(all.length - 1, at))];
    if (next) selectResult(ports, next.key, all.length - 1 - all.indexOf(next));
  };

/** Opens a result. */
export function openResult(ports: Ports, line: SelectableLine): void {
  const { store, finder } = ports;
  if (line.kind === "recent") return finder.setEditor(createEditor(line.text));
  finder.saveRecent();
  store.update((s) => withSearch(s, { selected: line.key }));
  switch (line.kind) {
    case "channel":
      return openChannel(ports, line.cid);
    case "person":
      return attempt(ports, openDirect(ports, [line.id]));
    case "message":
      jumpWithReturn(ports, line.message);
  }
}

function openSelected(ports: Ports): void {
  const { state, screen } = ports.store.get();
  const line = selectedResult(foundLines(state, screen.search), screen.search.selected);
  if (line) openResult(ports, line);
}

/** Goes to the next or previous found message; "back" still returns to the position before the first. */
const goToFound =
  (by: 1 | -1): Action =>
  (ports) => {
    const { store, finder } = ports;
    const { found, selected } = store.screen.search;
    const { results, next } = found;
    if (results.length === 0) return showNotice(ports, words.search.none);
    const at = results.findIndex(({ id }) => id === selected) + by;
    const message = results[at];
    if (!message && by > 0 && next !== undefined) {
      finder.loadMore();
      return showNotice(ports, words.search.loadingMore);
    }
    if (!message) return showNotice(ports, by > 0 ? words.search.last : words.search.first);
    selectResult(ports, message.id, results.length - 1 - at);
    goToMessage(ports, message);
  };

export const searchActions = {
  search: (ports) => openSearch(ports),
  searchOpen: openSelected,
  nextFound: goToFound(1),
  previousFound: goToFound(-1),
} satisfies Record<string, Action>;
