/** A list of the user in the panel: Inbox, Threads, Later, Drafts, and the pins of a channel have the same rows, keys and mouse. */
import type { Core } from "../../../core/core.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { words } from "../../../text/words.ts";
import { listPane, type ItemAction, type ListState, type ListPanel } from "../../components/list-pane.tsx";
import type { PanelAction, PanelDefinition, PanelHint, PanelInput } from "../../ports/panels.ts";
import type { Ports } from "../../ports/ports.ts";
import { showNotice } from "../../screen/notices.ts";
import { memoizeLast, type Reads } from "../../screen/store.ts";
import type { Screen } from "../../screen/screen.ts";
import { panelAlone } from "../../screen/transitions.ts";
import type { ListEntry } from "./entry.ts";
import { openThreadOverList } from "./open-entry.ts";
import { entryRows, groupHeading } from "./rows.ts";

/** The slices that the entries are made from. */
export const ENTRY_SLICES = ["state", "lists", "now", "cid", "panels", "drafts"] as const;

export type EntryInput = Reads<(typeof ENTRY_SLICES)[number]>;

/** A list that core loads page by page. */
interface Source {
  state(
    lists: EntryInput["lists"],
  ): Pick<EntryInput["lists"]["reminders"], "loaded" | "loading" | "error" | "next">;
  of(core: Core): { load(): Promise<unknown>; more(): Promise<unknown> };
}

type Do = (ports: Ports, entry: ListEntry) => void;

interface Kind {
  name: keyof typeof words.lists.empty;
  show: Omit<NonNullable<PanelDefinition<ListState>["show"]>, "run">;
  entries(input: EntryInput): ListEntry[];
  /** In its title and in the sidebar. */
  count(input: EntryInput): number;
  /** Absent for a list that is made from state that is always loaded. */
  source?: Source;
  open: Do;
  /** Opens the box for an answer, by default that of the thread. */
  answer?: Do;
  /** An answer is possible, but not hinted. */
  answers?: false;
  clear: Pick<ItemAction<ListEntry, ListState>, "hint" | "letter" | "appliesTo" | "run">;
  /** Marks all of it read; what is new leaves the list then. */
  readAll?(ports: Ports): void;
  hints?: readonly PanelHint<ListState>[];
  acrossChannels?: true;
}

export interface UserList extends Pick<Kind, "entries" | "count"> {
  definition: PanelDefinition<ListState>;
  /** Opens it as the only panel, with the cursor on its first entry. */
  show(ports: Pick<Ports, "core" | "store" | "boxes">): void;
  /** The entry under the cursor. */
  selected(model: PanelInput, panel: ListState): ListEntry | undefined;
  /** Loads the first page again; the list shows an error by itself. */
  load(ports: Pick<Ports, "core">): void;
  /** Requests the next page when the cursor nears the end. */
  loadMore(ports: Pick<Ports, "core">, model: PanelInput, panel: ListState): void;
}

/** The next page is requested when the cursor is this near to the end, in entries. */
const PREFETCH_DISTANCE = 5;

const answerInThread: Do = (ports, { place: { cid, parentId }, messageId }) =>
  openThreadOverList(ports, { cid, parentId: parentId ?? messageId! }, "composer");

/** Where entries leave the list once they are read, the cursor moves on first. */
const leaving =
  ({ readAll }: Kind, run: Do): ItemAction<ListEntry, ListState>["run"] =>
  (ports, entry, _, moveOn) => {
    if (entry.newCount > 0 && readAll) moveOn();
    run(ports, entry);
  };

const openOf = (kind: Kind): ItemAction<ListEntry, ListState> => ({
  title: "Open the entry",
  hint: "open",
  former: "listOpen",
  keys: ["enter", "right"],
  vim: ["l"],
  run: leaving(kind, kind.open),
});

const clearOf = ({ clear }: Kind): ItemAction<ListEntry, ListState> => ({
  title:
    "Done with it: read in Inbox and Threads, removed in Later, discarded in Drafts, unpinned in the pins",
  former: "listClear",
  changes: true,
  letter: "outside",
  keys: ["x", "delete"],
  vim: ["d d"],
  ...clear,
});

const answerOf = (kind: Kind): ItemAction<ListEntry, ListState> => ({
  title: "Answer: in the thread, the channel or the box",
  ...(kind.answers !== false && { hint: "answer" }),
  former: "listReply",
  changes: true,
  keys: ["r"],
  run: leaving(kind, kind.answer ?? answerInThread),
});

