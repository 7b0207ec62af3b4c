/** Opens a list, and moves its cursor. */
import { listOpened } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { focusedList, topPanel, type ListName } from "../../screen/screen.ts";
import type { Reads } from "../../screen/store.ts";
import { ENTRY_SLICES, listCursorIndex, entriesOf, loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";

type OpeningListPorts = Pick<Ports, "core" | "store" | "boxes">;

type StorePort = Pick<Ports, "store">;

/** Loads the first page again; the list shows an error by itself. */
export function loadList({ core }: Pick<Ports, "core">, list: ListName): void {
  if (list === "threads") core.threads.load().catch(() => {});
  if (list === "later") core.reminders.load().catch(() => {});
}

/** Opens a list in the panel, with the cursor on its first entry. */
export function openList(ports: OpeningListPorts, list: ListName): void {
  const { store, boxes } = ports;
  const previousParentId = boxes.place?.parentId;
  store.update((screen) => listOpened(screen, list));
  // When the list replaces a thread, the composer belongs to the channel again.
  if (previousParentId !== undefined && boxes.place) boxes.open(boxes.place);
  loadList(ports, list);
}

/** The list that has the focus, its entries, and the one under the cursor. */
export interface ListSelection {
  list: ListName;
  entries: readonly ListEntry[];
  index: number;
  entry: ListEntry | undefined;
}

export function listSelection({ store }: StorePort): ListSelection | undefined {
  const model = store.get();
  const list = focusedList(model.screen);
  if (list === undefined) return undefined;
  const entries = entriesOf(model, list);
  const index = listCursorIndex(model.screen, list, entries);
  return { list, entries, index, entry: entries[index] };
}

/** Moves the cursor to an entry; indexes beyond the ends are clamped. */
export function setCursor({ store }: StorePort, { list, entries }: ListSelection, to: number): void {
  const index = Math.max(0, Math.min(entries.length - 1, to));
  const entry = entries[index];
  if (!entry) return;
  const cursor = { key: entry.key, index };
  store.update((screen) => ({ ...screen, cursors: { ...screen.cursors, [list]: cursor } }));
}

/** Moves the cursor off an entry that may leave the list now. */
export function moveToNextEntry(ports: StorePort, selection: ListSelection): void {
  const { index, entries } = selection;
  setCursor(ports, selection, index + 1 < entries.length ? index + 1 : index - 1);
}

export const moveCursorBy =
  (by: number) =>
  (ports: StorePort): void => {
    const selection = listSelection(ports);
    if (selection) setCursor(ports, selection, selection.index + by);
  };

/** The next page is requested when the cursor is this near to the end, in entries. */
const PREFETCH_DISTANCE = 5;

/** Runs after every change: loads threads that have news but are not held, and the next page when the cursor nears the end. */
export function loadMore(
  { core }: Pick<Ports, "core">,
  model: Reads<"cursors" | (typeof ENTRY_SLICES)[number]>,
): void {
  const { threads } = model.lists;
  if (threads.unseen.length > 0 && !threads.loading && threads.error === undefined)
    return loadList({ core }, "threads");
  const panel = topPanel(model.screen);
  if (panel?.kind !== "list") return;
  const { list } = panel;
  const loading = loadingOf(model.lists, list);
  if (!loading?.next || loading.loading || loading.error !== undefined) return;
  const entries = entriesOf(model, list);
  if (listCursorIndex(model.screen, list, entries) < entries.length - PREFETCH_DISTANCE) return;
  const nextPage = list === "threads" ? core.threads.more() : core.reminders.more();
  nextPage.catch(() => {});
}
