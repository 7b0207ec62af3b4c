/** Renders message text: Markdown blocks, links, mentions, spoilers, code. */
import { attachedNames } from "../../model/mentions.ts";
import { highlight, highlighterLoaded } from "../../text/highlight.ts";
import { hyperlink } from "../../text/link.ts";
import { parseMarkup, type Block, type ListItem, type Span } from "../../text/markup.ts";
import { mentionKey } from "../../text/mentions.ts";
import { shownHost } from "../../text/safe-url.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { cellWidth, fitTerminal, padEnd } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import type { Message } from "../../wire/entities/message.ts";
import { safeLine, type RowContext } from "./context.ts";
import { spot } from "./spots.ts";

/** Texts with more rows than the first number are folded to the second. */
const MAX_UNFOLDED_ROWS = 30;
const FOLDED_ROWS = 24;

interface BodyContext extends RowContext {
  /** Mention names that mean the current user. */
  ownMentions: ReadonlySet<string>;
  /** Mention name (`mentionKey`) → user id; the id is empty for names such as `channel` that mean everybody. */
  mentionIds: ReadonlyMap<string, string>;
}

const hidden = (text: string): string => text.replace(/\S/gu, words.message.spoiler);

function styleSpan(span: Span, ctx: BodyContext): string {
  const { theme } = ctx;
  switch (span.kind) {
    case "text":
      return fitTerminal(span.text, ctx.glyphs);
    case "strong":
      return theme.bold(styleSpans(span.spans, ctx));
    case "em":
      return theme.italic(styleSpans(span.spans, ctx));
    case "del":
      return theme.strike(styleSpans(span.spans, ctx));
    case "code": {
      const code = fitTerminal(span.text, ctx.glyphs);
      return theme.level === 0 ? `\`${code}\`` : theme.code(code);
    }
    case "spoiler":
      return ctx.revealed
        ? theme.italic(styleSpans(span.spans, ctx))
        : spot(ctx, "reveal", theme.spoiler(hidden(plainSpans(span.spans))));
    case "mention": {
      const name = fitTerminal(`@${span.name}`, ctx.glyphs);
      const key = mentionKey(span.name);
      if (ctx.ownMentions.has(key)) return theme.mentionMe(name);
      const id = ctx.mentionIds.get(key);
      return id === undefined ? name : spot(ctx, "mentioned", theme.mention(name), id);
    }
    case "permalink":
      return spot(ctx, "jump", theme.link(fitTerminal(span.address, ctx.glyphs)), span.address);
    case "link": {
      const label = theme.link(
        span.bare ? fitTerminal(plainSpans(span.spans), ctx.glyphs) : styleSpans(span.spans, ctx),
      );
      const link = ctx.hyperlinks || ctx.spots ? hyperlink(label, span.url) : label;
      if (span.bare) return link;
      // The target is always shown, because the label can be misleading.
      return `${link} ${theme.dim(`(${ctx.hyperlinks ? shownHost(span.url) : span.url})`)}`;
    }
  }
}

function plainSpans(spans: readonly Span[]): string {
  return spans
    .map((s) =>
      s.kind === "text" || s.kind === "code"
        ? s.text
        : s.kind === "mention"
          ? `@${s.name}`
          : s.kind === "permalink"
            ? s.address
            : plainSpans(s.spans),
    )
    .join("");
}

function styleSpans(spans: readonly Span[], ctx: BodyContext): string {
  let out = "";
  for (const span of spans) out += styleSpan(span, ctx);
  return out;
}

function codeRows(block: Extract<Block, { kind: "code" }>, width: number, ctx: BodyContext): string[] {
  const { theme } = ctx;
  const spans = theme.level > 0 ? highlight(block.text, block.language) : undefined;
  if (!spans && block.language && theme.level > 0 && !highlighterLoaded()) ctx.onCode?.();
  const text = spans
    ? spans.map((s) => theme.tones[s.tone](fitTerminal(s.text, ctx.glyphs))).join("")
    : fitTerminal(block.text, ctx.glyphs);
  const language = block.language ? [theme.dim(safeLine(ctx, block.language, width - 2))] : [];
  const rows = [...language, ...wrapText(text, width - 2)];
  // With a background colour, all rows are padded to the same width.
  const shaded = theme.codeBlock(" ") !== " ";
  const cells = shaded ? Math.min(width - 2, Math.max(...rows.map((row) => cellWidth(row))) + 1) : 0;
  const rail = (at: number): string => theme.dim(at < language.length ? "┌" : "│");
  return rows.map((row, at) => `${rail(at)}${theme.codeBlock(` ${padEnd(row, cells)}`)}`);
}

