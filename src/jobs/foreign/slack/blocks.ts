/** Converts the blocks of a Slack message into Markdown and pictures. */
import { isObject, type Fields } from "../../../wire/json-object.ts";
import { slackText, tonedEmoji, type TextContext } from "./text.ts";

export interface BlockPicture {
  image_url: string;
  title: string;
}

export interface BlockContext extends TextContext {
  /** Group id → name, from the message's text: blocks have the id only. */
  groups: ReadonlyMap<string, string>;
  /** The address of an uploaded picture; undefined if it is not known. */
  fileAddress(id: string): string | undefined;
  fileTitle(id: string): string | undefined;
  pictures: BlockPicture[];
}

interface RenderedBlock {
  text: string;
  /** The block and everything in it is of a type that is known. */
  isKnown: boolean;
  /** It stands beside the text of the message, and replaces none of it. */
  isAside?: boolean;
}

const stringOf = (value: unknown): string => (typeof value === "string" ? value : "");
const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});
const objectsIn = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isObject) : []);
const lines = (parts: readonly string[]): string => parts.filter((part) => part.trim() !== "").join("\n");

/** Nesting that Slack allows is three; a hostile file may have more. */
const MAX_NESTING = 20;

/** A text object: `mrkdwn` or `plain_text`; older messages have the text itself. */
function textObject(value: unknown, context: BlockContext): string {
  if (typeof value === "string") return slackText(value, context);
  const { type, text } = fieldsOf(value);
  return type === "plain_text" ? stringOf(text) : slackText(stringOf(text), context);
}

function picture(block: Fields, context: BlockContext): string {
  const file = fieldsOf(block.slack_file);
  const address =
    stringOf(block.image_url) || stringOf(file.url) || context.fileAddress(stringOf(file.id)) || "";
  const title = textObject(block.title, context) || stringOf(block.alt_text);
  if (address === "") return title;
  context.pictures.push({ image_url: address, title });
  return "";
}

/** A button that leads somewhere. Of any other the label tells nothing. */
export const linkButton = ({ url, text }: Fields, context: BlockContext): string =>
  stringOf(url) === "" ? "" : link(stringOf(url), textObject(text, context));

/** The element beside a section: a picture or a button. */
const accessory = (value: unknown, context: BlockContext): string =>
  fieldsOf(value).type === "image" ? picture(fieldsOf(value), context) : linkButton(fieldsOf(value), context);

const contextElement = (element: Fields, context: BlockContext): string =>
  element.type === "image" ? stringOf(element.alt_text) : textObject(element, context);

