/** The UI state: focus, panels, popups, scroll positions and texts being written. */
import type { Audience } from "../../model/audience.ts";
import type { LocalDraft } from "../../core/store/store.ts";
import type { Notice, ThreadRef } from "../../model/state.ts";
import type { User } from "../../wire/entities/user.ts";
import type { InputEvent } from "../input/events.ts";
import type { RepeatMemory } from "../editor/vim-repeat.ts";
import type { Vim } from "../editor/vim-state.ts";
import { EMPTY_BOX, type ComposerBox } from "./composer.ts";
import { isRoomy, type PaneWidths } from "./layout.ts";
import type { Hints } from "./hints.ts";
import type { Tour } from "./tour-steps.ts";
import type { Drag } from "./selection.ts";
import { EMPTY_SEARCH, type SearchState } from "./search.ts";
import type { PopupSlice } from "./popup.ts";
import { NO_CHANNEL_KEY, placeKey } from "./place-key.ts";

export type Focus = "sidebar" | "messages" | "panel" | "composer";

/** The state of a panel that is a folder of its own (ports/panels.ts); each adds what it needs. */
export interface Panel {
  /** Of the panel, and of the place of its keys in key files. */
  readonly name: string;
  /** What it shows: opened again for the same, it replaces itself. */
  readonly key: string;
  /** The channel it belongs to. */
  readonly cid?: string;
  /** The messages it shows: the composer writes there, and the keys of browsing act on them. */
  readonly place?: ThreadRef;
  /** While it has the focus it covers the messages on a wide screen too, or everything but the line of keys. */
  readonly fills?: "messages" | "window";
}

export const THREAD = "thread";

export interface ThreadPanel extends Panel {
  readonly cid: string;
  readonly place: ThreadRef & { parentId: string };
}

export const threadPanel = ({ cid, parentId }: ThreadPanel["place"]): ThreadPanel => ({
  name: THREAD,
  key: parentId,
  cid,
  place: { cid, parentId },
});

export const DETAILS = "details";

/** Of a channel. */
export const detailsPanel = (cid: string): Panel & { cid: string } => ({ name: DETAILS, key: cid, cid });

/** The scroll position of a message list. No anchor = it follows the newest message. */
export interface ScrollView {
  /** The row at the bottom of the pane: row `row` of this message, from 0. */
  anchor?: { id: string; row: number };
  /** The message under the browse cursor. */
  selected?: string;
  /** The newest loaded message when the user scrolled up from the bottom. */
  seenId?: string;
}

/** The position before a jump to a message. */
export interface Jump {
  readonly cid: string;
  readonly panels: readonly Panel[];
  readonly focus: Focus;
  /** The message list that had the focus. */
  readonly place: ThreadRef;
  readonly view: ScrollView;
}

/** The start of the range of selected messages. */
interface Range {
  /** `placeKey` of the list. */
  key: string;
  from: string;
}

export interface CompletionState {
  /** The completed text reaches from `start` to the cursor (UTF-16 units). */
  start: number;
  items: CompletionItem[];
  selected: number;
  /** The user has moved through the list. */
  browsed?: true;
  /** A line below the list: help for the argument being typed. */
  help?: string;
}

export interface CompletionItem {
  /** Replaces the text from `start` to the cursor. */
  insert: string;
  label: string;
  detail?: string;
  /** The user to mention when it is accepted. */
  user?: User;
  /** The name of the emoji. */
  emoji?: string;
}

/** What a half of the messages shows: the list and the box of its channel are kept by channel. */
interface Half {
  cid?: string | undefined;
  /** The channel that was open in it before. */
  lastCid?: string | undefined;
}

/** The half without the focus. */
interface OtherHalf extends Half {
  readonly cid: string;
  readonly isLeft: boolean;
}

