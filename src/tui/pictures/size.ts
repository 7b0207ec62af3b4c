/** Computes the size of a picture in cells, preserving its proportions. */

export interface Cells {
  cols: number;
  rows: number;
}

/** A size in pixels. */
export interface Pixels {
  width: number;
  height: number;
}

/** Assumed cell size if the terminal does not report it. */
export const DEFAULT_CELL: Pixels = { width: 10, height: 20 };

/** Small pictures are not enlarged beyond this factor. */
const MAX_SCALE = 4;

/** The cells of a picture of `size` that fit a box, at least one by one. */
export function cellsFor(size: Pixels, box: Cells, cell: Pixels): Cells {
  const scale = Math.min(
    (box.cols * cell.width) / size.width,
    (box.rows * cell.height) / size.height,
    MAX_SCALE,
  );
  const cellCount = (pixels: number, unit: number, max: number): number =>
    Math.max(1, Math.min(max, Math.round((pixels * scale) / unit)));
  return {
    cols: cellCount(size.width, cell.width, box.cols),
    rows: cellCount(size.height, cell.height, box.rows),
  };
}
