/** The state of the screen that is not the service's: focus, panels, popups, scroll positions and texts being written. */
import type { CampaignOutcome } from "../../commands/campaign/audience/missed.ts";
import type { Pace } from "../../commands/campaign/pace.ts";
import type { LocalDraft } from "../../core/store/store.ts";
import type { PictureLine } from "../../model/pictures.ts";
import type { ThreadRef } from "../../model/state.ts";
import type { Message, Reaction } from "../../wire/entities/message.ts";
import type { User } from "../../wire/entities/user.ts";
import type { InputEvent } from "../input/events.ts";
import type { RepeatMemory } from "../editor/vim-repeat.ts";
import type { Vim } from "../editor/vim-state.ts";
import { EMPTY_BOX, type ComposerBox } from "./composer.ts";
import type { PaneWidths } from "./layout.ts";
import type { Hints } from "./hints.ts";
import type { EarlierText } from "./edit-history.ts";
import type { Tour } from "./tour-steps.ts";
import type { Drag } from "./selection.ts";
import { EMPTY_SEARCH, type SearchState } from "./search.ts";
import type { PopupSlice } from "./popup.ts";
import { NO_CHANNEL_KEY, placeKey } from "./place-key.ts";
import type { Position } from "../../model/locations.ts";

export type Focus = "sidebar" | "messages" | "panel" | "composer";

/** The members of a channel. */
export interface MembersPanel {
  kind: "members";
  cid: string;
  /** Behind it there are more that were not loaded yet. */
  next?: string;
  loading: boolean;
  /** Id of the person under the cursor; absent = the first one. */
  selected?: string;
}

/** Messages of a channel that have files. */
interface FoundFiles {
  cid: string;
  /** Those that were looked up, besides those that are held. */
  found: readonly Message[];
  /** Behind it there are more. */
  next?: string;
  loading: boolean;
}

/** The files of a channel. */
export interface FilesPanel extends FoundFiles {
  kind: "files";
  /** The line under the cursor. */
  selected: number;
}

/** A picture of a channel, one of those that can be gone through. */
export interface PicturePanel extends FoundFiles {
  kind: "picture";
  line: PictureLine;
}

/** The map of the locations that are shared in a channel. */
export interface MapPanel {
  kind: "map";
  cid: string;
  parentId?: string;
  /** The message it was opened for. */
  opened: string;
  /** The message whose location it follows. */
  id: string;
  /** Where it looks, when somebody has moved it; degrees. */
  centre?: Position;
  /** Degrees a cell, when somebody has zoomed. */
  scale?: number;
}

/** A campaign as it was looked at last: with its pace, and whom it missed once it is over. */
export type WatchedCampaign = CampaignOutcome & Pace;

/** A campaign that is watched. */
export interface CampaignPanel {
  kind: "campaign";
  id: string;
  /** Absent until the first look. */
  campaign?: WatchedCampaign;
  /** Nothing changes any more. */
  over?: boolean;
  /** Why the last look failed. */
  fault?: string | undefined;
}

/** The lists of the own user, which the sidebar begins with. */
export const LISTS = ["inbox", "threads", "later", "drafts"] as const;
export type OwnList = (typeof LISTS)[number];
/** What can stand in the panel: those, and the pinned messages of the open channel. */
export type ListName = OwnList | "pins";

export type Panel =
  | { kind: "list"; list: ListName }
  | { kind: "thread"; cid: string; parentId: string }
  | { kind: "details"; cid: string }
  /** Who voted in the poll of a message. */
  | { kind: "votes"; cid: string; parentId?: string; id: string }
  /** Who reacted to a message and read it, and what it said before. */
  | {
      kind: "about";
      cid: string;
      parentId?: string;
      id: string;
      reactions: readonly Reaction[];
      before: readonly EarlierText[];
    }
  /** Of all channels. */
  | { kind: "search" }
  | MembersPanel
  | FilesPanel
  | PicturePanel
  | MapPanel
  | CampaignPanel
  /** One message in full, for what is cut or folded in the stream. */
  | { kind: "message"; cid: string; message: Message };

export type PanelOf<Kind extends Panel["kind"]> = Extract<Panel, { kind: Kind }>;

/** Where a list of messages stands. No anchor = it sticks to the newest. */
export interface ScrollView {
  /** The row at the bottom of the pane: this message's row `row`, counted from its own first row. */
  anchor?: { id: string; row: number };
  /** The message under the browse cursor. */
  selected?: string;
  /** The last message id held when the user left the bottom. */
  seenId?: string;
}

/** Where one was before a jump to a message. */
export interface Jump {
  readonly cid: string;
  readonly panels: readonly Panel[];
  readonly focus: Focus;
  /** The list one was in. */
  readonly place: ThreadRef;
  readonly view: ScrollView;
}

