/** Texts shared by the readable formats: titles, authors, dates, reactions, links, polls. */
import type { Channel, Member } from "../../wire/entities/channel.ts";
import type { Attachment } from "../../wire/entities/attachment.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { safeUrl } from "../../text/safe-url.ts";
import type { Exported } from "./form.ts";

/** Maximum number of member names in a title. */
const MAX_TITLE_NAMES = 5;

export function exportTitle(channel: Channel, members: Iterable<Member>): string {
  if (channel.name) return cleanLine(channel.name);
  if (!channel.id.startsWith("!members")) return channel.id;
  const names: string[] = [];
  for (const { user, user_id } of members) {
    if (names.length === MAX_TITLE_NAMES) break;
    names.push(cleanLine(user?.name ?? user_id));
  }
  return names.join(", ") || channel.id;
}

export const authorName = ({ message }: Exported): string => cleanLine(message.user.name || message.user.id);

/** Marks a message that the provider no longer has; empty for others. */
export const goneMark = ({ gone }: Exported): string =>
  gone === undefined ? "" : `(gone at the provider, noticed ${formatStamp(gone)})`;

/** `2026-11-22 14:05`, in UTC. */
export const formatStamp = (at: string): string => at.slice(0, 16).replace("T", " ");

/** `like 3, love`: counts per type, highest first. */
export function reactionSummary({ reactions }: Exported): string {
  const counts = new Map<string, number>();
  for (const { type } of reactions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([type, count]) => `${cleanLine(type)}${count > 1 ? ` ${count}` : ""}`)
    .join(", ");
}

interface AttachmentLink {
  label: string;
  /** Path of the copied file, or a safe address. */
  url?: string;
}

/** Attachments with a link to the copied file, else to their address. */
export function linksOf({ message, paths }: Exported): AttachmentLink[] {
  return (message.attachments ?? []).map((one, n) => {
    const address = addressOf(one);
    const url = paths.get(n) ?? (address === undefined ? undefined : safeUrl(address)?.href);
    const label = cleanLine(one.title ?? one.fallback ?? one.type ?? "file") || "file";
    return { label, ...(url === undefined ? {} : { url }) };
  });
}

const addressOf = (one: Attachment): string | undefined =>
  one.asset_url ?? one.og_scrape_url ?? one.title_link ?? one.image_url ?? one.thumb_url;

/** The question, then each option with its number of votes. */
export function pollLines({ message }: Exported): string[] {
  const { poll } = message;
  if (!poll) return [];
  const votes = poll.vote_counts_by_option ?? {};
  return [
    `Poll: ${cleanLine(poll.name)}`,
    ...poll.options.map(({ id, text }) => `${cleanLine(text)}: ${votes[id] ?? 0}`),
  ];
}