const readAllOf = ({ readAll, source }: Kind, items: Items): PanelAction<ListState> => ({
  title: "Mark all of Inbox or Threads read",
  ...(readAll && { hint: "all read" }),
  former: "listAllRead",
  changes: true,
  letter: "outside",
  keys: ["A"],
  applies: (model) =>
    source?.state(model.lists).loaded === false || items(model).some(({ newCount }) => newCount > 0),
  run: (ports) => (readAll ? readAll(ports) : showNotice(ports, words.lists.onlyReads)),
});

type Items = (model: EntryInput) => readonly ListEntry[];

/** The same array while nothing changed. */
function itemsOf({ entries }: Kind): Items {
  const entriesAt = memoizeLast(
    (
      state: EntryInput["state"],
      lists: EntryInput["lists"],
      now: number,
      panels: Screen["panels"],
      drafts: Screen["drafts"],
      cid: string | undefined,
    ) => entries({ state, lists, now, screen: { panels, drafts, ...(cid !== undefined && { cid }) } }),
  );
  return ({ state, lists, now, screen: { panels, drafts, cid } }) =>
    entriesAt(state, lists, now, panels, drafts, cid);
}

function paneOf(kind: Kind, items: Items, load: UserList["load"]): ListPanel<ListEntry, ListState> {
  const { name, source, count, hints, acrossChannels } = kind;
  return listPane<ListEntry, ListState>({
    name,
    place: "list",
    section: "In Inbox, Threads, Later and Drafts",
    mode: "VIEW",
    title(model) {
      const n = count(model);
      return n > 0 ? `${words.places[name]} · ${words.lists.counted[name](n)}` : words.places[name];
    },
    show: kind.show,
    open: () => ({ name, key: "" }),
    slices: ENTRY_SLICES,
    items,
    keyOf: ({ key }) => key,
    rowsPerItem: 3,
    uneven: true,
    timed: true,
    rows: entryRows,
    heading: groupHeading,
    empty: ({ lists }) => (source?.state(lists).loaded === false ? undefined : words.lists.empty[name]),
    footer: ({ lists }) => (source?.state(lists).loading ? words.message.loading : ""),
    failed({ lists }) {
      const why = source?.state(lists).error;
      return why === undefined ? undefined : words.lists.failed(cleanLine(why));
    },
    reload: load,
    isLoaded: ({ lists }) => source?.state(lists).loaded ?? true,
    immediate: true,
    choose: openOf(kind),
    actions: { clear: clearOf(kind), answer: answerOf(kind) },
    keys: { R: "remind", "/": "writeCommand" },
    ...(hints && { hints }),
    ...(acrossChannels && { acrossChannels }),
  });
}

export function userList(kind: Kind): UserList {
  const { source } = kind;
  const items = itemsOf(kind);
  const load: UserList["load"] = ({ core }) =>
    void source
      ?.of(core)
      .load()
      .catch(() => {});
  const list = paneOf(kind, items, load);
  const { pane, definition } = list;
  const selected: UserList["selected"] = (model, panel) => list.selected(model, panel);
  const show: UserList["show"] = (ports) => {
    const { store, boxes } = ports;
    const before = boxes.place?.parentId;
    store.update((s) => panelAlone(s, pane.open("")));
    // When the list replaces a thread, the composer belongs to the channel again.
    if (before !== undefined && boxes.place) boxes.open(boxes.place);
    load(ports);
  };
  const { open, clear, answer } = definition.actions;
  return {
    ...kind,
    definition: {
      ...definition,
      actions: { open: open!, clear: clear!, allRead: readAllOf(kind, items), answer: answer! },
      show: { ...kind.show, run: show },
      messageId: (model, panel) => selected(model, panel)?.messageId,
      restore: show,
    },
    show,
    load,
    selected,
    loadMore({ core }, model, panel) {
      const state = source?.state(model.lists);
      if (!state?.next || state.loading || state.error !== undefined) return;
      const all = items(model);
      const entry = selected(model, panel);
      if (!entry || all.indexOf(entry) >= all.length - PREFETCH_DISTANCE)
        source!
          .of(core)
          .more()
          .catch(() => {});
    },
  };
}