/** Where the range of selected messages began. */
interface Range {
  /** `placeKey` of its list. */
  key: string;
  from: string;
}

export interface CompletionState {
  /** What is completed: text from `start` up to the cursor (code units). */
  start: number;
  items: CompletionItem[];
  selected: number;
  /** Somebody has gone through the list to the one that is chosen. */
  browsed?: true;
  /** A line under the list: help for the argument that is being written. */
  help?: string;
}

export interface CompletionItem {
  /** Replaces the text from `start` to the cursor. */
  insert: string;
  label: string;
  detail?: string;
  /** Who is mentioned when it is chosen. */
  user?: User;
  /** The name of the emoji that it is. */
  emoji?: string;
}

/** Which channel is in the middle, and where one came from. */
interface ChannelSlice {
  cid?: string;
  lastCid?: string;
  /** The open channel is only passed on the way to one of its messages: that its end is in sight does not count as read. */
  jumping?: boolean;
  /** Where the round through the unread channels began (Alt-A). */
  unreadRoundStart?: string;
}

/** The right panel: a stack of which the top is shown. */
interface PanelSlice {
  panels: readonly Panel[];
  /** First row shown of a panel that is no list of messages. */
  panelTop: number;
}

/** The entry under the cursor of a list; where it is gone, what stands at its place. */
interface ListCursor {
  key: string;
  index: number;
}

interface CursorSlice {
  cursors: Readonly<Partial<Record<ListName, ListCursor>>>;
}

/** Channels that were put together by hand. */
export interface SidebarSection {
  readonly name: string;
  readonly cids: readonly string[];
}

/** The sidebar as it was arranged by hand. */
export interface Arrangement {
  /** Channels in the order of the setting `manual`; others follow. */
  readonly order: readonly string[];
  readonly sections: readonly SidebarSection[];
}

export const NOT_ARRANGED: Arrangement = { order: [], sections: [] };

/** How the panes stand. */
interface PaneSlice {
  panes: PaneWidths;
  /** The border that the mouse moves. */
  movingBorder?: keyof PaneWidths;
}

interface SidebarSlice {
  sidebar: {
    hidden: boolean;
    /** Over the messages of a narrow screen. */
    over: boolean;
    /** Key of the row under the sidebar's cursor. */
    cursor?: string;
    folded: ReadonlySet<string>;
    arrangement: Arrangement;
    /** What is typed to find a channel in the list; absent = the whole list is shown. */
    filter?: string;
    /** First row shown, when the list is longer than the pane. */
    top: number;
  };
}

/** How a message is shown by choice. */
export interface MessageDisplay {
  /** Spoilers are open. */
  revealed?: boolean;
  /** Not the translation. */
  original?: boolean;
  /** The language it was translated to on demand. */
  language?: string;
}

/** Where the lists of messages stand. */
interface ListSlice {
  /** By `placeKey`. */
  views: ReadonlyMap<string, ScrollView>;
  /** How single messages are shown by choice, by id. */
  messageDisplay: ReadonlyMap<string, MessageDisplay>;
  /** Several messages are selected. */
  range?: Range;
}

/** What is being written. */
interface BoxSlice {
  /** By `placeKey`. */
  composers: ReadonlyMap<string, ComposerBox>;
  completion?: CompletionState;
  /** What is written is also shown as others will see it. */
  preview?: boolean;
  /** Vim's normal mode has the keys of the box; absent while one writes. */
  vim?: Vim;
  /** What its dot does again. */
  vimMemory?: RepeatMemory;
  /** What is written and not sent, from the first character on (D10), by `placeKey`; of the box in sight the text may be older. */
  drafts: ReadonlyMap<string, LocalDraft>;
}

/** What has the keys, and what was pressed of them. */
interface KeySlice {
  focus: Focus;
  /** Do-not-disturb as it was set here, ms, 0 = ended; it counts until the provider says something else than it did then. */
  quiet?: { until: number; before: string | undefined };
  /** The terminal window has the focus of the desktop. */
  windowFocused: boolean;
  /** First chords of a binding of several ("g g"). */
  pendingKey?: string;
  /** What was typed from Enter on before the first channel was open: it waits for that. */
  queuedInput?: readonly InputEvent[];
  /** Ctrl-C was pressed on an empty box: the next one leaves. */
  quitArmed: boolean;
  /** Letters that have the keys until they are typed. */
  hints?: Hints;
}

/** Something others see that was just done, and what undoes it. */
export interface TakeBack {
  /** As in "takes back the pin". */
  what: string;
  /** Wall clock, ms. */
  until: number;
  /** The id of the notice that offers it. */
  notice?: string;
  run: () => void;
}

/** Absent until it began once. */
interface TourSlice {
  tour?: Tour;
}

interface TakeBackSlice {
  /** Oldest first. */
  takeBacks: readonly TakeBack[];
}

