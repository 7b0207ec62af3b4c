/** Parses the Markdown of messages into a tree of blocks and spans. */
import { Lexer, Marked, type MarkedOptions, type Token, type Tokens } from "marked";
import { emojify } from "./emoji.ts";
import { findLinks } from "./link.ts";
import { namesIn, nameTable, type NameTable } from "./mentions.ts";
import { permalinksIn } from "./permalinks.ts";
import { safeUrl } from "./safe-url.ts";
import { clean } from "./sanitize.ts";

export type Span =
  | { kind: "text"; text: string }
  | { kind: "strong" | "em" | "del" | "spoiler"; spans: Span[] }
  | { kind: "code"; text: string }
  /** `url` is safe (safe-url.ts); `bare`: the label is the address itself. */
  | { kind: "link"; url: string; bare: boolean; spans: Span[] }
  /** The address of a message, as written (permalinks.ts). */
  | { kind: "permalink"; address: string }
  /** `name` as written after the `@`; it may not be the name of anybody. */
  | { kind: "mention"; name: string };

export interface ListItem {
  /** A task's box; absent on a plain item. */
  checked?: boolean;
  /** The number of an item of an ordered list, as it is shown: `2019.` or `3)`. */
  number?: string;
  blocks: Block[];
}

export type Block =
  /** Line breaks are LF inside `text` spans. */
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; depth: number; spans: Span[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; items: ListItem[] }
  | { kind: "code"; language: string; text: string }
  /** The first row is the header; cells are plain text. */
  | { kind: "table"; rows: string[][] }
  | { kind: "rule" };

interface MarkupOptions {
  /** Names (without `@`) that may be mentioned and may contain blanks; the longest match wins. */
  names?: readonly string[];
  /** Such names that other letters may follow: `@Sam님`. */
  attached?: readonly string[];
}

/** Text that may contain markup, a link, an emoji name or a mention; most messages do not. */
const MARKUP = /[*_~`[<\\|@]|^ *(?:[#>+=-]|\d{1,9}[.)])|:[\w+-]|:\/\/|\S\.[\w\x80-\uffff]/m;
export const isPlain = (text: string): boolean => !MARKUP.test(text);
/** Text that may contain blocks other than paragraphs; most does not, so block parsing is skipped. */
const BLOCKS =
  /^[ \t]*(?:#{1,6}(?:[ \t]|$)|[>|<]|[+*-](?:[ \t]|$)|=+[ \t]*$|:?-+:?[ \t]*$|-{3}|\*{3}|(?:_[ \t]*){3}|`{3}|~{3}|\[|\d{1,9}[.)](?:[ \t]|$)|$)|^(?: {4}|\t)|[|\t]|[ \t]$/m;
/** A text with more delimiters is art or an attack and shown unparsed: the lexer is quadratic in delimiters. */
const MAX_DELIMITERS = 1_500;
const TOO_DEEP = /^(?: {0,3}(?:>|[-+*]|\d{1,9}[.)]) {0,4}){13}/m;
/** Deeper nesting is flattened. */
const MAX_DEPTH = 8;

const options: MarkedOptions = { gfm: true, breaks: true };
let spoilerParser: Marked | undefined;
const loadSpoilerParser = (): Marked =>
  (spoilerParser ??= new Marked({
    ...options,
    extensions: [
      {
        name: "spoiler",
        level: "inline",
        start: (source) => {
          const at = source.indexOf("||");
          return at < 0 ? undefined : at;
        },
        tokenizer(source) {
          const match = /^\|\|(?=\S)([^\n]*?\S)\|\|/.exec(source);
          if (!match) return undefined;
          return {
            type: "spoiler",
            raw: match[0],
            text: match[1]!,
            tokens: this.lexer.inlineTokens(match[1]!),
          };
        },
      },
    ],
  }));

