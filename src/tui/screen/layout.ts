/** Computes the rectangle of every view from the screen's size (specification/screen.md §1). */

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
  /** Title line; absent when tiny, where the status line names the channel. */
  header?: Rect;
  sidebar?: Rect;
  /** The messages of the open channel; absent while a panel or the sidebar covers them. */
  main?: Rect;
  /** One row above the messages: the next step of the tour, or the newest pin. */
  banner?: Rect | undefined;
  /** The right panel; covers the messages below 120 columns. */
  panel?: Rect;
  /** The panel is beside the messages, not over them. */
  beside: boolean;
  /** Columns of the vertical rules between the panes, ascending. */
  rules: number[];
  /** Row of the line above the composer; absent when tiny. */
  divider?: number;
  composer: Rect;
  status?: Rect;
  /** The half without the focus; title, messages and composer above are then those of the other one. */
  other?: { header: Rect; banner?: Rect; main: Rect; composer: Rect } | undefined;
  /** Column of the rule between two halves, of which a panel may cover one. */
  middle?: number;
  /** The screen has no room for any view: a sentence says so. */
  tooSmall?: true;
}

/** Widths in cells set by the user; absent = the default for the screen size. */
export interface PaneWidths {
  readonly sidebar?: number;
  readonly panel?: number;
}

export interface LayoutOptions {
  columns: number;
  rows: number;
  panel: boolean;
  /** It is one that nobody asked for: it leaves more to the messages. */
  aside?: boolean;
  /** The panel covers the messages, or everything but the line of keys. */
  fills?: "messages" | "window";
  /** There is something to show in the banner. */
  banner?: boolean;
  /** The messages are split, where there is room: the side of the half with the focus, and whether the other one has a banner. */
  halves?: { focused: "left" | "right"; otherBanner: boolean } | undefined;
  /** The user has hidden the sidebar (Ctrl-\). */
  sidebarHidden: boolean;
  /** The sidebar is open over the messages (narrow screens). */
  sidebarOver: boolean;
  widths?: PaneWidths | undefined;
  /** Rows the composer needs, including its notes. */
  composerRows: number;
}

const MIN_WIDE_COLUMNS = 120;
const MIN_MEDIUM_COLUMNS = 80;
const MIN_COLUMNS = 50;
const MIN_ROWS = 12;
/** The least in which the messages, the box, the line below it and a list over them can be used. */
export const LEAST = { columns: 24, rows: 6 } as const;
/** From here on the sidebar is wider. */
const ROOMY_COLUMNS = 160;
const PANEL_SHARE = 0.36;
const ASIDE_SHARE = 0.25;
const COMPOSER_SHARE = 1 / 3;

/** Minimum widths of the panes. */
const MIN_WIDTH = { main: 40, sidebar: 12, panel: 24 };

const clamp = (min: number, max: number, width: number): number => Math.max(min, Math.min(max, width));

/** Too small for any view (specification/screen.md §1). */
export const isTooSmall = (columns: number, rows: number): boolean =>
  columns < LEAST.columns || rows < LEAST.rows;

/** Too small for panes (specification/screen.md §1). */
export function isTiny(columns: number, rows: number): boolean {
  return columns < MIN_COLUMNS || rows < MIN_ROWS;
}

export function layoutKind(columns: number, rows: number): LayoutKind {
  if (isTiny(columns, rows)) return "tiny";
  return columns >= MIN_WIDE_COLUMNS ? "wide" : columns >= MIN_MEDIUM_COLUMNS ? "medium" : "narrow";
}

/** There is room for a panel that nobody asked for. */
export const isRoomy = (columns: number, rows: number): boolean =>
  !isTiny(columns, rows) && columns >= ROOMY_COLUMNS;

