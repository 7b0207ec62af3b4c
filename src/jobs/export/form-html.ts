/** HTML output: a single file without network access or scripts; all content is escaped. */
import { escapeHtml, htmlOf } from "../../text/html.ts";
import { clean } from "../../text/sanitize.ts";
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";
import { authorName, goneMark, linksOf, pollLines, reactionSummary, formatStamp } from "./texts.ts";

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;color:#1c1c1c;background:#fff}
h1{font-size:1.4rem;border-bottom:1px solid #ccc;margin-top:3rem}article{margin:1rem 0}article article{margin-left:1.2rem;border-left:3px solid #ddd;padding-left:.8rem}
header b{margin-right:.6rem}time,footer,.cid{color:#666;font-size:.85rem}pre{background:#f4f4f4;padding:.6rem;overflow:auto}p{margin:.2rem 0;overflow-wrap:anywhere}
.deleted{color:#888;font-style:italic}.spoiler{background:#1c1c1c;color:#1c1c1c}.spoiler:hover{color:#fff}table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .5rem}
@media(prefers-color-scheme:dark){body{color:#e4e4e4;background:#181818}pre{background:#262626}article article{border-color:#444}}`;

const HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src 'self' file:; media-src 'self' file:">
<meta name="referrer" content="no-referrer"><title>Messages</title><style>${STYLE}</style></head><body>
`;

function links(exported: Exported): string {
  const items = linksOf(exported).map(({ label, url }) =>
    url === undefined
      ? `<li>${escapeHtml(label)}</li>`
      : `<li><a href="${escapeHtml(url)}" rel="nofollow noopener noreferrer">${escapeHtml(label)}</a></li>`,
  );
  return items.length > 0 ? `<ul>${items.join("")}</ul>\n` : "";
}

function poll(exported: Exported): string {
  const [question, ...options] = pollLines(exported);
  if (question === undefined) return "";
  return `<p>${escapeHtml(question)}</p><ul>${options.map((line) => `<li>${escapeHtml(line)}</li>`).join("")}</ul>\n`;
}

function article(exported: Exported): string {
  const { message } = exported;
  const text =
    message.type === "deleted"
      ? '<p class="deleted">deleted</p>'
      : message.text
        ? htmlOf(clean(message.text))
        : "";
  const reactions = reactionSummary(exported);
  const gone = goneMark(exported);
  return `<article id="${escapeHtml(message.id)}"><header><b>${escapeHtml(authorName(exported))}</b><time datetime="${escapeHtml(message.created_at)}">${formatStamp(escapeHtml(message.created_at))}</time></header>
${gone === "" ? "" : `<p class="deleted">${escapeHtml(gone)}</p>\n`}${text}${text === "" ? "" : "\n"}${poll(exported)}${links(exported)}${reactions === "" ? "" : `<footer>${escapeHtml(reactions)}</footer>\n`}${exported.replies.map(article).join("")}</article>
`;
}

export const htmlForm = (): ExportForm => ({
  begin: () => HEAD,
  channel: ({ title, channel }: ExportedChannel) =>
    `<section><h1>${escapeHtml(title)}</h1><p class="cid">${escapeHtml(channel.cid)}</p>\n`,
  message: article,
  endChannel: () => "</section>\n",
  end: () => "</body></html>\n",
});
