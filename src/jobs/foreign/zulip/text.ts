/** Converts the Markdown of Zulip into ours: mentions, links to topics, times, quotes and widgets. */
import { trimEndCharacters } from "../../../text/without-tail.ts";

export interface ZulipNames {
  /** The id of the person in the import, by the number or else by the full name; undefined for nobody. */
  person(id: string | undefined, name: string): string | undefined;
}

interface ZulipText {
  text: string;
  mentioned: string[];
  /** The number of the message that a quote at the beginning answers. */
  quoted?: string;
  /** Paths of uploaded files that the text links to. */
  uploads: string[];
}

/** `@**Name|12**`, silent `@_**Name**`, groups `@*group*`. */
const MENTION = /@(_?)\*\*([^*|\n]{1,200})(?:\|(\d{1,18}))?\*\*/g;
const GROUP = /@_?\*([^*\n]{1,200})\*(?!\*)/g;
const CHANNEL_LINK = /#\*\*([^*\n]{1,400})\*\*/g;
const TIME = /<time:([^<>\n]{1,80})>/g;
const UPLOAD = /(!?)\[([^[\]\n]*)\]\(\/user_uploads\/([^()\s]{1,1000})\)/g;
const SAID =
  /^@_?\*\*[^*\n]+\*\* \[[^\]\n]*\]\([^)\n]*\/(?:near|with)\/(\d{1,18})\):?\n(`{3,})quote\n[\s\S]*?\n\2\n?/;
const FENCE = /^(`{3,}(?!`)|~{3,}(?!~))([^\n]*)$/;
const INLINE_CODE = /(`[^`\n]+`)/;

const WILDCARDS = new Set(["all", "everyone", "channel", "stream", "topic"]);

/** Converts what is not code with `plain`; what is in the fences of quotes and spoilers is text. A fence without an end is text, too. */
function outsideCode(text: string, plain: (piece: string) => string): string {
  const lines = text.split("\n");
  const numbersOf = Map.groupBy(lines.keys().toArray().toReversed(), (n) => lines[n]!);
  const done: string[] = [];
  let prose: string[] = [];
  const endProse = (): void => {
    if (prose.length > 0) done.push(withoutInlineCode(prose.join("\n"), plain));
    prose = [];
  };
  for (let n = 0; n < lines.length; n++) {
    const [, fence = "", info = ""] = FENCE.exec(lines[n]!) ?? [];
    const ends = numbersOf.get(fence) ?? [];
    while (ends.length > 0 && ends.at(-1)! <= n) ends.pop();
    const end = fence === "" ? undefined : ends.at(-1);
    if (end === undefined) prose.push(lines[n]!);
    else {
      endProse();
      const block = fencedBlock(info, lines.slice(n + 1, end).join("\n"), plain);
      done.push(block ?? lines.slice(n, end + 1).join("\n"));
      n = end;
    }
  }
  endProse();
  return done.join("\n");
}

const withoutInlineCode = (text: string, plain: (piece: string) => string): string =>
  text
    .split(INLINE_CODE)
    .map((piece, i) => (i % 2 === 0 ? plain(piece) : piece))
    .join("");

/** The text of a quote or spoiler; undefined for code. */
function fencedBlock(info: string, words: string, plain: (piece: string) => string): string | undefined {
  if (info.startsWith("quote")) return outsideCode(words, plain).replace(/^/gm, "> ");
  if (!info.startsWith("spoiler")) return undefined;
  const title = info.slice("spoiler".length).trim();
  return [title && `**${title}**`, outsideCode(words, plain)].filter(Boolean).join("\n");
}

export function zulipText(content: string, names: ZulipNames): ZulipText {
  const mentioned: string[] = [];
  const uploads: string[] = [];
  const [said = "", quoted] = SAID.exec(content) ?? [];
  const plain = (piece: string): string =>
    piece
      .replace(MENTION, (_, silent: string, name: string, id?: string) => {
        const person = WILDCARDS.has(name) ? undefined : names.person(id, name);
        if (person !== undefined && silent === "") mentioned.push(person);
        return `@${name}`;
      })
      .replace(GROUP, "@$1")
      .replace(CHANNEL_LINK, (_, name: string) => `#${name.replace(/@\d+$/, "").replace(">", " › ")}`)
      .replace(TIME, "$1")
      .replace(UPLOAD, (_, __, ___, path: string) => {
        uploads.push(path);
        return "";
      });
  const text = outsideCode(content.slice(said.length), plain);
  return {
    text: text
      .split("\n")
      .map((line) => trimEndCharacters(line, " \t"))
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim()
      .replace(/^\/me (.+)$/, "_$1_"),
    mentioned,
    uploads,
    ...(quoted === undefined ? {} : { quoted }),
  };
}

/** `/poll Question` with a line for each option, and `/todo`: the votes of people are added. */
export function widgetText(content: string, votes: ReadonlyMap<string, number>): string | undefined {
  const [, kind, title = "", rest = ""] = /^\/(poll|todo)\b[ \t]*([^\n]*)\n?([\s\S]*)$/.exec(content) ?? [];
  if (kind === undefined) return undefined;
  const options = rest
    .split("\n")
    .map((option) => option.trim())
    .filter(Boolean);
  if (kind === "todo")
    return [`**${title || "Task list"}**`, ...options.map((option) => `- ${option}`)].join("\n");
  const all = [...new Set([...options, ...votes.keys()])];
  return [
    `📊 **${title || "Poll"}**`,
    ...all.map((option) => `- ${option} (${votes.get(option) ?? 0})`),
  ].join("\n");
}
