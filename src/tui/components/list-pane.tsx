/** A panel that is a list: cursor, pages, rows, mouse and loading, once for all of them. */
import { memo, useMemo } from "react";
import { truncate, type WidthPolicy } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import type { Action, Ports } from "../ports/ports.ts";
import {
  PANEL_SLICES,
  titleInChannel,
  type PanelAction,
  type PanelInput,
  type PanelDefinition,
  type PanelHint,
} from "../ports/panels.ts";
import type { Theme } from "../render/theme.ts";
import { windowTop, type Rect } from "../screen/layout.ts";
import { showError } from "../screen/notices.ts";
import { panelsChanged, topPanelOf, type Panel } from "../screen/screen.ts";
import { panelPopped, panelPushed, withFocus } from "../screen/transitions.ts";
import { useLook, useModel } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";

/** By default the next page is loaded when fewer items than this are below the cursor. */
const PREFETCH = 5;

/** The state of a list in the panel. */
export interface ListState extends Panel {
  /** The item under the cursor, which may have moved in the list; absent = the first one. */
  readonly cursor?: { key: string; index: number };
  readonly loading?: boolean;
  /** Cursor of the next page, if there is one. */
  readonly next?: string | undefined;
}

/** The state of a list of something in a channel. */
export interface ChannelListState extends ListState {
  readonly cid: string;
}

export interface RowLook {
  theme: Theme;
  /** Cells beside the mark of the cursor. */
  width: number;
  utc: boolean;
  /** Wall clock, ms; up to date only in a list that is `timed`. */
  now: number;
  glyphs?: WidthPolicy | undefined;
}

export type ItemAction<Item, P extends ListState> = Omit<PanelAction<P>, "run" | "applies"> & {
  /** Whether it has an effect on the item. */
  appliesTo?(item: Item, model: PanelInput): boolean;
  /** `moveOn` takes the cursor off an item that may leave the list. */
  run(ports: Ports, item: Item, panel: P, moveOn: () => void): void;
};

type Passed = "section" | "place" | "mode" | "keys" | "hints" | "copies" | "acrossChannels";

type ListsInput = Pick<PanelInput, "lists">;

interface ListPane<Item, P extends ListState> extends Pick<PanelDefinition<P>, Passed> {
  name: string;
  /** Of a list in a channel, before the name of the channel. */
  title: string | PanelDefinition<P>["title"];
  show: Omit<NonNullable<PanelDefinition<P>["show"]>, "run">;
  /** The state with which it opens for a channel. */
  open(cid: string): P;
  /** What its items are made from; by default the state alone. */
  slices?: readonly (typeof PANEL_SLICES)[number][];
  /** The same array while nothing changed. */
  items(model: PanelInput, panel: P): readonly Item[];
  keyOf(item: Item): string;
  rowsPerItem?: number;
  /** Not every item has as many rows: then the window moves by rows instead of items. */
  uneven?: true;
  /** Its times pass. */
  timed?: true;
  /** Without the column of the cursor's mark. */
  rows(item: Item, look: RowLook): string[];
  /** A row above the item. */
  heading?(items: readonly Item[], index: number, look: RowLook): string | undefined;
  /** What it says while it has no items. */
  empty?(model: ListsInput): string | undefined;
  /** A line below the items, such as how many are not loaded. */
  footer?(model: PanelInput, panel: P, items: readonly Item[]): string | undefined;
  /** Why loading failed, in the place of the footer; an action loads it again. */
  failed?(model: ListsInput): string | undefined;
  reload?(ports: Ports): void;
  /** Its first page is loaded; until then its actions are hinted. */
  isLoaded?(model: ListsInput): boolean;
  /** Loads a page, from `panel.next` if there is one: what changes in the state, and the next cursor. */
  load?(ports: Ports, panel: P): Promise<{ next?: string | undefined; change?: (panel: P) => P }>;
  /** The next page is loaded when fewer items than this are below the cursor. */
  prefetch?: number;
  /** By Enter, or a click on the item under the cursor. */
  choose: Omit<ItemAction<Item, P>, "keys"> & { keys?: PanelAction<P>["keys"] };
  /** A click chooses at once, and the wheel takes the focus. */
  immediate?: true;
  actions?: Readonly<Record<string, ItemAction<Item, P>>>;
  restores?: true;
}

/** The index of the item under the cursor. */
function cursorIn<Item, P extends ListState>(
  { keyOf }: Pick<ListPane<Item, P>, "keyOf">,
  { cursor }: P,
  items: readonly Item[],
): number {
  if (!cursor) return 0;
  const { key, index } = cursor;
  if (items[index] && keyOf(items[index]) === key) return index;
  const at = items.findIndex((item) => keyOf(item) === key);
  return at >= 0 ? at : Math.max(0, Math.min(index, items.length - 1));
}

interface PaneLook extends RowLook {
  height: number;
  focused: boolean;
}

type Drawing<Item, P extends ListState> = Pick<
  ListPane<Item, P>,
  "keyOf" | "rowsPerItem" | "uneven" | "rows" | "heading"
>;

