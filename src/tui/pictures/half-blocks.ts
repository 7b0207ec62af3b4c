/** Draws pixels with half blocks: the upper pixel as foreground, the lower as background. */
import type { Pixels } from "./size.ts";

/** Pixels with less alpha than this are transparent. */
const MIN_ALPHA = 32;

/** Component values of the 6 × 6 × 6 colour cube. */
const STEPS = [0, 95, 135, 175, 215, 255];
const nearestStep = (value: number): number =>
  value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40);

/** The nearest of the 256 terminal colours, from the cube or the greys. */
export function nearest256(r: number, g: number, b: number): number {
  const cube = [nearestStep(r), nearestStep(g), nearestStep(b)] as const;
  const grey = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
  const distance = (x: number, y: number, z: number): number => (r - x) ** 2 + (g - y) ** 2 + (b - z) ** 2;
  const level = 8 + 10 * grey;
  return distance(level, level, level) < distance(STEPS[cube[0]]!, STEPS[cube[1]]!, STEPS[cube[2]]!)
    ? 232 + grey
    : 16 + 36 * cube[0] + 6 * cube[1] + cube[2];
}

/** The SGR parameters of a colour after `38;` or `48;`; undefined for a transparent pixel. */
function colourAt(rgba: Uint8Array, at: number, level: 2 | 3): string | undefined {
  if (rgba[at + 3]! < MIN_ALPHA) return undefined;
  const [r, g, b] = [rgba[at]!, rgba[at + 1]!, rgba[at + 2]!];
  return level === 3 ? `2;${r};${g};${b}` : `5;${nearest256(r, g, b)}`;
}

function cell(upper: string | undefined, lower: string | undefined): { sgr: string; character: string } {
  if (upper === undefined)
    return lower === undefined ? { sgr: "39;49", character: " " } : { sgr: `38;${lower};49`, character: "▄" };
  return lower === undefined
    ? { sgr: `38;${upper};49`, character: "▀" }
    : { sgr: `38;${upper};48;${lower}`, character: "▀" };
}

/** One row of text per two lines of pixels; `rgba` has four bytes per pixel, row by row. */
export function halfBlockRows(rgba: Uint8Array, { width, height }: Pixels, level: 2 | 3): string[] {
  return Array.from({ length: Math.ceil(height / 2) }, (_, row) => {
    let text = "";
    let before = "";
    for (let x = 0; x < width; x++) {
      const at = (row * 2 * width + x) * 4;
      const lower = row * 2 + 1 < height ? colourAt(rgba, at + width * 4, level) : undefined;
      const { sgr, character } = cell(colourAt(rgba, at, level), lower);
      text += sgr === before ? character : `\x1b[${sgr}m${character}`;
      before = sgr;
    }
    return `${text}\x1b[39;49m`;
  });
}
