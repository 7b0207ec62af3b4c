/** Converts the Markdown of Zulip into ours: mentions, links to topics, times, quotes and widgets. */

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
const UPLOAD = /(!?)\[([^\]\n]*)\]\(\/user_uploads\/([^)\s]+)\)/g;
const SAID =
  /^@_?\*\*[^*\n]+\*\* \[[^\]\n]*\]\([^)\n]*\/(?:near|with)\/(\d{1,18})\):?\n(`{3,})quote\n[\s\S]*?\n\2\n?/;
const CODE = /(^(`{3,}|~{3,})(?!quote|spoiler)[^\n]*\n[\s\S]*?\n\2$|`[^`\n]+`)/m;

const WILDCARDS = new Set(["all", "everyone", "channel", "stream", "topic"]);

/** Fences of quotes and spoilers: what is in them is text. */
function unfenced(text: string): string {
  return text.replace(
    /^(`{3,})(quote|spoiler)([^\n]*)\n([\s\S]*?)\n\1$/gm,
    (_, __, kind: string, title: string, words: string) =>
      kind === "quote"
        ? words.replace(/^/gm, "> ")
        : [title.trim() && `**${title.trim()}**`, words].filter(Boolean).join("\n"),
  );
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
  const text = unfenced(content.slice(said.length))
    .split(CODE)
    // Of a block of code the pattern also captures its fence.
    .map((piece, i) => (i % 3 === 0 ? plain(piece ?? "") : i % 3 === 1 ? (piece ?? "") : ""))
    .join("");
  return {
    text: text
      .replace(/[ \t]+$/gm, "")
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