/** The visible rows, and the index of the item of each; a heading belongs to the item below it. */
function visibleLines<Item, P extends ListState>(
  pane: Drawing<Item, P>,
  panel: P,
  items: readonly Item[],
  { height, focused, ...look }: PaneLook,
): { text: string; index: number }[] {
  const cursor = cursorIn(pane, panel, items);
  const fitting = pane.uneven ? items.length : Math.max(1, Math.floor(height / (pane.rowsPerItem ?? 1)));
  const first = pane.uneven ? 0 : windowTop(cursor, items.length, fitting);
  const lines = items.slice(first, first + fitting).flatMap((item, i) => {
    const index = first + i;
    const mark = index === cursor && focused ? look.theme.accent("▌") : " ";
    const heading = pane.heading?.(items, index, look);
    const rows = pane.rows(item, { ...look, width: look.width - 1 }).map((row) => `${mark}${row}`);
    return [...(heading === undefined ? [] : [heading]), ...rows].map((text) => ({ text, index }));
  });
  const at = lines.findIndex(({ index }) => index === cursor);
  const top = pane.uneven ? windowTop(Math.max(0, at), lines.length, height) : 0;
  return lines.slice(top, top + height);
}

/** The rows of the body; the footer has the last one. */
export function paneRows<Item, P extends ListState>(
  pane: Drawing<Item, P>,
  panel: P,
  items: readonly Item[],
  look: PaneLook,
  { footer, failed, empty }: { footer?: string; failed?: string; empty?: string } = {},
): string[] {
  const { theme, width } = look;
  const below = failed ?? footer;
  const height = below === undefined ? look.height : Math.max(1, look.height - 1);
  const rows = visibleLines(pane, panel, items, { ...look, height }).map(({ text }) => text);
  if (items.length === 0 && empty !== undefined)
    rows.push("", ...wrapText(empty, Math.max(8, width - 2)).map((row) => ` ${theme.dim(row)}`));
  if (below === undefined) return rows.slice(0, look.height);
  const line = truncate(` ${below}`, width);
  const style = failed === undefined ? theme.dim : theme.bad;
  while (pane.uneven && rows.length < height) rows.push("");
  return [...rows.slice(0, height), below === "" ? "" : style(line)].slice(0, look.height);
}

const update = <P extends ListState>(
  { store }: Pick<Ports, "store">,
  panel: P,
  change: (panel: P) => P,
): void => store.update((s) => panelsChanged(s, panel, change));

function load<Item, P extends ListState>(pane: ListPane<Item, P>, ports: Ports, panel: P): void {
  if (!pane.load) return;
  update(ports, panel, (one) => ({ ...one, loading: true, next: undefined }));
  pane.load(ports, panel).then(
    ({ next, change = (one) => one }) =>
      update(ports, panel, (one) => ({ ...change(one), loading: false, next })),
    (error: unknown) => {
      // The next move near the end tries this page again.
      update(ports, panel, (one) => ({ ...one, loading: false, next: panel.next }));
      showError(ports, error);
    },
  );
}

/** Moves the cursor; near the end the next page is loaded. */
function select<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  ports: Ports,
  panel: P,
  to: (at: number, length: number) => number,
): void {
  const items = pane.items(ports.store.get(), panel);
  const index = Math.max(0, Math.min(items.length - 1, to(cursorIn(pane, panel, items), items.length)));
  const item = items[index];
  if (item !== undefined)
    update(ports, panel, (one) => ({ ...one, cursor: { key: pane.keyOf(item), index } }));
  if (panel.next !== undefined && index >= items.length - (pane.prefetch ?? PREFETCH))
    load(pane, ports, panel);
}

function itemUnderCursor<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  model: PanelInput,
  panel: P,
): Item | undefined {
  const items = pane.items(model, panel);
  return items[cursorIn(pane, panel, items)];
}

const moveOn =
  <Item, P extends ListState>(pane: ListPane<Item, P>, ports: Ports, panel: P): (() => void) =>
  () =>
    select(pane, ports, panel, (at, length) => (at + 1 < length ? at + 1 : at - 1));

/** The action on the item under the cursor. */
function onItem<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  { appliesTo, run, ...action }: ItemAction<Item, P>,
): PanelAction<P> {
  return {
    ...action,
    applies: (model, panel) => {
      const item = itemUnderCursor(pane, model, panel);
      return item === undefined ? pane.isLoaded?.(model) === false : (appliesTo?.(item, model) ?? true);
    },
    run: (ports, panel) => {
      if (pane.failed?.(ports.store.get()) !== undefined) pane.reload?.(ports);
      const item = itemUnderCursor(pane, ports.store.get(), panel);
      if (item !== undefined) run(ports, item, panel, moveOn(pane, ports, panel));
    },
  };
}

/** The visible lines in a body. */
function linesIn<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  panel: P,
  model: PanelInput,
  { width, height }: Rect,
): { index: number }[] {
  const { theme, utc, glyphs } = model.look;
  const items = pane.items(model, panel);
  const below = pane.failed?.(model) ?? pane.footer?.(model, panel, items);
  const look = { theme, utc, glyphs, now: model.now, width, focused: true };
  return visibleLines(pane, panel, items, { ...look, height: below === undefined ? height : height - 1 });
}

