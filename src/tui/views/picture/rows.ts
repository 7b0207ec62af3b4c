/** Rows of the picture panel: the picture, or why it is not shown, and the caption. */
import type { PictureLine } from "../../../model/pictures.ts";
import { truncate } from "../../../text/width.ts";
import { words } from "../../../text/words.ts";
import type { DrawnPicture } from "../../pictures/drawing.ts";
import { refusalWords } from "../../pictures/pictures.ts";
import type { Theme } from "../../render/theme.ts";
import type { Rect } from "../../screen/layout.ts";
import { captionOf, pictureBox, pictureRect } from "./place.ts";

interface PictureProps {
  line: PictureLine;
  /** As in "3 of 12". */
  place: string;
  drawn: DrawnPicture;
  /** The panel below its title. */
  body: Rect;
  theme: Theme;
  utc: boolean;
}

function pictureArea({ drawn, body, theme }: PictureProps): string[] {
  switch (drawn.kind) {
    case "waiting":
      return [` ${theme.dim(words.pictures.loading)}`];
    case "refused": {
      const text = words.pictures.notShown(refusalWords(drawn.refused));
      return [` ${theme.warn(truncate(text, Math.max(1, body.width - 2)))}`];
    }
    case "bytes":
      // Drawn over blank cells (terminal/pixel-layer.ts).
      return Array.from({ length: drawn.cells.rows }, () => "");
    case "rows": {
      const indent = " ".repeat(pictureRect(body, drawn.cells).x - body.x);
      return drawn.rows.map((row) => indent + row);
    }
  }
}

export function pictureRows(props: PictureProps): string[] {
  const { line, place, body, theme, utc } = props;
  const caption = captionOf(line, place, body, utc);
  const rows = pictureArea(props).slice(0, pictureBox(body, line).rows);
  rows.push(...caption.name.map((row) => ` ${theme.bold(row)}`));
  rows.push(...caption.about.map((row) => ` ${theme.dim(row)}`));
  return rows.slice(0, body.height);
}