/** The half with the focus, which all actions are about, and the other one while the messages are split (halves.ts). */
interface ChannelSlice extends Half {
  other?: OtherHalf | undefined;
  /** A jump to a message of the open channel follows: its visible end does not count as read meanwhile. */
  jumping?: boolean;
  /** The reply below the line of new ones, of the thread that is open. */
  threadLine?: { key: string; id: string } | undefined;
  /** The channel that was open when the user began to go through the unread ones (Alt-A). */
  unreadRoundStart?: string;
}

/** The right panel: a stack whose top is shown. */
interface PanelSlice {
  panels: readonly Panel[];
  /** The user has closed the details that a wide screen shows unasked. */
  detailsClosed?: boolean;
}

/** A section of channels made by the user. */
export interface SidebarSection {
  readonly name: string;
  readonly cids: readonly string[];
}

/** The user's arrangement of the sidebar. */
export interface Arrangement {
  /** The channel order for the setting `manual`; other channels follow. */
  readonly order: readonly string[];
  readonly sections: readonly SidebarSection[];
}

export const NOT_ARRANGED: Arrangement = { order: [], sections: [] };

interface PaneSlice {
  panes: PaneWidths;
  /** The border being moved with the mouse. */
  movingBorder?: keyof PaneWidths;
}

interface SidebarSlice {
  sidebar: {
    hidden: boolean;
    /** Open over the messages of a narrow screen. */
    over: boolean;
    /** Key of the selected row. */
    cursor?: string;
    folded: ReadonlySet<string>;
    arrangement: Arrangement;
    /** Text typed to filter the channels; absent = no filter. */
    filter?: string;
    /** Only channels with something new are shown. */
    unreadOnly?: boolean;
    /** First visible row below the views. */
    top: number;
  };
}

/** Display options of one message. */
export interface MessageDisplay {
  /** Spoilers are shown. */
  revealed?: boolean;
  /** The original is shown instead of the translation. */
  original?: boolean;
  /** The language of a translation on demand. */
  language?: string;
}

/** The state of the message lists. */
interface ListSlice {
  /** By `placeKey`. */
  views: ReadonlyMap<string, ScrollView>;
  /** By message id. */
  messageDisplay: ReadonlyMap<string, MessageDisplay>;
  /** Set while several messages are selected. */
  range?: Range;
}

/** A message that Enter has sent while its files were being uploaded (R-SEND-15). */
export interface WaitingSend {
  readonly text: string;
  /** The local ids of its files. */
  readonly files: readonly string[];
  /** Who was chosen to see it. */
  readonly onlyFor: Audience | undefined;
  readonly send: () => void;
}

/** The state of the composers. */
interface BoxSlice {
  /** By `placeKey`. */
  composers: ReadonlyMap<string, ComposerBox>;
  completion?: CompletionState;
  /** The preview of the message being written is shown. */
  preview?: boolean;
  /** Messages that are sent once their files are uploaded, by `placeKey`. */
  waitingSends: ReadonlyMap<string, WaitingSend>;
  /** Vim's normal mode; absent in insert mode. */
  vim?: Vim;
  /** The change repeated by Vim's dot command. */
  vimMemory?: RepeatMemory;
  /** Unsent drafts (D10) by `placeKey`; the text of the visible composer may be older here. */
  drafts: ReadonlyMap<string, LocalDraft>;
}

/** Letters typed one soon after the other while browsing (specification/screen.md §4.2). */
export interface TypedLetters {
  readonly text: string;
  /** The last one. */
  readonly chord: string;
  /**
   * The last one moved the cursor, has shown something, is bound to nothing or the first of a sequence (`held`), waits for its
   * second press (`asked`), or acts as soon as no further letter follows (`due`).
   */
  readonly state: "moved" | "shown" | "held" | "asked" | "due";
  readonly binding?: string;
  readonly act?: () => void;
  /** The last one only says why its message does not allow it. */
  readonly isRefused?: boolean;
  /** The screen before the first one. */
  readonly screen: Screen;
  /** What had the keys after the last one (`keysPlace`); when something else has them, the letters are over. */
  readonly place?: string;
}

