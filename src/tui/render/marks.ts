/** Renders the marks of a message: edited, pinned, sent, read, waiting, failed. */
import { shownLeft } from "../../model/reminders.ts";
import { isPinned, isPresent } from "../../model/message-state.ts";
import { clockToSecond, duration } from "../../text/times.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import type { ClientMessage } from "../../model/state.ts";
import { reasonOf } from "../../wire/errors.ts";
import { translationOf } from "../../model/translation.ts";
import { isBounced } from "../../model/bounce.ts";
import { cellWidth } from "../../text/width.ts";
import { displayName, railed, safeLine, type RowContext } from "./context.ts";
import { chipRows } from "./reactions.ts";
import { spot } from "./spots.ts";

/** Whom alone a message is for; undefined: everybody. */
export function audienceText(
  { user, restricted_visibility: seenBy = [] }: ClientMessage,
  me: string,
): string | undefined {
  if (seenBy.length === 0) return undefined;
  // The author, who always sees it, is named already.
  const others = seenBy.filter((id) => id !== user?.id);
  const people = (others.length > 0 ? others : seenBy).map((id) =>
    id === me ? words.message.onlyForMe : id,
  );
  return words.message.onlyFor(people.join(", "));
}

/** The marks after the text: `(edited · pinned by bo) ✓✓`, unstyled; may be empty. */
export function trailingMarks(message: ClientMessage, ctx: RowContext): string {
  const notes: string[] = [];
  if (message.type !== "deleted") {
    if (message.message_text_updated_at) notes.push(words.message.edited);
    const translation = translationOf(message, ctx.language);
    if (translation) notes.push(words.showing.translated(safeLine(ctx, translation.from, 8)));
    if (isPinned(message, ctx.now))
      notes.push(words.message.pinnedBy(message.pinned_by ? displayName(ctx, message.pinned_by, 16) : ""));
    const reminder = reminderMark(message, ctx.now);
    if (reminder) notes.push(reminder);
    if (ctx.inThread && message.parent_id && message.show_in_channel) notes.push(words.message.alsoInChannel);
  }
  if (message.pendingChange) notes.push(words.message.changes[message.pendingChange]);
  const note = notes.length ? `(${notes.join(" · ")})` : "";
  // Messages only their author sees have no read mark.
  const mark =
    ctx.readBy === undefined || !isPresent(message) || message.user?.id !== ctx.me.id
      ? ""
      : ctx.readBy === 0
        ? words.message.sent
        : ctx.readBy === 1
          ? words.message.read
          : words.message.readBy(ctx.readBy);
  return [note, mark].filter(Boolean).join(" ");
}

/** R-REM-1, RE-10: the time left counts by the minute under one hour, else by the hour. */
export function reminderMark(message: ClientMessage, now: number): string {
  const { reminder } = message;
  if (!reminder) return "";
  if (!reminder.remind_at) return words.message.bookmarked;
  const left = shownLeft(reminder.remind_at, now);
  if (message.reminderDue || left === 0) return words.message.reminderDue;
  return words.message.reminderIn(duration(left));
}

/** A message bounced by moderation: the reason, and buttons to edit, retry or drop it. */
function bounceRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  const why = safeLine(ctx, reasonOf(message.error?.message ?? ""), 400);
  const reasonRows = wrapText(`✗ ${words.bounce.held}${why ? `: ${why}` : ""}`, Math.max(1, width - 2));
  const buttons = (["edit", "retry", "drop"] as const).map((name) => {
    const label = ctx.withoutLetters ? words.bounce[name].replace(/^\S+ /, "") : words.bounce[name];
    const text = safeLine(ctx, `[${label}]`, width - 2);
    return { text: spot(ctx, name, theme.accent(text)), cells: cellWidth(text) };
  });
  return railed(ctx, [
    ...reasonRows.map((row) => theme.bad(row)),
    ...chipRows(buttons, undefined, width - 2, " "),
  ]);
}

/** Separate rows for a message being sent (and what it waits for) or failed (with reason and keys). */
export function stateRows(message: ClientMessage, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  if (message.status === "sending") {
    const { waits } = message;
    const until =
      waits?.until === undefined ? "" : ` ${words.message.until(clockToSecond(waits.until, ctx))}`;
    const reason = waits ? ` · ${words.message.waits[waits.for]}${until}` : "";
    return [theme.dim(safeLine(ctx, `◌ ${words.message.sending}${reason}`, width))];
  }
  if (isBounced(message)) return bounceRows(message, width, ctx);
  if (message.status === "failed") {
    const why = safeLine(ctx, reasonOf(message.error?.message ?? ""), 400);
    const keys = ctx.withoutLetters ? words.message.failedMenu : words.message.failedKeys;
    const text = `✗ ${words.message.failed}${why ? `: ${why}` : ""} · ${keys}`;
    return wrapText(text, width).map((row) => theme.bad(row));
  }
  return [];
}
