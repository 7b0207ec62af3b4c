/** Rows between messages (days, new messages, gaps), and which messages are grouped by author. */
import { dayKey, dayLabel } from "../../text/times.ts";
import { cellWidth, truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Message } from "../../wire/entities/message.ts";
import { timeToMs } from "../../wire/time.ts";
import type { RowContext } from "./context.ts";

const GROUP_MS = 5 * 60_000;

/** A line over the whole width; the label follows `lead` strokes, or is centred. */
function labelledLine(label: string, stroke: string, width: number, lead?: number): string {
  const shown = truncate(label, Math.max(0, width - 4));
  if (shown === "") return stroke.repeat(width);
  const fill = width - cellWidth(shown) - 2;
  const left = lead ?? Math.floor(fill / 2);
  return `${stroke.repeat(Math.min(left, fill))} ${shown} ${stroke.repeat(Math.max(0, fill - left))}`;
}

/** `── Tue 17 Nov ─────`. */
export function dayRow(createdAt: string, ctx: RowContext): string {
  return ctx.theme.dim(labelledLine(dayLabel(timeToMs(createdAt), ctx.now, ctx), "─", ctx.width, 2));
}

/** `──────── new · 6 ────────`; `unread` is 0 if the number is not known. */
export function newRow(unread: number, ctx: RowContext): string {
  return ctx.theme.unread(labelledLine(words.message.new(unread), "─", ctx.width));
}

/** Shown where messages are missing (D6). */
export function gapRow(loading: boolean, ctx: RowContext): string {
  return ctx.theme.warn(labelledLine(loading ? words.message.loading : words.message.gap, "┄", ctx.width, 2));
}

/** Shown at the top if older messages can be loaded. */
export function olderRow(loading: boolean, ctx: RowContext): string {
  return ctx.theme.dim(
    labelledLine(loading ? words.message.loading : words.message.older, "┄", ctx.width, 2),
  );
}

/** Whether a day separator precedes the message (always before the first of a list). */
export function startsDay(before: Message | undefined, message: Message, utc?: boolean): boolean {
  if (!before) return true;
  const zone = { utc: utc === true };
  return dayKey(timeToMs(before.created_at), zone) !== dayKey(timeToMs(message.created_at), zone);
}

/**
 * Whether a message is grouped with the one before it: same author, same thread, both of an ordinary type, same day, at
 * most five minutes apart, and without a quote.
 */
export function continuesGroup(before: Message | undefined, message: Message, utc?: boolean): boolean {
  if (!before || before.user?.id !== message.user?.id) return false;
  const ordinary = (m: Message): boolean => m.type === "regular" || m.type === "reply";
  if (
    !ordinary(before) ||
    !ordinary(message) ||
    message.quoted_message_id ||
    message.parent_id !== before.parent_id
  )
    return false;
  const distance = timeToMs(message.created_at) - timeToMs(before.created_at);
  return distance >= 0 && distance <= GROUP_MS && !startsDay(before, message, utc);
}
