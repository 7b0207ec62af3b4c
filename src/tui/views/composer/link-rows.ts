/** Draws a row under the text for each link: its preview, that it is looked up, or why it has none (R-LINK-4). */
import type { LinkPreviewState } from "../../../core/composer/link-previews.ts";
import { cleanLine } from "../../../text/sanitize.ts";
import { shownHost } from "../../../text/safe-url.ts";
import { cellWidth, truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { ComposerBox } from "../../screen/composer.ts";
import { errorWords } from "../../screen/notices.ts";

export interface LinkRow {
  text: string;
  /** The link that a click on the cross at its end dismisses. */
  url?: string;
}

const MAX_ROWS = 3;
const CROSS = " ✕";

/** The address as people write it. */
const addressOf = (url: string): string => cleanLine(url.replace(/^https?:\/\//, ""));

/** Title, host and text of a card; without a title the address. */
function cardWords({ url, attachment = {} }: LinkPreviewState): string {
  const { title, text } = attachment;
  const parts = title ? [title, shownHost(url)] : [addressOf(url)];
  return [...parts, text]
    .filter(Boolean)
    .map((part) => cleanLine(part!))
    .join(" · ");
}

function stateWords(preview: LinkPreviewState): string {
  const { url, status, error } = preview;
  if (status === "loaded") return cardWords(preview);
  if (status === "dismissed") return `${addressOf(url)} · ${words.links.without}`;
  if (status === "failed") return `${addressOf(url)} · ${words.links.none(errorWords(error))}`;
  return `${addressOf(url)} · ${words.links.looking}`;
}

/** Rows of at most `width` cells; of many links the last row counts those that are not shown. */
export function linkRows({ previews, editing }: ComposerBox, width: number): LinkRow[] {
  if (editing) return [];
  const label = ` ${words.links.label} · `;
  const rows = previews.map((preview, at): LinkRow => {
    const isGone = preview.status === "dismissed";
    const lead = at === 0 ? label : " ".repeat(cellWidth(label));
    const room = width - 1 - cellWidth(lead) - (isGone ? 0 : cellWidth(CROSS));
    const text = lead + truncate(stateWords(preview), Math.max(1, room));
    return isGone ? { text } : { text: text + CROSS, url: preview.url };
  });
  if (rows.length <= MAX_ROWS) return rows;
  const rest = rows.length - MAX_ROWS + 1;
  return [...rows.slice(0, MAX_ROWS - 1), { text: " ".repeat(cellWidth(label)) + words.files.more(rest) }];
}

/** The link whose cross is at cell `x`. */
export const clickedCross = (row: LinkRow | undefined, x: number): string | undefined =>
  row?.url !== undefined && x >= cellWidth(row.text) - CROSS.length && x < cellWidth(row.text)
    ? row.url
    : undefined;
