/** Converts the text of a Slack message into Markdown: people, channels and links out of their brackets, entities decoded, styles as Markdown writes them. */

/** What the brackets are resolved with. */
export interface SlackNames {
  user(id: string): string | undefined;
  channel(id: string): string | undefined;
}

/** Collects whom a message mentions. */
interface Resolving {
  names: SlackNames;
  mentioned: Set<string>;
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const decoded = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (one) => ENTITIES[one]!);

const BRACKETS = /<([^<>\n]{1,4000})>/g;

/** What stands between `<` and `>`; of a link inside code only what was typed. */
function inside(text: string, { names, mentioned }: Resolving, code: boolean): string {
  const bar = text.indexOf("|");
  const what = bar < 0 ? text : text.slice(0, bar);
  const label = bar < 0 ? undefined : text.slice(bar + 1);
  const rest = what.slice(1);
  switch (what[0]) {
    case "@":
      mentioned.add(rest);
      return `@${names.user(rest) ?? label ?? rest}`;
    case "#":
      return `#${label || (names.channel(rest) ?? rest)}`;
    case "!":
      // `!here`, `!subteam^S1|@team`, `!date^1512085950^{date}|yesterday`
      return label ?? `@${rest.split("^")[0]!}`;
    default:
      if (label === undefined || label === what) return what;
      return code ? label : `[${label}](${what})`;
  }
}

/** What Slack takes for code: between three backticks over lines, between single ones in one line. */
const CODE = /(```[\s\S]+?```|`[^`\n]+`)/;
/**
 * A style begins behind a blank or a sign and ends before one, has no blank at its inner edges, and stays in its line. What
 * stands in brackets is passed over: addresses have such signs, too.
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

/** Bold and struck text; italics are written alike. */
function styled(text: string): string {
  let out = text;
  for (const [style, mark] of STYLES)
    out = out.replace(style, (found, words?: string) => (words ? `${mark}${words}${mark}` : found));
  return out;
}

/** A block of code gets lines of its own for its fences, which Slack writes anywhere. */
function fenced(block: string, before: string, after: string): string {
  const code = block.slice(3, -3);
  const start = before === "" || before.endsWith("\n") ? "" : "\n";
  const end = after === "" || after.startsWith("\n") ? "" : "\n";
  return `${start}\`\`\`\n${code.replace(/^\n|\n$/g, "")}\n\`\`\`${end}`;
}

/** The text, and the ids of the people it mentions. */
export function slackText(text: string, names: SlackNames): { text: string; mentioned: string[] } {
  const resolving: Resolving = { names, mentioned: new Set() };
  const open = (piece: string, code: boolean): string =>
    decoded(piece.replace(BRACKETS, (_, found: string) => inside(found, resolving, code)));
  const pieces = text.split(CODE);
  const markdown = pieces.map((piece, i) => {
    if (i % 2 === 0) return open(styled(piece), false);
    const code = open(piece, true);
    return piece.startsWith("```") ? fenced(code, pieces[i - 1]!, pieces[i + 1]!) : code;
  });
  return { text: markdown.join(""), mentioned: [...resolving.mentioned] };
}
