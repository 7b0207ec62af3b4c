/** The title line: the open channel and its people at the left, the connection and the profile at the right. */
import { thousands } from "../../text/thousands.ts";
import type { Link } from "../../core/state/model.ts";
import type { ChannelEntry } from "../../core/state/model.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { cellWidth, truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { isPending } from "../../wire/standing.ts";
import { channelTitle, isDirect } from "../screen/channels.ts";
import type { Theme } from "../theme.ts";

export interface HeaderFacts {
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

/** The connection in words (realtime.md): never a bare icon. */
export function linkWords(link: Link, now: number): { words: string; level: "good" | "warn" | "bad" } {
  switch (link.phase) {
    case "open": {
      if (link.catchingUp) return { words: "catching up…", level: "warn" };
      return link.transport === "longpoll"
        ? { words: "online · long-poll", level: "warn" }
        : { words: "online", level: "good" };
    }
    case "connecting":
      return { words: link.failures ? "reconnecting…" : "connecting…", level: "warn" };
    case "waiting": {
      const left = link.retryAt === undefined ? 0 : Math.max(0, Math.ceil((link.retryAt - now) / 1000));
      return { words: left ? `retrying in ${left} s` : "retrying…", level: "warn" };
    }
    case "offline":
      return { words: "offline", level: "bad" };
    case "stopped":
      return { words: link.reason ? `stopped: ${cleanLine(link.reason)}` : "stopped", level: "bad" };
    case "idle":
      return { words: "not connected", level: "bad" };
  }
}

/** The channel in words; parts that do not fit are left out from the right. */
function titleParts(entry: ChannelEntry | undefined, me: string | undefined): string[] {
  if (!entry) return ["Parley"];
  const parts = [channelTitle(entry, me)];
  if (entry.unavailable) return [...parts, "no longer available"];
  if (!isDirect(entry))
    parts.push(`${thousands(entry.memberCount)} ${entry.memberCount === 1 ? "member" : "members"}`);
  if (entry.watcherCount > 1) parts.push(`${thousands(entry.watcherCount)} watching`);
  if (isPending(entry.membership)) parts.push(words.channel.invited);
  if (entry.channel.disabled) parts.push(words.channel.disabled);
  if (entry.channel.frozen) parts.push("frozen");
  if (entry.heldUnread) parts.push("kept unread");
  return parts;
}

export function headerRow(facts: HeaderFacts): string {
  const { theme, width } = facts;
  const { words: said, level } = linkWords(facts.link, facts.now);
  const profile = cleanLine(facts.profile);
  const long = ` ● ${said}${profile ? ` · ${profile}` : ""} `;
  const right =
    cellWidth(long) <= width / 2 ? long : ` ● ${truncate(said, Math.max(4, Math.floor(width / 2) - 5))} `;
  const room = width - 2 - cellWidth(right) - 2;
  const parts = titleParts(facts.entry, facts.me);
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
  for (let x = from; x < to; x++) rule += facts.rules.includes(x) ? "┬" : "─";
  return (
    theme.dim("┌") +
    ` ${theme.bold(title)}${theme.dim(rest)} ` +
    theme.dim(rule) +
    theme[level](right) +
    theme.dim("┐")
  );
}
