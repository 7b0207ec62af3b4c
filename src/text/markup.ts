/** Parses the Markdown of messages into a small tree of blocks and spans; nothing is executed and nothing lost. */
import { Lexer, Marked, type MarkedOptions, type Token, type Tokens } from "marked";
import { emojify } from "./emoji.ts";
import { findLinks } from "./link.ts";
import { namesIn } from "./mentions.ts";
import { permalinksIn } from "./permalinks.ts";
import { safeUrl } from "./safe-url.ts";
import { clean } from "./sanitize.ts";

export type Span =
  | { kind: "text"; text: string }
  | { kind: "strong" | "em" | "del" | "spoiler"; spans: Span[] }
  | { kind: "code"; text: string }
  /** `url` is safe (safe-url.ts); `bare` when what is written is the address itself. */
  | { kind: "link"; url: string; bare: boolean; spans: Span[] }
  /** The address of a message of ours, as written (permalinks.ts). */
  | { kind: "permalink"; address: string }
  /** `name` as written behind the `@`: whether it names anybody is for the caller to say. */
  | { kind: "mention"; name: string };

export interface ListItem {
  /** A task's box; absent on a plain item. */
  checked?: boolean;
  blocks: Block[];
}

export type Block =
  /** Line breaks are LF inside `text` spans. */
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; depth: number; spans: Span[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | { kind: "code"; language: string; text: string }
  /** The first row is the header; cells are plain text. */
  | { kind: "table"; rows: string[][] }
  | { kind: "rule" };

interface MarkupOptions {
  /** Names (without `@`) that may be mentioned and may hold blanks; the longest that fits wins. */
  names?: readonly string[];
}

/** Could anything in this be markup, a link, an emoji name or a mention? Most messages have none of it. */
const MARKUP = /[*_~`[<\\|@]|^ *(?:[#>+=-]|\d{1,9}[.)])|:[\w+-]|:\/\/|\S\.[\p{L}\d]/mu;
export const isPlain = (text: string): boolean => !MARKUP.test(text);
/** Could anything in this be more than a paragraph of spans? Most markup is not, and needs none of the block rules. */
const BLOCKS =
  /^[ \t]*(?:#{1,6}(?:[ \t]|$)|[>|<]|[+*-](?:[ \t]|$)|=+[ \t]*$|:?-+:?[ \t]*$|-{3}|\*{3}|(?:_[ \t]*){3}|`{3}|~{3}|\[|\d{1,9}[.)](?:[ \t]|$)|$)|^(?: {4}|\t)|[|\t]|[ \t]$/m;
/** Beyond these a text is art or an attack, and shown as it is: the lexer is quadratic in delimiters. */
const MOST_DELIMITERS = 1_500;
const TOO_DEEP = /^(?: {0,3}(?:>|[-+*]|\d{1,9}[.)]) {0,4}){13}/m;
/** Levels of nesting that are shown as such; deeper ones are flattened. */
const DEEPEST = 8;