/** Selects the item, or chooses it if it was selected. */
function click<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  ports: Ports,
  panel: P,
  y: number,
  body: Rect,
): void {
  const model = ports.store.get();
  const at = linesIn(pane, panel, model, body)[y]?.index;
  if (at === undefined && !pane.immediate) return;
  const items = pane.items(model, panel);
  const wasSelected = model.screen.focus === "panel" && cursorIn(pane, panel, items) === at;
  ports.store.update((s) => withFocus(s, "panel"));
  if (at === undefined) return;
  select(pane, ports, panel, () => at);
  if (wasSelected || pane.immediate) pane.choose.run(ports, items[at]!, panel, moveOn(pane, ports, panel));
}

function bodyOf<Item, P extends ListState>(pane: ListPane<Item, P>): PanelDefinition<P>["Body"] {
  return memo(({ panel, rect }: { panel: P; rect: Rect }) => {
    const { theme, utc, glyphs } = useLook();
    const slices = (pane.slices ?? ["state"]) as typeof PANEL_SLICES;
    const gone = useModel(
      ["state"],
      ({ state }) => panel.cid !== undefined && !state.channels.has(panel.cid),
    );
    const items = useModel(slices, (model) => pane.items(model, panel));
    const footer = useModel(slices, (model) => pane.footer?.(model, panel, items));
    const failed = useModel(["lists"], (model) => pane.failed?.(model));
    const empty = useModel(["lists"], (model) => pane.empty?.(model));
    const focused = useModel(["focus"], ({ screen }) => screen.focus === "panel");
    const now = useModel(["now"], (model) => (pane.timed ? model.now : 0));
    const drawn = useMemo((): DrawnRows => {
      if (gone) return { rect, rows: [theme.dim(` ${words.channel.gone}`)] };
      const { width, height } = rect;
      const look = { theme, width, height, utc, glyphs, focused, now };
      return { rect, rows: paneRows(pane, panel, items, look, { footer, failed, empty } as object) };
    }, [rect, panel, gone, items, footer, failed, empty, theme, utc, glyphs, focused, now]);
    return <Rows drawn={drawn} />;
  }) as unknown as PanelDefinition<P>["Body"];
}

export interface OpenedList<Item, P extends ListState> {
  pane: ListPane<Item, P>;
  definition: PanelDefinition<P>;
  /** Opens it for the open channel, and loads its first page. */
  show: Action;
  /** The same; closes it if it is open. */
  toggle: Action;
  /** The item under the cursor. */
  selected(model: PanelInput, panel: P): Item | undefined;
}

export function listPane<Item, P extends ListState>(pane: ListPane<Item, P>): OpenedList<Item, P> {
  const { name, title, rowsPerItem = 1, section, place, mode, keys, hints, copies, acrossChannels } = pane;
  const show: Action = (ports) => {
    const { cid } = ports.store.screen;
    if (cid === undefined) return;
    const panel = pane.open(cid);
    ports.store.update((s) => panelPushed(s, panel));
    load(pane, ports, panel);
  };
  const toggle: Action = (ports) => {
    if (topPanelOf(ports.store.screen, name)) ports.store.update(panelPopped);
    else show(ports);
  };
  const open = onItem(pane, { keys: ["enter", "o"], ...pane.choose });
  const own = Object.entries(pane.actions ?? {}).map(([one, action]) => [one, onItem(pane, action)] as const);
  const hintsOfItem = hints?.map((hint): PanelHint<P> => ({ applies: open.applies!, ...hint }));
  const definition = {
    name,
    section,
    place,
    mode,
    keys,
    copies,
    acrossChannels,
    title:
      typeof title === "string" ? (model, panel, me) => titleInChannel(model, title, panel.cid!, me) : title,
    Body: bodyOf(pane),
    show: { ...pane.show, run: toggle },
    actions: { open, ...Object.fromEntries(own) },
    hints: hintsOfItem,
    list: {
      move: (ports, panel, by) => select(pane, ports, panel, (at) => at + by),
      page: (height) => Math.floor(height / rowsPerItem) - 1,
    },
    click: (ports, panel, { y }, body) => click(pane, ports, panel, y, body),
    wheel(ports, panel, rows) {
      if (pane.immediate) ports.store.update((s) => withFocus(s, "panel"));
      select(pane, ports, panel, (at) => at + Math.sign(rows));
    },
    fitsBelow(_, panel, model, body, rows) {
      const cursor = cursorIn(pane, panel, pane.items(model, panel));
      const covered = linesIn(pane, panel, model, body).slice(Math.max(0, body.height - 1 - rows));
      return covered.every(({ index }) => index !== cursor);
    },
    restore: pane.restores && show,
  } satisfies { [K in keyof PanelDefinition<P>]: PanelDefinition<P>[K] | undefined };
  return {
    pane,
    definition: definition as PanelDefinition<P>,
    show,
    toggle,
    selected: (model, panel) => itemUnderCursor(pane, model, panel),
  };
}
