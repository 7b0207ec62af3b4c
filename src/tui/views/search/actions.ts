/** Actions of the search: typing, moving through results, and opening one. */
import { words } from "../../../text/words.ts";
import { edit, insert } from "../../editor/edits.ts";
import { lineActions } from "../../editor/line-actions.ts";
import { createEditor, type EditorState } from "../../editor/state.ts";
import { openChannel, openDirect } from "../../navigation/opening.ts";
import { withFocus, panelPopped, panelPushed } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { withSearch } from "../../screen/search.ts";
import { isSearching, topPanel } from "../../screen/screen.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { goToMessage, jumpWithReturn } from "../messages/jump.ts";
import { canChoose, chosenLine, foundLines, type Chosen } from "./lines.ts";

type Searching = Pick<Ports, "store" | "finder">;

/** Opens the search panel with its text selected, so that typing replaces it; `text` starts a search. */
export function openSearch({ store, finder }: Searching, text?: string): void {
  store.update((s) => {
    const below = { ...s, panels: s.panels.filter(({ kind }) => kind !== "search") };
    return withFocus(topPanel(s)?.kind === "search" ? s : panelPushed(below, { kind: "search" }), "panel");
  });
  if (text !== undefined) finder.setEditor(createEditor(text));
  else finder.setEditor(edit(store.screen.search.editor, "selectAll"));
}

/** Inserts the first line of typed or pasted text. */
export function searchTyped({ store, finder }: Searching, text: string): void {
  const line = text.split(/[\r\n]/)[0] ?? "";
  if (line !== "") finder.setEditor(insert(store.screen.search.editor, line));
}

const change = ({ store, finder }: Searching, to: (editor: EditorState) => EditorState): void =>
  finder.setEditor(to(store.screen.search.editor));

/** Ctrl-C: clears the line; an empty one closes the panel. */
function clearOrClose(ports: Searching): void {
  if (ports.store.screen.search.editor.text === "") ports.store.update(panelPopped);
  else change(ports, (editor) => edit(editor, "killAll"));
}

/** Composer actions that also work in the search line. */
const SEARCH_EDITS = {
  ...lineActions(change),
  yank: (ports) => change(ports, (editor) => edit(editor, "yank")),
  clear: clearOrClose,
} satisfies Record<string, (ports: Searching) => void>;

/** Combines the actions: each applies to the search line if it is focused, else to the composer. */
export function inEitherLine<T extends Record<keyof typeof SEARCH_EDITS, Action>>(box: T): T {
  const names = Object.keys(SEARCH_EDITS) as (keyof typeof SEARCH_EDITS)[];
  const either = names.map((name): [string, Action] => [
    name,
    (ports) => (isSearching(ports.store.screen) ? SEARCH_EDITS[name] : box[name])(ports),
  ]);
  return { ...box, ...Object.fromEntries(either) };
}

/** The next page is loaded when fewer lines than this are left below the selected one. */
const AHEAD = 3;

function choose({ store, finder }: Searching, key: string, after: number): void {
  store.update((s) => withSearch(s, { selected: key }));
  if (after < AHEAD) finder.loadMore();
}

export const searchStep =
  (by: number) =>
  (ports: Searching): void => {
    const { state, screen } = ports.store.get();
    const lines = foundLines(state, screen.search);
    const all = lines.filter(canChoose);
    const chosen = chosenLine(lines, screen.search.selected);
    const at = chosen ? all.indexOf(chosen) + by : by < 0 ? all.length - 1 : 0;
    const next = all[Math.max(0, Math.min(all.length - 1, at))];
    if (next) choose(ports, next.key, all.length - 1 - all.indexOf(next));
  };

/** Opens a result. */
export function openResult(ports: Ports, line: Chosen): void {
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

function open(ports: Ports): void {
  const { state, screen } = ports.store.get();
  const line = chosenLine(foundLines(state, screen.search), screen.search.selected);
  if (line) openResult(ports, line);
}

/** Goes to the next or previous found message; "back" still returns to the position before the first. */
const moveChosen =
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
    choose(ports, message.id, results.length - 1 - at);
    goToMessage(ports, message);
  };

/** Lines per page. */
const PAGE = 5;

export const searchActions = {
  search: (ports) => openSearch(ports),
  searchOpen: open,
  searchDown: searchStep(1),
  searchUp: searchStep(-1),
  searchPageDown: searchStep(PAGE),
  searchPageUp: searchStep(-PAGE),
  nextFound: moveChosen(1),
  previousFound: moveChosen(-1),
} satisfies Record<string, Action>;
