/** The lines of the sidebar as data: views, foldable groups with their sums, channels, and who types in them. */
import type { ChannelEntry, State } from "../../../model/state.ts";
import { words } from "../../../text/words.ts";
import {
  channelTitle,
  groupOf,
  isDirect,
  isMuted,
  listed,
  others,
  typingNames,
} from "../../../model/channels.ts";
import type { Group } from "../../../model/channels.ts";
import { LISTS, draftsElsewhere } from "../../screen/screen.ts";
import type { ListName, Screen } from "../../screen/screen.ts";
import { countsOf } from "../lists/entries.ts";
import type { Counts } from "../lists/entries.ts";
import type { Snapshot } from "../../screen/store.ts";

export type SidebarLine =
  | { kind: "view"; key: `view:${ListName}`; list: ListName; label: string; count: number }
  | {
      kind: "group";
      key: string;
      group: Group;
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
  | { kind: "typing"; key: string; names: string[] };

const GROUPS: readonly { group: Group; label: string }[] = [
  { group: "invited", label: words.places.invites },
  { group: "pinned", label: "Pinned" },
  { group: "channels", label: "Channels" },
  { group: "direct", label: "Direct" },
  { group: "archived", label: "Archived" },
];

interface SidebarProps {
  state: State;
  open: string | undefined;
  folded: ReadonlySet<string>;
  /** Channels with a draft of their own or in a thread. */
  drafts: ReadonlySet<string>;
  /** Of the lists at its top. */
  counts: Counts;
  /** Wall clock, ms. */
  now: number;
}

export function sidebarLines(props: SidebarProps): SidebarLine[] {
  const { state, folded } = props;
  const lines = LISTS.map((list): SidebarLine => {
    return { kind: "view", key: `view:${list}`, list, label: words.places[list], count: props.counts[list] };
  });
  const byGroup = Map.groupBy(listed(state), groupOf);
  for (const { group, label } of GROUPS) {
    const entries = byGroup.get(group);
    if (!entries?.length) continue;
    const closed = folded.has(group);
    let unread = 0;
    let mentions = 0;
    for (const entry of entries) {
      // A muted channel counts its mentions only (R-READ: silent does not mean unread).
      if (!isMuted(state, entry.cid, props.now)) unread += entry.unread;
      mentions += entry.mentions;
    }
    lines.push({ kind: "group", key: `group:${group}`, group, label, folded: closed, unread, mentions });
    for (const entry of entries) {
      const isOpen = entry.cid === props.open;
      if (closed && !isOpen) continue;
      lines.push(channelLine(props, entry, isOpen));
      const names = isOpen ? [] : typingNames(entry, state.me, props.now);
      if (names.length) lines.push({ kind: "typing", key: `typing:${entry.cid}`, names });
    }
  }
  return lines;
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
    const [other, second] = others(entry, me);
    if (other && !second) line.online = props.state.users.get(other.id)?.online ?? other.online ?? false;
  }
  return line;
}

/** The lines the cursor may stand on. */
function stops(lines: readonly SidebarLine[]): SidebarLine[] {
  return lines.filter((line) => line.kind !== "typing");
}

/** Key of the stop `by` lines away; the ends hold. */
export function stopBeside(
  lines: readonly SidebarLine[],
  cursor: string | undefined,
  by: number,
): string | undefined {
  const all = stops(lines);
  const at = all.findIndex((line) => line.key === cursor);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by));
  return all[next]?.key;
}

/** First line shown so that the cursor's (else the open channel's) line is inside `height`. */
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

/** The lines as they are in this snapshot. */
export function linesOf(model: Pick<Snapshot, "state" | "lists" | "screen" | "now">): SidebarLine[] {
  const { state, screen, now } = model;
  const { folded } = screen.sidebar;
  return sidebarLines({
    state,
    open: screen.cid,
    folded,
    drafts: draftedIn(screen),
    counts: countsOf(model),
    now,
  });
}

/** Channels where something is written elsewhere than in the box in sight. */
export const draftedIn = (screen: Screen): Set<string> =>
  new Set(draftsElsewhere(screen).map(({ cid }) => cid));

/** The first line that is drawn: where the wheel left it, moved along by the cursor while the sidebar has the keys. */
export function shownTop({ sidebar, focus }: Screen, lines: readonly SidebarLine[], height: number): number {
  return topFor(lines, sidebar.top, height, focus === "sidebar" ? sidebar.cursor : undefined);
}

/** The channel `by` places away in the sidebar's order, round the ends; folded ones are passed over. */
export function channelBeside(
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
