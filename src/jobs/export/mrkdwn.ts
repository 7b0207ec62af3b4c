/** Writes the Markdown of a message as Slack's mrkdwn: what jobs/foreign/slack/text.ts reads. */
import { mentionKey, namesIn, nameTable } from "../../text/mentions.ts";

/** The people that a message mentions: what a text may call them (`mentionKey`) → user id. */
type Mentioned = ReadonlyMap<string, string>;

export const namesOfMentioned = (
  people: readonly { id: string; name?: string | null | undefined }[],
): Mentioned =>
  new Map(
    people.flatMap(({ id, name }) =>
      [id, name ?? ""].filter(Boolean).map((text): [string, string] => [mentionKey(text), id]),
    ),
  );

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const escaped = (text: string): string => text.replace(/[&<>]/g, (sign) => ENTITIES[sign]!);

/** Code between three or more backticks, or between single ones within a line. */
const CODE = /(`{3,}[\s\S]+?`{3,}|`[^`\n]+`)/;

/** Slack has no languages: the word behind the fence would be the first line of the code. */
function code(piece: string): string {
  if (!piece.startsWith("```")) return escaped(piece);
  let [start, end] = [0, piece.length];
  while (piece[start] === "`") start++;
  while (end > start && piece[end - 1] === "`") end--;
  const inner = piece.slice(start, end).replace(/\n$/, "");
  return `\`\`\`\n${escaped(inner.slice(inner.indexOf("\n") + 1))}\n\`\`\``;
}

/** `[label](address)`, and bare addresses without the signs of a sentence behind them. */
const LINKS =
  /\[([^[\]\n]{1,2000})\]\(((?:https?:\/\/|mailto:)[^\s<>()|]+)\)|<?(https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)'"*_~\]])>?/g;

/** Stands for what no other rule may change; no text of a message contains it. */
const HELD = "\0";
/** A sign of bold, until single asterisks have become italics. */
const BOLD = "\u0001";

/** Slack has no headings: they are bold, and nothing in them is bold twice. */
const HEADING = /^ {0,3}#{1,6}[ \t](.+)$/gm;

function heading(line: string): string {
  let end = line.trimEnd().length;
  while (line[end - 1] === "#") end--;
  const closed = line[end - 1] === " " ? line.slice(0, end) : line;
  return `${BOLD}${closed.replaceAll("**", "").trim()}${BOLD}`;
}

const STYLES: readonly (readonly [style: RegExp, replacement: string])[] = [
  [/\*\*\*(?=[^\s*])([^\n*]+?)(?<=\S)\*\*\*/g, `${BOLD}_$1_${BOLD}`],
  [/\*\*(?=[^\s*])([^\n]+?)(?<=\S)\*\*/g, `${BOLD}$1${BOLD}`],
  [/(?<![\p{L}\p{N}_])__(?=[^\s_])([^\n]+?)(?<=\S)__(?![\p{L}\p{N}_])/gu, `${BOLD}$1${BOLD}`],
  [/(?<![\p{L}\p{N}*])\*(?=[^\s*])([^*\n]+?)(?<=\S)\*(?![\p{L}\p{N}*])/gu, "_$1_"],
  [/~~(?=[^\s~])([^\n]+?)(?<=\S)~~/g, "~$1~"],
];

/** The mentions of a text as `<@id>`; of everybody else a name is left as written. */
function withMentions(text: string, ids: Mentioned, hold: (text: string) => string): string {
  let done = 0;
  let result = "";
  for (const { at, name } of namesIn(text, nameTable(ids.keys()))) {
    const id = ids.get(mentionKey(name));
    const found = id ?? /^(?:here|channel|everyone)$/.exec(name)?.[0];
    if (found === undefined) continue;
    result += text.slice(done, at) + hold(id === undefined ? `<!${found}>` : `<@${id}>`);
    done = at + 1 + name.length;
  }
  return result + text.slice(done);
}

/** A text outside code. */
function prose(text: string, mentioned: Mentioned): string {
  const held: string[] = [];
  const hold = (piece: string): string => `${HELD}${held.push(piece) - 1}${HELD}`;
  const linked = text.replace(LINKS, (_, label: string | undefined, address = "", bare = "") =>
    hold(label === undefined ? `<${escaped(bare)}>` : `<${escaped(address)}|${escaped(label)}>`),
  );
  const safe = escaped(withMentions(linked, mentioned, hold));
  const headed = safe.replace(HEADING, (_, line: string) => heading(line));
  const styled = STYLES.reduce((result, [style, replacement]) => result.replace(style, replacement), headed);
  return styled.replaceAll(BOLD, "*").replace(/\0(\d+)\0/g, (_, n: string) => held[Number(n)]!);
}

export const mrkdwn = (text: string, mentioned: Mentioned): string =>
  text
    .replaceAll(HELD, "")
    .replaceAll(BOLD, "")
    .split(CODE)
    .map((piece, n) => (n % 2 === 0 ? prose(piece, mentioned) : code(piece)))
    .join("");
