/** The layout: the rectangle of every view, computed from the screen's size (specification/screen.md §1). */

export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

type LayoutKind = "wide" | "medium" | "narrow" | "tiny";

export interface Layout {
  kind: LayoutKind;
  columns: number;
  rows: number;
  /** Title line; absent when tiny. */
  header?: Rect;
  sidebar?: Rect;
  /** The messages of the open channel; absent while a panel or the sidebar covers them. */
  main?: Rect;
  /** A line over the messages: the next step of the tour, or the newest pin. */
  banner?: Rect;
  /** The right panel; over the messages below 120 columns. */
  panel?: Rect;
  /** The panel stands beside the messages instead of over them. */
  beside: boolean;
  /** Columns of the vertical rules between the panes of the body, ascending. */
  rules: number[];
  /** Row of the line between body and composer; absent when tiny. */
  divider?: number;
  composer: Rect;
  status?: Rect;
}

/** Cells that panes were made wide by hand; absent = as wide as the screen suggests. */
export interface PaneWidths {
  readonly sidebar?: number;
  readonly panel?: number;
}

export interface LayoutOptions {
  columns: number;
  rows: number;
  panel: boolean;
  /** A line over the messages is wanted. */
  banner?: boolean;
  /** The user has put the sidebar away (Ctrl-\). */
  sidebarHidden: boolean;
  /** The sidebar is wanted over the messages (narrow screens). */
  sidebarOver: boolean;
  widths?: PaneWidths | undefined;
  /** Rows the composer would like, banner included. */
  composerRows: number;
}

const WIDE = 120;
const MEDIUM = 80;
const NARROW = 50;
const LOW = 12;
const SIDEBAR_WIDE = 24;
const SIDEBAR_MEDIUM = 20;
const PANEL_SHARE = 0.36;
const COMPOSER_SHARE = 1 / 3;

/** What messages, sidebar and panel keep, however wide another pane is made. */
const LEAST = { main: 40, sidebar: 12, panel: 24 };

const between = (least: number, most: number, width: number): number =>
  Math.max(least, Math.min(most, width));

/** Too small for panes: plain lines (specification/screen.md §1). */
export function isTiny(columns: number, rows: number): boolean {
  return columns < NARROW || rows < LOW;
}

export function layoutKind(columns: number, rows: number): LayoutKind {
  if (isTiny(columns, rows)) return "tiny";
  return columns >= WIDE ? "wide" : columns >= MEDIUM ? "medium" : "narrow";
}

/** All rectangles in cells from the top left; none leaves the screen. */
export function layout(options: LayoutOptions): Layout {
  const { columns, rows } = options;
  const kind = layoutKind(columns, rows);
  if (kind === "tiny") return tiny(options);
  const most = Math.max(1, Math.floor((rows - 3) * COMPOSER_SHARE));
  const composerRows = Math.max(1, Math.min(options.composerRows, most));
  const bodyHeight = rows - 3 - composerRows;
  const body = { y: 1, height: bodyHeight };
  const inner = columns - 2;
  const found: Layout = {
    kind,
    columns,
    rows,
    header: { x: 0, y: 0, width: columns, height: 1 },
    beside: kind === "wide",
    rules: [0],
    divider: 1 + bodyHeight,
    composer: { x: 1, y: 2 + bodyHeight, width: inner, height: composerRows },
    status: { x: 0, y: rows - 1, width: columns, height: 1 },
  };
  let left = 1;
  if (kind === "narrow") {
    if (options.sidebarOver) found.sidebar = { x: left, width: inner, ...body };
  } else if (!options.sidebarHidden) {
    const usual = kind === "wide" ? SIDEBAR_WIDE : SIDEBAR_MEDIUM;
    const rest = LEAST.main + (options.panel && kind === "wide" ? LEAST.panel + 1 : 0);
    const width = between(LEAST.sidebar, inner - 1 - rest, options.widths?.sidebar ?? usual);
    found.sidebar = { x: left, width, ...body };
    left += width;
    found.rules.push(left++);
  }
  const right = columns - 1;
  if (options.panel && kind === "wide") {
    const usual = Math.floor(columns * PANEL_SHARE);
    const width = between(LEAST.panel, right - left - 1 - LEAST.main, options.widths?.panel ?? usual);
    found.main = { x: left, width: right - width - 1 - left, ...body };
    found.rules.push(right - width - 1);
    found.panel = { x: right - width, width, ...body };
  } else if (!(kind === "narrow" && options.sidebarOver)) {
    const rest = { x: left, width: right - left, ...body };
    if (options.panel) found.panel = rest;
    else found.main = rest;
  }
  found.rules.push(right);
  if (options.banner && found.main) bannerOver(found, found.main);
  return found;
}

/** Rows of messages that have to be left under a line of their own. */
const BANNER_FROM = 8;

function bannerOver(found: Layout, { x, y, width, height }: Rect): void {
  if (height <= BANNER_FROM) return;
  found.banner = { x, y, width, height: 1 };
  found.main = { x, y: y + 1, width, height: height - 1 };
}

/** Columns of the borders that can be moved. */
export function borders({ kind, sidebar, panel, main }: Layout): PaneWidths {
  return {
    ...(sidebar && kind !== "narrow" && { sidebar: sidebar.x + sidebar.width }),
    ...(panel && main && { panel: panel.x - 1 }),
  };
}

function tiny({ columns, rows, panel, composerRows }: LayoutOptions): Layout {
  const height = Math.max(1, Math.min(composerRows, Math.floor(rows / 3)));
  const rest: Rect = { x: 0, y: 0, width: columns, height: Math.max(0, rows - height) };
  return {
    kind: "tiny",
    columns,
    rows,
    beside: false,
    rules: [],
    ...(panel ? { panel: rest } : { main: rest }),
    composer: { x: 0, y: rest.height, width: columns, height },
  };
}

/** A centred box for a popup, never larger than the screen leaves room for. */
export function popupRect(columns: number, rows: number, width: number, height: number): Rect {
  const w = Math.max(1, Math.min(width, columns - 4));
  const h = Math.max(1, Math.min(height, rows - 2));
  return {
    x: Math.floor((columns - w) / 2),
    y: Math.max(0, Math.floor((rows - h) / 3)),
    width: w,
    height: h,
  };
}

/** First row of a window of `height` that holds `at`. */
export function windowTop(at: number, length: number, height: number): number {
  return Math.max(0, Math.min(at - Math.floor(height / 2), length - height));
}

/** Under the title of a panel. */
export const belowTitle = (rect: Rect): Rect => ({
  ...rect,
  y: rect.y + 1,
  height: Math.max(0, rect.height - 1),
});
