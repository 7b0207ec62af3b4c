/** The title line: the open channel and its people at the left, the connection and the profile at the right. */
import { thousands } from "../../../text/thousands.ts";
import type { Link } from "../../../model/state.ts";
import type { ChannelEntry } from "../../../model/state.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import { linkWords } from "./link-words.ts";
import { isPending } from "../../../wire/standing.ts";
import { channelTitle, isDirect, others } from "../../../model/channels.ts";
import type { Theme } from "../../render/theme.ts";

interface HeaderProps {
  theme: Theme;
  width: number;
  entry: ChannelEntry | undefined;
  me: string | undefined;
  link: Link;
  profile: string;
  /** Wall clock, ms. */
  now: number;
  /** Columns of the rules below, to join them. */
  rules: readonly number[];
}

/** The channel in words; parts that do not fit are left out from the right. */
function titleParts(entry: ChannelEntry | undefined, me: string | undefined): string[] {
  if (!entry) return ["Parley"];
  const parts = [channelTitle(entry, me)];
  if (entry.unavailable) return [...parts, "no longer available"];
  const status = otherStatus(entry, me);
  if (status) parts.push(status);
  if (!isDirect(entry))
    parts.push(`${thousands(entry.memberCount)} ${entry.memberCount === 1 ? "member" : "members"}`);
  if (entry.watcherCount > 1) parts.push(`${thousands(entry.watcherCount)} watching`);
  if (isPending(entry.membership)) parts.push(words.channel.invited);
  if (entry.channel.disabled) parts.push(words.channel.disabled);
  if (entry.channel.frozen) parts.push("frozen");
  if (entry.heldUnread) parts.push("kept unread");
  return parts;
}

/** What the other person of a direct channel says of herself. */
function otherStatus(entry: ChannelEntry, me: string | undefined): string {
  const [other, ...more] = isDirect(entry) ? others(entry, me) : [];
  return more.length > 0 ? "" : cleanLine(other?.status ?? "");
}

/** Cells that the title keeps, however much there is to say about the connection. */
const TITLE_LEAST = 8;

/** Cells for words about trouble. */
export const troubleRoom = (width: number): number => width - 8 - TITLE_LEAST;

/** The connection at the right: the longest of its words that fits; trouble may take more than half of the line. */
function rightWords(props: HeaderProps): { right: string; level: "good" | "warn" | "bad" } {
  const { width } = props;
  const { said, level, help } = linkWords(props.link, props.now);
  const profile = cleanLine(props.profile);
  const most = help ? troubleRoom(width) + 4 : width / 2;
  const fits = [...(profile ? said.map((one) => `${one} · ${profile}`) : []), ...said]
    .toSorted((a, b) => cellWidth(b) - cellWidth(a))
    .find((one) => cellWidth(one) + 4 <= most);
  return { right: ` ● ${fits ?? truncate(said.at(-1)!, Math.max(4, Math.floor(most) - 5))} `, level };
}

export function headerRow(props: HeaderProps): string {
  const { theme, width } = props;
  const { right, level } = rightWords(props);
  const room = width - 2 - cellWidth(right) - 2;
  const parts = titleParts(props.entry, props.me);
  while (parts.length > 1 && cellWidth(parts.join(" · ")) + 2 > room) parts.pop();
  const title = truncate(parts[0]!, Math.max(1, room - 2));
  const rest = parts
    .slice(1)
    .map((p) => ` · ${p}`)
    .join("");
  const left = ` ${title}${rest} `;
  const from = 1 + cellWidth(left);
  const to = width - 1 - cellWidth(right);
  let rule = "";
  for (let x = from; x < to; x++) rule += props.rules.includes(x) ? "┬" : "─";
  return (
    theme.dim("┌") +
    ` ${theme.bold(title)}${theme.dim(rest)} ` +
    theme.dim(rule) +
    theme[level](right) +
    theme.dim("┐")
  );
}
