/** HTML output: a single file without network access or scripts; all content is escaped. */
import { escapeHtml, htmlOf } from "../../text/html.ts";
import { clean } from "../../text/sanitize.ts";
import type { Exported, ExportedChannel, ExportForm } from "./form.ts";
import { countHidden, detailsOf, type Detail } from "./details.ts";
import { endMarks, formatStamp, goneMarks, personName } from "./texts.ts";

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

function detailOf({ head, url, lines }: Detail): string {
  const title = escapeHtml(head);
  const shown =
    url === undefined
      ? title
      : `<a href="${escapeHtml(url)}" rel="nofollow noopener noreferrer">${title}</a>`;
  const items = lines.map((line) => `<li>${escapeHtml(line)}</li>`).join("");
  return `<p>${shown}</p>${items === "" ? "" : `<ul>${items}</ul>`}\n`;
}

function article(exported: Exported): string {
  const { message } = exported;
  const text =
    message.type === "deleted"
      ? '<p class="deleted">deleted</p>'
      : message.text
        ? htmlOf(clean(message.text))
        : "";
  const marks = goneMarks(exported).map((mark) => `<p class="deleted">${escapeHtml(mark)}</p>\n`);
  const ends = endMarks(exported);
  const details = detailsOf(exported).map(detailOf);
  return `<article id="${escapeHtml(message.id)}"><header><b>${escapeHtml(personName(message.user))}</b><time datetime="${escapeHtml(message.created_at)}">${formatStamp(escapeHtml(message.created_at))}</time></header>
${marks.join("")}${text}${text === "" ? "" : "\n"}${details.join("")}${ends.length === 0 ? "" : `<footer>${escapeHtml(ends.join(" "))}</footer>\n`}${exported.replies.map(article).join("")}</article>
`;
}

export const htmlForm = (): ExportForm => ({
  begin: () => HEAD,
  channel: ({ title, channel }: ExportedChannel) =>
    `<section><h1>${escapeHtml(title)}</h1><p class="cid">${escapeHtml(channel.cid)}</p>\n`,
  message: article,
  countUnused: (one, add) => countHidden(one, add, false),
  endChannel: () => "</section>\n",
  end: () => "</body></html>\n",
});