/** All rectangles in cells from the top left, within the screen. */
export function layout(options: LayoutOptions): Layout {
  const { columns, rows } = options;
  const kind = layoutKind(columns, rows);
  if (options.panel && options.fills === "window" && !isTooSmall(columns, rows)) return windowLayout(options);
  if (kind === "tiny") return tinyLayout(options);
  const maxComposerRows = Math.max(1, Math.floor((rows - 3) * COMPOSER_SHARE));
  const composerRows = Math.max(1, Math.min(options.composerRows, maxComposerRows));
  const bodyHeight = rows - 3 - composerRows;
  const body = { y: 1, height: bodyHeight };
  const result: Layout = {
    kind,
    columns,
    rows,
    header: { x: 0, y: 0, width: columns, height: 1 },
    beside: kind === "wide" && !options.fills,
    rules: [],
    divider: 1 + bodyHeight,
    composer: { x: 0, y: 2 + bodyHeight, width: columns, height: composerRows },
    status: { x: 0, y: rows - 1, width: columns, height: 1 },
  };
  let left = 0;
  if (kind === "narrow") {
    if (options.sidebarOver) result.sidebar = { x: left, width: columns, ...body };
  } else if (!options.sidebarHidden) {
    const defaultWidth = columns >= ROOMY_COLUMNS ? 28 : kind === "wide" ? 24 : 20;
    const beside = options.halves ? MIN_WIDTH.main : options.panel ? MIN_WIDTH.panel : undefined;
    const reserved = MIN_WIDTH.main + (beside !== undefined && kind === "wide" ? beside + 1 : 0);
    const width = clamp(MIN_WIDTH.sidebar, columns - 1 - reserved, options.widths?.sidebar ?? defaultWidth);
    result.sidebar = { x: left, width, ...body };
    left += width;
    result.rules.push(left++);
  }
  const right = columns;
  if (options.halves && kind === "wide") splitAt(result, left, options, options.halves);
  else if (options.panel && result.beside) {
    const defaultWidth = Math.floor(columns * (options.aside ? ASIDE_SHARE : PANEL_SHARE));
    const width = clamp(
      MIN_WIDTH.panel,
      right - left - 1 - MIN_WIDTH.main,
      options.widths?.panel ?? defaultWidth,
    );
    result.main = { x: left, width: right - width - 1 - left, ...body };
    result.rules.push(right - width - 1);
    result.panel = { x: right - width, width, ...body };
  } else if (!(kind === "narrow" && options.sidebarOver)) {
    const remaining = { x: left, width: right - left, ...body };
    if (options.panel) result.panel = remaining;
    else result.main = remaining;
  }
  if (options.banner && result.main) addBanner(result, result.main);
  if (options.halves?.otherBanner && result.other) addBanner(result.other, result.other.main);
  return result;
}

/** Two halves from this column on, each with its title and its composer; a panel covers the one without the focus. */
function splitAt(
  result: Layout,
  left: number,
  { panel, columns }: LayoutOptions,
  { focused }: NonNullable<LayoutOptions["halves"]>,
): void {
  const middle = left + Math.floor((columns - left - 1) / 2);
  const { header, composer } = result;
  const body = { y: 1, height: result.divider! - 1 };
  const inLeft = { x: left, width: middle - left, ...body };
  const inRight = { x: middle + 1, width: columns - middle - 1, ...body };
  const [main, other] = focused === "left" ? [inLeft, inRight] : [inRight, inLeft];
  Object.assign(result, { main, middle });
  result.rules.push(middle);
  if (panel) result.panel = other;
  else {
    /** Title and composer go on below and above the sidebar. */
    const across = ({ x, width }: Rect): Pick<Rect, "x" | "width"> =>
      x > middle ? { x, width } : { x: 0, width: middle };
    result.header = { ...header!, ...across(main) };
    result.composer = { ...composer, ...across(main) };
    result.other = {
      header: { ...header!, ...across(other) },
      main: other,
      composer: { ...composer, ...across(other) },
    };
  }
}

/** The banner is shown only if the pane has more rows than this. */
const MAX_ROWS_WITHOUT_BANNER = 8;

function addBanner(result: Pick<Layout, "banner" | "main">, { x, y, width, height }: Rect): void {
  if (height <= MAX_ROWS_WITHOUT_BANNER) return;
  result.banner = { x, y, width, height: 1 };
  result.main = { x, y: y + 1, width, height: height - 1 };
}

