/** Converts the text of a Slack message into Markdown: resolves mentions, channels and links, decodes entities, translates styles. */
import { emojiOf, SKIN_TONES, withTone } from "../../../text/emoji.ts";

/** Looks up names by id. */
export interface SlackNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** Shared by all parts of one message. */
export interface TextContext {
  names: SlackNames;
  /** Ids of users that the message mentions. */
  mentioned: Set<string>;
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const decoded = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (one) => ENTITIES[one]!);

const BRACKETS = /<([^<>\n]{1,4000})>/g;

/** Resolves the text between `<` and `>`; a link inside code becomes its label only. */
function resolveBrackets(text: string, { names, mentioned }: TextContext, code: boolean): string {
  const separator = text.indexOf("|");
  const target = separator < 0 ? text : text.slice(0, separator);
  const label = separator < 0 ? undefined : text.slice(separator + 1);
  const id = target.slice(1);
  switch (target[0]) {
    case "@":
      mentioned.add(id);
      return `@${names.user(id) ?? label ?? id}`;
    case "#":
      return `#${label || (names.channel(id) ?? id)}`;
    case "!":
      // `!here`, `!subteam^S1|@team`, `!date^1512085950^{date}|yesterday`
      return label ?? `@${id.split("^")[0]!}`;
    default:
      if (label === undefined || label === target) return target;
      // Addresses that the writer did not label.
      if (label === target.replace(/^(mailto|tel):/, "")) return label;
      return code ? label : `[${label}](${target})`;
  }
}

/** Code in Slack: blocks between three backticks, or single backticks within a line. */
const CODE = /(```[\s\S]+?```|`[^`\n]+`)/;
/**
 * A style starts and ends at a word boundary, has no blank at its inner edges, and does not span lines.
 * Brackets are skipped: addresses contain `*` and `~`, too.
 */
const STYLES: readonly (readonly [style: RegExp, mark: string])[] = [
  [
    /<[^<>\n]{1,4000}>|(?<![\p{L}\p{N}*])\*(?![\s*])((?:<[^<>\n]{1,4000}>|[^*<\n])+)(?<!\s)\*(?![\p{L}\p{N}*])/gu,
    "**",
  ],
  [
    /<[^<>\n]{1,4000}>|(?<![\p{L}\p{N}~])~(?![\s~])((?:<[^<>\n]{1,4000}>|[^~<\n])+)(?<!\s)~(?![\p{L}\p{N}~])/gu,
    "~~",
  ],
];

/** Converts bold and struck text; italics are the same in Markdown. */
function styled(text: string): string {
  let result = text;
  for (const [style, mark] of STYLES)
    result = result.replace(style, (found, words?: string) => (words ? `${mark}${words}${mark}` : found));
  return result;
}

/** The emoji of a name with one of Slack's tones, 2 to 6; undefined without such an emoji. */
export function tonedEmoji(name: string, tone: number): string | undefined {
  const emoji = emojiOf(name);
  return emoji === undefined ? undefined : withTone(emoji, SKIN_TONES[tone - 1] ?? "none");
}

const toned = (text: string): string =>
  text.replace(
    /:([\w+-]{1,64})::skin-tone-([2-6]):/g,
    (all, name: string, tone: string) => tonedEmoji(name, Number(tone)) ?? all,
  );

/** Puts the fences of a code block on their own lines, as Markdown requires. */
function fenced(block: string, before: string, after: string): string {
  const code = block.slice(3, -3);
  const start = before === "" || before.endsWith("\n") ? "" : "\n";
  const end = after === "" || after.startsWith("\n") ? "" : "\n";
  return `${start}\`\`\`\n${code.replace(/^\n|\n$/g, "")}\n\`\`\`${end}`;
}

/** The Markdown text; the ids of mentioned users are added to the context. */
export function slackText(text: string, context: TextContext): string {
  const resolve = (piece: string, code: boolean): string =>
    decoded(piece.replace(BRACKETS, (_, found: string) => resolveBrackets(found, context, code)));
  const pieces = text.split(CODE);
  const markdown = pieces.map((piece, i) => {
    if (i % 2 === 0) return toned(resolve(styled(piece), false));
    const code = resolve(piece, true);
    return piece.startsWith("```") ? fenced(code, pieces[i - 1]!, pieces[i + 1]!) : code;
  });
  return markdown.join("");
}
