/** Texts shared by the readable formats: titles, names, dates, marks, reactions. */
import type { Channel, Member } from "../../wire/entities/channel.ts";
import type { User } from "../../wire/entities/user.ts";
import { cleanLine } from "../../text/sanitize.ts";
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

export const personName = ({ id, name }: Pick<User, "id" | "name">): string => cleanLine(name || id);

/** Marks a message that the provider no longer has. */
export const goneMarks = ({ gone }: Exported): string[] =>
  gone === undefined ? [] : [`(gone at the provider, noticed ${formatStamp(gone)})`];

/** `(edited …)`, `(pinned)`, and the reactions: `(like 2, love)`. */
export function endMarks(exported: Exported): string[] {
  const { message_text_updated_at: edited, pinned, pin_expires: end } = exported.message;
  const reactions = reactionSummary(exported);
  return [
    ...(edited ? [`(edited ${formatStamp(edited)})`] : []),
    ...(pinned ? [`(pinned${end ? ` until ${formatStamp(end)}` : ""})`] : []),
    ...(reactions === "" ? [] : [`(${reactions})`]),
  ];
}

/** `2026-11-22 14:05`, in UTC. */
export const formatStamp = (at: string): string => at.slice(0, 16).replace("T", " ");

/** `like 3, love`: counts per type, highest first. */
function reactionSummary({ reactions }: Exported): string {
  const counts = new Map<string, number>();
  for (const { type } of reactions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .toSorted((a, b) => b[1] - a[1])
    .map(([type, count]) => `${cleanLine(type)}${count > 1 ? ` ${count}` : ""}`)
    .join(", ");
}
