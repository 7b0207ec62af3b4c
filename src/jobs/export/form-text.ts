/** Output as plain text like IRC logs, and as Markdown; without control sequences. */
import { clean } from "../../text/sanitize.ts";
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";
import { authorName, goneMark, linksOf, pollLines, reactionSummary, formatStamp } from "./texts.ts";

const INDENT = "    ";

/** Lines of a message: text, poll, links, reactions. */
function messageLines(exported: Exported): string[] {
  const { message } = exported;
  const text = message.type === "deleted" ? "(deleted)" : clean(message.text ?? "").trimEnd();
  const reactions = reactionSummary(exported);
  const gone = goneMark(exported);
  return [
    ...(gone === "" ? [] : [gone]),
    ...(text === "" ? [] : text.split("\n")),
    ...pollLines(exported).map((line, n) => (n === 0 ? line : `- ${line}`)),
    ...linksOf(exported).map(({ label, url }) => (url === undefined ? `[${label}]` : `[${label}] ${url}`)),
    ...(reactions === "" ? [] : [`(${reactions})`]),
  ];
}

function textLines(exported: Exported, depth: number): string {
  const head = `${INDENT.repeat(depth)}[${formatStamp(exported.message.created_at)}] <${authorName(exported)}> `;
  const [first = "", ...following] = messageLines(exported);
  const indented = following.map((line) => `${INDENT.repeat(depth + 1)}${line}\n`).join("");
  return `${head}${first}\n${indented}${exported.replies.map((reply) => textLines(reply, depth + 1)).join("")}`;
}

export const textForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `--- ${title} (${channel.cid}) ---\n`,
  message: (one) => textLines(one, one.message.parent_id === undefined ? 0 : 1),
  endChannel: () => "\n",
});

/** Escapes Markdown markup in labels and names. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+\-.!|~]/g, "\\$&");

/** Message texts are Markdown already; only HTML is escaped. */
const htmlEscaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

function markdownOf(exported: Exported, depth: number): string {
  const { message } = exported;
  const quote = "> ".repeat(depth);
  const text = message.type === "deleted" ? "*(deleted)*" : htmlEscaped(clean(message.text ?? "").trimEnd());
  const reactions = reactionSummary(exported);
  const gone = goneMark(exported);
  const lines = [
    `**${escaped(authorName(exported))}** · ${formatStamp(message.created_at)}`,
    "",
    ...(gone === "" ? [] : [`*${escaped(gone)}*`, ""]),
    ...(text === "" ? [] : [...text.split("\n"), ""]),
    ...pollLines(exported).map((line, n) => (n === 0 ? `*${escaped(line)}*` : `- ${escaped(line)}`)),
    ...linksOf(exported).map(
      ({ label, url }) => `- ${url === undefined ? escaped(label) : `[${escaped(label)}](<${url}>)`}`,
    ),
    ...(reactions === "" ? [] : [`*${escaped(reactions)}*`]),
  ];
  if (lines.at(-1) !== "") lines.push("");
  const quoted = lines.map((line) => `${quote}${line}`.trimEnd()).join("\n");
  return `${quoted}\n${exported.replies.map((reply) => markdownOf(reply, depth + 1)).join("")}`;
}

export const markdownForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `# ${escaped(title)}\n\n\`${channel.cid}\`\n\n`,
  message: (one) => `${markdownOf(one, one.message.parent_id === undefined ? 0 : 1)}\n`,
});
