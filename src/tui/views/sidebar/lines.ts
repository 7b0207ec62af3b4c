/** The lines of the sidebar as data: views, groups with their totals, channels, and who is typing. */
import type { ChannelEntry, State } from "../../../model/state.ts";
import { latestSet } from "../../../model/select.ts";
import { saidIn } from "../../../model/message-words.ts";
import { words } from "../../../text/words.ts";
import { channelTitle, isDirect, isMuted, otherMembers, typingNames } from "../../../model/channels.ts";
import type { Rect } from "../../screen/layout.ts";
import type { SidebarLook } from "../../screen/look.ts";
import { NOT_ARRANGED, draftsElsewhere, type Arrangement, type Screen } from "../../screen/screen.ts";
import { listCounts, type ListCounts, type ListName } from "../lists/lists.ts";
import { ENTRY_SLICES } from "../lists/user-list.ts";
import { messageLine } from "../lists/entry.ts";
import type { Reads } from "../../screen/store.ts";
import { channelGroups, filtered, type ChannelGroup } from "./groups.ts";

export type SidebarLine =
  | { kind: "view"; key: `view:${ListName}`; list: ListName; label: string; count: number; open: boolean }
  /** Says that only unread channels are shown. */
  | { kind: "note"; key: string }
  | {
      kind: "group";
      key: string;
      group: string;
      label: string;
      folded: boolean;
      unread: number;
      mentions: number;
    }
  | {
      kind: "channel";
      key: string;
      cid: string;
      label: string;
      unread: number;
      mentions: number;
      draft: boolean;
      muted: boolean;
      open: boolean;
      /** Direct channels with one other person. */
      online?: boolean;
      /** From before the connection was lost. */
      stale: boolean;
    }
  | { kind: "typing"; key: string; cid: string; names: string[] }
  /** The newest message of the channel above. */
  | { kind: "preview"; key: string; cid: string; text: string }
  /** Above a group, where there is room. */
  | { kind: "blank"; key: string };

interface SidebarProps {
  state: State;
  open: string | undefined;
  folded: ReadonlySet<string>;
  /** Channels with a draft, also in a thread. */
  drafts: ReadonlySet<string>;
  /** Counts of the lists at the top. */
  counts: ListCounts;
  /** Wall clock, ms. */
  now: number;
  arrangement?: Arrangement;
  look?: SidebarLook | undefined;
  /** Shows only channels whose names match, without folding. */
  filter?: string | undefined;
  /** Shows only channels with something new, and the open one. */
  unreadOnly?: boolean | undefined;
  /** The list that is shown in the place of the channel. */
  view?: string | undefined;
}

const groupsFor = ({
  state,
  arrangement = NOT_ARRANGED,
  look,
}: Pick<SidebarProps, "state" | "arrangement" | "look">): ChannelGroup[] =>
  channelGroups({ state, arrangement, order: look?.order ?? "activity" });

const viewLine = (list: keyof ListCounts, { counts, view }: SidebarProps): SidebarLine => ({
  kind: "view",
  key: `view:${list}`,
  list,
  label: words.places[list],
  count: counts[list],
  open: list === view,
});

/** The groups without channels that have nothing new. */
const unreadGroups = ({ state, now, open }: SidebarProps, groups: readonly ChannelGroup[]): ChannelGroup[] =>
  groups.flatMap((group) => {
    const entries = group.entries.filter(
      ({ cid, unread, mentions }) =>
        cid === open || mentions > 0 || (unread > 0 && !isMuted(state, cid, now)),
    );
    return entries.length > 0 ? [{ ...group, entries }] : [];
  });

export function sidebarLines(props: SidebarProps): SidebarLine[] {
  const { state, filter } = props;
  if (filter !== undefined)
    return filtered(groupsFor(props), filter, state.me?.id).flatMap((group) =>
      groupLines(props, group, false),
    );
  const { unreadOnly = false } = props;
  const groups = groupsFor(props);
  return [
    ...(Object.keys(props.counts) as (keyof ListCounts)[]).map((list) => viewLine(list, props)),
    ...(unreadOnly ? [{ kind: "note", key: "note:unread" } as const] : []),
    ...(unreadOnly ? unreadGroups(props, groups) : groups).flatMap((group) =>
      groupLines(props, group, props.folded.has(group.group)),
    ),
  ];
}

