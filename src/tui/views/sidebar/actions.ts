/** Actions of the sidebar. */
import { openChannel, type NavigationPorts } from "../../navigation/open-channel.ts";
import { withFocus, groupFolded, sidebarToggled } from "../../screen/transitions.ts";
import type { Action, Ports } from "../../ports/ports.ts";
import { segments } from "../../../text/graphemes.ts";
import { userLists } from "../lists/lists.ts";
import { arrangementActions } from "./arrangement.ts";
import { channelMarkActions } from "./pin-and-archive.ts";
import { linesOf, neighbourChannel, neighbourLine } from "./lines.ts";
import { pinnedActions } from "./pinned.ts";
import { cleanLineInput } from "../../editor/state.ts";

const openNeighbour =
  (by: 1 | -1) =>
  (ports: NavigationPorts): void => {
    const cid = neighbourChannel(linesOf(ports.store.get()), ports.store.screen.cid, by);
    if (cid !== undefined) openChannel(ports, cid);
  };

export const moveInSidebar =
  (by: number) =>
  ({ store }: Pick<Ports, "store">): void => {
    const cursor = neighbourLine(linesOf(store.get()), store.screen.sidebar.cursor, by);
    store.update((s) => ({ ...s, sidebar: { ...s.sidebar, cursor } }));
  };

/** Opens the selected line. */
export function sidebarOpen(ports: Ports): void {
  const { store } = ports;
  const line = linesOf(store.get()).find(({ key }) => key === store.screen.sidebar.cursor);
  if (line?.kind === "channel") openChannel(ports, line.cid);
  else if (line?.kind === "group") fold(ports, line.group);
  else if (line?.kind === "view") userLists[line.list].show(ports);
}

function fold({ core, store }: Pick<Ports, "core" | "store">, group: string): void {
  store.update((s) => groupFolded(s, group));
  core.keep("folded", [...store.screen.sidebar.folded]);
}

/** Folds or unfolds the group of the selected line. */
function foldSelected(ports: Pick<Ports, "core" | "store">): void {
  const { store } = ports;
  const lines = linesOf(store.get());
  const at = lines.findIndex(({ key }) => key === store.screen.sidebar.cursor);
  const group = lines.slice(0, at + 1).findLast(({ kind }) => kind === "group");
  if (!group || group.kind !== "group") return;
  store.update((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: group.key } }));
  fold(ports, group.group);
}

/** Shows only channels with something new, or all again. */
function unreadOnly({ store }: Pick<Ports, "store">): void {
  store.update((s) => ({
    ...s,
    sidebar: { ...s.sidebar, unreadOnly: !s.sidebar.unreadOnly, hidden: false, top: 0 },
  }));
}

/** Sets the filter and selects the first matching channel. */
function filterBy({ store }: Pick<Ports, "store">, filter: string): void {
  store.update((s) => {
    const focused = withFocus(s, "sidebar");
    return { ...focused, sidebar: { ...focused.sidebar, filter, top: 0 } };
  });
  const first = linesOf(store.get()).find(({ kind }) => kind === "channel");
  if (filter !== "" && first) store.update((s) => ({ ...s, sidebar: { ...s.sidebar, cursor: first.key } }));
}

/** Appends the first line of typed or pasted text to the filter. */
export function filterTyped(ports: Pick<Ports, "store">, text: string): void {
  const line = cleanLineInput(text.split(/[\r\n]/)[0] ?? "");
  if (line !== "") filterBy(ports, (ports.store.screen.sidebar.filter ?? "") + line);
}

/** Deletes the last grapheme; on an empty filter closes it. */
function filterErase(ports: Pick<Ports, "store">): void {
  const { filter } = ports.store.screen.sidebar;
  const last = filter === undefined ? undefined : [...segments(filter)].at(-1);
  if (last) filterBy(ports, filter!.slice(0, last.index));
  else ports.store.update((s) => ({ ...s, sidebar: { ...s.sidebar, filter: undefined } }));
}

export const sidebarActions = {
  ...arrangementActions,
  ...channelMarkActions,
  ...pinnedActions,
  unreadOnly,
  sidebarFilter: (ports) => filterBy(ports, ""),
  filterErase,
  filterClear: (ports) => filterBy(ports, ""),
  previousChannel: openNeighbour(-1),
  nextChannel: openNeighbour(1),
  sidebar: ({ store }) => store.update(sidebarToggled),
  sidebarOpen,
  fold: foldSelected,
} satisfies Record<string, Action>;
