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

function span(node: Span): string {
  switch (node.kind) {
    case "text":
      return textOf(node.text);
    case "strong":
    case "em":
    case "del":
      return `<${node.kind}>${spans(node.spans)}</${node.kind}>`;
    // HTML has no element for spoilers; clients hide the class.
    case "spoiler":
      return `<span class="spoiler">${spans(node.spans)}</span>`;
    case "code":
      return `<code>${escapeHtml(node.text)}</code>`;
    case "link":
      return `<a href="${escapeHtml(node.url)}" rel="nofollow noopener">${spans(node.spans)}</a>`;
    case "permalink":
      return escapeHtml(node.address);
    case "mention":
      return `@${escapeHtml(node.name)}`;
  }
}

const spans = (list: readonly Span[]): string => list.map(span).join("");

const checkbox = (checked: boolean | undefined): string =>
  checked === undefined ? "" : `<input type="checkbox" disabled${checked ? " checked" : ""}> `;

/** The first paragraph of an item gets no `<p>`. */
function item({ checked, number = "", blocks: inner }: ListItem, before?: ListItem): string {
  const [first, ...rest] = inner;
  const lead = first?.kind === "paragraph" ? spans(first.spans) : first ? block(first) : "";
  // HTML counts by itself: only a number that it would not reach is written.
  const counted = Number.parseInt(before?.number ?? "0", 10) + 1;
  const value =
    number === "" || Number.parseInt(number, 10) === counted ? "" : ` value="${Number.parseInt(number, 10)}"`;
  return `<li${value}>${checkbox(checked)}${lead}${blocks(rest)}</li>`;
}

function table(rows: readonly string[][]): string {
  const row = (cells: readonly string[], tag: "th" | "td"): string =>
    `<tr>${cells.map((cell) => `<${tag}>${textOf(cell)}</${tag}>`).join("")}</tr>`;
  const [head = [], ...body] = rows;
  return `<table>${row(head, "th")}${body.map((cells) => row(cells, "td")).join("")}</table>`;
}

function block(node: Block): string {
  switch (node.kind) {
    case "paragraph":
      return `<p>${spans(node.spans)}</p>`;
    case "heading":
      return `<h${node.depth}>${spans(node.spans)}</h${node.depth}>`;
    case "quote":
      return `<blockquote>${blocks(node.blocks)}</blockquote>`;
    case "list": {
      const tag = node.ordered ? "ol" : "ul";
      return `<${tag}>${node.items.map((one, at) => item(one, node.items[at - 1])).join("")}</${tag}>`;
    }
    case "code": {
      const language = node.language ? ` class="language-${escapeHtml(node.language)}"` : "";
      return `<pre><code${language}>${escapeHtml(node.text)}</code></pre>`;
    }
    case "table":
      return table(node.rows);
    case "rule":
      return "<hr>";
  }
}

const blocks = (list: readonly Block[]): string => list.map(block).join("");

/**
 * Only Markdown elements, no active attributes, links to web and mail addresses only ({@link parseMarkup}). Blocks are
 * not separated, and the result ends with a line feed; `""` for an empty text.
 */
export function htmlOf(text: string): string {
  const html = blocks(parseMarkup(text));
  return html === "" ? "" : `${html}\n`;
}
