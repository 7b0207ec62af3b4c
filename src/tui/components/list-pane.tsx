/** A panel that is a list: cursor, pages, rows, mouse and loading, once for all of them. */
import { memo, useMemo } from "react";
import { truncate, type WidthPolicy } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import { LocalError } from "../../model/errors.ts";
import { SAME_PAGE } from "../../model/page-walk.ts";
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
import { placeInList } from "./box.ts";
import { besideThumb, thumbOf } from "./thumb.ts";
import { windowTop, type Rect } from "../screen/layout.ts";
import { showError } from "../screen/notices.ts";
import { panelsChanged, topPanelOf, type Panel } from "../screen/screen.ts";
import { panelPopped, panelPushed, withFocus } from "../screen/transitions.ts";
import { useLook, useModel } from "./context.ts";
import { Rows, type DrawnRows } from "./rows.tsx";
import { cursorRow } from "./selected-row.ts";

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
  /** What it takes from the screen when it is opened. */
  begin?(ports: Ports, panel: P): P;
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

interface PaneLook extends RowLook {
  height: number;
  focused: boolean;
}

/** What is shown below the items, or in their place. */
interface PaneTexts {
  footer?: string | undefined;
  failed?: string | undefined;
  empty?: string | undefined;
}

const update = <P extends ListState>({ store }: Ports, panel: P, change: (panel: P) => P): void =>
  store.update((s) => panelsChanged(s, panel, change));

/** The panel that a description makes. */
export class ListPanel<Item, P extends ListState> {
  readonly pane: ListPane<Item, P>;
  readonly definition: PanelDefinition<P>;

  constructor(pane: ListPane<Item, P>) {
    this.pane = pane;
    this.definition = this.#define();
  }

  /** Opens it for the open channel, and loads its first page. */
  show: Action = (ports) => {
    const { cid } = ports.store.screen;
    if (cid === undefined) return;
    const opened = this.pane.open(cid);
    const panel = this.pane.begin?.(ports, opened) ?? opened;
    ports.store.update((s) => panelPushed(s, panel));
    this.#load(ports, panel);
  };

  /** The same; closes it if it is open. */
  toggle: Action = (ports) => {
    if (topPanelOf(ports.store.screen, this.pane.name)) ports.store.update(panelPopped);
    else this.show(ports);
  };

  /** The item under the cursor. */
  selected(model: PanelInput, panel: P): Item | undefined {
    const items = this.pane.items(model, panel);
    return items[this.#cursor(panel, items)];
  }

  /** The rows of the body; the footer has the last one. */
  rows(
    panel: P,
    items: readonly Item[],
    look: PaneLook,
    { footer, failed, empty }: PaneTexts = {},
  ): string[] {
    const { theme, width } = look;
    const below = failed ?? footer;
    const height = below === undefined ? look.height : Math.max(1, look.height - 1);
    const rows = this.#visible(panel, items, { ...look, height }).map(({ text }) => text);
    if (items.length === 0 && empty !== undefined)
      rows.push("", ...wrapText(empty, Math.max(8, width - 2)).map((row) => ` ${theme.dim(row)}`));
    if (below === undefined) return rows.slice(0, look.height);
    const style = failed === undefined ? theme.dim : theme.bad;
    while (this.pane.uneven && rows.length < height) rows.push("");
    return [...rows.slice(0, height), below && style(truncate(` ${below}`, width))].slice(0, look.height);
  }

  /** The index of the item under the cursor. */
  #cursor({ cursor }: P, items: readonly Item[]): number {
    if (!cursor) return 0;
    const { key, index } = cursor;
    if (items[index] && this.pane.keyOf(items[index]) === key) return index;
    const at = items.findIndex((item) => this.pane.keyOf(item) === key);
    return at >= 0 ? at : Math.max(0, Math.min(index, items.length - 1));
  }