function table(rows: unknown, context: BlockContext): string {
  const cells = (Array.isArray(rows) ? rows : [])
    .filter(Array.isArray)
    .map((row: unknown[]) => row.map((cell) => tableCell(fieldsOf(cell), context)));
  const width = Math.max(0, ...cells.map((row) => row.length));
  if (width === 0) return "";
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, i) => row[i] ?? "").join(" | ")} |`;
  const [head = [], ...rest] = cells;
  return [line(head), line(Array<string>(width).fill("---")), ...rest.map(line)].join("\n");
}

const tableCell = (cell: Fields, context: BlockContext): string =>
  (cell.type === "raw_text" ? stringOf(cell.text) : renderBlock(cell, context).text)
    .replaceAll("|", "\\|")
    .replace(/(?<!\s)\s*\n\s*/g, " ");

const link = (address: string, label: string): string =>
  address === "" || label === "" || label === address ? label || address : `[${label}](${address})`;

/** The text of each type of block; a type without a row is unknown. */
const BLOCKS: Readonly<Record<string, (block: Fields, context: BlockContext) => string>> = {
  section: (block, context) =>
    lines([
      textObject(block.text, context),
      ...objectsIn(block.fields).map((field) => textObject(field, context)),
      accessory(block.accessory, context),
    ]),
  header: (block, context) => strong(textObject(block.text, context)),
  context: (block, context) =>
    objectsIn(block.elements)
      .map((element) => contextElement(element, context))
      .filter(Boolean)
      .join(" "),
  divider: () => "",
  image: picture,
  markdown: (block) => stringOf(block.text),
  table: (block, context) => table(block.rows, context),
  video: (block, context) =>
    lines([
      link(stringOf(block.title_url) || stringOf(block.video_url), textObject(block.title, context)),
      textObject(block.description, context),
    ]),
  file: () => "",
  actions: (block, context) =>
    objectsIn(block.elements)
      .map((element) => linkButton(element, context))
      .filter(Boolean)
      .join(" "),
  input: (block, context) => textObject(block.label, context),
  call: (block) => {
    const { name, join_url: address } = fieldsOf(fieldsOf(block.call).v1);
    return link(stringOf(address), stringOf(name));
  },
};

const strong = (text: string): string => (text.trim() === "" ? "" : `**${text.trim()}**`);

function renderBlock(block: Fields, context: BlockContext): RenderedBlock {
  const type = stringOf(block.type);
  if (type === "rich_text") return new RichText(context).block(block);
  if (Object.hasOwn(BLOCKS, type))
    return { text: BLOCKS[type]!(block, context), isKnown: true, isAside: type === "actions" };
  const text = lines([textObject(block.text, context), stringOf(block.fallback)]);
  return { text, isKnown: false };
}

export const renderBlocks = (blocks: unknown, context: BlockContext): RenderedBlock[] =>
  objectsIn(blocks).map((block) => renderBlock(block, context));

/** Marks of styles, outermost first. */
const MARKS = [
  ["strike", "~~"],
  ["italic", "_"],
  ["bold", "**"],
] as const;

/** Changes a text without the blanks at its edges, where Markdown would not see marks. */
function withoutBlanks(text: string, change: (inner: string) => string): string {
  const inner = text.trim();
  return inner === "" ? text : text.replace(inner, () => change(inner));
}

/** A style does not span lines. */
const byLine = (text: string, mark: string): string =>
  text
    .split("\n")
    .map((line) => withoutBlanks(line, (inner) => `${mark}${inner}${mark}`))
    .join("\n");

const marked = (text: string, style: Fields): string =>
  withoutBlanks(text, (inner) => {
    const code = style.code === true;
    const ticks = inner.includes("`") ? "``" : "`";
    let result = code ? `${ticks}${inner}${ticks}` : inner;
    for (const [name, mark] of MARKS.toReversed())
      if (style[name] === true)
        result = inner.includes("\n") && !code ? byLine(result, mark) : `${mark}${result}${mark}`;
    return result;
  });

const OPEN_ENDED: ReadonlySet<unknown> = new Set(["rich_text_list", "rich_text_quote"]);

/** One `rich_text` block. */
class RichText {
  readonly #context: BlockContext;
  #isKnown = true;

  constructor(context: BlockContext) {
    this.#context = context;
  }

  block(block: Fields): RenderedBlock {
    let text = "";
    let openType: unknown;
    for (const element of objectsIn(block.elements)) {
      const part = this.#part(element, 0).replace(/\n$/, "");
      if (part.trim() === "") continue;
      // Without an empty line a list or quote would take in the line after it.
      const goesOn = openType === undefined || openType === element.type;
      text += text === "" ? part : `${goesOn ? "\n" : "\n\n"}${part}`;
      openType = OPEN_ENDED.has(element.type) ? element.type : undefined;
    }
    return { text, isKnown: this.#isKnown };
  }

  #part(element: Fields, nesting: number): string {
    if (nesting > MAX_NESTING) return this.#unknown(element);
    switch (element.type) {
      case "rich_text_section":
        return this.#inline(element);
      case "rich_text_list":
        return this.#list(element, nesting);
      case "rich_text_quote":
        return this.#inline(element).replace(/^/gm, "> ");
      case "rich_text_preformatted":
        return fencedBlock(this.#inline(element, true));
      default:
        return this.#unknown(element);
    }
  }

  #list(element: Fields, nesting: number): string {
    const { style, indent, offset } = element;
    const first = typeof offset === "number" ? offset : 0;
    const before = "   ".repeat(Math.min(typeof indent === "number" ? Math.max(indent, 0) : 0, MAX_NESTING));
    return objectsIn(element.elements)
      .map((item, n) => {
        const mark = style === "ordered" ? `${first + n + 1}. ` : "- ";
        const text = this.#part(item, nesting + 1).replace(/\n$/, "");
        return `${before}${mark}${text.replaceAll("\n", `\n${before}${" ".repeat(mark.length)}`)}`;
      })
      .join("\n");
  }

  /** Neighbours of the same style become one text: `**a****b**` would not be bold. */
  #inline(element: Fields, isCode = false): string {
    const runs: { text: string; style: Fields }[] = [];
    for (const one of objectsIn(element.elements)) {
      const style = isCode ? {} : fieldsOf(one.style);
      const text = this.#element(one, isCode);
      const last = runs.at(-1);
      if (last && styleKey(last.style) === styleKey(style)) last.text += text;
      else runs.push({ text, style });
    }
    return runs.map(({ text, style }) => marked(text, style)).join("");
  }

  #element(one: Fields, isCode: boolean): string {
    const { names, mentioned, groups } = this.#context;
    const id = (key: string): string => stringOf(one[key]);
    switch (one.type) {
      case "text":
        return id("text");
      case "link":
        return isCode ? id("text") || id("url") : link(id("url"), id("text"));
      case "user":
        mentioned.add(id("user_id"));
        return `@${names.user(id("user_id")) ?? id("user_id")}`;
      case "channel":
        return `#${names.channel(id("channel_id")) ?? id("channel_id")}`;
      case "usergroup":
        return groups.get(id("usergroup_id")) ?? `@${id("usergroup_id")}`;
      case "team":
        return `@${id("team_id")}`;
      case "broadcast":
        return `@${id("range")}`;
      case "emoji":
        return emojiText(id("name"), id("unicode"), one.skin_tone);
      case "color":
        return id("value");
      case "date":
        return id("fallback") || dateText(one.timestamp);
      case "canvas":
      case "file":
        return this.#context.fileTitle(id("file_id")) ?? "";
      default:
        return this.#unknown(one);
    }
  }

  #unknown(element: Fields): string {
    this.#isKnown = false;
    return stringOf(element.text) || stringOf(element.fallback) || stringOf(element.url);
  }
}

const styleKey = (style: Fields): string =>
  ["bold", "italic", "strike", "code"].filter((name) => style[name] === true).join();

/** `1f44b-1f3fd` → the emoji; without it the name with its tone. */
function emojiText(name: string, unicode: string, tone: unknown): string {
  const points = unicode.split("-").map((hex) => Number.parseInt(hex, 16));
  if (unicode !== "" && points.every((point) => point > 0 && point <= 0x10ffff))
    return String.fromCodePoint(...points);
  return (typeof tone === "number" ? tonedEmoji(name, tone) : undefined) ?? `:${name}:`;
}

const dateText = (seconds: unknown): string => {
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? "" : time.toISOString().slice(0, 16).replace("T", " ");
};

/** A fence longer than any in the code. */
function fencedBlock(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`{3,}/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${code.replace(/^\n|\n$/g, "")}\n${fence}`;
}
