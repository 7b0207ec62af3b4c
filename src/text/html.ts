/** Renders a message text as HTML from the same tree as the screen, with everything else escaped. */
import { parseMarkup, type Block, type ListItem, type Span } from "./markup.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => ENTITIES[char]!);

const textOf = (text: string): string => escapeHtml(text).replaceAll("\n", "<br>\n");

function span(one: Span): string {
  switch (one.kind) {
    case "text":
      return textOf(one.text);
    case "strong":
    case "em":
    case "del":
      return `<${one.kind}>${spans(one.spans)}</${one.kind}>`;
    // HTML has no element for it; a reader hides the class
    case "spoiler":
      return `<span class="spoiler">${spans(one.spans)}</span>`;
    case "code":
      return `<code>${escapeHtml(one.text)}</code>`;
    case "link":
      return `<a href="${escapeHtml(one.url)}" rel="nofollow noopener">${spans(one.spans)}</a>`;
    case "permalink":
      return escapeHtml(one.address);
    case "mention":
      return `@${escapeHtml(one.name)}`;
  }
}

const spans = (list: readonly Span[]): string => list.map(span).join("");

const box = (checked: boolean | undefined): string =>
  checked === undefined ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `;

/** An item of one paragraph needs no paragraph around its words. */
function item({ checked, blocks: inner }: ListItem): string {
  const [first, ...rest] = inner;
  const lead = first?.kind === "paragraph" ? spans(first.spans) : first ? block(first) : "";
  return `<li>${box(checked)}${lead}${blocks(rest)}</li>`;
}

function table(rows: readonly string[][]): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${textOf(cell)}</${tag}>`).join("")}</tr>`;
  const [head = [], ...body] = rows;
  return `<table>${row(head, "th")}${body.map((cells) => row(cells, "td")).join("")}</table>`;
}

function block(one: Block): string {
  switch (one.kind) {
    case "paragraph":
      return `<p>${spans(one.spans)}</p>`;
    case "heading":
      return `<h${one.depth}>${spans(one.spans)}</h${one.depth}>`;
    case "quote":
      return `<blockquote>${blocks(one.blocks)}</blockquote>`;
    case "list": {
      const start = one.ordered && one.start !== 1 ? ` start="${one.start}"` : "";
      const tag = one.ordered ? "ol" : "ul";
      return `<${tag}${start}>${one.items.map(item).join("")}</${tag}>`;
    }
    case "code": {
      const language = one.language ? ` class="language-${escapeHtml(one.language)}"` : "";
      return `<pre><code${language}>${escapeHtml(one.text)}</code></pre>`;
    }
    case "table":
      return table(one.rows);
    case "rule":
      return "<hr>";
  }
}

const blocks = (list: readonly Block[]): string => list.map(block).join("");

/**
 * Elements of Markdown only, no attribute that acts, links to web and mail addresses alone ({@link parseMarkup}); blocks are
 * separated by nothing and the text ends with a line feed, `""` for no text.
 */
export function htmlOf(text: string): string {
  const found = blocks(parseMarkup(text));
  return found === "" ? "" : `${found}\n`;
}
