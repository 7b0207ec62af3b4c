/** Renders one message as terminal rows that contain only SGR and OSC 8 sequences. */
import { isBounced } from "../../model/bounce.ts";
import { translationOf } from "../../model/translation.ts";
import type { ClientMessage } from "../../model/state.ts";
import { clock, clockCells } from "../../text/times.ts";
import { cellWidth, padEnd } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import { timeToMs } from "../../wire/time.ts";
import { bodyRows } from "./body.ts";
import { attachmentRows, quoteRows } from "./cards.ts";
import { locationRows } from "./location.ts";
import { columnName, displayName, columnsFor, nameStyle, safeLine, type RowContext } from "./context.ts";
import { audienceText, stateRows, trailingMarks } from "./marks.ts";
import { pollRows } from "./poll.ts";
import { chipRows, reactionChips } from "./reactions.ts";
import { spot } from "./spots.ts";

/** The rows of the text, depending on the message type. */
function textRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  switch (message.type) {
    case "deleted": {
      const text = message.deleted_for_me ? words.message.deletedForMe : words.message.deleted;
      return [theme.dim(safeLine(ctx, text, width))];
    }
    case "system":
      return wrapText(safeLine(ctx, message.text, 2000), width).map((row) => theme.dim(row));
    case "error": {
      const rows = wrapText(`✗ ${safeLine(ctx, message.text, 2000)}`, width).map((row) => theme.bad(row));
      return [...rows, theme.dim(safeLine(ctx, words.message.onlyYou, width))];
    }
    case "ephemeral":
      return [...bodyRows(message, width, ctx), theme.dim(safeLine(ctx, words.message.onlyYou, width))];
    default: {
      const translation = translationOf(message, ctx.language);
      return bodyRows(translation ? { ...message, text: translation.text } : message, width, ctx);
    }
  }
}

/** Appends the marks of the message to the row at `at` if they fit, else adds a row for them. */
function withMarks(
  rows: string[],
  at: number,
  message: ClientMessage,
  width: number,
  ctx: RowContext,
): string[] {
  const marks = safeLine(ctx, trailingMarks(message, ctx), width);
  if (!marks) return rows;
  const marksSpot = spot(ctx, "about", ctx.theme.dim(marks));
  const row = rows.at(at);
  if (row === undefined || cellWidth(row) + 1 + cellWidth(marks) > width) return [...rows, marksSpot];
  return rows.with(at, `${row} ${marksSpot}`);
}

/** The cards under the text: files, poll, location. */
function cardRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const rows: string[] = [];
  if (message.attachments?.length) rows.push(...attachmentRows(message, width, ctx));
  if (message.poll) rows.push(...pollRows(message.poll, width, ctx));
  // V-10: the message keeps the id of a deleted poll.
  else if (message.poll === null && message.poll_id)
    rows.push(ctx.theme.dim(safeLine(ctx, words.poll.gone, width)));
  if (message.shared_location) rows.push(...locationRows(message, width, ctx));
  return rows;
}

/** A message for some looks like any other otherwise. */
function audienceRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const text = audienceText(message, ctx.me.id);
  return text === undefined ? [] : [ctx.theme.warn(safeLine(ctx, text, width))];
}

/** The content right of time and name. */
function contentRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const deleted = message.type === "deleted";
  const isForSome = !deleted && message.restricted_visibility?.length;
  const rows = isForSome ? audienceRows(message, width, ctx) : [];
  if (!ctx.inThread && message.parent_id && message.show_in_channel)
    rows.push(spot(ctx, "thread", ctx.theme.dim(safeLine(ctx, `↳ ${words.message.repliedInThread}`, width))));
  if (!deleted && (message.quoted_message || message.quoted_message_id))
    rows.push(...quoteRows(message, width, ctx));
  const text = textRows(message, width, ctx);
  const cards = deleted ? [] : cardRows(message, width, ctx);
  // The marks follow the text or, without text, the first card row.
  if (text.length > 0) rows.push(...withMarks(text, -1, message, width, ctx), ...cards);
  else rows.push(...withMarks(cards, 0, message, width, ctx));
  const replies =
    !ctx.inThread && message.reply_count > 0
      ? safeLine(ctx, words.message.replies(message.reply_count), width)
      : "";
  const last = replies
    ? { text: spot(ctx, "thread", ctx.theme.accent(replies)), cells: cellWidth(replies) }
    : undefined;
  const chips = deleted ? [] : reactionChips(message, width, ctx);
  if (last || chips.length) rows.push(...chipRows(chips, last, width));
  if (message.status === "sending" || message.status === "failed" || isBounced(message))
    rows.push(...stateRows(message, width, ctx));
  // A message without any content needs one row to be visible and selectable.
  if (rows.length === 0) rows.push(ctx.theme.dim(safeLine(ctx, words.message.empty, width)));
  return rows;
}

/** The symbol before the name for one's own messages and mentions, used if there are few colours. */
function authorMark(message: ClientMessage, { theme, me }: RowContext): string {
  if (theme.level > 1) return " ";
  if (message.user?.id === me.id) return "›";
  return message.mentioned_users.some(({ id }) => id === me.id) ? theme.bold("@") : " ";
}

/**
 * The rows of one message, at least one, at most `ctx.width` cells wide. Pure; all content is sanitised. The pane draws
 * its gutter before them. Cached by cache.ts, measured in tests/tui/render.
 */
export function messageRows(message: ClientMessage, ctx: RowContext): string[] {
  const { theme } = ctx;
  const columns = columnsFor(ctx);
  const content = contentRows(message, columns.text, ctx);
  const blank = " ".repeat(columns.indent);
  const createdAt = clock(timeToMs(message.created_at), ctx);
  const under = (rows: readonly string[]): string[] => rows.map((row) => (row === "" ? "" : blank + row));
  if (ctx.grouped) {
    const margin = theme.dim(padEnd(groupedMargin(createdAt, columns, ctx), columns.indent));
    return [margin + content[0]!, ...under(content.slice(1))];
  }
  const color = nameStyle(ctx, message.user?.id ?? "");
  if (columns.name === 0) return [authorRow(message, createdAt, ctx), ...under(content)];
  const name = padEnd(
    message.type === "system" ? "" : columnName(ctx, message.user, columns.name),
    columns.name,
  );
  const time = theme.dim(createdAt.padStart(clockCells()));
  const head = `${time} ${authorMark(message, ctx)}${spot(ctx, "person", color(name))}  `;
  return [head + content[0]!, ...under(content.slice(1))];
}

/** Before the first row of a message whose author is not repeated: its time, or a dot if that is the same, too. */
function groupedMargin(
  time: string,
  { name, indent }: ReturnType<typeof columnsFor>,
  ctx: RowContext,
): string {
  if (name === 0) return indent > 0 ? "·" : "";
  return (ctx.sameMinute ? "·" : time).padStart(clockCells());
}

/** Author and time above the text. */
function authorRow(message: ClientMessage, time: string, ctx: RowContext): string {
  const mark = authorMark(message, ctx).trimEnd();
  const room = ctx.width - time.length - 2 - cellWidth(mark);
  if (room < 4) return ctx.theme.dim(safeLine(ctx, time, ctx.width));
  const name = message.type === "system" ? "" : displayName(ctx, message.user, room);
  if (name === "") return ctx.theme.dim(time);
  const color = nameStyle(ctx, message.user?.id ?? "");
  return `${mark}${spot(ctx, "person", color(name))}  ${ctx.theme.dim(time)}`;
}
