/** Renders message text: Markdown blocks, links, mentions, spoilers, code. */
import { highlight, highlighterLoaded } from "../../text/highlight.ts";
import { hyperlink } from "../../text/link.ts";
import { parseMarkup, type Block, type ListItem, type Span } from "../../text/markup.ts";
import { shownHost } from "../../text/safe-url.ts";
import { cleanLine } from "../../text/sanitize.ts";
import { cellWidth, fitTerminal, padEnd } from "../../text/width.ts";
import { words } from "../../text/words.ts";
import { wrapText } from "../../text/wrap.ts";
import type { Message } from "../../wire/entities/message.ts";
import { safeLine, type RowContext } from "./context.ts";
import { spot } from "./spots.ts";

/** Texts with more rows than the first number are folded to the second. */
const FOLD_ABOVE = 30;
const FOLD_TO = 24;

interface Ink extends RowContext {
  /** Mention names that mean the current user. */
  mine: ReadonlySet<string>;
  /** Mention name → user id; the id is empty for names such as `channel` that mean everybody. */
  known: ReadonlyMap<string, string>;
}

const hidden = (text: string): string => text.replace(/\S/gu, words.message.spoiler);

function styleSpan(span: Span, ink: Ink): string {
  const { theme } = ink;
  switch (span.kind) {
    case "text":
      return fitTerminal(span.text, ink.glyphs);
    case "strong":
      return theme.bold(styleSpans(span.spans, ink));
    case "em":
      return theme.italic(styleSpans(span.spans, ink));
    case "del":
      return theme.strike(styleSpans(span.spans, ink));
    case "code": {
      const code = fitTerminal(span.text, ink.glyphs);
      return theme.level === 0 ? `\`${code}\`` : theme.code(code);
    }
    case "spoiler":
      return ink.revealed
        ? theme.italic(styleSpans(span.spans, ink))
        : spot(ink, "reveal", theme.spoiler(hidden(plainSpans(span.spans))));
    case "mention": {
      const name = fitTerminal(`@${span.name}`, ink.glyphs);
      if (ink.mine.has(span.name)) return theme.mentionMe(name);
      const id = ink.known.get(span.name);
      return id === undefined ? name : spot(ink, "mentioned", theme.mention(name), id);
    }
    case "permalink":
      return spot(ink, "jump", theme.link(fitTerminal(span.address, ink.glyphs)), span.address);
    case "link": {
      const label = theme.link(
        span.bare ? fitTerminal(plainSpans(span.spans), ink.glyphs) : styleSpans(span.spans, ink),
      );
      const link = ink.hyperlinks || ink.spots ? hyperlink(label, span.url) : label;
      if (span.bare) return link;
      // The target is always shown, because the label can be misleading.
      return `${link} ${theme.dim(`(${ink.hyperlinks ? shownHost(span.url) : span.url})`)}`;
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

function styleSpans(spans: readonly Span[], ink: Ink): string {
  let out = "";
  for (const span of spans) out += styleSpan(span, ink);
  return out;
}

function codeRows(block: Extract<Block, { kind: "code" }>, width: number, ink: Ink): string[] {
  const { theme } = ink;
  const spans = theme.level > 0 ? highlight(block.text, block.language) : undefined;
  if (!spans && block.language && theme.level > 0 && !highlighterLoaded()) ink.onCode?.();
  const text = spans
    ? spans.map((s) => theme.tones[s.tone](fitTerminal(s.text, ink.glyphs))).join("")
    : fitTerminal(block.text, ink.glyphs);
  const language = block.language ? [theme.dim(safeLine(ink, block.language, width - 2))] : [];
  const rows = [...language, ...wrapText(text, width - 2)];
  // With a background colour, all rows are padded to the same width.
  const shaded = theme.codeBlock(" ") !== " ";
  const cells = shaded ? Math.min(width - 2, Math.max(...rows.map((row) => cellWidth(row))) + 1) : 0;
  const rail = (at: number): string => theme.dim(at < language.length ? "┌" : "│");
  return rows.map((row, at) => `${rail(at)}${theme.codeBlock(` ${padEnd(row, cells)}`)}`);
}

function tableRows(block: Extract<Block, { kind: "table" }>, width: number, ink: Ink): string[] {
  const cells = block.rows.map((row) => row.map((cell) => fitTerminal(cleanLine(cell), ink.glyphs)));
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
    return at === 0 ? ink.theme.bold(line.trimEnd()) : line.trimEnd();
  });
}

function itemRows(item: ListItem, mark: string, width: number, ink: Ink): string[] {
  const box = item.checked === undefined ? mark : `${mark}${item.checked ? "☑" : "☐"} `;
  const room = cellWidth(box);
  if (room > width - 4) return blockRows(item.blocks, width, ink);
  const rows = blockRows(item.blocks, width - room, ink);
  if (rows.length === 0) rows.push("");
  return rows.map((row, at) => (at === 0 ? box : " ".repeat(room)) + row);
}

function blockRows(blocks: readonly Block[], width: number, ink: Ink): string[] {
  const out: string[] = [];
  let before: Block["kind"] | undefined;
  for (const block of blocks) {
    if (block.kind === "paragraph" && before === "paragraph") out.push("");
    before = block.kind;
    switch (block.kind) {
      case "paragraph":
        out.push(...wrapText(styleSpans(block.spans, ink), width));
        break;
      case "heading":
        out.push(...wrapText(ink.theme.heading(styleSpans(block.spans, ink)), width));
        break;
      case "quote":
        if (width < 8) out.push(...blockRows(block.blocks, width, ink));
        else {
          const rail = ink.theme.dim("▎");
          out.push(...blockRows(block.blocks, width - 2, ink).map((row) => `${rail} ${row}`));
        }
        break;
      case "list":
        block.items.forEach((item, i) => {
          out.push(...itemRows(item, block.ordered ? `${block.start + i}. ` : "• ", width, ink));
        });
        break;
      case "code":
        out.push(
          ...(width < 8 ? wrapText(fitTerminal(block.text, ink.glyphs), width) : codeRows(block, width, ink)),
        );
        break;
      case "table":
        out.push(...tableRows(block, width, ink));
        break;
      case "rule":
        out.push(ink.theme.dim("─".repeat(Math.min(width, 24))));
    }
  }
  return out;
}

type Mentions = Pick<Ink, "mine" | "known">;

/** The mention names of a message. */
function mentionNames(message: Message, ctx: RowContext): Mentions {
  const mine = new Set<string>();
  const known = new Map<string, string>();
  for (const user of message.mentioned_users ?? []) {
    for (const name of [user.name, user.id]) {
      if (!name) continue;
      const shown = cleanLine(name);
      known.set(shown, user.id);
      if (user.id === ctx.me.id) mine.add(shown);
    }
  }
  for (const [all, set] of [
    ["channel", message.mentioned_channel],
    ["here", message.mentioned_here],
    ["everyone", message.mentioned_channel],
  ] as const)
    if (set) {
      mine.add(all);
      known.set(all, "");
    }
  return { mine, known };
}

const NOBODY: Mentions = { mine: new Set(), known: new Map() };

/** The rows of a message's text in `width` cells, folded beyond {@link FOLD_ABOVE} rows unless expanded. */
export function bodyRows(message: Message, width: number, ctx: RowContext): string[] {
  if (!message.text) return [];
  const mentions = message.text.includes("@") ? mentionNames(message, ctx) : NOBODY;
  const blocks = parseMarkup(message.text, { names: [...mentions.known.keys()] });
  const rows = blockRows(blocks, width, { ...ctx, ...mentions });
  if (ctx.expanded || rows.length <= FOLD_ABOVE) return rows;
  const more = safeLine(ctx, words.message.more(rows.length - FOLD_TO), width);
  return [...rows.slice(0, FOLD_TO), spot(ctx, "full", ctx.theme.dim(more))];
}
