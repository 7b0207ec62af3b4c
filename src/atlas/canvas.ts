/** A canvas of dots in terminal cells: braille, half blocks or ASCII; each cell shows one kind of line. */

/** Kinds of lines in drawing order: a later one takes the cell over. */
const INKS = ["ring", "border", "coast", "trail", "track"] as const;
/** `trail`: the route of somebody else; `track`: the current user's own. */
export type Ink = (typeof INKS)[number];

export type DotStyle = "braille" | "blocks" | "ascii";

/** Dots per cell, across and down. */
const DOTS: Readonly<Record<DotStyle, readonly [across: number, down: number]>> = {
  braille: [2, 4],
  blocks: [1, 2],
  ascii: [1, 2],
};
/** Characters by bits: 1 = the upper dot, 2 = the lower one. */
const HALVES: Readonly<Record<"blocks" | "ascii", string>> = { blocks: " ▀▄█", ascii: " '.:" };

/** Neighbouring cells with the same ink. */
export interface InkRun {
  text: string;
  ink: Ink | undefined;
}

export class Canvas {
  readonly columns: number;
  readonly rows: number;
  /** Size in dots. */
  readonly width: number;
  readonly height: number;
  readonly #style: DotStyle;
  readonly #bits: Uint8Array;
  /** Per cell: index of the ink in {@link INKS} + 1; 0 = empty. */
  readonly #inks: Uint8Array;

  constructor(columns: number, rows: number, style: DotStyle) {
    const [across, down] = DOTS[style];
    this.columns = columns;
    this.rows = rows;
    this.width = columns * across;
    this.height = rows * down;
    this.#style = style;
    this.#bits = new Uint8Array(columns * rows);
    this.#inks = new Uint8Array(columns * rows);
  }

  /** Sets a dot; dots outside the canvas are ignored. */
  dot(x: number, y: number, ink: Ink): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const [across, down] = DOTS[this.#style];
    const cell = Math.floor(y / down) * this.columns + Math.floor(x / across);
    const level = INKS.indexOf(ink) + 1;
    if (level > this.#inks[cell]!) this.#inks[cell] = level;
    this.#bits[cell]! |= this.#bit(x % across, y % down);
  }

  /** A straight line between two points, in dots. */
  stroke(fromX: number, fromY: number, toX: number, toY: number, ink: Ink): void {
    const [dx, dy] = [toX - fromX, toY - fromY];
    // Bounded: a line may end far outside the canvas.
    const steps = Math.min(4096, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))) || 1);
    for (let step = 0; step <= steps; step++)
      this.dot(Math.round(fromX + (dx * step) / steps), Math.round(fromY + (dy * step) / steps), ink);
  }

  #bit(x: number, y: number): number {
    if (this.#style !== "braille") return 1 << y;
    return y === 3 ? 64 << x : 1 << (y + 3 * x);
  }

  #character(bits: number): string {
    if (this.#style === "braille") return bits === 0 ? " " : String.fromCharCode(0x2800 + bits);
    return HALVES[this.#style][bits]!;
  }

  /** The cells `start` to `end` (exclusive) of a row, split where the ink changes. */
  inkRuns(row: number, start: number, end: number): InkRun[] {
    const runs: InkRun[] = [];
    for (let column = start; column < end; column++) {
      const cell = row * this.columns + column;
      const ink = INKS[this.#inks[cell]! - 1];
      const last = runs.at(-1);
      const character = this.#character(this.#bits[cell]!);
      if (last && last.ink === ink) last.text += character;
      else runs.push({ text: character, ink });
    }
    return runs;
  }
}
