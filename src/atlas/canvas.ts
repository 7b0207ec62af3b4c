/** A picture of dots in cells of text: braille, half blocks or plain signs, one kind of line a cell. */

/** What draws over what: the last wins its cell. */
const INKS = ["ring", "border", "coast", "trail", "track"] as const;
/** `trail`: where somebody else was; `track`: where I was. */
export type Ink = (typeof INKS)[number];

export type DotStyle = "braille" | "blocks" | "ascii";

/** Dots of a cell, across and down. */
const DOTS: Readonly<Record<DotStyle, readonly [across: number, down: number]>> = {
  braille: [2, 4],
  blocks: [1, 2],
  ascii: [1, 2],
};
/** By the upper dot (1) and the lower one (2). */
const HALVES: Readonly<Record<"blocks" | "ascii", string>> = { blocks: " ▀▄█", ascii: " '.:" };

/** A run of cells of one kind. */
export interface InkRun {
  text: string;
  ink: Ink | undefined;
}

export class Canvas {
  readonly columns: number;
  readonly rows: number;
  /** Dots of the whole picture. */
  readonly width: number;
  readonly height: number;
  readonly #style: DotStyle;
  readonly #bits: Uint8Array;
  /** Place of the ink in {@link INKS}, from 1; 0 = empty. */
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

  /** A dot; outside of the picture it is none. */
  dot(x: number, y: number, ink: Ink): void {
    if (x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const [across, down] = DOTS[this.#style];
    const cell = Math.floor(y / down) * this.columns + Math.floor(x / across);
    const level = INKS.indexOf(ink) + 1;
    if (level > this.#inks[cell]!) this.#inks[cell] = level;
    this.#bits[cell]! |= this.#bit(x % across, y % down);
  }

  /** A stroke between two places, in dots. */
  stroke(fromX: number, fromY: number, toX: number, toY: number, ink: Ink): void {
    const [dx, dy] = [toX - fromX, toY - fromY];
    // A stroke that ends far outside is not walked dot by dot.
    const steps = Math.min(4096, Math.ceil(Math.max(Math.abs(dx), Math.abs(dy))) || 1);
    for (let step = 0; step <= steps; step++)
      this.dot(Math.round(fromX + (dx * step) / steps), Math.round(fromY + (dy * step) / steps), ink);
  }

  #bit(x: number, y: number): number {
    if (this.#style !== "braille") return 1 << y;
    return y === 3 ? 64 << x : 1 << (y + 3 * x);
  }

  #sign(bits: number): string {
    if (this.#style === "braille") return bits === 0 ? " " : String.fromCharCode(0x2800 + bits);
    return HALVES[this.#style][bits]!;
  }

  /** A row from cell `start` to before cell `end`, cut where the ink changes. */
  runs(row: number, start: number, end: number): InkRun[] {
    const found: InkRun[] = [];
    for (let column = start; column < end; column++) {
      const cell = row * this.columns + column;
      const ink = INKS[this.#inks[cell]! - 1];
      const last = found.at(-1);
      const sign = this.#sign(this.#bits[cell]!);
      if (last && last.ink === ink) last.text += sign;
      else found.push({ text: sign, ink });
    }
    return found;
  }
}
