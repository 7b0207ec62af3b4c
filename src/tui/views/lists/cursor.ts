/** Opens a list, and moves its cursor. */
import { listOpened } from "../../screen/transitions.ts";
import type { Ports } from "../../ports/ports.ts";
import { focusedList, topPanel, type ListName, type Screen } from "../../screen/screen.ts";
import type { Snapshot } from "../../screen/store.ts";
import { cursorIn, entriesOf, loadingOf } from "./entries.ts";
import type { ListEntry } from "./entry.ts";

type Opening = Pick<Ports, "core" | "store" | "boxes">;

/** The first page anew; that it did not come is said in the list. */
export function loadList({ core }: Pick<Ports, "core">, list: ListName): void {
  if (list === "threads") core.threads.load().catch(() => {});
  if (list === "later") core.reminders.load().catch(() => {});
}

/** The list comes into the panel, from its beginning. */
export function openList(ports: Opening, list: ListName): void {
  const { store, boxes } = ports;
  const before = boxes.place?.parentId;
  store.update((screen) => listOpened(screen, list));
  // A thread that was left gives the box back to the channel.
  if (before !== undefined && boxes.place) boxes.open(boxes.place);
  loadList(ports, list);
}

/** The list with the keys, its entries, and the one under the cursor. */
export interface AtList {
  list: ListName;
  entries: readonly ListEntry[];
  index: number;
  entry: ListEntry | undefined;
}

export function atList({ store }: Pick<Ports, "store">): AtList | undefined {
  const model = store.get();
  const list = focusedList(model.screen);
  if (list === undefined) return undefined;
  const entries = entriesOf(model, list);
  const index = cursorIn(model.screen, list, entries);
  return { list, entries, index, entry: entries[index] };
}

const withCursor = (screen: Screen, list: ListName, key: string, index: number): Screen => ({
  ...screen,
  cursors: { ...screen.cursors, [list]: { key, index } },
});

/** The cursor goes to an entry; beyond the ends it stays on the last one. */
export function putCursor({ store }: Pick<Ports, "store">, { list, entries }: AtList, to: number): void {
  const index = Math.max(0, Math.min(entries.length - 1, to));
  const entry = entries[index];
  if (entry) store.update((screen) => withCursor(screen, list, entry.key, index));
}

/** What is dealt with may leave its place: the cursor goes on to what comes behind it. */
export function goOn(ports: Pick<Ports, "store">, at: AtList): void {
  putCursor(ports, at, at.index + 1 < at.entries.length ? at.index + 1 : at.index - 1);
}

export const step =
  (by: number) =>
  (ports: Pick<Ports, "store">): void => {
    const at = atList(ports);
    if (at) putCursor(ports, at, at.index + by);
  };

/** Entries that a page moves by: about as many as are in sight. */
export const page =
  (by: 1 | -1) =>
  (ports: Pick<Ports, "store">): void => {
    const rows = ports.store.get().layout.panel?.height ?? 0;
    step(by * Math.max(1, Math.floor(rows / 3) - 1))(ports);
  };

/** Entries before the end at which the next page is asked for. */
const AHEAD = 5;

/** After every change: threads with news that are not held are asked for, and a list in sight goes on where its cursor comes near the end. */
export function loadMore({ core }: Pick<Ports, "core">, model: Snapshot): void {
  const { threads } = model.lists;
  if (threads.unseen.length > 0 && !threads.loading && threads.error === undefined)
    return loadList({ core }, "threads");
  const panel = topPanel(model.screen);
  if (panel?.kind !== "list") return;
  const { list } = panel;
  const loading = loadingOf(model.lists, list);
  if (!loading?.next || loading.loading || loading.error !== undefined) return;
  const entries = entriesOf(model, list);
  if (cursorIn(model.screen, list, entries) < entries.length - AHEAD) return;
  const more = list === "threads" ? core.threads.more() : core.reminders.more();
  more.catch(() => {});
}