/** Columns of the movable borders. */
export function borders({ kind, sidebar, panel, main, middle }: Layout): PaneWidths {
  return {
    ...(sidebar && kind !== "narrow" && { sidebar: sidebar.x + sidebar.width }),
    ...(panel && main && middle === undefined && { panel: panel.x - 1 }),
  };
}

/** The panel in the place of everything but the line of keys. */
function windowLayout({ columns, rows }: LayoutOptions): Layout {
  return {
    kind: layoutKind(columns, rows),
    columns,
    rows,
    beside: false,
    rules: [],
    panel: { x: 0, y: 0, width: columns, height: rows - 1 },
    composer: { x: 0, y: rows - 1, width: columns, height: 0 },
    status: { x: 0, y: rows - 1, width: columns, height: 1 },
  };
}

function tinyLayout({ columns, rows, panel, composerRows }: LayoutOptions): Layout {
  const height = Math.max(1, Math.min(composerRows, Math.floor(rows / 3)));
  const remaining: Rect = { x: 0, y: 0, width: columns, height: Math.max(0, rows - height - 1) };
  const composer: Rect = { x: 0, y: remaining.height, width: columns, height };
  const common = { kind: "tiny", columns, rows, beside: false, rules: [], composer } as const;
  // Without a rectangle nothing counts as seen.
  if (isTooSmall(columns, rows)) return { ...common, rules: [], tooSmall: true };
  return {
    ...common,
    rules: [],
    ...(panel ? { panel: remaining } : { main: remaining }),
    status: { x: 0, y: rows - 1, width: columns, height: 1 },
  };
}

/** Rows of the screen, from one to before another. */
export interface RowSpan {
  from: number;
  to: number;
}

/** The width of every popup; a list with descriptions may be wider. On a narrow screen only the blank ring is left around it. */
export const popupWidth = (columns: number, most = 72): number =>
  Math.max(20, Math.min(most, columns < 60 ? columns - 2 : columns - 8));

/** On a low screen a popup may be this high, if the blank ring is left. */
const MIN_POPUP_ROWS = 12;

/** The fewest rows to which a popup shrinks to leave a message in sight. */
const MIN_BESIDE_ROWS = 8;

/**
 * A rectangle for a popup with a blank ring around it, beside the rows it acts on if one side has room. Where there are no
 * panes, all rows but the last one, which has the keys, are for what it shows.
 */
export function popupRect(
  { columns, rows }: { columns: number; rows: number },
  size: { width: number; height: number },
  clear?: RowSpan,
): Rect {
  const width = Math.max(1, Math.min(size.width, columns - 2));
  const most = rows < MIN_ROWS ? rows - 1 : rows - 2;
  const height = Math.max(1, Math.min(size.height, Math.max(MIN_POPUP_ROWS, rows - 6), most));
  const x = Math.floor((columns - width) / 2);
  const beside = clear && besideRows(rows, height, clear);
  if (beside) return { x, width, ...beside };
  const y = Math.max(Math.min(2, rows - height - 1), Math.floor((rows - height) / 3));
  return { x, y: Math.max(0, y), width, height };
}

/** Above the rows or below them, where there is more room; undefined if there is too little. */
function besideRows(
  rows: number,
  height: number,
  { from, to }: RowSpan,
): { y: number; height: number } | undefined {
  const [above, below] = [from - 2, rows - 2 - to];
  const room = Math.max(above, below);
  if (room < Math.min(height, MIN_BESIDE_ROWS)) return undefined;
  const fitting = Math.min(height, room);
  return { y: above >= below ? from - 1 - fitting : to + 1, height: fitting };
}

/** First row of a window of `height` rows that contains row `at`, centred where possible. */
export function windowTop(at: number, length: number, height: number): number {
  return Math.max(0, Math.min(at - Math.floor(height / 2), length - height));
}

/** The part of a panel below its title. */
export const belowTitle = (rect: Rect): Rect => ({
  ...rect,
  y: rect.y + 1,
  height: Math.max(0, rect.height - 1),
});