const options: MarkedOptions = { gfm: true, breaks: true };
let withSpoilers: Marked | undefined;
/** Made when the first spoiler is met. */
const spoilers = (): Marked =>
  (withSpoilers ??= new Marked({
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

function tooMuch(text: string): boolean {
  if (TOO_DEEP.test(text)) return true;
  if (text.length <= MOST_DELIMITERS) return false;
  const outside = text.replace(/^```[^\n]*\n[\s\S]*?^```/gm, "");
  let count = 0;
  for (const _ of outside.matchAll(/[*_~`[\]<|\\]/g)) if (++count > MOST_DELIMITERS) return true;
  return false;
}

/** The mentions in a run of text that holds no link; everything else becomes text with emoji. */
function withMentions(text: string, names: readonly string[], out: Span[]): void {
  let done = 0;
  const plain = (end: number): void => {
    if (end > done) out.push({ kind: "text", text: emojify(text.slice(done, end)) });
  };
  for (const { at, name } of namesIn(text, names)) {
    plain(at);
    out.push({ kind: "mention", name });
    done = at + 1 + name.length;
  }
  plain(text.length);
}

function withoutLinks(text: string, names: readonly string[], out: Span[]): void {
  for (const piece of permalinksIn(text))
    if (piece.address) out.push({ kind: "permalink", address: piece.text });
    else withMentions(piece.text, names, out);
}

function runs(text: string, names: readonly string[], out: Span[], links: boolean): void {
  let at = 0;
  for (const link of links ? findLinks(text) : []) {
    if (link.start > at) withoutLinks(text.slice(at, link.start), names, out);
    out.push({ kind: "link", url: link.url, bare: true, spans: [{ kind: "text", text: link.text }] });
    at = link.end;
  }
  if (at < text.length) withoutLinks(at ? text.slice(at) : text, names, out);
}

function linkSpan(token: Tokens.Link | Tokens.Image, names: readonly string[]): Span[] {
  const url = safeUrl(token.href);
  const image = token.type === "image";
  // Not an address to follow: what was typed is shown, so that nobody is told less than there is.
  if (!url) return [{ kind: "text", text: token.raw }];
  const label = image
    ? [{ kind: "text" as const, text: token.text || token.href }]
    : spans(token.tokens ?? [], names, false);
  if (label.length === 0) label.push({ kind: "text", text: token.href });
  const written = token.text.trim();
  const bare =
    written === "" ||
    written === token.href ||
    safeUrl(written)?.href === url.href ||
    `http://${written}` === token.href;
  return [{ kind: "link", url: url.href, bare, spans: label }];
}

function spans(tokens: readonly Token[], names: readonly string[], links = true): Span[] {
  const out: Span[] = [];
  let text = "";
  const flush = (): void => {
    if (text) runs(text, names, out, links);
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
        // A picture inside a link: one address is enough.
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
        // Raw HTML and whatever a later lexer invents: as typed.
        text += token.raw;
    }
  }
  flush();
  return out;
}

function paragraph(text: string): Block {
  return { kind: "paragraph", spans: [{ kind: "text", text }] };
}

/** The paragraphs of a text that is nothing but paragraphs, told without the block rules; else undefined. */
export function paragraphsOf(text: string): string[] | undefined {
  const parts = text.split(/\n{2,}/);
  return parts.some((part) => BLOCKS.test(part)) ? undefined : parts;
}

const blocks = (tokens: readonly Token[], names: readonly string[], depth: number): Block[] =>
  tokens.map((token) => blockOf(token, names, depth)).filter((block) => block !== undefined);

/** What a token becomes; undefined for what is not seen. */
function blockOf(token: Token, names: readonly string[], depth: number): Block | undefined {
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
          depth >= DEEPEST
            ? [paragraph((token as Tokens.Blockquote).text)]
            : blocks(token.tokens ?? [], names, depth + 1),
      };
    case "list":
      return depth >= DEEPEST ? paragraph(token.raw) : listOf(token as Tokens.List, names, depth);
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

const listOf = ({ ordered, start, items }: Tokens.List, names: readonly string[], depth: number): Block => ({
  kind: "list",
  ordered,
  start: typeof start === "number" ? start : 1,
  items: items.map((item) => ({
    ...(item.task ? { checked: item.checked === true } : {}),
    blocks: blocks(item.tokens, names, depth + 1),
  })),
});

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
export function parseMarkup(text: string, { names = [] }: MarkupOptions = {}): Block[] {
  const safe = clean(text);
  if (safe === "") return [];
  if (!MARKUP.test(safe) || tooMuch(safe)) return [paragraph(safe)];
  const sorted = names.filter(Boolean).toSorted((a, b) => b.length - a.length);
  try {
    const parts = paragraphsOf(safe);
    if (parts)
      return parts.map((part) => ({
        kind: "paragraph",
        spans: spans(new Lexer(options).inlineTokens(part), sorted),
      }));
    const tokens = safe.includes("||") ? spoilers().lexer(safe) : new Lexer(options).lex(safe);
    const found = blocks(tokens, sorted, 0);
    return found.length ? found : [paragraph(safe)];
  } catch {
    // Nesting that exhausts the stack is no message anybody wrote.
    return [paragraph(safe)];
  }
}

/** What a text says on one line without its markup: previews in lists, notifications, quotes. Spoilers stay hidden; with `links` the address of a link stands behind its label; `struck` says of words that they are struck out. */
export function flatText(
  text: string,
  { links = false, struck = (label) => label }: { links?: boolean; struck?: (label: string) => string } = {},
): string {
  const say = (list: readonly Span[]): string =>
    list
      .map((span) => {
        if (span.kind === "text" || span.kind === "code") return span.text;
        if (span.kind === "mention") return `@${span.name}`;
        if (span.kind === "permalink") return span.address;
        if (span.kind === "spoiler") return "▒▒▒▒";
        const label = say(span.spans);
        if (span.kind === "del") return struck(label);
        return links && span.kind === "link" && !span.bare ? `${label} (${span.url})` : label;
      })
      .join("");
  const tell = (list: readonly Block[]): string =>
    list
      .map((block) => {
        if (block.kind === "paragraph" || block.kind === "heading") return say(block.spans);
        if (block.kind === "quote") return tell(block.blocks);
        if (block.kind === "list") return block.items.map((item) => tell(item.blocks)).join(" · ");
        if (block.kind === "table") return block.rows.map((row) => row.join(" ")).join(" ");
        return block.kind === "code" ? block.text : "";
      })
      .join(" ");
  return tell(parseMarkup(text)).replace(/\s+/g, " ").trim();
}
