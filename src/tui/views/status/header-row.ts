/** The title line: channel and people at the left, connection and profile at the right. */
import type { Link, ChannelEntry } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, padEnd, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { linkWords } from "./link-words.ts";
import { isPending } from "../../../model/membership.ts";
import { channelTitle, channelTopic, isDirect, otherMembers } from "../../../model/channels.ts";
import type { Theme } from "../../render/theme.ts";

interface HeaderProps {
  theme: Theme;
  width: number;
  entry: ChannelEntry | undefined;
  me: string | undefined;
  /** The channel is muted. */
  muted?: boolean;
  /** Absent in a half that is not at the right. */
  link: Link | undefined;
  profile: string;
  /** An archive is read: the profile is its name, and there is no connection. */
  withoutProvider?: boolean | undefined;
  /** Wall clock, ms. */
  now: number;
  /** The channel has the keys, and no panel beside it. */
  focused?: boolean;
  /** The list that is shown in the place of the channel. */
  view?: keyof typeof words.places | undefined;
}

/** A part of the title; if there is no room, parts with the highest `dropRank` are dropped first. */
interface Part {
  text: string;
  dropRank: number;
}

/** The parts that follow the channel title, in order. */
function titleParts(entry: ChannelEntry, me: string | undefined, muted: boolean): Part[] {
  if (entry.unavailable) return [{ text: words.header.unavailable, dropRank: 0 }];
  const direct = isDirect(entry);
  const { members, watching, pins, archived, invited, disabled } = words.channel;
  const pinned = entry.pinned.length;
  const parts: [string | false, number][] = [
    [otherStatus(entry, me), 3],
    [channelTopic(entry.channel), 4],
    [!direct && members(entry.memberCount), 5],
    [entry.watcherCount > 1 && watching(entry.watcherCount), 6],
    [pinned > 0 && pins(pinned), 2],
    [muted && words.channel.muted, 1],
    [Boolean(entry.membership?.archived_at) && archived, 1],
    [isPending(entry.membership) && invited, 0],
    [Boolean(entry.channel.disabled) && disabled, 0],
    [Boolean(entry.channel.frozen) && "frozen", 0],
    [entry.keepsUnread && words.header.keptUnread, 0],
  ];
  return parts.flatMap(([text, dropRank]) => (text ? [{ text, dropRank }] : []));
}

/** Minimum width of a cut topic. */
const MIN_TOPIC_WIDTH = 12;

/** The parts that fit, after three blanks; the topic is cut before other parts are dropped. */
function fittingParts(parts: readonly Part[], room: number): string {
  const joined = (some: readonly Part[]): string =>
    some.length > 0 ? `   ${some.map(({ text }) => text).join(" · ")}` : "";
  let left = [...parts];
  for (;;) {
    const excess = cellWidth(joined(left)) - room;
    if (excess <= 0) return joined(left);
    const topic = left.find(({ dropRank }) => dropRank === 4);
    const cells = topic ? cellWidth(topic.text) - excess : 0;
    if (topic && cells >= MIN_TOPIC_WIDTH)
      return joined(
        left.map((part) => (part === topic ? { ...part, text: truncate(part.text, cells) } : part)),
      );
    const first = Math.max(...left.map(({ dropRank }) => dropRank));
    left = left.filter((part) => part !== left.findLast(({ dropRank }) => dropRank === first));
  }
}

/** The status of the other user of a direct channel. */
function otherStatus(entry: ChannelEntry, me: string | undefined): string {
  const [other, ...more] = isDirect(entry) ? otherMembers(entry, me) : [];
  return more.length > 0 ? "" : cleanLine(other?.status ?? "");
}

/** Minimum cells for the title. */
const MIN_TITLE_WIDTH = 8;

/** Cells available for a connection error. */
export const errorRoom = (width: number): number => width - 8 - MIN_TITLE_WIDTH;

/** The connection state at the right, in the longest form that fits; an error may take more than half of the line. */
function rightWords(props: HeaderProps): { right: string; level: "good" | "warn" | "bad" } {
  const { width } = props;
  if (!props.link) return { right: "", level: "good" };
  const profile = cleanLine(props.profile);
  if (props.withoutProvider) return { right: ` ${truncate(profile, Math.floor(width / 2))} `, level: "good" };
  const { states, level, help } = linkWords(props.link, props.now);
  const maxWidth = help ? errorRoom(width) + 4 : width / 2;
  const fits = [...(profile ? states.map((one) => `${one}   ${profile}`) : []), ...states]
    .toSorted((a, b) => cellWidth(b) - cellWidth(a))
    .find((one) => cellWidth(one) + 4 <= maxWidth);
  return { right: ` ● ${fits ?? truncate(states.at(-1)!, Math.max(4, Math.floor(maxWidth) - 5))} `, level };
}

/** The name of what is open. */
export const titleOf = ({ view, entry, me }: Pick<HeaderProps, "view" | "entry" | "me">): string =>
  view ? words.places[view] : entry ? channelTitle(entry, me) : "Parley";

export function headerRow(props: HeaderProps): string {
  const { theme, width, entry, me, muted = false, focused = true, view } = props;
  const { right, level } = rightWords(props);
  const room = width - cellWidth(right) - 1;
  const title = truncate(titleOf(props), Math.max(1, room - 2));
  const rest = entry && !view ? fittingParts(titleParts(entry, me, muted), room - 2 - cellWidth(title)) : "";
  const left = padEnd(rest, room - cellWidth(title));
  return ` ${(focused || view ? theme.own : theme.bold)(title)}${theme.dim(left)}${theme[level](right)}`;
}