/** The lines of a group: its head with totals and its channels; a folded group shows only the open channel. */
function groupLines(
  props: SidebarProps,
  { group, label, entries }: ChannelGroup,
  folded: boolean,
): SidebarLine[] {
  const { state } = props;
  let unread = 0;
  let mentions = 0;
  for (const entry of entries) {
    // A muted channel counts its mentions only (R-READ: silent does not mean unread).
    if (!isMuted(state, entry.cid, props.now)) unread += entry.unread;
    mentions += entry.mentions;
  }
  const lines: SidebarLine[] = [
    { kind: "group", key: `group:${group}`, group, label, folded, unread, mentions },
  ];
  for (const entry of entries) {
    const isOpen = entry.cid === props.open;
    if (folded && !isOpen) continue;
    lines.push(channelLine(props, entry, isOpen));
    const below = lineBelow(props, entry, isOpen);
    if (below) lines.push(below);
  }
  return lines;
}

/** The line below a channel: who is typing, else the newest message if previews are on. */
function lineBelow(props: SidebarProps, entry: ChannelEntry, open: boolean): SidebarLine | undefined {
  const { cid, typing } = entry;
  const { state, now } = props;
  const names = open ? [] : typingNames({ typing }, state.me, now);
  if (names.length) return { kind: "typing", key: `typing:${cid}`, cid, names };
  const messages = props.look?.preview ? latestSet(state, { cid })?.messages : undefined;
  const newest = messages?.at(messages.length - 1);
  if (!newest) return undefined;
  const { author, text } = messageLine(newest, state.me?.id);
  return {
    kind: "preview",
    key: `preview:${cid}`,
    cid,
    text: saidIn(channelTitle(entry, state.me?.id), author, text || words.message.empty),
  };
}

function channelLine(props: SidebarProps, entry: ChannelEntry, open: boolean): SidebarLine {
  const me = props.state.me?.id;
  const line: SidebarLine = {
    kind: "channel",
    key: entry.cid,
    cid: entry.cid,
    label: channelTitle(entry, me),
    unread: entry.unread,
    mentions: entry.mentions,
    draft: props.drafts.has(entry.cid),
    muted: isMuted(props.state, entry.cid, props.now),
    open,
    stale: entry.stale,
  };
  if (isDirect(entry)) {
    const [other, second] = otherMembers(entry, me);
    if (other && !second) line.online = props.state.users.get(other.id)?.online ?? other.online ?? false;
  }
  return line;
}

/** The lines with a blank one before each group but the first, if all of them fit. */
function spacedLines(lines: readonly SidebarLine[], height: number): readonly SidebarLine[] {
  const isSpaced = (line: SidebarLine, at: number): boolean => line.kind === "group" && at > 0;
  if (lines.length + lines.filter(isSpaced).length > height) return lines;
  return lines.flatMap((line, at) =>
    isSpaced(line, at) ? [{ kind: "blank", key: `above:${line.key}` }, line] : [line],
  );
}

/** The lines that can be selected. */
function selectableLines(lines: readonly SidebarLine[]): SidebarLine[] {
  return lines.filter(({ kind }) => kind !== "typing" && kind !== "preview" && kind !== "note");
}

/** Key of the selectable line `by` lines away, stopping at the ends. */
export function neighbourLine(
  lines: readonly SidebarLine[],
  cursor: string | undefined,
  by: number,
): string | undefined {
  const all = selectableLines(lines);
  const at = all.findIndex((line) => line.key === cursor);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
  return all[next]?.key;
}

/** The first visible line, scrolled so that the line `key` is visible. */
export function topFor(
  lines: readonly SidebarLine[],
  top: number,
  height: number,
  key: string | undefined,
): number {
  const at = lines.findIndex((line) => line.key === key);
  const last = Math.max(0, lines.length - height);
  let next = Math.min(top, last);
  if (at >= 0) {
    if (at < next) next = at;
    else if (at >= next + height) next = at - height + 1;
  }
  return next;
}