  /** The visible rows, beside a thumb if there are more. */
  #visible(panel: P, items: readonly Item[], look: PaneLook) {
    const whole = this.#lines(panel, items, look);
    if (!whole.thumb) return whole.lines;
    const { lines } = this.#lines(panel, items, { ...look, width: look.width - 1 });
    const texts = besideThumb(
      lines.map(({ text }) => text),
      whole.thumb,
      look,
    );
    return lines.map(({ index }, y) => ({ text: texts[y]!, index }));
  }

  /** The visible rows, the index of the item of each, and where they are in the list; a heading belongs to the item below it. */
  #lines(panel: P, items: readonly Item[], { height, focused, ...look }: PaneLook) {
    const { uneven, rowsPerItem = 1, rows: rowsOf, heading } = this.pane;
    const cursor = this.#cursor(panel, items);
    const fitting = uneven ? items.length : Math.max(1, Math.floor(height / rowsPerItem));
    const first = uneven ? 0 : windowTop(cursor, items.length, fitting);
    const lines = items.slice(first, first + fitting).flatMap((item, i) => {
      const index = first + i;
      const isSelected = index === cursor && focused;
      const above = heading?.(items, index, look);
      const rows = rowsOf(item, { ...look, width: look.width - 1 }).map((row) =>
        isSelected ? cursorRow(look.theme, row, look.width) : ` ${row}`,
      );
      return [...(above === undefined ? [] : [above]), ...rows].map((text) => ({ text, index }));
    });
    const at = lines.findIndex(({ index }) => index === cursor);
    const top = uneven ? windowTop(Math.max(0, at), lines.length, height) : 0;
    const thumb = uneven
      ? thumbOf(top, height, lines.length)
      : thumbOf(first * rowsPerItem, fitting * rowsPerItem, items.length * rowsPerItem);
    return { lines: lines.slice(top, top + height), thumb };
  }

  /** The visible lines in a body. */
  #linesIn(panel: P, model: PanelInput, { width, height }: Rect): { index: number }[] {
    const { theme, utc, glyphs } = model.look;
    const items = this.pane.items(model, panel);
    const below = this.pane.failed?.(model) ?? this.pane.footer?.(model, panel, items);
    const look = { theme, utc, glyphs, now: model.now, width, focused: true };
    return this.#visible(panel, items, { ...look, height: below === undefined ? height : height - 1 });
  }

  #load(ports: Ports, panel: P): void {
    if (!this.pane.load) return;
    update(ports, panel, (one) => ({ ...one, loading: true, next: undefined }));
    this.pane.load(ports, panel).then(
      ({ next, change = (one) => one }) => {
        const leadsOn = next !== panel.next;
        update(ports, panel, (one) => ({ ...change(one), loading: false, next: leadsOn ? next : undefined }));
        if (next !== undefined && !leadsOn) showError(ports, new LocalError(SAME_PAGE));
      },
      (error: unknown) => {
        // The next move near the end tries this page again.
        update(ports, panel, (one) => ({ ...one, loading: false, next: panel.next }));
        showError(ports, error);
      },
    );
  }

  /** Moves the cursor; near the end the next page is loaded. */
  #select(ports: Ports, panel: P, to: (at: number, length: number) => number): void {
    const items = this.pane.items(ports.store.get(), panel);
    const { length } = items;
    const index = Math.max(0, Math.min(length - 1, to(this.#cursor(panel, items), length)));
    const item = items[index];
    if (item !== undefined)
      update(ports, panel, (one) => ({ ...one, cursor: { key: this.pane.keyOf(item), index } }));
    if (panel.next !== undefined && index >= length - (this.pane.prefetch ?? PREFETCH))
      this.#load(ports, panel);
  }

  #run(action: Pick<ItemAction<Item, P>, "run">, ports: Ports, panel: P, item: Item): void {
    action.run(ports, item, panel, () =>
      this.#select(ports, panel, (at, length) => (at + 1 < length ? at + 1 : at - 1)),
    );
  }

  /** The action on the item under the cursor. */
  #onItem(action: ItemAction<Item, P>): PanelAction<P> {
    const { isLoaded, failed, reload } = this.pane;
    return {
      ...action,
      applies: (model, panel) => {
        const item = this.selected(model, panel);
        return item === undefined ? isLoaded?.(model) === false : (action.appliesTo?.(item, model) ?? true);
      },
      run: (ports, panel) => {
        if (failed?.(ports.store.get()) !== undefined) reload?.(ports);
        const item = this.selected(ports.store.get(), panel);
        if (item !== undefined) this.#run(action, ports, panel, item);
      },
    };
  }

  /** Selects the item, or chooses it if it was selected. */
  #click(ports: Ports, panel: P, y: number, body: Rect): void {
    const { immediate, choose } = this.pane;
    const model = ports.store.get();
    const at = this.#linesIn(panel, model, body)[y]?.index;
    if (at === undefined && !immediate) return;
    const items = this.pane.items(model, panel);
    const wasSelected = model.screen.focus === "panel" && this.#cursor(panel, items) === at;
    ports.store.update((s) => withFocus(s, "panel"));
    if (at === undefined) return;
    this.#select(ports, panel, () => at);
    if (wasSelected || immediate) this.#run(choose, ports, panel, items[at]!);
  }

  #body(): PanelDefinition<P>["Body"] {
    const { pane } = this;
    const slices = (pane.slices ?? ["state"]) as typeof PANEL_SLICES;
    return memo(({ panel, rect }: { panel: P; rect: Rect }) => {
      const { theme, utc, glyphs } = useLook();
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
        return { rect, rows: this.rows(panel, items, look, { footer, failed, empty }) };
      }, [rect, panel, gone, items, footer, failed, empty, theme, utc, glyphs, focused, now]);
      return <Rows drawn={drawn} />;
    }) as unknown as PanelDefinition<P>["Body"];
  }

  #define(): PanelDefinition<P> {
    const { name, title, show, choose, actions = {}, rowsPerItem = 1, immediate, restores } = this.pane;
    const { section, place, mode, keys, hints, copies, acrossChannels } = this.pane;
    const passed = { name, section, place, mode, keys, copies, acrossChannels };
    const open = this.#onItem({ keys: ["enter", "o"], ...choose });
    const own = Object.entries(actions).map(([one, action]) => [one, this.#onItem(action)] as const);
    const definition = {
      ...passed,
      title:
        typeof title === "string"
          ? (model, panel, me) => titleInChannel(model, title, panel.cid!, me)
          : title,
      position: (model, panel) => {
        const items = this.pane.items(model, panel);
        return placeInList(this.#cursor(panel, items), items.length, panel.next === undefined);
      },
      Body: this.#body(),
      show: { ...show, run: this.toggle },
      actions: { open, ...Object.fromEntries(own) },
      hints: hints?.map((hint): PanelHint<P> => ({ applies: open.applies!, ...hint })),
      list: {
        move: (ports, panel, by) => this.#select(ports, panel, (at) => at + by),
        page: (height) => Math.floor(height / rowsPerItem) - 1,
      },
      click: (ports, panel, { y }, body) => this.#click(ports, panel, y, body),
      wheel: (ports, panel, rows) => {
        if (immediate) ports.store.update((s) => withFocus(s, "panel"));
        this.#select(ports, panel, (at) => at + Math.sign(rows));
      },
      fitsBelow: (_, panel, model, body, rows) => {
        const cursor = this.#cursor(panel, this.pane.items(model, panel));
        const covered = this.#linesIn(panel, model, body).slice(Math.max(0, body.height - 1 - rows));
        return covered.every(({ index }) => index !== cursor);
      },
      restore: restores && this.show,
    } satisfies { [K in keyof PanelDefinition<P>]: PanelDefinition<P>[K] | undefined };
    return definition as PanelDefinition<P>;
  }
}

export const listPane = <Item, P extends ListState>(pane: ListPane<Item, P>): ListPanel<Item, P> =>
  new ListPanel(pane);
