/** Short descriptions of a message for questions, titles and help. */
import { flatText } from "../text/markup.ts";
import { cleanLine } from "../text/sanitize.ts";
import { words } from "../text/words.ts";
import type { Message } from "../wire/entities/message.ts";
import { userName } from "./channels.ts";
import type { ClientMessage } from "./state.ts";

/** How many characters an excerpt considers. */
const MAX_EXCERPT = 1000;

/** The first line with words: of code the first line of it, of a table the names of its columns. */
function firstLine(text: string): string {
  const lines = text.trim().split("\n");
  const fence = /^\s*(`{3,}|~{3,})[^`]*$/.test(lines[0]!);
  const line = (fence ? lines.slice(1).find((one) => one.trim() !== "") : undefined) ?? lines[0]!;
  if (fence || !isTable(lines)) return line;
  return line
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((cell) => cell.trim())
    .join(" · ");
}

/** Columns of words above a row of dashes. */
const isTable = ([head = "", dashes = ""]: readonly string[]): boolean =>
  head.includes("|") && dashes.includes("-") && /^[\s|:-]+$/.test(dashes);

/** The first line without Markdown; a message without text is described by its poll, location or files. */
export function excerpt({ type, text, poll, attachments, shared_location }: Message): string {
  if (type === "deleted") return words.message.deleted;
  const first = flatText(firstLine(text.slice(0, MAX_EXCERPT)));
  if (first !== "") return cleanLine(first);
  if (poll) return `${words.poll.label}: ${cleanLine(poll.name)}`;
  if (shared_location) return words.location.static;
  const names = attachments.map(({ title, type: kind }) => cleanLine(title ?? kind ?? words.attachment.file));
  return names.join(", ") || words.message.empty;
}

/** The whole text in one line without Markdown, or a description of a message without text; cached. */
export function plainTextOf(message: Message): string {
  const cached = plainTexts.get(message);
  if (cached !== undefined) return cached;
  const text = cleanLine(flatText(message.text)) || excerpt(message);
  plainTexts.set(message, text);
  return text;
}
const plainTexts = new WeakMap<Message, string>();

/** An excerpt of at most 40 characters. */
export function shortText(message: ClientMessage): string {
  const text = excerpt(message);
  return text.length > 40 ? `${text.slice(0, 39).toWellFormed()}…` : text;
}

/** `ana: deploy at ten?`; the text alone below the name of a direct channel that is called as its author. */
export const saidIn = (place: string, author: string | undefined, text: string): string =>
  author === undefined || author === place ? text : `${author}: ${text}`;

/** `ana: deploy at ten?` */
export const messageWords = (message: ClientMessage): string =>
  `${userName(message.user)}: ${shortText(message)}`;