function tableRows(block: Extract<Block, { kind: "table" }>, width: number, ctx: BodyContext): string[] {
  const cells = block.rows.map((row) => row.map((cell) => fitTerminal(cleanLine(cell), ctx.glyphs)));
  const columns = Math.max(...cells.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, i) =>
    Math.max(...cells.map((row) => cellWidth(row[i] ?? ""))),
  );
  const total = widths.reduce((sum, w) => sum + w + 2, -2);
  // Too wide for columns: each table row becomes one wrapped line.
  if (total > width) return cells.flatMap((row) => wrapText(row.join(" · "), width));
  return cells.map((row, at) => {
    const line = widths
      .map((w, i) => (i === columns - 1 ? (row[i] ?? "") : padEnd(row[i] ?? "", w)))
      .join("  ");
    return at === 0 ? ctx.theme.bold(line.trimEnd()) : line.trimEnd();
  });
}

function itemRows(item: ListItem, mark: string, width: number, ctx: BodyContext): string[] {
  const label = item.checked === undefined ? mark : `${mark}${item.checked ? "☑" : "☐"} `;
  const indent = cellWidth(label);
  if (indent > width - 4) return blockRows(item.blocks, width, ctx);
  const rows = blockRows(item.blocks, width - indent, ctx);
  if (rows.length === 0) rows.push("");
  return rows.map((row, at) => (at === 0 ? label : " ".repeat(indent)) + row);
}

function blockRows(blocks: readonly Block[], width: number, ctx: BodyContext): string[] {
  const out: string[] = [];
  let before: Block["kind"] | undefined;
  for (const block of blocks) {
    if (block.kind === "paragraph" && before === "paragraph") out.push("");
    before = block.kind;
    switch (block.kind) {
      case "paragraph":
        out.push(...wrapText(styleSpans(block.spans, ctx), width));
        break;
      case "heading":
        out.push(...wrapText(ctx.theme.heading(styleSpans(block.spans, ctx)), width));
        break;
      case "quote":
        if (width < 8) out.push(...blockRows(block.blocks, width, ctx));
        else {
          const rail = ctx.theme.dim("▎");
          out.push(...blockRows(block.blocks, width - 2, ctx).map((row) => `${rail} ${row}`));
        }
        break;
      case "list":
        block.items.forEach((item) => {
          out.push(...itemRows(item, item.number === undefined ? "• " : `${item.number} `, width, ctx));
        });
        break;
      case "code":
        out.push(
          ...(width < 8 ? wrapText(fitTerminal(block.text, ctx.glyphs), width) : codeRows(block, width, ctx)),
        );
        break;
      case "table":
        out.push(...tableRows(block, width, ctx));
        break;
      case "rule":
        out.push(ctx.theme.dim("─".repeat(Math.min(width, 24))));
    }
  }
  return out;
}

interface Mentions extends Pick<BodyContext, "ownMentions" | "mentionIds"> {
  /** Names that other letters follow. */
  attached: readonly string[];
}

/** The mention names of a message. */
function mentionNames(message: Message, ctx: RowContext): Mentions {
  const ownMentions = new Set<string>();
  const mentionIds = new Map<string, string>();
  for (const user of message.mentioned_users ?? []) {
    for (const name of [user.name, user.id]) {
      if (!name) continue;
      const key = mentionKey(cleanLine(name));
      mentionIds.set(key, user.id);
      if (user.id === ctx.me.id) ownMentions.add(key);
    }
  }
  for (const [name, isMentioned] of [
    ["channel", message.mentioned_channel],
    ["here", message.mentioned_here],
    ["everyone", message.mentioned_channel],
  ] as const)
    if (isMentioned) {
      ownMentions.add(name);
      mentionIds.set(name, "");
    }
  return { ownMentions, mentionIds, attached: attachedNames(message.text, message.mentioned_users ?? []) };
}

const NO_MENTIONS: Mentions = { ownMentions: new Set(), mentionIds: new Map(), attached: [] };

/** The rows of a message's text in `width` cells, folded beyond {@link MAX_UNFOLDED_ROWS} rows unless expanded. */
export function bodyRows(message: Message, width: number, ctx: RowContext): string[] {
  if (!message.text) return [];
  const mentions = message.text.includes("@") ? mentionNames(message, ctx) : NO_MENTIONS;
  const { mentionIds, attached } = mentions;
  const blocks = parseMarkup(message.text, { names: [...mentionIds.keys()], attached });
  const rows = blockRows(blocks, width, { ...ctx, ...mentions });
  if (ctx.expanded || rows.length <= MAX_UNFOLDED_ROWS) return rows;
  const more = safeLine(ctx, words.message.more(rows.length - FOLDED_ROWS), width);
  return [...rows.slice(0, FOLDED_ROWS), spot(ctx, "full", ctx.theme.dim(more))];
}