interface SearchSlice {
  search: SearchState;
  /** Where one was before jumps to messages, oldest first. */
  jumps: readonly Jump[];
}

/** Text that is being selected with the mouse. */
interface DragSlice {
  drag?: Drag;
}

/** Files of messages that are being saved. */
interface SaveSlice {
  /** Address → whole percent. */
  saves: Readonly<Record<string, number>>;
}

/** A slice for each view; what a change of one does to the others is in `moves.ts`. */
export interface Screen
  extends
    ChannelSlice,
    PanelSlice,
    CursorSlice,
    PopupSlice,
    PaneSlice,
    SidebarSlice,
    ListSlice,
    BoxSlice,
    KeySlice,
    TakeBackSlice,
    TourSlice,
    SearchSlice,
    DragSlice,
    SaveSlice {
  columns: number;
  rows: number;
  /** The channels of this start have not come yet: what is shown may be old or nothing. */
  loading: boolean;
}

export function emptyScreen(columns: number, rows: number): Screen {
  return {
    columns,
    rows,
    focus: "composer",
    windowFocused: true,
    panels: [],
    panes: {},
    cursors: {},
    popups: [],
    sidebar: { hidden: false, over: false, folded: new Set(["archived"]), arrangement: NOT_ARRANGED, top: 0 },
    views: new Map(),
    messageDisplay: new Map(),
    composers: new Map(),
    drafts: new Map(),
    panelTop: 0,
    quitArmed: false,
    takeBacks: [],
    search: EMPTY_SEARCH,
    jumps: [],
    saves: {},
    loading: false,
  };
}

export function topPanel(screen: PanelSlice): Panel | undefined {
  return screen.panels.at(-1);
}

/** The same, where it is of this kind. */
export function topPanelOf<Kind extends Panel["kind"]>(
  screen: PanelSlice,
  kind: Kind,
): PanelOf<Kind> | undefined {
  const panel = topPanel(screen);
  return panel?.kind === kind ? (panel as PanelOf<Kind>) : undefined;
}

/** The list whose keys work: it stands in the panel, and the panel has the focus. */
export function focusedList(screen: PanelSlice & KeySlice): ListName | undefined {
  const panel = topPanel(screen);
  return screen.focus === "panel" && panel?.kind === "list" ? panel.list : undefined;
}

/** The line of the search has the keys. */
export const isSearching = (screen: PanelSlice & PopupSlice & KeySlice): boolean =>
  screen.focus === "panel" && screen.popups.length === 0 && topPanel(screen)?.kind === "search";

/** The keys of vim's normal mode are the box's now. */
export const isVimNormal = ({ vim, focus, popups }: BoxSlice & PopupSlice & KeySlice): boolean =>
  vim !== undefined && focus === "composer" && popups.length === 0;

/** A part of a name is typed in the sidebar, which has the keys. */
export const isFiltering = ({ focus, popups, sidebar }: SidebarSlice & PopupSlice & KeySlice): boolean =>
  focus === "sidebar" && popups.length === 0 && sidebar.filter !== undefined;

/** Where what is written goes: the thread while its panel is being written to, else the open channel. */
export function composerPlace(screen: ChannelSlice & PanelSlice): ThreadRef | undefined {
  const panel = topPanel(screen);
  if (panel?.kind === "thread") return { cid: panel.cid, parentId: panel.parentId };
  return screen.cid === undefined ? undefined : { cid: screen.cid };
}

/** What is written elsewhere than in the box in sight, the newest first: counted, its first letter would push the list down. */
export function draftsElsewhere(screen: ChannelSlice & PanelSlice & BoxSlice): LocalDraft[] {
  const here = composerPlace(screen);
  const key = here && placeKey(here);
  return [...screen.drafts].filter(([at]) => at !== key).map(([, draft]) => draft);
}

/** The list of messages the browse keys act on. */
export function browsePlace(screen: ChannelSlice & PanelSlice & KeySlice): ThreadRef | undefined {
  const panel = topPanel(screen);
  if (panel && screen.focus !== "messages") {
    if (panel.kind === "thread") return { cid: panel.cid, parentId: panel.parentId };
    // A panel without messages has the keys: nothing that cannot be seen may be acted on.
    if (screen.focus === "panel") return undefined;
  }
  return screen.cid === undefined ? undefined : { cid: screen.cid };
}

/** One object, so that panes see the same view while nothing moved. */
const AT_END: ScrollView = {};

export function scrollOf(screen: ListSlice, place: ThreadRef | undefined): ScrollView {
  return (place && screen.views.get(placeKey(place))) ?? AT_END;
}

/** What stands in the box of a place; without one what was typed before a channel was open. */
export const boxOf = (screen: Screen, place: ThreadRef | undefined = composerPlace(screen)): ComposerBox =>
  screen.composers.get(place ? placeKey(place) : NO_CHANNEL_KEY) ?? EMPTY_BOX;
