/** A panel that is a list: cursor, pages, rows, mouse and loading, once for all of them. */
import { memo, useMemo } from "react";
import { truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Action, Ports } from "../ports/ports.ts";
import { titleInChannel, type PanelAction, type PanelDefinition } from "../ports/panels.ts";
import type { Theme } from "../render/theme.ts";
import { windowTop, type Rect } from "../screen/layout.ts";
import { showError } from "../screen/notices.ts";
import { panelsChanged, topPanelOf, type OwnPanel } from "../screen/screen.ts";
import type { Model } from "../screen/store.ts";
import { panelPopped, panelPushed, withFocus } from "../screen/transitions.ts";
import { useLook, useModel } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";

/** By default the next page is loaded when fewer items than this are below the cursor. */
const PREFETCH = 5;

/** The state of a list in the panel. */
export interface ListState extends OwnPanel {
  readonly cid: string;
  /** The item under the cursor, which may have moved in the list; absent = the first one. */
  readonly cursor?: { key: string; index: number };
  readonly loading?: boolean;
  /** Cursor of the next page, if there is one. */
  readonly next?: string | undefined;
}

interface RowLook {
  theme: Theme;
  /** Cells beside the mark of the cursor. */
  width: number;
  utc: boolean;
}

type ItemAction<Item, P extends ListState> = Omit<PanelAction<P>, "run" | "applies"> & {
  /** Whether it has an effect on the item. */
  appliesTo?(item: Item): boolean;
  run(ports: Ports, item: Item, panel: P): void;
};

interface ListPane<Item, P extends ListState> {
  name: string;
  section: string;
  title: string;
  show: NonNullable<PanelDefinition<P>["show"]> extends infer S ? Omit<S, "run"> : never;
  /** The state with which it opens for a channel. */
  open(cid: string): P;
  /** The same array while nothing changed. */
  items(model: Pick<Model, "state">, panel: P): readonly Item[];
  keyOf(item: Item): string;
  rowsPerItem?: number;
  /** As many rows as `rowsPerItem`, without the column of the cursor's mark. */
  rows(item: Item, look: RowLook): string[];
  /** A line below the items, such as how many are not loaded. */
  footer?(model: Pick<Model, "state">, panel: P, items: readonly Item[]): string | undefined;
  /** Loads a page, from `panel.next` if there is one: what changes in the state, and the next cursor. */
  load?(ports: Ports, panel: P): Promise<{ next?: string | undefined; change?: (panel: P) => P }>;
  /** The next page is loaded when fewer items than this are below the cursor. */
  prefetch?: number;
  /** By Enter, or a click on the item under the cursor. */
  choose: Omit<ItemAction<Item, P>, "keys">;
  actions?: Readonly<Record<string, ItemAction<Item, P>>>;
  hints?: PanelDefinition<P>["hints"];
  copies?: PanelDefinition<P>["copies"];
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

/** Items that fit, and the first visible one. */
function windowOf<Item, P extends ListState>(
  pane: Pick<ListPane<Item, P>, "keyOf" | "rowsPerItem">,
  panel: P,
  items: readonly Item[],
  height: number,
): { top: number; fitting: number } {
  const fitting = Math.max(1, Math.floor(height / (pane.rowsPerItem ?? 1)));
  return { top: windowTop(cursorIn(pane, panel, items), items.length, fitting), fitting };
}

interface PaneLook {
  theme: Theme;
  width: number;
  height: number;
  utc: boolean;
  focused: boolean;
}

/** The rows of the body; the footer has the last one. */
export function paneRows<Item, P extends ListState>(
  pane: Pick<ListPane<Item, P>, "keyOf" | "rowsPerItem" | "rows">,
  panel: P,
  items: readonly Item[],
  { theme, width, height, utc, focused }: PaneLook,
  footer?: string,
): string[] {
  const room = footer === undefined ? height : Math.max(1, height - 1);
  const { top, fitting } = windowOf(pane, panel, items, room);
  const cursor = cursorIn(pane, panel, items);
  const rows = items.slice(top, top + fitting).flatMap((item, i) => {
    const mark = top + i === cursor && focused ? theme.accent("▌") : " ";
    return pane.rows(item, { theme, width: width - 1, utc }).map((row) => `${mark}${row}`);
  });
  return [...rows, ...(footer === undefined ? [] : [theme.dim(truncate(` ${footer}`, width))])].slice(
    0,
    height,
  );
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
  to: (at: number) => number,
): void {
  const items = pane.items(ports.store.get(), panel);
  const index = Math.max(0, Math.min(items.length - 1, to(cursorIn(pane, panel, items))));
  const item = items[index];
  if (item !== undefined)
    update(ports, panel, (one) => ({ ...one, cursor: { key: pane.keyOf(item), index } }));
  if (panel.next !== undefined && index >= items.length - (pane.prefetch ?? PREFETCH))
    load(pane, ports, panel);
}

/** The action on the item under the cursor. */
function onItem<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  { appliesTo, run, ...action }: ItemAction<Item, P>,
): PanelAction<P> {
  const itemIn = (model: Pick<Model, "state">, panel: P): Item | undefined => {
    const items = pane.items(model, panel);
    return items[cursorIn(pane, panel, items)];
  };
  return {
    ...action,
    applies: (model, panel) => {
      const item = itemIn(model, panel);
      return item !== undefined && (appliesTo?.(item) ?? true);
    },
    run: (ports, panel) => {
      const item = itemIn(ports.store.get(), panel);
      if (item !== undefined) run(ports, item, panel);
    },
  };
}

