/** Computes the rectangle of the picture in its panel. */
import type { Rect } from "../../screen/layout.ts";
import type { Cells } from "../../pictures/size.ts";

/** A blank row and three caption rows. */
const CAPTION = 4;

/** The cells available for the picture. */
export const pictureBox = (body: Rect): Cells => ({
  cols: Math.max(1, body.width - 2),
  rows: Math.max(1, body.height - CAPTION),
});

/** Centred horizontally, at the top. */
export const pictureRect = (body: Rect, { cols, rows }: Cells): Rect => ({
  x: body.x + Math.max(0, Math.floor((body.width - cols) / 2)),
  y: body.y,
  width: cols,
  height: rows,
});