/** Least rows of channels below views that stay in their place. */
const MIN_SCROLLED = 6;

/** What of the lines is in sight: the views at the top stay, the channels scroll below them. */
export interface SidebarWindow {
  views: readonly SidebarLine[];
  channels: readonly SidebarLine[];
  /** The first visible channel line, and how many are visible. */
  top: number;
  height: number;
  /** All lines are in sight. */
  fits: boolean;
}

/** `cursor` is the key of a line that has to be in sight. */
export function sidebarWindow(
  lines: readonly SidebarLine[],
  height: number,
  scrolled: number,
  cursor: string | undefined,
): SidebarWindow {
  const spaced = spacedLines(lines, height);
  const fits = spaced.length <= height;
  const first = spaced.findIndex(({ kind }) => kind !== "view");
  const stays = first > 0 && height >= first + MIN_SCROLLED ? first : 0;
  // What is new outside of the window has the last row.
  const room = Math.max(0, height - stays - (fits || height < 2 ? 0 : 1));
  const channels = spaced.slice(stays);
  return {
    views: spaced.slice(0, stays),
    channels,
    top: topFor(channels, scrolled, room, cursor),
    height: room,
    fits,
  };
}

/** What is new among lines that are out of sight. */
export function newIn(lines: readonly SidebarLine[]): { unread: number; mentions: number } {
  let [unread, mentions] = [0, 0];
  for (const line of lines) {
    if (line.kind !== "channel" && !(line.kind === "group" && line.folded)) continue;
    unread += line.kind === "channel" && line.muted ? 0 : line.unread;
    mentions += line.mentions;
  }
  return { unread, mentions };
}

type LinesInput = Reads<"look" | "sidebar" | (typeof ENTRY_SLICES)[number]>;

export function linesOf(model: LinesInput): SidebarLine[] {
  const { state, screen, now, look } = model;
  const { folded, arrangement, filter, unreadOnly } = screen.sidebar;
  return sidebarLines({
    unreadOnly,
    state,
    open: screen.cid,
    folded,
    drafts: channelsWithDrafts(screen),
    counts: listCounts(model),
    now,
    arrangement,
    look: look.sidebar,
    filter,
  });
}

/** The groups with all channels, also of folded ones. */
export const groupsOf = ({ state, screen, look }: Reads<"state" | "look" | "sidebar">): ChannelGroup[] =>
  groupsFor({ state, arrangement: screen.sidebar.arrangement, look: look.sidebar });

/** Channels with drafts other than that of the visible composer. */
export const channelsWithDrafts = (screen: Pick<Screen, "cid" | "panels" | "drafts">): Set<string> =>
  new Set(draftsElsewhere(screen).map(({ cid }) => cid));

/** The window of the list in this rectangle, scrolled to the cursor while the sidebar has the focus. */
export function windowOf(model: LinesInput & Reads<"focus">, rect: Rect): SidebarWindow {
  const { sidebar, focus } = model.screen;
  const cursor = focus === "sidebar" ? sidebar.cursor : undefined;
  return sidebarWindow(linesOf(model), listRect(rect, model.screen).height, sidebar.top, cursor);
}

/** The rectangle of the list, below the filter line if that is open. */
export const listRect = (rect: Rect, { sidebar }: Pick<Screen, "sidebar">): Rect =>
  sidebar.filter === undefined ? rect : { ...rect, y: rect.y + 1, height: Math.max(0, rect.height - 1) };

/** The next or previous channel in sidebar order, wrapping around and skipping folded groups. */
export function neighbourChannel(
  lines: readonly SidebarLine[],
  open: string | undefined,
  by: 1 | -1,
): string | undefined {
  const cids = lines.flatMap((line) => (line.kind === "channel" ? [line.cid] : []));
  if (!cids.length) return undefined;
  const at = open === undefined ? -1 : cids.indexOf(open);
  if (at < 0) return by > 0 ? cids[0] : cids.at(-1);
  return cids[(at + by + cids.length) % cids.length];
}
