/** Plain text like IRC logs, and Markdown; without control sequences. */
import { clean } from "../../text/sanitize.ts";
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";
import { authorName, linksOf, pollLines, reactionWords, stampOf } from "./texts.ts";

const INDENT = "    ";

/** What is said, and what hangs on it, in lines. */
function saidLines(one: Exported): string[] {
  const { message } = one;
  const text = message.type === "deleted" ? "(deleted)" : clean(message.text ?? "").trimEnd();
  const reactions = reactionWords(one);
  return [
    ...(text === "" ? [] : text.split("\n")),
    ...pollLines(one).map((line, n) => (n === 0 ? line : `- ${line}`)),
    ...linksOf(one).map(({ label, url }) => (url === undefined ? `[${label}]` : `[${label}] ${url}`)),
    ...(reactions === "" ? [] : [`(${reactions})`]),
  ];
}

function textLines(one: Exported, depth: number): string {
  const head = `${INDENT.repeat(depth)}[${stampOf(one.message.created_at)}] <${authorName(one)}> `;
  const [first = "", ...rest] = saidLines(one);
  const more = rest.map((line) => `${INDENT.repeat(depth + 1)}${line}\n`).join("");
  return `${head}${first}\n${more}${one.replies.map((reply) => textLines(reply, depth + 1)).join("")}`;
}

export const textForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `--- ${title} (${channel.cid}) ---\n`,
  message: (one) => textLines(one, one.message.parent_id === undefined ? 0 : 1),
  endChannel: () => "\n",
});

/** Of a label or a name: what Markdown would take for markup. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+\-.!|~]/g, "\\$&");

/** A text that is Markdown already; what would be HTML stays text. */
const said = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function markdownOf(one: Exported, depth: number): string {
  const { message } = one;
  const quote = "> ".repeat(depth);
  const text = message.type === "deleted" ? "*(deleted)*" : said(clean(message.text ?? "").trimEnd());
  const reactions = reactionWords(one);
  const lines = [
    `**${escaped(authorName(one))}** · ${stampOf(message.created_at)}`,
    "",
    ...(text === "" ? [] : [...text.split("\n"), ""]),
    ...pollLines(one).map((line, n) => (n === 0 ? `*${escaped(line)}*` : `- ${escaped(line)}`)),
    ...linksOf(one).map(
      ({ label, url }) => `- ${url === undefined ? escaped(label) : `[${escaped(label)}](<${url}>)`}`,
    ),
    ...(reactions === "" ? [] : [`*${escaped(reactions)}*`]),
  ];
  if (lines.at(-1) !== "") lines.push("");
  const own = lines.map((line) => `${quote}${line}`.trimEnd()).join("\n");
  return `${own}\n${one.replies.map((reply) => markdownOf(reply, depth + 1)).join("")}`;
}

export const markdownForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `# ${escaped(title)}\n\n\`${channel.cid}\`\n\n`,
  message: (one) => `${markdownOf(one, one.message.parent_id === undefined ? 0 : 1)}\n`,
});
