/** Renders the cards of a message: quote, link previews, files. */
import { pictureOf } from "../../model/pictures.ts";
import { soundOf, type SoundState } from "../../model/sounds.ts";
import { isLinkCard } from "../../model/message-links.ts";
import { hyperlink } from "../../text/link.ts";
import { flatText } from "../../text/markup.ts";
import { shownHost } from "../../text/safe-url.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { countdown, elapsed } from "../../text/times.ts";
import { cellWidth, truncate } from "../../text/width.ts";
import { size, words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import type { Attachment, AttachmentAction } from "../../wire/entities/attachment.ts";
import type { Message } from "../../wire/entities/message.ts";
import { displayName, railed, safeLine, type RowContext } from "./context.ts";
import { chipRows } from "./reactions.ts";
import { spot } from "./spots.ts";

const BARS = "▁▂▃▄▅▆▇█";
/** Minimum scale, so that near silence is not drawn as loud. */
const MIN_LOUDNESS = 0.05;

/** Draws at most `cells` bars, each for the maximum of its part of the values (0…1; anything else is silence); empty without values. */
export function waveform(values: unknown, cells: number): string {
  if (!Array.isArray(values) || values.length === 0 || cells < 1) return "";
  const heights = values.slice(0, 10_000).map((item: unknown) => {
    const value = typeof item === "number" && Number.isFinite(item) ? item : 0;
    return Math.max(0, Math.min(1, value));
  });
  const count = Math.min(cells, heights.length);
  const bars = Array.from({ length: count }, (_, i) =>
    Math.max(
      ...heights.slice(
        Math.floor((i * heights.length) / count),
        Math.floor(((i + 1) * heights.length) / count),
      ),
    ),
  );
  const loudest = Math.max(MIN_LOUDNESS, ...bars);
  return bars.map((bar) => BARS[Math.round((bar / loudest) * (BARS.length - 1))]).join("");
}

const MAX_ATTACHMENTS = 10;
const MAX_TITLE_ROWS = 2;
const MAX_TEXT_ROWS = 3;
const MAX_BARS = 40;

/** One row with author and text of the quoted message. */
export function quoteRows(message: Message, width: number, ctx: RowContext): string[] {
  const quoted = message.quoted_message;
  if (!quoted && !message.quoted_message_id) return [];
  if (!quoted || quoted.type === "deleted")
    return railed(ctx, [ctx.theme.dim(safeLine(ctx, words.message.quoteGone, width - 2))]);
  const name = displayName(ctx, quoted.user, Math.max(1, Math.min(20, Math.floor(width / 2) - 1)));
  const text = flatText((quoted.text ?? "").slice(0, 2000)) || contentSummary(quoted);
  const cells = width - 2 - cellWidth(name) - 1;
  const row = `${ctx.theme.bold(name)} ${ctx.theme.quote(safeLine(ctx, text, cells))}`;
  return railed(ctx, [spot(ctx, "quote", row)]);
}

/** Describes a message without text on one sanitised line, for quotes and previews. */
export function contentSummary(message: Message): string {
  const first = message.attachments?.[0];
  if (message.poll) return cleanLine(`${words.poll.label}: ${message.poll.name}`);
  if (message.shared_location) return words.location[message.shared_location.end_at ? "live" : "static"];
  if (first) return cleanLine(`${kindName(first)} ${first.title ?? first.fallback ?? ""}`);
  return words.message.empty;
}

function kindName(attachment: Attachment): string {
  const kinds: Record<string, string | undefined> = {
    image: words.attachment.image,
    video: words.attachment.video,
    audio: words.attachment.audio,
    voiceRecording: words.attachment.voiceRecording,
    giphy: words.attachment.giphy,
  };
  return (
    (attachment.type && Object.hasOwn(kinds, attachment.type) && kinds[attachment.type]) ||
    words.attachment.file
  );
}

/** Wraps a text into at most `maxRows` rows; the last one is cut if needed. */
function wrapUpTo(text: string, width: number, maxRows: number): string[] {
  const wrapped = wrapText(text, width);
  if (wrapped.length <= maxRows) return wrapped;
  return [...wrapped.slice(0, maxRows - 1), truncate(`${wrapped[maxRows - 1]} …`, width)];
}

function linkCard(a: Attachment, width: number, ctx: RowContext): string[] {
  const { theme } = ctx;
  const address = a.og_scrape_url ?? a.title_link ?? "";
  const host = shownHost(address);
  const title = safeLine(ctx, a.title || a.author_name || address, width * MAX_TITLE_ROWS);
  const rows = wrapUpTo(title, width, MAX_TITLE_ROWS).map((row) =>
    ctx.hyperlinks || ctx.spots ? hyperlink(theme.bold(row), address) : theme.bold(row),
  );
  const text = safeLine(ctx, a.text ?? "", width * MAX_TEXT_ROWS);
  if (text) rows.push(...wrapUpTo(text, width, MAX_TEXT_ROWS).map((row) => theme.dim(row)));
  const author = a.title && a.author_name !== host ? a.author_name : "";
  const source = [author, host].filter(Boolean).join(" · ");
  if (source) rows.push(theme.dim(safeLine(ctx, source, width)));
  return rows;
}

/** Kind, dimensions, duration and size of a file, on one line. */
export const fileFacts = (a: Attachment): string => factsOf(a).join(" · ");

function factsOf(a: Attachment): string[] {
  const details = [kindName(a)];
  const extension = /\.([a-z0-9]{1,8})$/i.exec(a.title ?? a.fallback ?? "")?.[1]?.toLowerCase();
  if (a.type === "file" || a.type === undefined) details[0] = extension ?? a.mime_type ?? details[0]!;
  if (isCount(a.original_width) && isCount(a.original_height))
    details.push(`${a.original_width}×${a.original_height}`);
  if (isCount(a.duration)) details.push(countdown(a.duration * 1000));
  if (isCount(a.file_size)) details.push(size(a.file_size));
  return details;
}

/** The facts beside a name, whole ones only: all if there is room for the name, too, else from the end as many as half of the row holds. */
function factsBeside(
  parts: readonly string[],
  gap: string,
  { name, width }: { name: string; width: number },
): string {
  const fits = (some: readonly string[], room: number): boolean => cellWidth(gap + some.join(gap)) <= room;
  if (fits(parts, width - cellWidth(name))) return parts.join(gap);
  const kept = parts.findIndex((_, from) => fits(parts.slice(from), width >> 1));
  return kept < 0 ? "" : parts.slice(kept).join(gap);
}

function fileRow(a: Attachment, width: number, ctx: RowContext): string {
  const { theme } = ctx;
  const address = a.asset_url ?? a.image_url ?? a.thumb_url ?? a.title_link ?? "";
  const parts = factsOf(a).map((part) => safeLine(ctx, part, width));
  const gap = ctx.spoken ? " · " : "   ";
  const title = a.title || a.fallback || words.attachment.unnamed;
  const facts = factsBeside(parts, gap, { name: safeLine(ctx, title, width), width });
  const name = safeLine(ctx, title, facts ? width - cellWidth(gap + facts) : width);
  const shown = ctx.hyperlinks || ctx.spots ? hyperlink(theme.link(name), address) : theme.link(name);
  return facts ? `${shown}${theme.dim(gap + facts)}` : shown;
}

/** How far a sound is: `playing, 0:07 of 0:31`. */
function soundWords({ phase, heard, length }: SoundState): string {
  if (phase === "loading") return words.sounds.loading;
  const whole = length === undefined ? undefined : countdown(length);
  return phase === "playing" ? words.sounds.playing(elapsed(heard), whole) : words.sounds.ended(whole);
}

/** Waveform of a voice message with its length, or how far a sound is; omitted for screen readers. */
function voiceRow(a: Attachment, width: number, ctx: RowContext): string[] {
  if (ctx.spoken) return [];
  const { theme } = ctx;
  const sound = ctx.sound && soundOf(a)?.url === ctx.sound.url ? ctx.sound : undefined;
  const length = isCount(a.duration) ? ` ${countdown(a.duration * 1000)}` : "";
  const text = sound ? ` ${soundWords(sound)}` : length;
  const room = Math.min(MAX_BARS, width - cellWidth(text));
  const bars = a.type === "voiceRecording" ? waveform(a.waveform_data, room) : "";
  if (bars === "") return sound ? [theme.accent(truncate(text.trim(), width))] : [];
  const { heard = 0, length: whole = 0 } = sound ?? {};
  // What was heard has the accent; all of it if nothing plays.
  const done = sound && whole > 0 ? Math.round((bars.length * heard) / whole) : bars.length;
  const shown = theme.accent(bars.slice(0, done)) + theme.dim(bars.slice(done));
  return [shown + (sound ? theme.accent(text) : theme.dim(text))];
}

const isCount = (n: unknown): n is number => typeof n === "number" && Number.isFinite(n) && n > 0;

/** The buttons of a message in the order of the number keys that press them: at most nine. */
export function buttonsOf(message: Message): AttachmentAction[] {
  return (message.attachments ?? [])
    .slice(0, MAX_ATTACHMENTS)
    .flatMap((a) => (Array.isArray(a.actions) ? a.actions : []))
    .filter((action) => typeof action?.name === "string")
    .slice(0, 9);
}

/** `from` = number of buttons in the attachments before this one. */
function buttonRows(
  buttons: readonly AttachmentAction[],
  offset: number,
  width: number,
  ctx: RowContext,
): string[] {
  const chips = buttons.map((action, i) => {
    const number = String(offset + i + 1);
    const label = safeLine(ctx, action.text || action.name, Math.min(16, width - 4));
    const text = truncate(`[${number} ${label}]`, width);
    return { text: spot(ctx, "button", ctx.theme.accent(text), number), cells: cellWidth(text) };
  });
  return chipRows(chips, undefined, width, " ");
}

/** Link previews with the rail of what is quoted; files and pictures without. */
export function attachmentRows(message: Message, width: number, ctx: RowContext): string[] {
  if (!message.attachments?.length) return [];
  const buttons = buttonsOf(message);
  const withThumbnail = ctx.thumbnails && message.attachments.find((a) => pictureOf(a));
  let buttonCount = 0;
  const rows = message.attachments.slice(0, MAX_ATTACHMENTS).flatMap((a) => {
    const card = isLinkCard(a);
    const inner = card ? width - 2 : width;
    const picture = a === withThumbnail ? ctx.thumbnails!.thumbnail(a, inner) : [];
    const file = (): string[] => [...picture, fileRow(a, inner, ctx), ...voiceRow(a, inner, ctx)];
    const lines = card ? [...linkCard(a, inner, ctx), ...picture] : file();
    if (!card && a.text) lines.push(ctx.theme.dim(safeLine(ctx, a.text, inner)));
    for (const field of (a.fields ?? []).slice(0, 8))
      lines.push(safeLine(ctx, `${field?.title ?? ""}: ${field?.value ?? ""}`, inner));
    const cardButtons = buttons.filter((button) => a.actions?.includes(button));
    if (cardButtons.length > 0) lines.push(...buttonRows(cardButtons, buttonCount, inner, ctx));
    buttonCount += cardButtons.length;
    return card ? railed(ctx, lines) : lines;
  });
  const more = message.attachments.length - MAX_ATTACHMENTS;
  if (more > 0) rows.push(ctx.theme.dim(safeLine(ctx, words.message.moreAttachments(more), width)));
  return rows;
}
