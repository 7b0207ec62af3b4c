/** Computes the rectangle of the picture in its panel, and the rows of the caption under it. */
import type { PictureLine } from "../../../model/pictures.ts";
import { wholeDate } from "../../../text/times.ts";
import { words } from "../../../text/words.ts";
import { wrapText } from "../../../text/wrap.ts";
import type { Rect } from "../../screen/layout.ts";
import type { Cells } from "../../pictures/size.ts";

/** Rows that are kept for the picture, however long its caption is. */
const MIN_ROWS = 3;

interface Caption {
  name: string[];
  about: string[];
}

/** Name, then place, facts, author and time, wrapped to the panel; `place` as in "3 of 12". */
export function captionOf(line: PictureLine, place: string, { width }: Rect, utc: boolean): Caption {
  const cells = Math.max(1, width - 2);
  const facts = [place, line.facts].filter(Boolean).join(" · ");
  const sent = [line.from, wholeDate(line.at, { utc })].join(" · ");
  return {
    name: wrapText(line.picture.name || words.attachment.unnamed, cells),
    about: [facts, sent].flatMap((text) => (text === "" ? [] : wrapText(text, cells))),
  };
}

/** The cells available for the picture above its caption, which may be as high as with the longest place. */
export function pictureBox(body: Rect, line: PictureLine): Cells {
  const { name, about } = captionOf(line, words.pictures.place(9999, 9999, false), body, false);
  const rows = Math.max(body.height - name.length - about.length, Math.min(MIN_ROWS, body.height));
  return { cols: Math.max(1, body.width - 2), rows: Math.max(1, rows) };
}

/** Centred horizontally, at the top. */
export const pictureRect = (body: Rect, { cols, rows }: Cells): Rect => ({
  x: body.x + Math.max(0, Math.floor((body.width - cols) / 2)),
  y: body.y,
  width: cols,
  height: rows,
});