/** Selects the item, or chooses it if it was selected. */
function click<Item, P extends ListState>(
  pane: ListPane<Item, P>,
  ports: Ports,
  panel: P,
  y: number,
  { height }: Rect,
): void {
  const model = ports.store.get();
  const items = pane.items(model, panel);
  const room = pane.footer?.(model, panel, items) === undefined ? height : height - 1;
  const at = windowOf(pane, panel, items, room).top + Math.floor(y / (pane.rowsPerItem ?? 1));
  if (y >= room || at >= items.length) return;
  const wasSelected = model.screen.focus === "panel" && cursorIn(pane, panel, items) === at;
  ports.store.update((s) => withFocus(s, "panel"));
  if (wasSelected) pane.choose.run(ports, items[at]!, panel);
  else select(pane, ports, panel, () => at);
}

function bodyOf<Item, P extends ListState>(pane: ListPane<Item, P>): PanelDefinition<P>["Body"] {
  return memo(({ panel, rect }: { panel: P; rect: Rect }) => {
    const { theme, utc } = useLook();
    const gone = useModel(["state"], ({ state }) => !state.channels.has(panel.cid));
    const items = useModel(["state"], (model) => pane.items(model, panel));
    const footer = useModel(["state"], (model) => pane.footer?.(model, panel, items));
    const focused = useModel(["focus"], ({ screen }) => screen.focus === "panel");
    const drawn = useMemo((): DrawnRows => {
      if (gone) return { rect, rows: [theme.dim(` ${words.channel.gone}`)] };
      const { width, height } = rect;
      return { rect, rows: paneRows(pane, panel, items, { theme, width, height, utc, focused }, footer) };
    }, [rect, panel, gone, items, footer, theme, utc, focused]);
    return <Rows drawn={drawn} />;
  }) as unknown as PanelDefinition<P>["Body"];
}

interface OpenedList<Item, P extends ListState> {
  pane: ListPane<Item, P>;
  definition: PanelDefinition<P>;
  /** Opens it for the open channel, and loads its first page. */
  show: Action;
  /** The same; closes it if it is open. */
  toggle: Action;
}

export function listPane<Item, P extends ListState>(pane: ListPane<Item, P>): OpenedList<Item, P> {
  const { name, section, rowsPerItem = 1, hints, copies } = pane;
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
  const actions = { open: { ...pane.choose, keys: ["enter", "o"] }, ...pane.actions };
  const definition: PanelDefinition<P> = {
    name,
    section,
    title: (model, panel, me) => titleInChannel(model, pane.title, panel.cid, me),
    Body: bodyOf(pane),
    show: { ...pane.show, run: toggle },
    actions: Object.fromEntries(Object.entries(actions).map(([one, action]) => [one, onItem(pane, action)])),
    ...(hints && { hints }),
    ...(copies && { copies }),
    list: {
      move: (ports, panel, by) => select(pane, ports, panel, (at) => at + by),
      page: (height) => Math.floor(height / rowsPerItem) - 1,
    },
    click: (ports, panel, { y }, body) => click(pane, ports, panel, y, body),
    wheel: (ports, panel, rows) => select(pane, ports, panel, (at) => at + Math.sign(rows)),
    ...(pane.restores && { restore: show }),
  };
  return { pane, definition, show, toggle };
}