/** Focus and pending key input. */
interface KeySlice {
  focus: Focus;
  /** Do-not-disturb set on this screen (ms, 0 = ended), valid until the provider's value differs from `before`. */
  quiet?: { until: number; before: string | undefined };
  /** The terminal window has the focus. */
  windowFocused: boolean;
  /** The chords pressed so far of a sequence such as `g g`. */
  pendingKey?: string;
  /** The steps of a key that wait for the end of a pause. */
  paused?: { readonly rest: readonly string[] };
  typed?: TypedLetters;
  /** A text that began while browsing is in the box: the first Enter does not send it. */
  enterHeld?: true;
  /** Input queued from the first Enter on until the first channel is open. */
  queuedInput?: readonly InputEvent[];
  /** Ctrl-C was pressed on an empty composer: the next one quits. */
  quitArmed: boolean;
  /** Hint letters receive all keys while they are shown. */
  hints?: Hints;
}

/** An offer to undo a change others can see. */
export interface TakeBack {
  /** As in "takes back the pin". */
  what: string;
  /** Expiry, wall clock, ms. */
  until: number;
  /** The id of the notice that shows the offer. */
  notice?: string;
  run: () => void;
}

/** Absent until the tour was started once. */
interface TourSlice {
  tour?: Tour | undefined;
}

interface TakeBackSlice {
  /** Oldest first. */
  takeBacks: readonly TakeBack[];
}

/** A notice, and when it was shown, ms. */
export interface PastNotice {
  notice: Notice;
  at: number;
}

interface NoticeSlice {
  /** The last ones, the newest last. */
  pastNotices: readonly PastNotice[];
}

interface SearchSlice {
  search: SearchState;
  /** Positions before jumps to messages, oldest first. */
  jumps: readonly Jump[];
}

/** Text being selected with the mouse. */
interface DragSlice {
  drag?: Drag;
}

/** Files being saved. */
interface SaveSlice {
  /** URL → percent, whole number. */
  saves: Readonly<Record<string, number>>;
}

/** The extension that runs for the message box. */
interface ExtensionSlice {
  running?: { readonly name: string; stop(): void } | undefined;
}

/** One slice per view; changes that affect several slices are in `transitions.ts`. */
export interface Screen
  extends
    ChannelSlice,
    PanelSlice,
    PopupSlice,
    PaneSlice,
    SidebarSlice,
    ListSlice,
    BoxSlice,
    KeySlice,
    TakeBackSlice,
    NoticeSlice,
    TourSlice,
    SearchSlice,
    DragSlice,
    SaveSlice,
    ExtensionSlice {
  columns: number;
  rows: number;
  /** The channels have not been loaded yet: the content is from the cache or empty. */
  loading: boolean;
  /** Why the channels could not be loaded, when they are asked for again (ms, absent: only by the user), and what asks now. */
  notLoaded?: { readonly why: string; readonly retryAt?: number; retry(): void } | undefined;
}

export function emptyScreen(columns: number, rows: number): Screen {
  return {
    columns,
    rows,
    focus: "composer",
    windowFocused: true,
    panels: [],
    panes: {},
    popups: [],
    sidebar: { hidden: false, over: false, folded: new Set(["archived"]), arrangement: NOT_ARRANGED, top: 0 },
    views: new Map(),
    messageDisplay: new Map(),
    composers: new Map(),
    waitingSends: new Map(),
    drafts: new Map(),
    quitArmed: false,
    takeBacks: [],
    pastNotices: [],
    search: EMPTY_SEARCH,
    jumps: [],
    saves: {},
    loading: false,
  };
}

export function topPanel(screen: Pick<Screen, "panels">): Panel | undefined {
  return screen.panels.at(-1);
}

/** The top panel, if it has this name; `P` is the state of that panel. */
export function topPanelOf<P extends Panel>(screen: Pick<Screen, "panels">, name: string): P | undefined {
  const panel = topPanel(screen);
  return panel?.name === name ? (panel as P) : undefined;
}

