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
export const USUAL_CELL: Pixels = { width: 10, height: 20 };

/** Small pictures are not enlarged beyond this factor. */
const LARGEST_SCALE = 4;

/** The cells of a picture of `size` that fit a box, at least one by one. */
export function cellsFor(size: Pixels, box: Cells, cell: Pixels): Cells {
  const scale = Math.min(
    (box.cols * cell.width) / size.width,
    (box.rows * cell.height) / size.height,
    LARGEST_SCALE,
  );
  const within = (pixels: number, unit: number, most: number): number =>
    Math.max(1, Math.min(most, Math.round((pixels * scale) / unit)));
  return {
    cols: within(size.width, cell.width, box.cols),
    rows: within(size.height, cell.height, box.rows),
  };
}