function isExcessiveMarkup(text: string): boolean {
  if (TOO_DEEP.test(text)) return true;
  if (text.length <= MAX_DELIMITERS) return false;
  const outside = text.replace(/^```[^\n]*\n[\s\S]*?^```/gm, "");
  let count = 0;
  for (const _ of outside.matchAll(/[*_~`[\]<|\\]/g)) if (++count > MAX_DELIMITERS) return true;
  return false;
}

/** Adds text without links as mentions and text spans with emoji. */
function addWithMentions(text: string, names: NameTable, out: Span[]): void {
  let position = 0;
  const addPlain = (end: number): void => {
    if (end > position) out.push({ kind: "text", text: emojify(text.slice(position, end)) });
  };
  for (const { at, name } of namesIn(text, names)) {
    addPlain(at);
    out.push({ kind: "mention", name });
    position = at + 1 + name.length;
  }
  addPlain(text.length);
}

function addWithPermalinks(text: string, names: NameTable, out: Span[]): void {
  for (const piece of permalinksIn(text))
    if (piece.address) out.push({ kind: "permalink", address: piece.text });
    else addWithMentions(piece.text, names, out);
}

function addText(text: string, names: NameTable, out: Span[], links: boolean): void {
  let at = 0;
  for (const link of links ? findLinks(text) : []) {
    if (link.start > at) addWithPermalinks(text.slice(at, link.start), names, out);
    out.push({ kind: "link", url: link.url, bare: true, spans: [{ kind: "text", text: link.text }] });
    at = link.end;
  }
  if (at < text.length) addWithPermalinks(at ? text.slice(at) : text, names, out);
}

function linkSpan(token: Tokens.Link | Tokens.Image, names: NameTable): Span[] {
  const url = safeUrl(token.href);
  const image = token.type === "image";
  // Not a safe address: the source is shown, so that nothing is hidden.
  if (!url) return [{ kind: "text", text: token.raw }];
  const linkText = image
    ? [{ kind: "text" as const, text: token.text || token.href }]
    : spans(token.tokens ?? [], names, false);
  if (linkText.length === 0) linkText.push({ kind: "text", text: token.href });
  const label = token.text.trim();
  const bare =
    label === "" ||
    label === token.href ||
    safeUrl(label)?.href === url.href ||
    `http://${label}` === token.href;
  return [{ kind: "link", url: url.href, bare, spans: linkText }];
}

function spans(tokens: readonly Token[], names: NameTable, links = true): Span[] {
  const out: Span[] = [];
  let text = "";
  const flush = (): void => {
    if (text) addText(text, names, out, links);
    text = "";
  };
  for (const token of tokens) {
    switch (token.type) {
      case "strong":
      case "em":
      case "del":
      case "spoiler":
        flush();
        out.push({ kind: token.type, spans: spans((token as Tokens.Strong).tokens, names, links) });
        break;
      case "codespan":
        flush();
        out.push({ kind: "code", text: (token as Tokens.Codespan).text });
        break;
      case "link":
      case "image":
        flush();
        // A picture inside a link: only the outer address is used.
        if (links) out.push(...linkSpan(token as Tokens.Link, names));
        else out.push({ kind: "text", text: (token as Tokens.Link).text || (token as Tokens.Link).href });
        break;
      case "br":
        text += "\n";
        break;
      case "escape":
        flush();
        out.push({ kind: "text", text: (token as Tokens.Escape).text });
        break;
      case "checkbox":
        break;
      case "text":
        if ((token as Tokens.Text).tokens) {
          flush();
          out.push(...spans((token as Tokens.Text).tokens!, names, links));
        } else text += token.raw;
        break;
      default:
        // Raw HTML and unknown tokens: as typed.
        text += token.raw;
    }
  }
  flush();
  return out;
}

function paragraph(text: string): Block {
  return { kind: "paragraph", spans: [{ kind: "text", text }] };
}

/** The paragraphs of a text without other blocks, found without the block rules; else undefined. */
export function paragraphsOf(text: string): string[] | undefined {
  const parts = text.split(/\n{2,}/);
  return parts.some((part) => BLOCKS.test(part)) ? undefined : parts;
}

const blocks = (tokens: readonly Token[], names: NameTable, depth: number): Block[] =>
  tokens.map((token) => blockOf(token, names, depth)).filter((block) => block !== undefined);

/** The block of a token; undefined for invisible tokens. */
function blockOf(token: Token, names: NameTable, depth: number): Block | undefined {
  switch (token.type) {
    case "space":
    case "checkbox":
      return undefined;
    case "heading":
      return {
        kind: "heading",
        depth: (token as Tokens.Heading).depth,
        spans: spans(token.tokens ?? [], names),
      };
    case "blockquote":
      return {
        kind: "quote",
        blocks:
          depth >= MAX_DEPTH
            ? [paragraph((token as Tokens.Blockquote).text)]
            : blocks(token.tokens ?? [], names, depth + 1),
      };
    case "list":
      return depth >= MAX_DEPTH ? paragraph(token.raw) : listOf(token as Tokens.List, names, depth);
    case "code":
      return codeOf(token as Tokens.Code);
    case "table":
      return tableOf(token as Tokens.Table);
    case "hr":
      return { kind: "rule" };
    case "paragraph":
    case "text":
      return { kind: "paragraph", spans: spans(token.tokens ?? [token], names) };
    default:
      // Raw HTML, link definitions: shown as typed.
      return token.raw.trim() === "" ? undefined : paragraph(token.raw.trimEnd());
  }
}

function listOf({ ordered, items }: Tokens.List, names: NameTable, depth: number): Block {
  const numbers = ordered ? numbersOf(items.map(({ raw }) => raw)) : [];
  return {
    kind: "list",
    ordered,
    items: items.map((item, at) => ({
      ...(item.task ? { checked: item.checked === true } : {}),
      ...(numbers[at] !== undefined && { number: numbers[at] }),
      blocks: blocks(item.tokens, names, depth + 1),
    })),
  };
}

/** The numbers as written: a year stays that year. Only where all are the same, as Markdown lets one write `1. 1. 1.`, they are counted. */
function numbersOf(items: readonly string[]): string[] {
  const written = items.map((raw) => /^\s*(\d{1,9})([.)])/.exec(raw)?.slice(1, 3) ?? ["1", "."]);
  const [first] = written;
  const areSame = written.length > 1 && written.every(([number]) => number === first![0]);
  return written.map(([number, sign], at) => `${areSame ? Number(number) + at : number}${sign}`);
}

const codeOf = ({ lang, text }: Tokens.Code): Block => ({
  kind: "code",
  language: /^[\w+#.-]{0,32}/.exec(lang ?? "")?.[0] ?? "",
  text,
});

const tableOf = ({ header, rows }: Tokens.Table): Block => ({
  kind: "table",
  rows: [header, ...rows].map((row) => row.map((cell) => cell.text)),
});

/**
 * The blocks of a message text: GitHub's Markdown with line breaks kept, `||spoilers||`, bare links, `:emoji:` names and
 * mention candidates. The text is cleaned first ({@link clean}); raw HTML and unsafe links come out as text. A text without
 * markup is one paragraph with one span. Never throws; a text with too many delimiters is one paragraph as typed.
 */
export function parseMarkup(text: string, { names = [], attached }: MarkupOptions = {}): Block[] {
  const safe = clean(text);
  if (safe === "") return [];
  if (!MARKUP.test(safe) || isExcessiveMarkup(safe)) return [paragraph(safe)];
  const table = nameTable(names, attached);
  try {
    const parts = paragraphsOf(safe);
    if (parts)
      return parts.map((part) => ({
        kind: "paragraph",
        spans: spans(new Lexer(options).inlineTokens(part), table),
      }));
    const tokens = safe.includes("||") ? loadSpoilerParser().lexer(safe) : new Lexer(options).lex(safe);
    const found = blocks(tokens, table, 0);
    return found.length ? found : [paragraph(safe)];
  } catch {
    // Nesting that exhausts the stack is not a real message.
    return [paragraph(safe)];
  }
}

/** A part of a text in which a link may stand: `url` if it is one, with the text that was written for it. */
interface LinkablePart {
  text: string;
  url?: string;
}

const partsOfSpans = (list: readonly Span[]): LinkablePart[] =>
  list.flatMap((span): LinkablePart[] => {
    if (span.kind === "text") return [{ text: span.text }];
    if (span.kind === "link") return [{ text: span.bare ? plainText(span.spans) : span.url, url: span.url }];
    return "spans" in span ? partsOfSpans(span.spans) : [];
  });

const plainText = (list: readonly Span[]): string =>
  list.map((span) => ("text" in span ? span.text : "spans" in span ? plainText(span.spans) : "")).join("");

const partsOfBlocks = (list: readonly Block[]): LinkablePart[] =>
  list.flatMap((block) => {
    if ("spans" in block) return partsOfSpans(block.spans);
    if (block.kind === "quote") return partsOfBlocks(block.blocks);
    if (block.kind === "list") return block.items.flatMap((item) => partsOfBlocks(item.blocks));
    return block.kind === "table" ? block.rows.flat().map((text) => ({ text })) : [];
  });

/** Where links are looked for: in what is shown, without the signs of the markup around it; code contains no links. */
export const linkableParts = (text: string): LinkablePart[] => partsOfBlocks(parseMarkup(text));

type MentionableSpan = Extract<Span, { kind: "text" | "mention" }>;

const mentionableSpans = (list: readonly Span[]): MentionableSpan[] =>
  list.flatMap((span): MentionableSpan[] => {
    if (span.kind === "text" || span.kind === "mention") return [span];
    const isAddress = span.kind === "link" && span.bare;
    return "spans" in span && !isAddress ? mentionableSpans(span.spans) : [];
  });

/** The texts and mentions of a message text in order, outside code and addresses, which mention nobody (R-MENT-2). */
export function mentionablesIn(text: string, options: MarkupOptions): MentionableSpan[] {
  const ofBlocks = (list: readonly Block[]): MentionableSpan[] =>
    list.flatMap((block) => {
      if ("spans" in block) return mentionableSpans(block.spans);
      if (block.kind === "quote") return ofBlocks(block.blocks);
      if (block.kind === "list") return block.items.flatMap((item) => ofBlocks(item.blocks));
      if (block.kind === "table") return block.rows.flat().flatMap((cell) => mentionablesIn(cell, options));
      return [];
    });
  return ofBlocks(parseMarkup(text, options));
}

/** The safe links of a text in order, each once: what opens is what is shown as a link (specification/screen.md §2). */
export const linksIn = (text: string): string[] => [
  ...new Set(
    linkableParts(text).flatMap((part) =>
      part.url ? [part.url] : findLinks(part.text).map(({ url }) => url),
    ),
  ),
];

/** A text on one line without markup, for previews, notifications and quotes. Spoilers stay hidden; `links` adds addresses after labels; `struck` formats struck-out words. */
export function flatText(
  text: string,
  { links = false, struck = (label) => label }: { links?: boolean; struck?: (label: string) => string } = {},
): string {
  const spansText = (list: readonly Span[]): string =>
    list
      .map((span) => {
        if (span.kind === "text" || span.kind === "code") return span.text;
        if (span.kind === "mention") return `@${span.name}`;
        if (span.kind === "permalink") return span.address;
        if (span.kind === "spoiler") return "▒▒▒▒";
        const label = spansText(span.spans);
        if (span.kind === "del") return struck(label);
        return links && span.kind === "link" && !span.bare ? `${label} (${span.url})` : label;
      })
      .join("");
  const blocksText = (list: readonly Block[]): string =>
    list
      .map((block) => {
        if (block.kind === "paragraph" || block.kind === "heading") return spansText(block.spans);
        if (block.kind === "quote") return blocksText(block.blocks);
        if (block.kind === "list")
          return block.items.map((item) => `${item.number ?? ""} ${blocksText(item.blocks)}`).join(" · ");
        if (block.kind === "table") return block.rows.map((row) => row.join(" ")).join(" ");
        return block.kind === "code" ? block.text : "";
      })
      .join(" ");
  return blocksText(parseMarkup(text)).replace(/\s+/g, " ").trim();
}
