/** Converts the text of a Telegram message, a text or a list of marked pieces, into Markdown. */
import { trimEndCharacters } from "../../../text/without-tail.ts";
import { isObject } from "../../../wire/json-object.ts";
import { isWebAddress } from "../base/fields.ts";
import { pickFields } from "../base/shapes.ts";
import { TELEGRAM_ENTITY, type TelegramEntity } from "./shapes.ts";

const MARKS: Readonly<Record<string, string>> = { bold: "**", italic: "_", strikethrough: "~~" };

/** Blanks at the edges stay outside of the marks, and each line has its own. */
const marked = (text: string, mark: string): string =>
  text.replace(/[^\n]+/g, (line) => {
    const words = line.trim();
    return words === "" ? line : line.replace(words, () => `${mark}${words}${mark}`);
  });

/** A fence that is longer than every one in the code. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `\n${fence}${language.replace(/[^\w+#.-]/g, "")}\n${text.replace(/\n$/, "")}\n${fence}\n`;
}

function pieceOf({ type = "plain", text = "", href, language = "" }: TelegramEntity): string {
  const mark = MARKS[type];
  if (mark !== undefined) return marked(text, mark);
  if (type === "code") return text.includes("`") || text.trim() === "" ? text : `\`${text}\``;
  if (type === "pre") return fenced(text, language);
  if (type === "blockquote") return `\n${text.replace(/^/gm, "> ")}\n\n`;
  if (type === "text_link" && isWebAddress(href) && href !== text)
    return `[${text.replace(/[[\]]/g, "")}](${href})`;
  return text;
}

/** The text of a message, a question or an answer; empty for anything that is no text. `onMention` is called with the ids of people. */
export function telegramText(value: unknown, onMention: (id: string) => void = () => {}): string {
  if (typeof value === "string") return value;
  if (!Array.isArray(value)) return "";
  const pieces = value.map((one: unknown) => {
    if (typeof one === "string") return one;
    if (!isObject(one)) return "";
    const entity = pickFields(one, TELEGRAM_ENTITY);
    if (entity.type === "mention_name" && entity.user_id) onMention(entity.user_id);
    return pieceOf(entity);
  });
  const joined = pieces
    .join("")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+/, "");
  return trimEndCharacters(joined, "\n");
}

/** Telegram writes control characters as `\x0B`, and some versions a path without quotes; JSON knows neither. */
export function mendTelegram(text: string): string {
  const mended = text.includes("\\x")
    ? text.replace(/\\(?:x([0-9a-fA-F]{2})|[^])/g, (all, hex?: string) =>
        hex === undefined ? all : `\\u00${hex}`,
      )
    : text;
  return mended.replace(
    /"document_id":\s*([^\s"\d{[ntf][^",\n}\]]*|[ntf](?!ull|rue|alse)[^",\n}\]]*)/g,
    (_, path: string) => `"document_id":${JSON.stringify(path.trim())}`,
  );
}
