/** Formats messages: lines with time and name for people, rows for pipes. */
import { reactionGlyph } from "../../text/emoji.ts";
import { styleText } from "node:util";
import type { Message } from "../../wire/entities/message.ts";
import { clean, cleanName } from "../../text/sanitize.ts";
import { goneText } from "../../text/words.ts";
import type { Cell } from "./table.ts";
import { clockTime, localTime } from "./time.ts";

/** The text of a message, or a placeholder such as `(poll: Lunch?)`; `(gone)` marks one of an archive that the provider no longer has. */
export function textOrPlaceholder(message: Message): string {
  const { gone_at: gone, ...rest } = message as Message & { gone_at?: string };
  if (gone !== undefined) return goneText(textOrPlaceholder(rest));
  if (message.type === "deleted" || message.deleted_at) return "(deleted)";
  if (message.text) return message.text;
  if (message.poll) return `(poll: ${message.poll.name})`;
  if (message.shared_location) return "(location)";
  const files = (message.attachments ?? []).map((a) => a.title ?? a.fallback ?? a.type ?? "file");
  return files.length ? `(${files.join(", ")})` : "";
}

export function senderOf(message: Message): string {
  return cleanName(message.user?.name || message.user?.id || "?") || "?";
}

/** `09:14 ana  deploy at ten?`; further lines are indented below the text. */
export function messageLines(
  message: Message,
  options: { utc: boolean; color: boolean; where?: string },
): string {
  const paint = (style: "dim" | "bold" | "cyan", text: string): string =>
    options.color ? styleText(style, text, { validateStream: false }) : text;
  const time = clockTime(message.created_at, options.utc);
  const marks = [
    message.pinned ? "pinned" : "",
    message.message_text_updated_at ? "edited" : "",
    message.reply_count ? `${message.reply_count} ${message.reply_count === 1 ? "reply" : "replies"}` : "",
    ...Object.entries(message.reaction_groups ?? {}).map(
      ([type, group]) => `${reactionGlyph(type)} ${group.count}`,
    ),
  ].filter(Boolean);
  const [firstLine = "", ...otherLines] = clean(textOrPlaceholder(message)).split("\n");
  const where = options.where ? `${paint("cyan", cleanName(options.where))} ` : "";
  const lines = [
    `${paint("dim", time)} ${where}${paint("bold", senderOf(message))}  ${firstLine}`,
    ...otherLines.map((line) => `      ${line}`),
  ];
  if (marks.length) lines.push(paint("dim", `      ${marks.join(" · ")}`));
  return `${lines.join("\n")}\n`;
}

/** The date that separates messages of different days. */
export function dayLine(message: Message, utc: boolean): string {
  return localTime(message.created_at, utc).slice(0, 10);
}

/** The id comes first, as in every list: what is printed in a pipe is read by its first column. */
export const MESSAGE_COLUMNS = ["id", "created_at", "user.id", "text"];

export function messageCells(message: Message): Cell[] {
  return [message.id, message.created_at, message.user?.id, textOrPlaceholder(message)];
}
