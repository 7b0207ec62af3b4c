/** Output as plain text like IRC logs, and as Markdown; without control sequences. */
import { clean } from "../../text/sanitize.ts";
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";
import { countHidden, detailsOf, type Detail } from "./details.ts";
import { endMarks, formatStamp, goneMarks, personName } from "./texts.ts";

const INDENT = "    ";

const detailLines = ({ kind, head, url, lines }: Detail): string[] => [
  ...(kind === "card" ? [`[${head}]${url === undefined ? "" : ` ${url}`}`] : [head]),
  ...lines.map((line) => `- ${line}`),
];

/** Lines of a message: marks, text, details, reactions. */
function messageLines(exported: Exported): string[] {
  const { message } = exported;
  const text = message.type === "deleted" ? "(deleted)" : clean(message.text ?? "").trimEnd();
  return [
    ...goneMarks(exported),
    ...(text === "" ? [] : text.split("\n")),
    ...detailsOf(exported).flatMap(detailLines),
    ...endMarks(exported),
  ];
}

function textLines(exported: Exported, depth: number): string {
  const head = `${INDENT.repeat(depth)}[${formatStamp(exported.message.created_at)}] <${personName(exported.message.user)}> `;
  const [first = "", ...following] = messageLines(exported);
  const indented = following.map((line) => `${INDENT.repeat(depth + 1)}${line}\n`).join("");
  return `${head}${first}\n${indented}${exported.replies.map((reply) => textLines(reply, depth + 1)).join("")}`;
}

export const textForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `--- ${title} (${channel.cid}) ---\n`,
  message: (one) => textLines(one, one.message.parent_id === undefined ? 0 : 1),
  countUnused: (one, add) => countHidden(one, add, false),
  endChannel: () => "\n",
});

/** Escapes Markdown markup in labels and names. */
const escaped = (text: string): string => text.replace(/[\\`*_{}[\]<>()#+\-.!|~]/g, "\\$&");

/** Message texts are Markdown already; only HTML is escaped. */
const htmlEscaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const emphasized = (text: string): string => `*${escaped(text)}*`;

const markdownDetail = ({ kind, head, url, lines }: Detail): string => {
  const isCard = kind === "card";
  const title = url === undefined ? escaped(head) : `[${escaped(head)}](<${url}>)`;
  // A list behind a paragraph needs an empty line between them to be one.
  return [
    ...(isCard ? [`- ${title}`] : [emphasized(head), ...(lines.length > 0 ? [""] : [])]),
    ...lines.map((line) => `${isCard ? "  " : ""}- ${escaped(line)}`),
  ].join("\n");
};

function markdownOf(exported: Exported, depth: number): string {
  const { message } = exported;
  const quote = "> ".repeat(depth);
  const text = message.type === "deleted" ? "*(deleted)*" : htmlEscaped(clean(message.text ?? "").trimEnd());
  const lines = [
    `**${escaped(personName(message.user))}** · ${formatStamp(message.created_at)}`,
    ...goneMarks(exported).map(emphasized),
    ...(text === "" ? [] : [text]),
    ...detailsOf(exported).map(markdownDetail),
    ...endMarks(exported).map(emphasized),
  ].flatMap((paragraph) => [...paragraph.split("\n"), ""]);
  const quoted = lines.map((line) => `${quote}${line}`.trimEnd()).join("\n");
  return `${quoted}\n${exported.replies.map((reply) => markdownOf(reply, depth + 1)).join("")}`;
}

export const markdownForm = (): ExportForm => ({
  channel: ({ title, channel }: ExportedChannel) => `# ${escaped(title)}\n\n\`${channel.cid}\`\n\n`,
  message: (one) => `${markdownOf(one, one.message.parent_id === undefined ? 0 : 1)}\n`,
  countUnused: (one, add) => countHidden(one, add, false),
});
