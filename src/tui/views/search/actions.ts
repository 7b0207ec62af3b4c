/** Actions of the search: moving through results, and opening one. */
import { words } from "../../../text/words.ts";
import { edit } from "../../editor/edits.ts";
import { createEditor } from "../../editor/state.ts";
import { openChannel, openDirect } from "../../navigation/open-channel.ts";
import { withFocus, panelPushed } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { SEARCH, withSearch } from "../../screen/search.ts";
import { topPanelOf } from "../../screen/screen.ts";
import { attempt, showNotice } from "../../screen/notices.ts";
import { goToMessage, jumpWithReturn } from "../messages/jump.ts";
import { isSelectableLine, selectedResult, foundLines, type SelectableLine } from "./lines.ts";

type SearchPorts = Pick<Ports, "store" | "finder">;

/** Opens the search panel with its text selected, so that typing replaces it; `text` starts a search. */
export function openSearch({ store, finder }: SearchPorts, text?: string): void {
  store.update((s) => {
    const below = { ...s, panels: s.panels.filter(({ name }) => name !== SEARCH) };
    return withFocus(topPanelOf(s, SEARCH) ? s : panelPushed(below, { name: SEARCH, key: "" }), "panel");
  });
  if (text !== undefined) finder.setEditor(createEditor(text));
  else finder.setEditor(edit(store.screen.search.editor, "selectAll"));
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

export function openSelected(ports: Ports): void {
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
  nextFound: goToFound(1),
  previousFound: goToFound(-1),
} satisfies Record<string, Action>;
