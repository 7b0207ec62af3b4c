/** Rows between messages (days, new messages, gaps), and which messages are grouped by author. */
import { dayKey, dayLabel } from "../../text/times.ts";
import { cellWidth, truncate } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import type { Message } from "../../wire/entities/message.ts";
import { timeToMs } from "../../wire/time.ts";
import { measureOf, type RowContext } from "./context.ts";

const GROUP_MS = 5 * 60_000;

/** A line as wide as time, name and text, with a label at the left, a count at the right, or both. */
export function ruleRow(
  { label = "", count = "" }: { label?: string; count?: string },
  ctx: RowContext,
): string {
  const { theme } = ctx;
  const width = measureOf(ctx);
  const right = truncate(count, Math.max(0, width - 6));
  const left = truncate(label, Math.max(0, width - (right ? cellWidth(right) + 6 : 0) - 6));
  const strokes = (n: number): string => theme.line("─".repeat(Math.max(0, n)));
  const start = left ? `${strokes(2)} ${theme.dim(left)} ` : "";
  const end = right ? ` ${theme.unread(right)} ${strokes(2)}` : "";
  const cells = (text: string): number => (text ? cellWidth(text) + 4 : 0);
  return start + strokes(width - cells(left) - cells(right)) + end;
}

/** `Tue 17 Nov`. */
export const dayOf = (createdAt: string, ctx: RowContext): string =>
  dayLabel(timeToMs(createdAt), ctx.now, ctx);

const noteRow = (label: string, style: (text: string) => string, ctx: RowContext): string =>
  style(truncate(`┄┄ ${label}`, ctx.width));

/** Shown where messages are missing (D6). */
export const gapRow = (loading: boolean, ctx: RowContext): string =>
  noteRow(loading ? words.message.loading : words.message.gap, ctx.theme.warn, ctx);

/** Shown at the top if older messages can be loaded. */
export const olderRow = (loading: boolean, ctx: RowContext): string =>
  noteRow(loading ? words.message.loading : words.message.older, ctx.theme.dim, ctx);

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