export const ASIDE_SLICES = ["cid", "columns", "rows", "panels", "detailsClosed", "other"] as const;

type AsideInput = Pick<Screen, "columns" | "rows" | "panels"> & {
  cid?: string | undefined;
  detailsClosed?: boolean | undefined;
  other?: Screen["other"] | undefined;
};

/** The channel whose details are shown unasked: there is room, nothing else is open, and the user has not closed them (specification/screen.md §1). */
export const cidAside = (screen: AsideInput): string | undefined => {
  const { columns, rows, panels, detailsClosed, other } = screen;
  return isRoomy(columns, rows) && !panels.length && !other && !detailsClosed ? screen.cid : undefined;
};

/** Changes the panels that show the same, wherever they are: an answer may come while another panel covers them. */
export const panelsChanged = <P extends Panel>(
  screen: Screen,
  { name, key }: Pick<P, "name" | "key">,
  change: (panel: P) => P,
): Screen => ({
  ...screen,
  panels: screen.panels.map((panel) =>
    panel.name === name && panel.key === key ? change(panel as P) : panel,
  ),
});

/** The messages in the panel, if it shows some. */
export function panelPlace(screen: Pick<Screen, "panels">): ThreadRef | undefined {
  return topPanel(screen)?.place;
}

/** The composer has the focus in Vim's normal mode. */
export const isVimNormal = ({ vim, focus, popups }: Pick<Screen, "vim" | "focus" | "popups">): boolean =>
  vim !== undefined && focus === "composer" && popups.length === 0;

/** The sidebar has the focus and its filter is open. */
export const isFiltering = ({
  focus,
  popups,
  sidebar,
}: Pick<Screen, "focus" | "popups" | "sidebar">): boolean =>
  focus === "sidebar" && popups.length === 0 && sidebar.filter !== undefined;

/** The place the composer writes to: the thread if one is open, else the open channel. */
export function composerPlace(screen: Pick<Screen, "cid" | "panels">): ThreadRef | undefined {
  return panelPlace(screen) ?? (screen.cid === undefined ? undefined : { cid: screen.cid });
}

/** All drafts but that of the visible composer (counting it would shift the list with its first letter), newest first. */
export function draftsElsewhere(screen: Pick<Screen, "cid" | "panels" | "drafts">): LocalDraft[] {
  const here = composerPlace(screen);
  const key = here && placeKey(here);
  return [...screen.drafts].filter(([at]) => at !== key).map(([, draft]) => draft);
}

/** The message list that the browse keys act on. */
export function browsePlace(screen: Pick<Screen, "cid" | "panels" | "focus">): ThreadRef | undefined {
  if (topPanel(screen) && screen.focus !== "messages") {
    const place = panelPlace(screen);
    // The focused panel has no messages: keys must not act on messages that are not visible.
    if (place || screen.focus === "panel") return place;
  }
  return screen.cid === undefined ? undefined : { cid: screen.cid };
}

/** A shared object, so that views can compare it. */
const AT_END: ScrollView = {};

export function scrollOf(screen: Pick<Screen, "views">, place: ThreadRef | undefined): ScrollView {
  return (place && screen.views.get(placeKey(place))) ?? AT_END;
}

/** The composer of a place; before any channel is open, the one of `NO_CHANNEL_KEY`. */
export const boxOf = (
  screen: Pick<Screen, "composers" | "cid" | "panels">,
  place: ThreadRef | undefined = composerPlace(screen),
): ComposerBox => screen.composers.get(place ? placeKey(place) : NO_CHANNEL_KEY) ?? EMPTY_BOX;

export function withComposer(screen: Screen, place: ThreadRef | undefined, composer: ComposerBox): Screen {
  const composers = new Map(screen.composers);
  composers.set(place ? placeKey(place) : NO_CHANNEL_KEY, composer);
  return { ...screen, composers, quitArmed: false };
}
